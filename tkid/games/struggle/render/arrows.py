"""Draw arrows for followers that moved, and find their ways; without room, draw rings and ghosts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import ceil, dist, floor, hypot, inf

from attrs import field, frozen

from tkid.games.struggle.render.pieces import TALLIES
from tkid.games.struggle.render.regions import PAIR, Packed, are_side_by_side, pack_region
from tkid.games.struggle.render.scene import HEIGHT, WIDTH, Line, Point, Scene, choose_drawing
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.moves import Transfer
from tkid.kernel.values import derive
from tkid.render.picture import REMEMBERED, Box, Part, Style, read_style, write_element

SIDE = 5
"""The side of a cell."""
COLUMNS, ROWS = WIDTH // SIDE, HEIGHT // SIDE
ALL_CELLS = (1 << COLUMNS * ROWS) - 1
CELLS_AROUND = 2
"""Number of cells around an outline that count as part of it."""


@lru_cache(REMEMBERED)
def find_cells_in_rectangle(left: float, top: float, right: float, bottom: float) -> int:
    first, last = max(0, ceil(left / SIDE - 0.5)), min(COLUMNS - 1, floor(right / SIDE - 0.5))
    upper, lower = max(0, ceil(top / SIDE - 0.5)), min(ROWS - 1, floor(bottom / SIDE - 0.5))
    if last < first or lower < upper:
        return 0
    return ((1 << last - first + 1) - 1 << first) * _make_column(lower - upper + 1) << upper * COLUMNS


@cache
def _make_column(height: int) -> int:
    """Return an integer with a bit set at the start of each row."""
    return sum(1 << COLUMNS * row for row in range(height))


INNER = find_cells_in_rectangle(SIDE, SIDE, WIDTH - SIDE, HEIGHT - SIDE)
"""All cells but those at the edge of the map, so that a step from one never leads to the other end of a row."""
EDGE = INNER & ~find_cells_in_rectangle(4 * SIDE, 4 * SIDE, WIDTH - 4 * SIDE, HEIGHT - 4 * SIDE)
"""Those near the edge."""
EVERY_OTHER = sum(1 << COLUMNS * row + column for row in range(ROWS) for column in range(row % 2, COLUMNS, 2))
"""The cells of one colour, if the grid were a chessboard."""


def find_cells_near_boxes(boxes: Iterable[Box], by: float) -> int:
    """Return the cells whose middle is nearer than `by` to a box."""
    cells = 0
    for box in boxes:
        cells |= find_cells_in_rectangle(box.left - by, box.top - by, box.right + by, box.bottom + by)
    return cells


@lru_cache(64)
def find_cells_in_outline(outline: Line) -> int:
    """Return the cells in an outline, and those close around it."""
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
            cells |= find_cells_in_rectangle(left, row * SIDE, right, (row + 1) * SIDE)
    for _ in range(CELLS_AROUND):
        cells |= cells << 1 | cells >> 1 | cells << COLUMNS | cells >> COLUMNS
    return cells & ALL_CELLS


def find_cell(x: float, y: float) -> int:
    return int(y / SIDE) * COLUMNS + int(x / SIDE)


def find_cell_middle(cell: int) -> Point:
    return (cell % COLUMNS + 0.5) * SIDE, (cell // COLUMNS + 0.5) * SIDE


def format_cells(cells: int) -> str:
    """Write a set of cells as text, with a 1 at the place of each cell in the set."""
    return f"{cells | ALL_CELLS + 1:b}"[:0:-1]


def iter_cells(cells: int) -> Iterator[int]:
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


KEEP, SHY = 6.5, 13
"""The least and the preferred distance of a line's cells from boxes; between its cells a line may be 3.5 nearer."""
SHY_COSTS, AVOIDED_COSTS, EDGE_COSTS = 2, 5, 8
"""Extra costs of a step near a box, in the region to avoid, and at the edge of the map."""
STEP = 2
"""Cost of a step from a cell to the next."""
STOP = 14.5
"""Distance from the tip of a head to the middle of its piece."""
HEAD, HALF = 10.0, 4.25
"""The length of a head, and half its width."""
HEAD_MARGIN = 1.6
SHORTEST = 26
"""The length of the straight line to a piece, at least."""
NEAR, PAST, BESIDE = 58, 15.6, 13
"""Distance up to which pieces are looked at, minimum distance of a line from other pieces, and maximum one from the middle of a
pair to each of it."""
Places = Sequence[tuple[int, int]]
"""Sets of cells, each with what a line costs that goes on from there."""


@frozen
class Ground:
    """The map on which a line may go past `boxes`, some of them around pieces; `classes` are open cells by the extra cost of a step."""

    boxes: tuple[Box, ...]
    pieces: Line
    open: int
    classes: Places
    _free: str = derive(lambda self: format_cells(self.open))
    _costly: Sequence[tuple[str, int]] = derive(
        lambda self: [(format_cells(cells), costs) for cells, costs in self.classes[:-1]]
    )
    _free_at: Mapping[Point, str] = derive(
        lambda self: {
            piece: format_cells(
                INNER & ~find_cells_near_boxes(self._list_other_boxes(*self._list_near_pieces(piece)), KEEP)
            )
            for piece in self.pieces
        }
    )
    _beside: Mapping[Point, Sequence[Box]] = field(init=False)

    @classmethod
    def build(cls, boxes: tuple[Box, ...], avoid: Line, pieces: Line) -> Ground:
        left = open_ = INNER & ~find_cells_near_boxes(boxes, KEEP)
        classes = []
        slow = (
            (EDGE, EDGE_COSTS),
            (find_cells_in_outline(avoid), AVOIDED_COSTS),
            (find_cells_near_boxes(boxes, SHY), SHY_COSTS),
        )
        for cells, costs in slow:
            classes.append((left & cells, costs))
            left &= ~cells
        return cls(boxes, pieces, open_, (*classes, (left, 0)))

    @_beside.default
    def _(self) -> Mapping[Point, Sequence[Box]]:
        reach = STOP + HEAD + HALF
        return {
            piece: [
                extend_box(box, HEAD_MARGIN)
                for box in self._list_other_boxes(piece)
                if has_point(extend_box(box, reach), piece)
            ]
            for piece in self.pieces
        }

    def _list_other_boxes(self, *pieces: Point) -> Iterator[Box]:
        return (box for box in self.boxes if not any(has_point(box, piece) for piece in pieces))

    def _list_near_pieces(self, piece: Point) -> list[Point]:
        return [other for other in self.pieces if dist(piece, other) < NEAR]

    def is_free(self, x: float, y: float) -> bool:
        return self._free[find_cell(x, y)] == "1"

    def compute_cost(self, a: Point, b: Point) -> float | None:
        """Return the cost of a straight line, or None if it isn't open."""
        cells = self._find_straight_cells(a, b)
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
        return self._find_straight_cells(a, b) is not None

    def _find_straight_cells(self, a: Point, b: Point) -> list[int] | None:
        """Return the cells on a line, without those at pieces; None if it isn't open or a head has no room."""
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
        pointed = (not start or self._has_room_for_head(b, a)) and (not end or self._has_room_for_head(a, b))
        return cells[first:last] if pointed else None

    def find_approaches(self, piece: Point, distances: tuple[int, int]) -> int:
        """Return the cells in a range of distances from a piece from which a head can point at it."""
        (near, far), (x, y), cells = distances, piece, 0
        for cell in iter_cells(self.open & EVERY_OTHER & find_cells_in_rectangle(x - far, y - far, x + far, y + far)):
            place = find_cell_middle(cell)
            if near <= dist(place, piece) <= far:
                cells |= self.is_open(place, piece) << cell
        return cells

    def _has_room_for_head(self, place: Point, piece: Point) -> bool:
        corners = build_arrowhead(place, piece)
        return not any(has_point(box, corner) for box in self._beside[piece] for corner in corners) and all(
            _compute_distance(place, piece, other) > PAST
            if dist(piece, other) > BESIDE
            else dist(corners[0], other) > STOP - 1
            for other in self._list_near_pieces(piece)
            if other != piece
        )


def _compute_distance(a: Point, b: Point, point: Point) -> float:
    across, down = b[0] - a[0], b[1] - a[1]
    share = ((point[0] - a[0]) * across + (point[1] - a[1]) * down) / (across**2 + down**2)
    share = min(1, max(0, share))
    return dist(point, (a[0] + share * across, a[1] + share * down))


def has_point(box: Box, point: Point) -> bool:
    return box.left <= point[0] <= box.right and box.top <= point[1] <= box.bottom


def extend_box(box: Box, by: float) -> Box:
    return Box(box.left - by, box.top - by, box.right + by, box.bottom + by)


def move_toward(a: Point, b: Point, distance: float) -> Point:
    share = distance / dist(a, b)
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def build_arrowhead(origin: Point, piece: Point) -> Line:
    """Return the corners of the head of a line that comes straight to a piece, its tip first."""
    tip, base = move_toward(piece, origin, STOP), move_toward(piece, origin, STOP + HEAD)
    share = HALF / HEAD
    across, down = share * (base[1] - tip[1]), share * (tip[0] - base[0])
    return tip, (base[0] + across, base[1] + down), (base[0] - across, base[1] - down)


DIAGONAL = 3
"""Cost of a step across a corner; every other step costs STEP."""
STEPS = (
    *((step, STEP) for step in (1, -1, COLUMNS, -COLUMNS)),
    *((step, DIAGONAL) for step in (COLUMNS + 1, COLUMNS - 1, -COLUMNS + 1, -COLUMNS - 1)),
)
COST_LIMIT = 800
"""Limit that the cost of a way never reaches."""
SLACK = 1
"""Amount by which a straight line may cost more than the way that it replaces."""


@frozen
class Way:
    """A way over cells: their middles, and what it costs from each of them on."""

    points: Line
    costs: tuple[float, ...]

    def add_ends(self, start: Point, end: Point) -> Way:
        """Return the way with pieces as its ends."""
        first = self.costs[0] + _compute_straight_cost(start, self.points[0])
        last = self.costs[-1] - _compute_straight_cost(self.points[-1], end)
        return Way((start, *self.points, end), (first, *self.costs, last))

    def find_corners(self, ground: Ground) -> list[Point]:
        """Return the corners of the way, pulled straight wherever that costs no more."""
        corners, at = [self.points[0]], 0
        while at < len(self.points) - 1:
            for further in range(len(self.points) - 1, at, -1):
                if further == at + 1:
                    break
                straight = ground.compute_cost(self.points[at], self.points[further])
                if straight is not None and straight <= self.costs[at] - self.costs[further] + SLACK:
                    break
            corners.append(self.points[further])
            at = further
        return corners


def _compute_straight_cost(a: Point, b: Point) -> float:
    return STEP * dist(a, b) / SIDE


def find_way(ground: Ground, starts: Places, ends: Places) -> Way | None:
    fronts, end = _search_fronts(ground, ends, starts)
    if not fronts:
        return None
    now = len(fronts) - 1
    cell = next(iter_cells(fronts[now] & end))
    points, costs = [find_cell_middle(cell)], [now]
    while not any(costs == now and cells >> cell & 1 for cells, costs in ends):
        more = next(costs for cells, costs in ground.classes if cells >> cell & 1)
        cell, now = next(
            (cell + step, now - more - costs)
            for step, costs in STEPS
            if now >= more + costs and fronts[now - more - costs] >> cell + step & 1
        )
        points.append(find_cell_middle(cell))
        costs.append(now)
    return Way(tuple(points), tuple(costs))


