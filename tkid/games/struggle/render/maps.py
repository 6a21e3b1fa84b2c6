"""Drawn maps as data: a box for each region, and how a text drawing is made of them.

Regions border exactly where their boxes share an edge, so a map needs no lines between boxes and none can be
misread. A drawing is used for a board only where that holds for every pair of regions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations

from attrs import frozen

from tkid.games.struggle.rules.board import Board
from tkid.render.marks import CONTESTED, END, cells, marked


@frozen
class Box:
    """Where a region is drawn, in characters: the upper left corner, and how far right and down the other walls stand.

    Boxes that touch have their wall in common.
    """

    x: int
    y: int
    width: int = 19
    height: int = 3

    @property
    def right(self) -> int:
        """The column of the right wall."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The row of the lower wall."""
        return self.y + self.height

    @property
    def room(self) -> int:
        """How many characters of text a line inside takes, with a blank at each wall."""
        return self.width - 3

    def touches(self, other: Box) -> bool:
        """Whether the boxes share an edge of which more than the corners is common."""
        wide = min(self.right, other.right) - max(self.x, other.x)
        high = min(self.bottom, other.bottom) - max(self.y, other.y)
        return (wide == 0 and high > 1) or (high == 0 and wide > 1)


Layout = Mapping[str, Box]
"""A map: the box of each region, by its code."""

BRITAIN: Layout = {
    "MOR": Box(22, 0),
    "STR": Box(18, 3),
    "LAN": Box(10, 6),
    "NOR": Box(29, 6),
    "GWY": Box(0, 9),
    "WAR": Box(19, 9),
    "ESS": Box(38, 9),
    "DEV": Box(5, 12, width=40),
}


def renamed(layout: Layout, codes: str) -> Layout:
    """The same drawing for a board on the same graph: its codes, in the order of the layout."""
    return dict(zip(codes.split(), layout.values(), strict=True))


LAYOUTS = (BRITAIN, renamed(BRITAIN, "CAL DIN DVA EBO CAE RAT LON AQU"))
"""Every drawn map."""


def borders(layout: Layout) -> frozenset[frozenset[str]]:
    """The borders that a drawing shows: the pairs of codes whose boxes share an edge."""
    return frozenset(frozenset((a, b)) for a, b in combinations(layout, 2) if layout[a].touches(layout[b]))


@cache
def boxes(board: Board) -> tuple[Box, ...] | None:
    """The boxes of a board's regions in their order; None where no drawing shows exactly this board's borders."""
    codes = [region.code for region in board.regions]
    wanted = frozenset(frozenset((codes[a], codes[b])) for a, b in board.borders)
    for layout in LAYOUTS:
        if layout.keys() == set(codes) and borders(layout) == wanted:
            return tuple(layout[code] for code in codes)
    return None


def draw(places: tuple[Box, ...], texts: Sequence[Sequence[str]], heavy: int | None) -> list[str]:
    """The boxes with the text lines inside each; the box of index `heavy`, the contested one, in double walls.

    The texts may be marked.
    """
    canvas = [list(row) for row in _outline(places, heavy)]
    for box, lines in zip(places, texts, strict=True):
        for row, line in enumerate(lines, box.y + 1):
            written = cells(line)
            canvas[row][box.x + 2 : box.x + 2 + len(written)] = written
    return ["".join(row).rstrip() for row in canvas]


@cache
def _outline(places: tuple[Box, ...], heavy: int | None) -> tuple[tuple[str, ...], ...]:
    """The boxes with nothing in them, as rows of cells."""
    canvas = [[" "] * (max(box.right for box in places) + 1) for _ in range(max(box.bottom for box in places) + 1)]
    for box in places:
        _walls(canvas, box, "-", "|")
    for box in places:
        _corners(canvas, box, "+")
    if heavy is not None:
        _walls(canvas, places[heavy], "=", "#", keep="+")
        _corners(canvas, places[heavy], "#")
        _mark(canvas, places[heavy])
    return tuple(map(tuple, canvas))


def _walls(canvas: list[list[str]], box: Box, level: str, upright: str, keep: str = "") -> None:
    """Draw the four walls; characters in `keep` stay where they stand."""
    level_cells = [(x, y) for x in range(box.x, box.right + 1) for y in (box.y, box.bottom)]
    upright_cells = [(x, y) for y in range(box.y, box.bottom + 1) for x in (box.x, box.right)]
    for places, wall in ((level_cells, level), (upright_cells, upright)):
        for x, y in places:
            canvas[y][x] = canvas[y][x] if canvas[y][x] in keep else wall


def _corners(canvas: list[list[str]], box: Box, corner: str) -> None:
    for x in (box.x, box.right):
        for y in (box.y, box.bottom):
            canvas[y][x] = corner


def _mark(canvas: list[list[str]], box: Box) -> None:
    """Mark the walls of the contested region."""
    for y in (box.y, box.bottom):
        canvas[y][box.x] = CONTESTED + canvas[y][box.x]
        canvas[y][box.right] += END
    for y in range(box.y + 1, box.bottom):
        for x in (box.x, box.right):
            canvas[y][x] = marked(CONTESTED, canvas[y][x])
