"""Routes on the map: how a line gets from pieces in one region to pieces in another without touching what is drawn.

The map is a grid of cells, and a set of cells is a number with a bit for each. A search is a front that spreads over the
open cells, all of them in one step; what it had better avoid it enters later. The way that it finds is pulled straight
wherever that costs no more, and its corners are rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import ceil, dist, floor

from attrs import field, frozen

from tkid.render.picture import Box

Point = tuple[float, float]
Line = tuple[Point, ...]

WIDTH, HEIGHT = 480, 620
"""The size of the map."""
SIDE = 5
"""The side of a cell."""
COLUMNS, ROWS = WIDTH // SIDE, HEIGHT // SIDE
KEEP, SHY = 6.5, 13
"""So far from boxes a line stays always, and if it can; a line may cut the corner of a cell, and is 3.5 units nearer then."""
STOP = 14.5
"""A head ends so far from the middle of its piece."""
HEAD, HALF = 10.0, 4.25
"""The length of a head, and half its width."""
APPROACH = (26, 35)
"""A line comes straight to a piece from some place within these distances."""
FORK = (30, 58)
"""It comes to several pieces from a fork within these distances."""
STRAIGHT, DIAGONAL = 2, 3
"""What a step costs."""
SHY_COSTS, AVOIDED_COSTS, EDGE_COSTS = 2, 5, 8
"""What it costs more: near a box, in the region to avoid, at the edge of the map."""
LATEST = 800
"""No way costs as much as this."""
ROUND = 60
"""A corner is cut at most so far from its point."""

ALL = (1 << COLUMNS * ROWS) - 1


@cache
def _column(height: int) -> int:
    """A bit at the start of each of so many rows."""
    return sum(1 << COLUMNS * row for row in range(height))


@lru_cache(4096)
def _covered(left: float, top: float, right: float, bottom: float) -> int:
    """The cells whose middle is in a rectangle."""
    first, last = max(0, ceil(left / SIDE - 0.5)), min(COLUMNS - 1, floor(right / SIDE - 0.5))
    upper, lower = max(0, ceil(top / SIDE - 0.5)), min(ROWS - 1, floor(bottom / SIDE - 0.5))
    if last < first or lower < upper:
        return 0
    return ((1 << last - first + 1) - 1 << first) * _column(lower - upper + 1) << upper * COLUMNS


def _around(boxes: Iterable[Box], by: float) -> int:
    """The cells whose middle is nearer to a box than so much."""
    cells = 0
    for box in boxes:
        cells |= _covered(box.left - by, box.top - by, box.right + by, box.bottom + by)
    return cells


INNER = _covered(SIDE, SIDE, WIDTH - SIDE, HEIGHT - SIDE)
EDGE = INNER & ~_covered(4 * SIDE, 4 * SIDE, WIDTH - 4 * SIDE, HEIGHT - 4 * SIDE)


@lru_cache(64)
def _within(outline: Line) -> int:
    """The cells in an outline, and those up to 10 units around it."""
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
            cells |= _covered(left, row * SIDE, right, (row + 1) * SIDE)
    for _ in range(2):
        cells |= cells << 1 | cells >> 1 | cells << COLUMNS | cells >> COLUMNS
    return cells & ALL


def _middle(cell: int) -> Point:
    return (cell % COLUMNS + 0.5) * SIDE, (cell // COLUMNS + 0.5) * SIDE


def _digits(cells: int) -> str:
    """A set of cells as a text with a 1 at the place of each that is in it."""
    return f"{cells | ALL + 1:b}"[:0:-1]


def _cells_in(cells: int) -> Iterator[int]:
    """The cells of a set."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