def _search_fronts(ground: Ground, origins: Places, targets: Places) -> tuple[list[int], int]:
    """Return the cells reached at each cost, until the cheapest way meets a target; and that target."""
    due, fronts = [0] * (COST_LIMIT + EDGE_COSTS + DIAGONAL), list[int]()
    for cells, costs in origins:
        due[costs] |= cells
    latest = max(costs for _, costs in origins)
    left, best, reached, last = ground.open, COST_LIMIT, 0, 0
    for now in range(COST_LIMIT):
        if now >= best or now > latest:
            break
        front = due[now] & left
        fronts.append(front)
        if not front:
            continue
        for cells, costs in targets:
            if front & cells and now + costs < best:
                best, reached, last = now + costs, cells, now + 1
        left ^= front
        beside = front << 1 | front >> 1
        straight = (beside | front << COLUMNS | front >> COLUMNS) & left
        diagonal = (beside << COLUMNS | beside >> COLUMNS) & left
        for cells, costs in ground.classes:
            due[now + STEP + costs] |= straight & cells
            due[now + DIAGONAL + costs] |= diagonal & cells
        latest = max(latest, now + DIAGONAL + EDGE_COSTS)
    return fronts[:last], reached


SHARP = 0.6
"""Cosine of a turn: corners with a smaller one are sharp and become two."""
SPLIT = 8
"""Maximum distance of these two from the sharp corner at first."""
CORNER_MOVES = (16, 8, 4, 4)
DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1), (0.7, 0.7), (0.7, -0.7), (-0.7, 0.7), (-0.7, -0.7))
TURNING, TIGHT = 30, 20
"""Length that a line may gain to turn a right angle less, and the extra weight of turns with little room."""


def _iter_bends(line: Sequence[Point]) -> Iterator[tuple[Point, Point, Point]]:
    return zip(line, line[1:], line[2:], strict=False)


def move_corners(ground: Ground, corners: Line) -> Line:
    """Return a line between two pieces with its corners moved to where it is best."""
    line = _split_sharp_corners(ground, [*corners])

    def length(at: int, point: Point) -> float:
        """Measure the line from a point to its neighbours, with a surcharge for places to avoid."""
        costs = [ground.compute_cost(point, line[beside]) for beside in (at - 1, at + 1)]
        return sum(inf if each is None else each * SIDE / STEP for each in costs)

    for move in CORNER_MOVES:
        for at in range(1, len(line) - 1):
            x, y = line[at]
            least = length(at, line[at]) + _compute_strain(line, at)
            for across, down in DIRECTIONS:
                old, line[at] = line[at], (x + move * across, y + move * down)
                strain = _compute_strain(line, at)
                shortest = dist(line[at - 1], line[at]) + dist(line[at], line[at + 1])
                if shortest + strain < least and (now := length(at, line[at]) + strain) < least:
                    least = now
                else:
                    line[at] = old
    return tuple(line)


def _split_sharp_corners(ground: Ground, line: list[Point]) -> list[Point]:
    split = line[:1]
    for before, corner, after in _iter_bends(line):
        first, second = [move_toward(corner, other, min(SPLIT, dist(corner, other) / 3)) for other in (before, after)]
        sharp = _compute_turn_cosine(before, corner, after) < SHARP and ground.is_open(first, second)
        split += [first, second] if sharp else [corner]
    return [*split, line[-1]]


def _compute_strain(line: Sequence[Point], at: int) -> float:
    """Measure how much a line turns around a corner, and in how little room."""
    strain = 0.0
    for bend in range(max(1, at - 1), min(len(line) - 1, at + 2)):
        before, corner, after = line[bend - 1 : bend + 2]
        room = min(
            _compute_turning_room(before, corner, ends=bend == 1),
            _compute_turning_room(corner, after, ends=bend == len(line) - 2),
        )
        strain += TURNING * (1 - _compute_turn_cosine(before, corner, after)) * (1 + TIGHT / max(room, 1))
    return strain


