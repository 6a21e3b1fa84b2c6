"""The outlines of the map: coasts and borders of Britain as arcs, the regions between them, and a plain map for other boards.

A border is one arc that both regions use, so that they touch. `britain.json` has the arcs, made from public-domain data.
Lengths are units of a map of 480 x 620.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from itertools import pairwise
from math import cos, pi, sin
from typing import Any

from attrs import define, frozen

from tkid.games.struggle.render.britain import regions_of_britain
from tkid.games.struggle.rules.board import Board

WIDTH, HEIGHT = 480, 620
BAND = 2.0
"""How finely the room in a region is measured, from top to bottom."""
ROOM = (16, 90)
"""How far above and below the base line of a name the room for it and the followers reaches."""
PLATE, CORNER = (64.0, 41.0), 8.0
"""Half the width and height of a region on a plain map, and the radius of its corners."""
MIDDLE, COLUMN, TOP, BOTTOM = 198.0, 75.0, 54.0, 576.0
"""The line between the two columns of a plain map, how far they are from it, and where they begin and end."""

Point = tuple[float, float]
Line = tuple[Point, ...]


@define(frozen=True, eq=False, slots=False)
class Shape:
    """A region as it is drawn: its closed outline, and where the middle of its name's base line is."""

    outline: Line
    label: Point

    @cached_property
    def path(self) -> str:
        """The outline as the data of a path."""
        return path(self.outline)

    @property
    def middle(self) -> Point:
        """The middle of the room for its name and followers."""
        x, y = self.label
        return x, y + 16

    def room(self, top: float, bottom: float) -> tuple[float, float] | None:
        """The land between two heights, as far as it runs left and right of the label; None where it does not reach."""
        bands = range(int(top // BAND), int(bottom // BAND) + 1)
        within = [self._bands.get(band) for band in bands]
        ends = [ends for ends in within if ends]
        return (max(left for left, _ in ends), min(right for _, right in ends)) if len(ends) == len(within) else None

    @cached_property
    def _bands(self) -> Mapping[int, tuple[float, float]]:
        """The ends of the land in each band of the room, from the label up and down to where the outline closes it."""
        (middle, base), (above, below) = self.label, ROOM
        lefts: dict[int, float] = {}
        rights: dict[int, float] = {}
        for (a, b), (c, d) in pairwise((*self.outline, self.outline[0])):
            top, bottom = (b, d) if b < d else (d, b)
            if bottom < base - above or top > base + below:
                continue
            left, right = (a, c) if a < c else (c, a)
            for band in range(int(top // BAND), int(bottom // BAND) + 1):
                if left <= middle and right > lefts.get(band, 0):
                    lefts[band] = min(right, middle)
                if right >= middle and left < rights.get(band, WIDTH):
                    rights[band] = max(left, middle)
        low = high = int(base // BAND)
        while _open(lefts, rights, low - 1, middle):
            low -= 1
        while _open(lefts, rights, high + 1, middle):
            high += 1
        return {band: (lefts[band], rights[band]) for band in range(low, high + 1)}


def _open(lefts: Mapping[int, float], rights: Mapping[int, float], band: int, middle: float) -> bool:
    """Whether a band has land on both sides of the middle."""
    return lefts.get(band, middle) < middle < rights.get(band, middle)


@define(frozen=True, eq=False)
class Drawing:
    """A map: a shape for each region in the board's order, isles, and roads for borders whose shapes do not touch."""

    board: Board
    shapes: tuple[Shape, ...]
    isles: tuple[Line, ...] = ()
    roads: tuple[Line, ...] = ()


@frozen
class _Britain:
    """What `britain.json` says: arcs by the regions on their sides, isles, and for each region its arcs in order."""

    arcs: Mapping[str, Line]
    isles: tuple[Line, ...]
    regions: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, Point]

    def shape(self, region: str, code: str) -> Shape:
        """A region, under the name that the board has for it."""
        return Shape(tuple(point for name in self.regions[region] for point in self._run(name)[:-1]), self.labels[code])

    def _run(self, name: str) -> Sequence[Point]:
        """An arc; with a minus before its name, from its end to its start."""
        return self.arcs[name[1:]][::-1] if name.startswith("-") else self.arcs[name]


def _read() -> _Britain:
    read: dict[str, Any] = json.loads(files(__package__).joinpath("britain.json").read_text("utf-8"))
    return _Britain(
        {name: _line(arc) for name, arc in read["arcs"].items()},
        tuple(map(_line, read["isles"].values())),
        {code: tuple(arcs) for code, arcs in read["regions"].items()},
        {code: (x, y) for code, (x, y) in read["labels"].items()},
    )


def _line(points: Sequence[Sequence[float]]) -> Line:
    return tuple([(x, y) for x, y in points])


BRITAIN = _read()


@cache
def drawing(board: Board) -> Drawing:
    """How a board is drawn: as Britain if it has Britain's regions and borders, or else plainly."""
    borders = {frozenset(name.split("|")) for name in BRITAIN.arcs if "|" in name}
    regions = regions_of_britain(board, borders)
    if regions is None:
        return plain(board)
    shapes = [BRITAIN.shape(*pair) for pair in zip(regions, (each.code for each in board.regions), strict=True)]
    return Drawing(board, tuple(shapes), BRITAIN.isles)


def plain(board: Board) -> Drawing:
    """A map for any board: regions as plates in two columns, as if around a ring, and borders as roads."""
    many = len(board.regions)
    rows = -(-many // 2)
    step = (BOTTOM - TOP) / max(rows, 1)
    size = min(1.0, step / (2.4 * PLATE[1]))
    middles = [
        (MIDDLE + (COLUMN if n < rows else -COLUMN), TOP + step * ((n if n < rows else 2 * rows - 1 - n) + 0.5))
        for n in range(many)
    ]
    shapes = [Shape(_plate(middle, size), (middle[0], middle[1] - 21 * size)) for middle in middles]
    roads = [_road(middles[a], middles[b], step) for a, b in sorted(board.borders)]
    return Drawing(board, tuple(shapes), roads=tuple(roads))


def _road(start: Point, end: Point, step: float) -> Line:
    """A road between two plates, which goes round those that stand between them in their column."""
    past = start[0] == end[0] and abs(start[1] - end[1]) > 1.5 * step
    return (start, (MIDDLE, (start[1] + end[1]) / 2), end) if past else (start, end)


def _plate(middle: Point, size: float) -> Line:
    """A rectangle with round corners around a point."""
    radius = size * CORNER
    wide, high = size * PLATE[0] - radius, size * PLATE[1] - radius
    turns = [(quarter, pi / 2 * (quarter + step / 4)) for quarter in range(4) for step in range(5)]
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return tuple(
        (
            middle[0] + wide * signs[quarter][0] + radius * cos(turn),
            middle[1] + high * signs[quarter][1] + radius * sin(turn),
        )
        for quarter, turn in turns
    )


def path(outline: Line) -> str:
    """A closed line as the data of a path, in short steps."""
    points = [(round(10 * x), round(10 * y)) for x, y in outline]
    steps = [f"{_tenth(c - a)} {_tenth(d - b)}" for (a, b), (c, d) in pairwise(points)]
    return f"M{_tenth(points[0][0])} {_tenth(points[0][1])}l{' '.join(steps).replace(' -', '-')}Z"


@cache
def _tenth(number: int) -> str:
    """A number of tenths, as short as it can be written."""
    return f"{number / 10:.1f}".removesuffix(".0").replace("0.", ".", 1) if abs(number) < 10 else f"{number / 10:g}"
