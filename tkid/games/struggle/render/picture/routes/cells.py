"""The map as a grid of cells; a set of cells is a number with a bit for each, so that one step deals with all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise
from math import ceil, floor

from tkid.games.struggle.render.picture.outlines import HEIGHT, WIDTH, Line, Point
from tkid.render.picture import REMEMBERED, Box

SIDE = 5
"""The side of a cell."""
COLUMNS, ROWS = WIDTH // SIDE, HEIGHT // SIDE
ALL = (1 << COLUMNS * ROWS) - 1
AROUND = 2
"""So many cells around an outline belong to it."""


@lru_cache(REMEMBERED)
def covered(left: float, top: float, right: float, bottom: float) -> int:
    """The cells whose middle is in a rectangle."""
    first, last = max(0, ceil(left / SIDE - 0.5)), min(COLUMNS - 1, floor(right / SIDE - 0.5))
    upper, lower = max(0, ceil(top / SIDE - 0.5)), min(ROWS - 1, floor(bottom / SIDE - 0.5))
    if last < first or lower < upper:
        return 0
    return ((1 << last - first + 1) - 1 << first) * _column(lower - upper + 1) << upper * COLUMNS


@cache
def _column(height: int) -> int:
    """A bit at the start of each of so many rows."""
    return sum(1 << COLUMNS * row for row in range(height))


INNER = covered(SIDE, SIDE, WIDTH - SIDE, HEIGHT - SIDE)
"""All cells but those at the edge of the map, so that a step from one never leads to the other end of a row."""
EDGE = INNER & ~covered(4 * SIDE, 4 * SIDE, WIDTH - 4 * SIDE, HEIGHT - 4 * SIDE)
"""Those near the edge."""
EVERY_OTHER = sum(1 << COLUMNS * row + column for row in range(ROWS) for column in range(row % 2, COLUMNS, 2))
"""The cells of one colour, if the grid were a chessboard."""


def around(boxes: Iterable[Box], by: float) -> int:
    """The cells whose middle is nearer to a box than so much."""
    cells = 0
    for box in boxes:
        cells |= covered(box.left - by, box.top - by, box.right + by, box.bottom + by)
    return cells


@lru_cache(64)
def within(outline: Line) -> int:
    """The cells in an outline, and those close around it."""
    crossings: list[list[float]] = [[] for _ in range(ROWS)]
    for (a, b), (c, d) in pairwise((*outline, *outline[:1])):
        if b != d:
            upper, lower = min(b, d) / SIDE - 0.5, max(b, d) / SIDE - 0.5
            for row in range(max(0, ceil(upper)), min(ROWS, ceil(lower))):
                crossings[row].append(a + (c - a) * ((row + 0.5) * SIDE - b) / (d - b))
    cells = 0
    for row, found in enumerate(crossings):
        found.sort()
        for left, right in zip(found[::2], found[1::2], strict=True):
            cells |= covered(left, row * SIDE, right, (row + 1) * SIDE)
    for _ in range(AROUND):
        cells |= cells << 1 | cells >> 1 | cells << COLUMNS | cells >> COLUMNS
    return cells & ALL


def cell_at(x: float, y: float) -> int:
    """The cell at a point."""
    return int(y / SIDE) * COLUMNS + int(x / SIDE)


def middle(cell: int) -> Point:
    """The point in the middle of a cell."""
    return (cell % COLUMNS + 0.5) * SIDE, (cell // COLUMNS + 0.5) * SIDE


def digits(cells: int) -> str:
    """A set of cells as a text with a 1 at the place of each that is in it."""
    return f"{cells | ALL + 1:b}"[:0:-1]


def single(cells: int) -> Iterator[int]:
    """The cells of a set, one by one."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest
