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
APART = 1.6
"""So far a head stays from everything."""
STOP = 14.5
"""A head ends so far from the middle of its piece."""
HEAD, HALF = 10.0, 4.25
"""The length of a head, and half its width."""
SHORTEST = 26
"""The length of the last stretch to a piece, at least."""
APPROACHES = (((50, 57), 22), ((36, 43), 20), ((26, 32), 22))
"""A line comes straight to a piece from some place within these distances, and what that costs."""
FORK = (36, 58)
"""It comes to several pieces from a fork within these distances."""
STRAIGHT, DIAGONAL = 2, 3
"""What a step costs."""
SHY_COSTS, AVOIDED_COSTS, EDGE_COSTS = 2, 5, 8
"""What it costs more: near a box, in the region to avoid, at the edge of the map."""
DETOUR = (0.6, 30)
"""A way is good enough if it costs no more than so much for each unit between the pieces, and so much besides."""
FORKED = 40
"""So much more a way may cost for reaching one more piece."""
BEYOND = (16, 11, 7)
"""So far a line goes beyond a sharp corner."""
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
EVERY_OTHER = (0x5 * ((1 << COLUMNS) - 1) // 0xF | (0xA * ((1 << COLUMNS) - 1) // 0xF << COLUMNS)) * sum(
    1 << 2 * COLUMNS * row for row in range(ROWS // 2)
)
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
    beside: dict[Point, list[Box]] = field(init=False)

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

    @beside.default
    def _(self) -> dict[Point, list[Box]]:
        reach = STOP + HEAD + HALF
        return {
            piece: [_grown(box, APART) for box in self.boxes if _holds(_grown(box, reach), piece) and not _holds(box, piece)]
            for piece in self.pieces
        }

    def costs(self, a: Point, b: Point) -> float | None:
        """What the straight way costs; None if it is not open."""
        cells = self._straight(a, b)
        if cells is None:
            return None
        extra = [next((costs for digits, costs in self.costly if digits[cell] == "1"), 0) for cell in cells]
        return STRAIGHT * dist(a, b) / SIDE + sum(extra)

    def _straight(self, a: Point, b: Point) -> list[int] | None:
        """The cells on the straight way, without those at pieces; None if it is not open, or has no room for a head."""
        length = dist(a, b)
        start, end = self.free_at.get(a), self.free_at.get(b)
        if length < SHORTEST * (bool(start) + bool(end)):
            return None
        steps = ceil(length / SIDE) or 1
        across, down = (b[0] - a[0]) / steps, (b[1] - a[1]) / steps
        cells = [
            int((a[1] + step * down) / SIDE) * COLUMNS + int((a[0] + step * across) / SIDE) for step in range(steps + 1)
        ]
        near, stop = ceil(SHORTEST * steps / length), ceil(STOP * steps / length)
        first, last = near if start else 0, len(cells) - (near if end else 0)
        parts = ((start, stop, first), (self.free, first, last), (end, last, len(cells) - stop))
        for free, begin, until in parts:
            if free and any(free[cell] == "0" for cell in cells[begin:until]):
                return None
        pointed = (not start or self._pointed(b, a)) and (not end or self._pointed(a, b))
        return cells[first:last] if pointed else None

    def approaches(self, pieces: Sequence[Point], distances: tuple[int, int]) -> int:
        """Cells from which heads can point at all of some pieces."""
        near, far = distances
        reach = self.open & EVERY_OTHER
        for x, y in pieces:
            reach &= _covered(x - far, y - far, x + far, y + far)
        cells = 0
        for cell in _cells_in(reach):
            place = _middle(cell)
            if all(near <= dist(place, piece) <= far for piece in pieces) and all(
                self._straight(place, piece) is not None for piece in pieces
            ):
                cells |= 1 << cell
        return cells

    def _pointed(self, place: Point, piece: Point) -> bool:
        """Whether there is room for the head of a line from a place to a piece."""
        corners = head(place, piece)
        return not any(_holds(box, corner) for box in self.beside[piece] for corner in corners)


def _holds(box: Box, point: Point) -> bool:
    return box.left <= point[0] <= box.right and box.top <= point[1] <= box.bottom


def _grown(box: Box, by: float) -> Box:
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


# -- finding a way ----------------------------------------------------------------------------------------


Places = Sequence[tuple[int, int]]
"""Sets of cells from which a line can go on, each with what going on costs."""


def _fronts(ground: _Ground, starts: Places, ends: Places) -> tuple[list[int], int]:
    """The cells that are reached at each cost, until the cheapest way to an end is found; and the number of that end."""
    due, fronts, latest = [0] * (LATEST + 99), [], 0
    for cells, costs in starts:
        due[costs] |= cells
        latest = max(latest, costs)
    left, best, found = ground.open, LATEST, -1
    for now in range(LATEST):
        if now >= best or now > latest:
            break
        front = due[now] & left
        fronts.append(front)
        if not front:
            continue
        for number, (cells, costs) in enumerate(ends):
            if front & cells and now + costs < best:
                best, found, last = now + costs, number, now
        left ^= front
        side = front << 1 | front >> 1
        straight = (side | front << COLUMNS | front >> COLUMNS) & left
        diagonal = (side << COLUMNS | side >> COLUMNS) & left
        latest = max(latest, now + DIAGONAL + EDGE_COSTS)
        for cells, costs in ground.classes:
            due[now + STRAIGHT + costs] |= straight & cells
            due[now + DIAGONAL + costs] |= diagonal & cells
    return (fronts[: last + 1], found) if found >= 0 else ([], found)


STEPS = (
    *((step, STRAIGHT) for step in (1, -1, COLUMNS, -COLUMNS)),
    *((step, DIAGONAL) for step in (COLUMNS + 1, COLUMNS - 1, -COLUMNS + 1, -COLUMNS - 1)),
)


def _way(ground: _Ground, starts: Places, ends: Places) -> list[tuple[Point, int]]:
    """The cheapest way from one of the ends back to one of the starts: the middles of its cells, each with its cost."""
    fronts, found = _fronts(ground, starts, ends)
    if not fronts:
        return []
    now = len(fronts) - 1
    cell = next(_cells_in(fronts[now] & ends[found][0]))
    way = [(_middle(cell), now)]
    while not any(cells >> cell & 1 and costs == now for cells, costs in starts):
        extra = next(costs for cells, costs in ground.classes if cells >> cell & 1)
        cell, now = next(
            (cell + step, now - extra - costs)
            for step, costs in STEPS
            if now >= extra + costs and fronts[now - extra - costs] >> cell + step & 1
        )
        way.append((_middle(cell), now))
    return way


def _pulled(ground: _Ground, way: list[tuple[Point, float]]) -> Line:
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
    return tuple(kept)


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
    best: tuple[float, Line, Line, list[tuple[Point, int]]] | None = None
    usual = DETOUR[0] * min(dist(start, end) for start in starts for end in ends) + DETOUR[1]
    for starting, first in _sides(ground, starts):
        for ending, last in _sides(ground, ends):
            if way := _way(ground, last, first):
                costs = way[0][1] - FORKED * (len(starting) + len(ending) - 2)
                if best is None or costs < best[0]:
                    best = costs, starting, ending, way
                if best[0] < usual:
                    break
    return _lines(ground, *best[1:]) if best else ()


def _sides(ground: _Ground, pieces: Line) -> Iterator[tuple[Line, Places]]:
    """The pieces that a line may go to, all of them through a fork or a single one, and from where."""
    if len(pieces) > 1:
        yield pieces, ((ground.approaches(pieces, FORK), 0),)
    for piece in pieces:
        yield (piece,), tuple((ground.approaches((piece,), distances), costs) for distances, costs in APPROACHES)


def _lines(ground: _Ground, starts: Line, ends: Line, way: list[tuple[Point, int]]) -> tuple[Route, ...]:
    """The lines from each of some pieces along a way to each of others."""
    whole: list[tuple[Point, float]] = [*way]
    if len(starts) == 1:
        whole.insert(0, (starts[0], way[0][1] + STRAIGHT * dist(starts[0], way[0][0]) / SIDE))
    if len(ends) == 1:
        whole.append((ends[0], way[-1][1] - STRAIGHT * dist(ends[0], way[-1][0]) / SIDE))
    trunk = _eased(ground, _pulled(ground, whole))
    pairs = [(starts[n % len(starts)], ends[n % len(ends)]) for n in range(max(len(starts), len(ends)))]
    lines = [
        (*((start,) if len(starts) > 1 else ()), *trunk, *((end,) if len(ends) > 1 else ())) for start, end in pairs
    ]
    cuts = [[_cut(ground, line, at) for at in range(1, len(line) - 1)] for line in lines]
    least = tuple(map(min, zip(*cuts, strict=True)))
    return tuple(Route(line, least) for line in lines)


def _eased(ground: _Ground, line: Line) -> Line:
    """A line that goes beyond its sharp corners where there is room, and turns in two steps there."""
    eased = [line[0]]
    for before, corner, after in _threes(line):
        turned = [corner]
        for far in BEYOND if _sharp(before, corner, after) else ():
            first, second = _beside(before, corner, after, far)
            if all(ground.costs(*leg) is not None for leg in ((before, first), (first, second), (second, after))):
                turned = [first, second]
                break
        eased += turned
    return (*eased, *line[-1:])


def _beside(before: Point, corner: Point, after: Point, far: float) -> Line:
    """Two points on the outer side of a corner."""
    (a, b), (c, d) = toward(corner, before, far), toward(corner, after, far)
    x, y = corner[0] - 0.2 * (a + c - 2 * corner[0]), corner[1] - 0.2 * (b + d - 2 * corner[1])
    across, down = (c - a) / 2, (d - b) / 2
    return (x - across, y - down), (x + across, y + down)


def _sharp(before: Point, corner: Point, after: Point) -> bool:
    """Whether a line turns there by more than about 70 degrees."""
    (a, b), (c, d) = toward(corner, before, -1), toward(corner, after, 1)
    x, y = corner
    return (a - x) * (c - x) + (b - y) * (d - y) < 0.35


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
