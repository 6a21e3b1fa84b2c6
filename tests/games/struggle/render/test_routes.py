"""Routes: a line goes past boxes, by the cheapest way, forks to several pieces, and is not drawn where it has no room."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise
from math import dist
from random import Random

from tests.games.struggle.render.lines import apart, sampled
from tests.shared.tables import each_row
from tkid.games.struggle.render import arrows as c
from tkid.games.struggle.render.arrows import DIAGONAL, STEP, Ground, Route, find_route, find_way, move_toward
from tkid.games.struggle.render.scene import HEIGHT, WIDTH, Line, Point
from tkid.render.picture import Box

CLEAR = 2.6
"""The distance from a box to the middle of a line, which is 2.2 units wide."""
RING = 12.8
"""The radius of the ring around a piece."""
WALL = Box(200, 0, 212, 560)
"""A wall across the map, with a gap at the bottom."""
CLOSED = Box(200, 0, 212, 620)


def around(*pieces: Point, by: float = RING) -> tuple[Box, ...]:
    """The boxes of pieces with rings."""
    return tuple(Box(x - by, y - by, x + by, y + by) for x, y in pieces)


def points(line: Route | None) -> list[Point]:
    """Points along a line."""
    return sampled(line.format_path()) if line else []


def length(line: Route) -> float:
    return sum(dist(a, b) for a, b in pairwise(sampled(line.format_path(before=0.1, after=0.1))))


# -- cells ------------------------------------------------------------------------------------------------


@each_row("box", [(0, 0, 480, 620), (3, 3, 7, 12), (101, 99, 240.5, 103), (-20, -20, 9, 9), (300, 40, 301, 40)])
def test_the_cells_in_a_rectangle_are_those_whose_middle_is_in_it(box: tuple[float, float, float, float]) -> None:
    middles = {cell: c.find_cell_middle(cell) for cell in range(c.COLUMNS * c.ROWS)}
    within = {cell for cell, (x, y) in middles.items() if box[0] <= x <= box[2] and box[1] <= y <= box[3]}
    assert set(c.iter_cells(c.find_cells_in_rectangle(*box))) == within
    assert {
        cell for cell, digit in enumerate(c.format_cells(c.find_cells_in_rectangle(*box))) if digit == "1"
    } == within
    assert all(c.find_cell(*middle) == cell for cell, middle in middles.items())


def test_the_cells_in_an_outline_are_its_own_and_those_close_to_it() -> None:
    outline = ((100.0, 100.0), (200.0, 100.0), (200.0, 150.0), (150.0, 110.0), (100.0, 150.0))
    cells = c.find_cells_in_outline(outline)
    for inside in ((105, 105), (198, 140), (103, 140), (92, 104), (150, 118)):
        assert cells >> c.find_cell(*inside) & 1, inside
    for outside in ((150, 130), (80, 120), (230, 120)):
        assert not cells >> c.find_cell(*outside) & 1, outside


# -- the cheapest way -------------------------------------------------------------------------------------


def scattered(seed: int, pieces: Line) -> tuple[Box, ...]:
    """Boxes of the size of names and pieces all over the map, but not at the pieces, which have boxes of their own."""
    rng, boxes = Random(seed), list[Box]()
    while len(boxes) < 60:
        x, y, wide, high = rng.uniform(0, 440), rng.uniform(0, 600), rng.uniform(10, 90), rng.uniform(10, 26)
        box = Box(x, y, x + wide, y + high)
        if all(apart(piece, box) > 45 for piece in pieces):
            boxes.append(box)
    return (*boxes, *around(*pieces))


def cheapest(ground: Ground, start: int, end: int) -> int | None:
    """What the cheapest way costs, by looking at one cell after the other."""
    more = {cell: costs for cells, costs in ground.classes for cell in c.iter_cells(cells)}
    queue, done = [(0, start)], set[int]()
    while queue:
        costs, cell = heappop(queue)
        if cell == end:
            return costs
        if cell not in done:
            done.add(cell)
            for down in (-c.COLUMNS, 0, c.COLUMNS):
                for across in (-1, 0, 1):
                    step, to = DIAGONAL if down and across else STEP, cell + down + across
                    if to in more and to not in done:
                        heappush(queue, (costs + step + more[to], to))
    return None


@each_row("seed", range(4))
def test_no_way_is_cheaper_than_the_one_that_is_found(seed: int) -> None:
    ground = Ground.build(scattered(seed, ()), ((100, 200), (300, 220), (250, 420), (90, 400)), ())
    start, end = (next(c.iter_cells(ground.open >> shift)) + shift for shift in (2000, 10000))
    found = find_way(ground, ((1 << start, 0),), ((1 << end, 0),))
    assert (found.costs[0] if found else None) == cheapest(ground, end, start)


# -- lines ------------------------------------------------------------------------------------------------


def test_a_line_is_straight_where_nothing_is_between() -> None:
    line = find_route(((100, 100),), ((300, 420),), around((100, 100), (300, 420)))
    assert line
    assert line.corners == ((100, 100), (300, 420))
    assert line.format_path() == "M107.7 112.3L292.3 407.7"


def test_a_line_goes_round_what_is_between_and_is_not_drawn_where_there_is_no_gap() -> None:
    start, end = (100.0, 300.0), (320.0, 300.0)
    drawn = points(find_route((start,), (end,), (WALL, *around(start, end))))
    assert min(apart(point, WALL) for point in drawn) >= CLEAR
    assert max(y for _, y in drawn) > WALL.bottom
    assert find_route((start,), (end,), (CLOSED, *around(start, end))) is None


def test_a_line_rather_keeps_out_of_a_region_and_goes_through_it_if_it_must() -> None:
    start, end = (100.0, 300.0), (380.0, 300.0)
    region = ((200.0, 200.0), (280.0, 200.0), (280.0, 330.0), (200.0, 330.0))
    boxes = around(start, end)
    crossed = [
        sum(200 <= x <= 280 and 200 <= y <= 330 for x, y in points(find_route((start,), (end,), more + boxes, avoid)))
        for more, avoid in (((), ()), ((), region), ((Box(200, 0, 280, 250), Box(200, 320, 280, 620)), region))
    ]
    assert crossed[0] > 20
    assert crossed[1] == 0
    assert crossed[2] > 20


def test_a_line_leads_to_one_of_several_pieces_or_to_the_middle_of_a_pair() -> None:
    start, ends = (240.0, 120.0), ((232.5, 420.0), (220.0, 420.0), (245.0, 420.0))
    boxes = around(start, *ends[1:])
    line = find_route((start,), ends, boxes)
    assert line
    assert line.corners[0] == start
    assert line.corners[-1] in ends[:2]
    back = find_route(ends, (start,), boxes)
    assert back
    assert back.corners[0] in ends[:2]
    fence = (Box(150, 437, 280, 445), Box(150, 395, 280, 403), Box(150, 395, 158, 445))
    line = find_route((start,), ends, (*boxes, *fence))
    assert line
    assert line.corners[-1] == ends[2]


def test_a_corner_is_round() -> None:
    start, end = (100.0, 300.0), (320.0, 300.0)
    line = find_route((start,), (end,), (WALL, *around(start, end)))
    assert line
    assert min(line.cuts) > 0
    stretches = [(a, b) for a, b in pairwise(sampled(line.format_path())) if dist(a, b) > 0.1]
    headings = [move_toward((0, 0), (b[0] - a[0], b[1] - a[1]), 1) for a, b in stretches]
    assert min(a * d + b * e for (a, b), (d, e) in pairwise(headings)) > 0.6


@each_row("seed", range(40))
def test_no_line_touches_a_box_or_the_edge(seed: int) -> None:
    rng = Random(seed)
    start = (rng.uniform(40, 440), rng.uniform(40, 200))
    ends = [(rng.uniform(40, 400), rng.uniform(380, 580))]
    if seed % 2:
        ends.append((ends[0][0] + 26, ends[0][1]))
    boxes = scattered(seed, (start, *ends))
    if line := find_route((start,), tuple(ends), boxes):
        drawn = sampled(line.format_path())
        foreign = [box for box in boxes if not any(apart(piece, box) == 0 for piece in (start, *ends))]
        assert min(apart(point, box) for point in drawn for box in foreign) >= CLEAR
        others = {start, *ends} - {line.corners[0], line.corners[-1]}
        assert all(dist(point, other) >= RING + CLEAR for point in drawn for other in others)
        assert all(2 < x < WIDTH - 2 and 2 < y < HEIGHT - 2 for x, y in drawn)
        assert length(line) < 3 * dist(start, line.corners[-1])
