"""The page: the headline, the map with the column beside it, and the players, as parts in the order of drawing.

The last turn is marked: followers that came have a plus, those that left an outline and where they went, and there are
arrows between regions, and between region cards that changed places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tkid.games.struggle.render.picture import board_map, ground, pieces, players, regions, side
from tkid.games.struggle.render.picture.layout import (
    MARGIN,
    PLAYER_HEIGHT,
    PLAYERS_TOP,
    WIDTH,
)
from tkid.games.struggle.render.picture.outlines import drawing
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.render.text import phrases
from tkid.games.struggle.render.text.description import description, map_description
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.views import View
from tkid.kernel.game import with_names
from tkid.render.picture import SANS, LastTurn, Layout, Part, Picture, Style, cut, element, text

STYLE: Style = {
    "[data-part] text,.next,.halo,.arrow,.tip,.gone": ("pointer-events:none", ""),
    "[data-part]": (f"font-family:{SANS};font-size:11px", ""),
    ".paper": ("fill:#fff", "fill:#14181c"),
    ".sea": ("fill:#dfeaf0", "fill:#1c2830"),
    ".land": ("fill:#f6efdf;stroke:#6b6252;stroke-width:1.3;stroke-linejoin:round", "fill:#3b434b;stroke:#9aa4ad"),
    ".shut": ("fill:#ddd5c5;stroke:#6b6252;stroke-width:1.3;stroke-linejoin:round", "fill:#262c32;stroke:#9aa4ad"),
    ".next": ("fill:none;stroke:#111;stroke-width:3.6;stroke-linejoin:round", "stroke:#fff"),
    ".road": ("stroke:#6b6252;stroke-width:4", "stroke:#9aa4ad"),
    ".card": ("fill:#fff;stroke:#6b6252;stroke-width:1", "fill:#242b31;stroke:#9aa4ad"),
    ".down": ("fill:#eae5da;stroke:#6b6252;stroke-width:1", "fill:#1d2328;stroke:#7b858e"),
    ".up": ("fill:#fff;stroke:#111;stroke-width:2.6", "fill:#242b31;stroke:#fff"),
    ".line": ("stroke:#bbb;stroke-width:1", "stroke:#4a535b"),
    ".dim": ("fill:#4d4d4d", "fill:#bcc4cb"),
    ".up-name": ("font-size:10.5px;font-weight:700;fill:#111", "fill:#eee"),
    ".down-name": ("font-size:10.5px;fill:#4d4d4d", "fill:#bcc4cb"),
    ".h": ("font-size:15px;font-weight:700", ""),
    ".n": ("font-size:12.5px;font-weight:700", ""),
    ".s": ("font-size:10px", ""),
    ".halo": ("stroke:#f6efdf;stroke-width:5.5;stroke-linecap:round;fill:none", "stroke:#14181c"),
    ".arrow": ("stroke:#111;stroke-width:2.4;stroke-linecap:round;fill:none", "stroke:#fff"),
    ".tip": ("fill:#111", "fill:#fff"),
    **pieces.STYLE,
    **ground.STYLE,
    **regions.STYLE,
}


def picture(
    game: Struggle, view: View, names: Sequence[str], last: LastTurn | None = None, *, layout: Layout = "page"
) -> Picture:
    """All that a seat may know of a position, drawn, or the map `alone`; `last` is the turn that led to it."""
    scene = Scene(game, view.shown, view.seat, names, last)
    if layout == "alone":
        words = map_description(game, view, names)
        return Picture(480, 620, _headline(scene), words, STYLE, tuple(_map(scene)), defs=_defs(scene))
    height = PLAYERS_TOP + PLAYER_HEIGHT * len(view.shown.courts)
    words = description(game, view, names)
    return Picture(WIDTH, height, _headline(scene), words, STYLE, tuple(_parts(scene, height)), defs=_defs(scene))


def _defs(scene: Scene) -> str:
    """The shapes that the parts use."""
    return ground.defs(scene.board) + pieces.defs(scene.board)


def _headline(scene: Scene) -> str:
    """Whose turn it is, or how the game ended."""
    shown = scene.shown
    if shown.to_act is not None:
        return f"Turn {shown.turn + 1}: {scene.names[shown.to_act]} to {phrases.due(scene.game, shown)}"
    return f"{phrases.who_won(shown, scene.names)} after turn {shown.turn}: {shown.ending or 'ended'}"


def _parts(scene: Scene, height: int) -> Iterator[Part]:
    """All parts, from the ground up."""
    paper = element("rect", width=WIDTH, height=height, class_="paper")
    yield Part("ground", paper)
    yield Part("head", _head(scene))
    yield from _map(scene)
    yield from side.track(scene)
    yield Part("supply", side.supply(scene))
    yield Part("power", side.control(scene))
    for seat in scene.shown.seats:
        yield Part(f"seat-{seat}", players.player(scene, seat))


def _map(scene: Scene) -> Iterator[Part]:
    """The parts of the map, from its ground up."""
    middles = [shape.middle for shape in drawing(scene.board).shapes]
    yield from ground.ground(scene)
    yield Part("arrows", board_map.arrows(scene, middles)[0])
    yield from regions.regions(scene)


def _head(scene: Scene) -> str:
    """The headline, the passes in a row, and the last turn."""
    shown, facts = scene.shown, []
    if shown.to_act is not None:
        if shown.contested is not None:
            facts.append(f"contested: {scene.board.name(shown.contested)}")
        facts.append(f"passes in a row: {shown.passes} of {len(shown.courts)}")
        facts += phrases.next_starter(shown, [cut(name, 80) for name in scene.names])
    headline = text(MARGIN, 21, cut(_headline(scene), WIDTH - 2 * MARGIN, 15, bold=True), class_="h ink")
    headline += text(MARGIN, 38, " \u00b7 ".join(facts), class_="ink")
    if scene.last is None:
        return headline
    turn = with_names(scene.game.words.turn(scene.last.moves), [cut(name, 80) for name in scene.names])
    turn = f"{cut(scene.names[scene.last.seat], 90)}: {turn}"
    return headline + text(MARGIN, 54, cut(turn, WIDTH - 2 * MARGIN), class_="dim")