def _compute_turning_room(a: Point, b: Point, *, ends: bool) -> float:
    """Return the part of a stretch that is free for a turn at a corner; `ends`: its other corner is an end of the line."""
    return dist(a, b) - STOP - HEAD if ends else dist(a, b) / 2


def _compute_turn_cosine(before: Point, corner: Point, after: Point) -> float:
    (a, b), (x, y), (d, e) = before, corner, after
    across, down, on, under = x - a, y - b, d - x, e - y
    return (across * on + down * under) / (hypot(across, down) * hypot(on, under) or 1)


APPROACHES = (((50, 57), 22), ((36, 43), 20), ((26, 32), 22))
"""Distances from which a line comes straight to a piece, with their costs."""
ROUND, LEAST = 60, 5
"""Maximum and minimum distance from its point at which a corner is cut."""


@frozen
class Route:
    """A line between the middles of two pieces: its corners, and how far from each corner between them it is cut."""

    corners: Line
    cuts: tuple[float, ...]

    def format_path(self, *, before: float = STOP, after: float = STOP) -> str:
        """Write the data of an SVG path that stops short of both ends."""
        start, end = self.corners[0], self.corners[-1]
        data = "M{:.1f} {:.1f}".format(*move_toward(start, self.corners[1], before))
        for (a, corner, b), cut in zip(_iter_bends(self.corners), self.cuts, strict=True):
            if cut:
                data += "L{:.1f} {:.1f}".format(*move_toward(corner, a, cut))
                data += "Q{:.1f} {:.1f} {:.1f} {:.1f}".format(*corner, *move_toward(corner, b, cut))
            else:
                data += "L{:.1f} {:.1f}".format(*corner)
        return data + "L{:.1f} {:.1f}".format(*move_toward(end, self.corners[-2], after))


@lru_cache(REMEMBERED)
def find_route(starts: Line, ends: Line, boxes: tuple[Box, ...], avoid: Line = ()) -> Route | None:
    """Find the best line past boxes from one of some pieces to one of others, perhaps through `avoid`; None without room."""
    ground = Ground.build(boxes, avoid, (*starts, *ends))
    places = {
        piece: tuple([(ground.find_approaches(piece, each), costs) for each, costs in APPROACHES])
        for piece in (*starts, *ends)
    }
    found = [
        (way.costs[0], start, end, way)
        for start in starts
        for end in ends
        if (way := find_way(ground, places[start], places[end]))
    ]
    return _build_route(ground, *min(found)[1:]) if found else None


def _build_route(ground: Ground, start: Point, end: Point, found: Way) -> Route:
    corners = found.add_ends(start, end).find_corners(ground)
    line = move_corners(ground, (start, *corners[1:-1], end))
    return Route(line, tuple([_compute_cut(ground, line, at) for at in range(1, len(line) - 1)]))


def _compute_cut(ground: Ground, line: Line, at: int) -> float:
    before, corner, after = line[at - 1 : at + 2]
    cut = min(
        ROUND,
        dist(before, corner) - STOP - HEAD if at == 1 else dist(before, corner) / 2,
        dist(corner, after) - STOP - HEAD if at == len(line) - 2 else dist(corner, after) / 2,
    )
    while cut >= LEAST and not _is_curve_open(
        ground, move_toward(corner, before, cut), corner, move_toward(corner, after, cut)
    ):
        cut *= 0.7
    return cut if cut >= LEAST else 0


def _is_curve_open(ground: Ground, a: Point, bend: Point, b: Point) -> bool:
    for tenth in range(1, 10):
        u, v, w = (1 - tenth / 10) ** 2, 0.02 * tenth * (10 - tenth), (tenth / 10) ** 2
        if not ground.is_free(u * a[0] + v * bend[0] + w * b[0], u * a[1] + v * bend[1] + w * b[1]):
            return False
    return True


