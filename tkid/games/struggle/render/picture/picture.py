"""The picture: its headline, the map with the tallies on its sea, the players, and the legend, in the order of drawing.

Every part is drawn in its own coordinates, from what it shows and nothing else, so that it is remembered; the layouts
differ in where the parts are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from attrs import evolve

from tkid.games.struggle.render.picture import cards, ground, pieces, regions, tallies
from tkid.games.struggle.render.picture.arrows import STYLE as LINES
from tkid.games.struggle.render.picture.arrows import arrows
from tkid.games.struggle.render.picture.layout import (
    BELOW_MAP,
    BROAD,
    EMBLEMS,
    FOOT,
    LEGEND,
    MAP_HEIGHT,
    WIDTH,
)
from tkid.games.struggle.render.picture.legend import emblems, legend
from tkid.games.struggle.render.picture.players import height, players
from tkid.games.struggle.render.picture.scene import Scene
from tkid.games.struggle.render.text import telling
from tkid.games.struggle.render.text.description import description, map_description
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.views import View
from tkid.render.head import PAGE, WIDE, head
from tkid.render.head import STYLE as LINES_OF_HEAD
from tkid.render.palette import paint
from tkid.render.picture import SANS, LastTurn, Layout, Part, Picture, Style, element

FAINT = "[data-part] .dim,[data-part] .told"
LIGHT_INK, DARK_INK = paint(fill="ink")
STYLE: Style = {
    **ground.STYLE,
    **pieces.STYLE,
    **regions.STYLE,
    **LINES,
    "[data-part] text": ("forced-color-adjust:none", ""),
    "[data-part] text,.halo,.arrow,.tip,.came,.gone,use:not([data-at])": ("pointer-events:none", ""),
    "[data-part]": (f"font-family:{SANS};font-size:11px", ""),
    ".paper": paint(fill="paper"),
    ".dim": paint(fill="dim"),
    **LINES_OF_HEAD,
    ".n": ("font-size:13px;font-variant-numeric:tabular-nums", ""),
    ".s": ("font-size:10.5px", ""),
    ".panel": paint(fill="panel"),
    ".rule": paint(stroke="rule"),
    ".card": paint("stroke-width:1", fill="card", stroke="coast"),
    ".up": paint("stroke-width:2.4", fill="card", stroke="ink"),
    ".down": paint(fill="back"),
    ".edged": paint("stroke-width:.8", stroke="on-back"),
    ".on-down": paint(fill="on-back"),
    ".weave": paint("fill:none;stroke-width:.7;stroke-opacity:.5", stroke="on-back"),
    ".pen": paint("fill:none;stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round", stroke="ink"),
    ".crown": paint("stroke-width:1;stroke-linejoin:round", fill="piece2", stroke="edge"),
    ".swap": paint("fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round", stroke="last"),
    "@media print": (".sea,.shoal{fill:#fff}", ""),
    "@media (prefers-contrast:more)": (f"{FAINT}{{{LIGHT_INK}}}", ""),
    "@media screen and (prefers-contrast:more) and (prefers-color-scheme:dark)": (f"{FAINT}{{{DARK_INK}}}", ""),
}


def picture(
    game: Struggle, view: View, names: Sequence[str], last: LastTurn | None = None, *, layout: Layout = "page"
) -> Picture:
    """All that a seat may know of a position, drawn, or the map `alone`; `last` is the turn that led to it."""
    scene = Scene(game, view.shown, view.seat, names, last)
    headline = telling.headline(game, view, names)
    words = (map_description if layout == "alone" else description)(game, view, names)
    broad, seats = layout == "wide", len(view.shown.courts)
    top = {"page": PAGE, "wide": WIDE}.get(layout, 0)
    width = BROAD if broad else WIDTH
    parts: list[Part] = []
    if top:
        told = telling.told(game, view, names, last) if last else ""
        svg = head(headline, telling.forecast(game, view, names), told, width, top)
        parts.append(Part("head", svg))
    parts += [evolve(part, at=(0, top)) for part in _map(scene)] if top else _map(scene)
    if layout == "alone":
        high = MAP_HEIGHT
    elif broad:
        high = top + BELOW_MAP
        parts += players(scene, (WIDTH, top), whole=True)
        parts.append(Part("legend", legend(scene.board), (WIDTH, high - LEGEND - FOOT)))
    else:
        high = top + BELOW_MAP + height(seats, whole=False) + FOOT
        parts += players(scene, (0, top + BELOW_MAP), whole=False)
        if top:
            parts.append(Part("legend", emblems(game), (0, high)))
            high += EMBLEMS
    rows = BELOW_MAP if layout == "board" else 0
    return Picture(width, high, headline, words, STYLE, (_paper(width, high), *parts), defs=_defs(game), rows=rows)


def _map(scene: Scene) -> Iterator[Part]:
    """The parts of the map, from the sea up."""
    yield from ground.ground(scene)
    yield arrows(scene)
    yield from regions.regions(scene)
    yield from tallies.tallies(scene)


@cache
def _paper(width: int, high: int) -> Part:
    return Part("paper", element("rect", width=width, height=high, class_="paper"))


@lru_cache(64)
def _defs(game: Struggle) -> str:
    """The shapes that the parts use."""
    return ground.defs(game.board) + pieces.defs(game.board) + tallies.defs(game.board) + cards.defs(game)