@frozen
class _Ground:
    """Where a line may go between some pieces, and what that costs."""

    boxes: tuple[Box, ...]
    pieces: tuple[Point, ...]
    open: int
    classes: tuple[tuple[int, int], ...]
    free: str = field(init=False)
    costly: tuple[tuple[str, int], ...] = field(init=False)
    free_at: dict[Point, str] = field(init=False)

    @classmethod
    def of(cls, boxes: tuple[Box, ...], avoid: Line, pieces: tuple[Point, ...]) -> _Ground:
        """The ground among boxes, of which some are around the pieces."""
        left = open_ = INNER & ~_around(boxes, KEEP)
        classes = []
        slow = ((EDGE, EDGE_COSTS), (_within(avoid), AVOIDED_COSTS), (_around(boxes, SHY), SHY_COSTS))
        for cells, costs in slow:
            classes.append((left & cells, costs))
            left &= ~cells
        return cls(boxes, pieces, open_, (*classes, (left, 0)))

    @free.default
    def _(self) -> str:
        return _digits(self.open)

    @costly.default
    def _(self) -> tuple[tuple[str, int], ...]:
        return tuple((_digits(cells), costs) for cells, costs in self.classes[:-1])

    @free_at.default
    def _(self) -> dict[Point, str]:
        return {
            piece: _digits(INNER & ~_around((box for box in self.boxes if not _holds(box, piece)), KEEP))
            for piece in self.pieces
        }

    def costs(self, a: Point, b: Point) -> float | None:
        """What the straight way costs; None if it is not open. A way from a piece or to it is so only up to its head."""
        length = dist(a, b)
        steps = ceil(length / SIDE) or 1
        across, down = (b[0] - a[0]) / steps, (b[1] - a[1]) / steps
        before, after = self.free_at.get(a), self.free_at.get(b)
        total = STRAIGHT * length / SIDE
        for step in range(steps + 1):
            done = length * step / steps
            free = self.free
            if before and done < APPROACH[0]:
                if done < STOP:
                    continue
                free = before
            if after and length - done < APPROACH[0]:
                if length - done < STOP:
                    break
                free = after
            cell = int((a[1] + step * down) / SIDE) * COLUMNS + int((a[0] + step * across) / SIDE)
            if free[cell] == "0":
                return None
            for digits, costs in self.costly:
                if digits[cell] == "1":
                    total += costs
                    break
        return total

    def approaches(self, pieces: Sequence[Point], distances: tuple[int, int]) -> int:
        """The cells from which heads can point at all of some pieces."""
        near, far = distances
        reach = self.open
        for x, y in pieces:
            reach &= _covered(x - far, y - far, x + far, y + far)
        cells = 0
        for cell in _cells_in(reach):
            place = _middle(cell)
            if all(near <= dist(place, piece) <= far and self.pointing(place, piece) for piece in pieces):
                cells |= 1 << cell
        return cells

    def pointing(self, place: Point, piece: Point) -> bool:
        """Whether a line from a place can end before a piece, with a head on it."""
        if self.costs(place, piece) is None:
            return False
        others = [box for box in self.boxes if not _holds(box, piece)]
        return all(_apart(corner, box) > 1.5 for corner in head(place, piece) for box in others)


def _holds(box: Box, point: Point) -> bool:
    return box.left <= point[0] <= box.right and box.top <= point[1] <= box.bottom


def _apart(point: Point, box: Box) -> float:
    """How far a point is from a box."""
    x, y = point
    return dist((x, y), (min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)))


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


# -- finding a way ----------------------------------------------------------------------------------------


def _fronts(ground: _Ground, seeds: int, goals: int) -> list[int]:
    """The cells that can be reached at each cost from some cells, until one of the goals is; [] if none ever is."""
    due, fronts = [0] * (LATEST + 20), []
    due[0], left = seeds, ground.open
    latest = 0
    for now in range(LATEST):
        front = due[now] & left
        fronts.append(front)
        if not front:
            if now > latest:
                return []
            continue
        if front & goals:
            return fronts
        left ^= front
        side = front << 1 | front >> 1
        straight = (side | front << COLUMNS | front >> COLUMNS) & left
        diagonal = (side << COLUMNS | side >> COLUMNS) & left
        latest = now + DIAGONAL + EDGE_COSTS
        for cells, costs in ground.classes:
            due[now + STRAIGHT + costs] |= straight & cells
            due[now + DIAGONAL + costs] |= diagonal & cells
    return []


STEPS = (
    *((step, STRAIGHT) for step in (1, -1, COLUMNS, -COLUMNS)),
    *((step, DIAGONAL) for step in (COLUMNS + 1, COLUMNS - 1, -COLUMNS + 1, -COLUMNS - 1)),
)


def _way(ground: _Ground, seeds: int, goals: int) -> list[tuple[Point, int]]:
    """The cheapest way from one of the goals back to one of the seeds: the middles of its cells, each with its cost."""
    fronts = _fronts(ground, seeds, goals)
    if not fronts:
        return []
    now = len(fronts) - 1
    cell = next(_cells_in(fronts[now] & goals))
    way = [(_middle(cell), now)]
    while now:
        extra = next(costs for cells, costs in ground.classes if cells >> cell & 1)
        cell, now = next(
            (cell + step, now - extra - costs)
            for step, costs in STEPS
            if now >= extra + costs and fronts[now - extra - costs] >> cell + step & 1
        )
        way.append((_middle(cell), now))
    return way