STYLE: Style = read_style(__package__, "arrows")
UNDER_HEAD = STOP + 6
"""Distance from the end of a line, under its head, to the middle of its piece."""


def draw_arrows(scene: Scene) -> Part:
    return Part("arrows", "".join(_draw_arrow(scene, *each) for each in _match_transfers(scene)))


def _match_transfers(scene: Scene) -> Iterator[tuple[Transfer, Transfer | None]]:
    between = [transfer for transfer in scene.moved if transfer.between_regions]
    while between:
        there = between.pop(0)
        back = next((each for each in between if each.ends == there.ends[::-1]), None)
        if back:
            between.remove(back)
        yield there, back


def _draw_arrow(scene: Scene, there: Transfer, back: Transfer | None) -> str:
    places = [pack_region(scene, index) for index in range(len(scene.board.regions))]
    origin, target = places[there.origin], places[there.target]
    starts = _find_arrivals(origin, back.group) if back else _find_departures(origin, there.group)
    ends = _find_arrivals(target, there.group)
    if not starts or not ends:
        return ""
    boxes = tuple(box for each in places for box in _list_obstacles(each)) + TALLIES
    contested = scene.shown.contested
    avoid = () if contested in {None, *there.ends} else choose_drawing(scene.board).shapes[contested or 0].outline
    return draw_route(find_route(_add_middle(starts), _add_middle(ends), boxes, avoid), both=back is not None)


def _add_middle(pieces: Line) -> Line:
    """Add the middle of two pieces side by side: a line may end there, as well as at one of them."""
    if len(pieces) != PAIR or not are_side_by_side(*pieces):
        return pieces
    (a, y), (b, _) = pieces
    return ((a + b) / 2, y), *pieces


def _find_arrivals(places: Packed, group: Followers) -> Line:
    """Return the places of followers that came to a region; if they left it at once, of their ghosts."""
    came = [
        point
        for faction, n in enumerate(group)
        if n
        for point in places.find_places("follower", faction, came=True)[-n:]
    ]
    gone = [point for faction, n in enumerate(group) if n for point in places.find_places("ghost", faction)[-1:]]
    return tuple(came or gone[-1:])


def _find_departures(places: Packed, group: Followers) -> Line:
    """Return the places that followers left; in a crowd without ghosts, that of the last piece."""
    ghosts = [point for faction, n in enumerate(group) for point in places.find_places("ghost", faction)[:n]]
    return tuple(ghosts) or tuple((piece.x, piece.y) for piece in places.pieces[-1:])


@lru_cache(REMEMBERED)
def _list_obstacles(places: Packed) -> tuple[Box, ...]:
    """Return the boxes that arrows go round in a region; words beside a piece have a separate box."""
    whole = places.boxes[: len(places.boxes) - len(places.pieces)]
    pieces = []
    for piece in places.pieces:
        box, right = piece.box, piece.x + piece.reach
        pieces.append(Box(box.left, box.top, right, box.bottom))
        if piece.words:
            pieces.append(Box(right, piece.y - 7, box.right, piece.y + 7))
    return (*whole, *pieces)


@lru_cache(REMEMBERED)
def draw_route(line: Route | None, *, both: bool) -> str:
    """Draw a line with a head at its end, or with heads at `both` ends, over a halo."""
    if line is None:
        return ""
    path = line.format_path(before=UNDER_HEAD if both else STOP, after=UNDER_HEAD)
    ends = [line.corners[-2:], *([line.corners[1::-1]] if both else [])]
    heads = [build_arrowhead(origin, piece) for origin, piece in ends]
    tips = "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z" for corners in heads)
    return (
        write_element("path", d=path + tips, class_="halo")
        + write_element("path", d=path, class_="arrow")
        + write_element("path", d=tips, class_="tip")
    )
