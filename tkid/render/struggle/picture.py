"""The King is Dead as a picture: the map with its followers and discs, the track, the supply, and the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.struggle.board import OPEN
from tkid.games.struggle.game import Struggle
from tkid.games.struggle.position import Position
from tkid.games.struggle.views import View
from tkid.render.picture import SANS, Last, Part, Picture, element, text
from tkid.render.struggle import geography

STYLE = {
    "svg": (f"font-family:{SANS};background:#fff;fill:#111", "background:#14181c;fill:#eee"),
    ".land": ("fill:#f4ecd8;stroke:#555", "fill:#3a4048;stroke:#aaa"),
}


def picture(game: Struggle, view: View, names: Sequence[str], last: Last | None = None) -> Picture:  # noqa: ARG001
    """All that a seat may know of a position; `last` is the turn that led to it."""
    shown = view.shown
    title = f"Turn {shown.turn}"
    return Picture(480, 800, title, title, STYLE, tuple(_parts(game, shown, view.seat)))


def _parts(game: Struggle, shown: Position, seat: int | None) -> Iterator[Part]:
    board = game.board
    for region, shape in enumerate(geography.drawing(board).shapes):
        code = board.regions[region].code
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in shape.outline) + "Z"
        x, y = shape.middle
        inner = element("path", d=path, class_="land", data_at=f"region/{code}") + text(
            x - 30, y - 12, board.name(region)
        )
        tokens = [kind for kind, n in enumerate(shown.regions[region]) for _ in range(n)]
        for at, kind in enumerate(tokens):
            letter = board.factions[kind].letter
            inner += text(x - 30 + 14 * at, y + 8, letter, data_at=f"follower/{code}/{letter}")
        if shown.discs[region] != OPEN:
            inner += text(x - 30, y + 8, board.disc(shown.discs[region]))
        yield Part(f"region-{code}", inner)
    for at, region in enumerate(shown.track):
        code = board.regions[region].code
        yield Part(f"space-{at}", text(370, 40 + 20 * at, code, data_at=f"space/{code}"))
    for f, faction in enumerate(board.factions):
        yield Part(
            f"supply-{f}",
            text(370, 220 + 20 * f, f"{shown.supply[f]} {faction.letter}", data_at=f"supply/{faction.letter}"),
        )
    for owner in shown.seats:
        inner = "".join(
            text(20 + 40 * f, 540 + 60 * owner, f"{n}{faction.letter}", data_at=f"court/{owner}/{faction.letter}")
            for f, (n, faction) in enumerate(zip(shown.courts[owner], board.factions, strict=True))
        )
        if shown.discards[owner]:
            inner += text(200, 540 + 60 * owner, shown.discards[owner][-1], data_at=f"pile/{owner}")
        for at, card in enumerate(shown.hands[owner]):
            marked = f"card/{card}" if owner == seat else None
            inner += text(20 + 60 * at, 560 + 60 * owner, card, data_at=marked, font_size=8)
        yield Part(f"seat-{owner}", inner)
