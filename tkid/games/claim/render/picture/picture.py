"""The picture: the head, the table, the players, the discards, and what the factions can do, as parts in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import evolve

from tkid.games.claim.render.picture import cards, legend, piles, players, table
from tkid.games.claim.render.picture.scene import ALONE, DISCARDS, LEGEND, OWN, STYLE, TABLE, WIDE, WIDTH, Scene
from tkid.games.claim.render.text import telling
from tkid.games.claim.render.text.description import description
from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.views import View
from tkid.render import head
from tkid.render.lines import printable
from tkid.render.picture import LastTurn, Layout, Part, Picture, element


def picture(
    game: Claim, view: View, names: Sequence[str], last: LastTurn | None = None, *, layout: Layout = "page"
) -> Picture:
    """All that a seat may know of a position, drawn, or the table `alone`; `last` is the turn that led to it."""
    names = [printable(name) for name in names]
    scene = Scene(game, view.shown, view.seat, names, last, tuple(scoring.votes(view.shown.scores)))
    title, words = telling.headline(game, view, names), description(game, view, names)
    width, height, parts = LAYOUTS[layout](scene, view)
    return Picture(width, height, title, words, STYLE, tuple(parts), defs=cards.defs())


Drawn = tuple[int, int, Iterator[Part]]
"""Width, height and parts."""


def _page(scene: Scene, view: View) -> Drawn:
    """One column under the headline."""
    height = head.PAGE + TABLE + scene.rows + DISCARDS
    return WIDTH, height, _parts(scene, _paper(WIDTH, height), _head(scene, view, WIDTH, head.PAGE), head.PAGE)


def _board(scene: Scene, _: View) -> Drawn:
    """One column without a headline."""
    height = TABLE + scene.rows + DISCARDS
    return WIDTH, height, _parts(scene, _paper(WIDTH, height), "", 0)


def _wide(scene: Scene, view: View) -> Drawn:
    """Two columns: the table with the powers of the factions, and the players with the discards."""
    height = head.WIDE + max(TABLE + LEGEND, scene.rows + DISCARDS)
    parts = _parts(scene, _paper(WIDE, height), _head(scene, view, WIDE, head.WIDE), head.WIDE, beside=True)
    return WIDE, height, parts


def _alone(scene: Scene, _: View) -> Drawn:
    """The table without the tally of tricks, and the viewer's hand."""
    own = scene.seat is not None
    return ALONE, TABLE + OWN * own, _table(scene, own=own)


LAYOUTS = {"page": _page, "board": _board, "wide": _wide, "alone": _alone}


def _paper(width: int, height: int) -> str:
    return element("rect", class_="c-ground", width=width, height=height)


def _head(scene: Scene, view: View, width: int, height: int) -> str:
    """The headline, the forecast, and the last turn."""
    told = telling.told(scene.game, view, scene.names, scene.last) if scene.last else ""
    forecast = telling.forecast(scene.game, view, scene.names)
    return head.head(telling.headline(scene.game, view, scene.names), forecast, told, width, height)


def _parts(scene: Scene, paper: str, heading: str, top: int, *, beside: bool = False) -> Iterator[Part]:
    """All parts, in the order of drawing; `beside` puts the players into a second column."""
    yield Part("ground", paper)
    yield Part("head", heading)
    for part in (Part("table", table.ground()), *_stakes(scene), Part("tally", table.tally(scene))):
        yield evolve(part, at=(0, top))
    left, down = (WIDTH, top) if beside else (0, top + TABLE)
    for seat in scene.shown.seats:
        for name, draw in PLAYER.items():
            yield Part(f"{name}-{seat}", draw(scene, seat), (left, down))
        down += scene.row(seat)
    yield Part("discards", piles.discards(scene), (left, down))
    yield Part("legend", legend.legend() if beside else "", (0, top + TABLE))


PLAYER = {
    "panel": players.panel,
    "player": players.player,
    "hand": players.hand,
    "followers": players.followers,
}
"""The parts of a player's row."""


def _stakes(scene: Scene) -> tuple[Part, ...]:
    """What is played for, and the trick."""
    return (
        Part("deck", table.deck(scene)),
        Part("prize", table.prize(scene)),
        Part("votes", table.votes(scene)),
        Part("trick", table.trick(scene)),
    )


def _table(scene: Scene, *, own: bool) -> Iterator[Part]:
    """The parts of the table, and below it the viewer's own hand."""
    yield Part("ground", table.ground_alone(ALONE, own=own))
    yield from _stakes(scene)
    if scene.seat is not None:
        yield Part("hand", players.own_hand_small(scene, scene.seat, TABLE + 12, ALONE))
