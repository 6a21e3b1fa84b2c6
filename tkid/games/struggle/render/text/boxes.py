"""The map in text: a box for each region. Regions border exactly where their boxes share an edge."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from attrs import frozen

from tkid.games.struggle.render.britain import regions_of_britain
from tkid.games.struggle.rules.board import Board
from tkid.render.markup import CONTESTED, END, cells, marked


@frozen
class Box:
    """A box in characters: its upper left corner, and how far right and down the other walls are.

    Boxes that touch share a wall.
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
        """The characters of a line inside, with a blank at each wall."""
        return self.width - 3

    def touches(self, other: Box) -> bool:
        """Whether the boxes share more than a corner."""
        wide = min(self.right, other.right) - max(self.x, other.x)
        high = min(self.bottom, other.bottom) - max(self.y, other.y)
        return (wide == 0 and high > 1) or (high == 0 and wide > 1)


BRITAIN = {
    "MOR": Box(22, 0),
    "STR": Box(18, 3),
    "LAN": Box(10, 6),
    "NOR": Box(29, 6),
    "GWY": Box(0, 9),
    "WAR": Box(19, 9),
    "ESS": Box(38, 9),
    "DEV": Box(5, 12, width=40),
}
"""The box of each region, by its code."""


def borders() -> set[frozenset[str]]:
    """The borders of the boxes of Britain."""
    return {frozenset((a, b)) for a, b in combinations(BRITAIN, 2) if BRITAIN[a].touches(BRITAIN[b])}


@cache
def boxes(board: Board) -> tuple[Box, ...] | None:
    """The boxes of a board's regions; None for a board that is not Britain."""
    regions = regions_of_britain(board, borders())
    return tuple(BRITAIN[region] for region in regions) if regions else None


def draw(boxes: tuple[Box, ...], texts: Sequence[Sequence[str]], contested: int | None) -> list[str]:
    """The boxes with lines of text in each, which may be marked; the contested region has double walls."""
    canvas = [list(row) for row in _outline(boxes, contested)]
    for box, lines in zip(boxes, texts, strict=True):
        for row, line in enumerate(lines, box.y + 1):
            characters = cells(line)
            canvas[row][box.x + 2 : box.x + 2 + len(characters)] = characters
    return ["".join(row).rstrip() for row in canvas]


@cache
def _outline(boxes: tuple[Box, ...], contested: int | None) -> tuple[tuple[str, ...], ...]:
    """The empty boxes, as rows of cells."""
    canvas = [[" "] * (max(box.right for box in boxes) + 1) for _ in range(max(box.bottom for box in boxes) + 1)]
    for box in boxes:
        _walls(canvas, box, "-", "|")
    for box in boxes:
        _corners(canvas, box, "+")
    if contested is not None:
        _walls(canvas, boxes[contested], "=", "#", keep="+")
        _corners(canvas, boxes[contested], "#")
        _mark(canvas, boxes[contested])
    return tuple(map(tuple, canvas))


def _walls(canvas: list[list[str]], box: Box, level: str, upright: str, keep: str = "") -> None:
    """Draw the four walls, but not over characters in `keep`."""
    level_cells = [(x, y, level) for x in range(box.x, box.right + 1) for y in (box.y, box.bottom)]
    upright_cells = [(x, y, upright) for y in range(box.y, box.bottom + 1) for x in (box.x, box.right)]
    for x, y, wall in (*level_cells, *upright_cells):
        if canvas[y][x] not in keep:
            canvas[y][x] = wall


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
