"""The ground between some pieces: where a line may go, what that costs, and from where its head can point at a piece."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, dist

from attrs import field, frozen

from tkid.games.struggle.render.picture.outlines import Line, Point
from tkid.games.struggle.render.picture.routes import cells as c
from tkid.games.struggle.render.picture.routes.cells import COLUMNS, SIDE
from tkid.render.picture import Box

KEEP, SHY = 6.5, 13
"""How far the cells of a line are from boxes always, and if they can be; between its cells a line may be 3.5 nearer."""
SHY_COSTS, AVOIDED_COSTS, EDGE_COSTS = 2, 5, 8
"""What a step costs more near a box, in the region to avoid, and at the edge of the map."""
STEP = 2
"""What a step costs from a cell to the next."""
STOP = 14.5
"""A head ends so far from the middle of its piece."""
HEAD, HALF = 10.0, 4.25
"""The length of a head, and half its width."""
APART = 1.6
"""So far a head stays from everything but its piece."""
SHORTEST = 26
"""The length of the straight line to a piece, at least."""
NEAR, PAST = 58, 15.6
"""Pieces so near to each other are reached from one fork; and so far a line passes from the middle of one to another."""
Places = Sequence[tuple[int, int]]
"""Sets of cells, each with what a line costs that goes on from there."""


@frozen
class Ground:
    """Where a line may go between pieces, past `boxes`, of which some are around the pieces.

    `classes` are the open cells by what a step to them costs more.
    """

    boxes: tuple[Box, ...]
    pieces: Line
    open: int
    classes: Places
    _free: str = field(init=False)
    _costly: Sequence[tuple[str, int]] = field(init=False)
    _free_at: Mapping[Point, str] = field(init=False)
    _beside: Mapping[Point, Sequence[Box]] = field(init=False)

    @classmethod
    def of(cls, boxes: tuple[Box, ...], avoid: Line, pieces: Line) -> Ground:
        """The ground on which the region `avoid` is better avoided."""
        left = open_ = c.INNER & ~c.around(boxes, KEEP)
        classes = []
        slow = ((c.EDGE, EDGE_COSTS), (c.within(avoid), AVOIDED_COSTS), (c.around(boxes, SHY), SHY_COSTS))
        for cells, costs in slow:
            classes.append((left & cells, costs))
            left &= ~cells
        return cls(boxes, pieces, open_, (*classes, (left, 0)))

    @_free.default
    def _(self) -> str:
        return c.digits(self.open)

    @_costly.default
    def _(self) -> Sequence[tuple[str, int]]:
        return [(c.digits(cells), costs) for cells, costs in self.classes[:-1]]

    @_free_at.default
    def _(self) -> Mapping[Point, str]:
        """What is open at each piece."""
        return {piece: c.digits(c.INNER & ~c.around(self._others(*self._group(piece)), KEEP)) for piece in self.pieces}

    @_beside.default
    def _(self) -> Mapping[Point, Sequence[Box]]:
        """What the head at each piece could touch."""
        reach = STOP + HEAD + HALF
        return {
            piece: [grown(box, APART) for box in self._others(piece) if holds(grown(box, reach), piece)]
            for piece in self.pieces
        }

    def _others(self, *pieces: Point) -> Iterator[Box]:
        """The boxes that are not around some pieces."""
        return (box for box in self.boxes if not any(holds(box, piece) for piece in pieces))

    def _group(self, piece: Point) -> list[Point]:
        """A piece and those near it."""
        return [other for other in self.pieces if dist(piece, other) < NEAR]

    def free(self, x: float, y: float) -> bool:
        """Whether a line may go through a point."""
        return self._free[c.cell_at(x, y)] == "1"

    def costs(self, a: Point, b: Point) -> float | None:
        """What the straight line costs; None if it is not open."""
        cells = self._straight(a, b)
        if cells is None:
            return None
        more = 0
        for cell in cells[1:]:
            for digits, costs in self._costly:
                if digits[cell] == "1":
                    more += costs
                    break
        return STEP * dist(a, b) / SIDE + more

    def is_open(self, a: Point, b: Point) -> bool:
        """Whether a line may go straight from point to point."""
        return self._straight(a, b) is not None

    def _straight(self, a: Point, b: Point) -> list[int] | None:
        """The cells on the straight line, without those at pieces; None if it is not open, or a head has no room."""
        length = dist(a, b)
        start, end = self._free_at.get(a), self._free_at.get(b)
        if length < SHORTEST * (bool(start) + bool(end)):
            return None
        steps = ceil(length / SIDE) or 1
        x, y, across, down = a[0] / SIDE, a[1] / SIDE, (b[0] - a[0]) / steps / SIDE, (b[1] - a[1]) / steps / SIDE
        cells = [int(y + step * down) * COLUMNS + int(x + step * across) for step in range(steps + 1)]
        near, stop = min(steps, ceil(NEAR * steps / length)), ceil(STOP * steps / length)
        last = len(cells) - (near if end else 0)
        first = min(near, last) if start else 0
        for free, begin, until in ((start, stop, first), (self._free, first, last), (end, last, len(cells) - stop)):
            if free and "0" in [free[cell] for cell in cells[begin:until]]:
                return None
        pointed = (not start or self._pointed(b, a)) and (not end or self._pointed(a, b))
        return cells[first:last] if pointed else None

    def approaches(self, pieces: Line, distances: tuple[int, int]) -> int:
        """Cells at some distances from all of some pieces from which heads can point at them."""
        near, far = distances
        reach = self.open & c.EVERY_OTHER
        for x, y in pieces:
            reach &= c.covered(x - far, y - far, x + far, y + far)
        cells = 0
        for cell in c.single(reach):
            place = c.middle(cell)
            if all(near <= dist(place, each) <= far for each in pieces):
                cells |= all(self.is_open(place, each) for each in pieces) << cell
        return cells

    def _pointed(self, place: Point, piece: Point) -> bool:
        """Whether there is room for the head of a line from a place to a piece."""
        corners = head(place, piece)
        return not any(holds(box, corner) for box in self._beside[piece] for corner in corners) and all(
            _passed(place, piece, other) > PAST for other in self._group(piece) if other != piece
        )


def _passed(a: Point, b: Point, point: Point) -> float:
    """How far a stretch of a line is from a point."""
    across, down = b[0] - a[0], b[1] - a[1]
    share = ((point[0] - a[0]) * across + (point[1] - a[1]) * down) / (across**2 + down**2)
    share = min(1, max(0, share))
    return dist(point, (a[0] + share * across, a[1] + share * down))


def holds(box: Box, point: Point) -> bool:
    """Whether a point is in a box."""
    return box.left <= point[0] <= box.right and box.top <= point[1] <= box.bottom


def grown(box: Box, by: float) -> Box:
    """A box with so much more on each side."""
    return Box(box.left - by, box.top - by, box.right + by, box.bottom + by)


def toward(a: Point, b: Point, far: float) -> Point:
    """The point so far from one on the way to another."""
    share = far / dist(a, b)
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def head(origin: Point, piece: Point) -> Line:
    """The corners of the head of a line that comes straight to a piece, its tip first."""
    tip, base = toward(piece, origin, STOP), toward(piece, origin, STOP + HEAD)
    share = HALF / HEAD
    across, down = share * (base[1] - tip[1]), share * (tip[0] - base[0])
    return tip, (base[0] + across, base[1] + down), (base[0] - across, base[1] - down)