def _pulled(ground: _Ground, way: list[tuple[Point, int]]) -> list[Point]:
    """A way with its detours pulled straight wherever that costs no more."""
    kept, at = [way[0][0]], 0
    while at < len(way) - 1:
        begin, cost = way[at]
        for further in range(len(way) - 1, at, -1):
            point, rest = way[further]
            straight = ground.costs(begin, point) if further > at + 1 else 0
            if straight is not None and straight <= cost - rest + 1:
                break
        kept.append(point)
        at = further
    return kept


# -- lines ------------------------------------------------------------------------------------------------


@frozen
class Route:
    """A line from a piece to a piece: its corners, and how far from each it is cut; the two ends are the pieces' middles."""

    corners: Line
    cuts: tuple[float, ...]

    def path(self, *, before: float = STOP, after: float = STOP) -> str:
        """The data of a path of SVG that stops short of both ends."""
        start, *inner, end = self.corners
        data = "M{:.1f} {:.1f}".format(*toward(start, self.corners[1], before))
        for (a, corner, b), cut in zip(_threes(self.corners), self.cuts, strict=True):
            if cut:
                data += "L{:.1f} {:.1f}".format(*toward(corner, a, cut))
                data += "Q{:.1f} {:.1f} {:.1f} {:.1f}".format(*corner, *toward(corner, b, cut))
            else:
                data += "L{:.1f} {:.1f}".format(*corner)
        return data + "L{:.1f} {:.1f}".format(*toward(end, self.corners[-2], after))


def _threes(line: Line) -> Iterator[tuple[Point, Point, Point]]:
    """Each corner of a line between its neighbours."""
    return zip(line, line[1:], line[2:], strict=False)


@lru_cache(2048)
def routes(starts: Line, ends: Line, boxes: tuple[Box, ...], avoid: Line = ()) -> tuple[Route, ...]:
    """Lines from pieces to pieces, past boxes and rather not through a region; () if there is no room for any.

    Several pieces at an end are reached through a fork if there is room for one, or else one of them is.
    """
    ground = _Ground.of(boxes, avoid, (*starts, *ends))
    for starting in _sides(ground, starts):
        for ending in _sides(ground, ends):
            if way := _way(ground, ending[0], starting[0]):
                corners = _pulled(ground, way)
                return _lines(ground, starting[1], corners, ending[1])
    return ()


def _sides(ground: _Ground, pieces: Line) -> Iterator[tuple[int, Line]]:
    """The cells from which lines may go to pieces: to all through a fork, or to each of them."""
    if len(pieces) > 1:
        yield ground.approaches(pieces, FORK), pieces
    for piece in pieces:
        yield ground.approaches((piece,), APPROACH), (piece,)


def _lines(ground: _Ground, starts: Line, way: list[Point], ends: Line) -> tuple[Route, ...]:
    """The lines from each of some pieces along a way to each of others."""
    if len(starts) == 1 and _may_drop(ground, way[1:], starts[0]):
        way = way[1:]
    if len(ends) == 1 and _may_drop(ground, [*starts, *way][-2:-1], ends[0]):
        way = way[:-1]
    pairs = [(starts[n % len(starts)], ends[n % len(ends)]) for n in range(max(len(starts), len(ends)))]
    lines = [(start, *way, end) for start, end in pairs]
    cuts = [[_cut(ground, line, at) for at in range(1, len(line) - 1)] for line in lines]
    least = tuple(map(min, zip(*cuts, strict=True)))
    return tuple(Route(line, least) for line in lines)


def _may_drop(ground: _Ground, rest: list[Point], piece: Point) -> bool:
    """Whether a line can come to a piece straight from the next corner."""
    return bool(rest) and dist(rest[0], piece) >= APPROACH[0] and ground.pointing(rest[0], piece)


def _cut(ground: _Ground, line: Line, at: int) -> float:
    """How far from its point a corner of a line can be cut."""
    before, corner, after = line[at - 1 : at + 2]
    cut = min(
        ROUND,
        dist(before, corner) - STOP - HEAD if at == 1 else dist(before, corner) / 2,
        dist(corner, after) - STOP - HEAD if at == len(line) - 2 else dist(corner, after) / 2,
    )
    while cut >= SIDE and not _free(ground, toward(corner, before, cut), corner, toward(corner, after, cut)):
        cut *= 0.7
    return cut if cut >= SIDE else 0


def _free(ground: _Ground, a: Point, bend: Point, b: Point) -> bool:
    """Whether a curve is open."""
    for step in range(1, 10):
        u, v, w = (1 - step / 10) ** 2, 2 * (1 - step / 10) * step / 10, (step / 10) ** 2
        x, y = u * a[0] + v * bend[0] + w * b[0], u * a[1] + v * bend[1] + w * b[1]
        if ground.free[int(y / SIDE) * COLUMNS + int(x / SIDE)] == "0":
            return False
    return True
