"""The search for a way: a front spreads over the open cells, and what is better avoided it enters later."""

from __future__ import annotations

from math import dist

from attrs import frozen

from tkid.games.struggle.render.picture.outlines import Line, Point
from tkid.games.struggle.render.picture.routes import cells as c
from tkid.games.struggle.render.picture.routes.cells import COLUMNS
from tkid.games.struggle.render.picture.routes.ground import EDGE_COSTS, STEP, Ground, Places

DIAGONAL = 3
"""What a step costs across a corner; STEP is what it costs otherwise."""
STEPS = (
    *((step, STEP) for step in (1, -1, COLUMNS, -COLUMNS)),
    *((step, DIAGONAL) for step in (COLUMNS + 1, COLUMNS - 1, -COLUMNS + 1, -COLUMNS - 1)),
)
LATEST = 800
"""No way costs as much as this."""
SLACK = 1
"""So much more a straight line may cost than the way that it replaces."""


@frozen
class Way:
    """A way over cells: their middles, and what it costs from each of them on."""

    points: Line
    costs: tuple[float, ...]

    def between(self, start: Point | None, end: Point | None) -> Way:
        """The way that begins and ends at pieces; None leaves an end as it is."""
        points, costs = self.points, self.costs
        if start:
            points, costs = (start, *points), (costs[0] + _length(start, points[0]), *costs)
        if end:
            points, costs = (*points, end), (*costs, costs[-1] - _length(points[-1], end))
        return Way(points, costs)

    def pulled(self, ground: Ground) -> list[Point]:
        """The corners of the way, pulled straight wherever that costs no more."""
        corners, at = [self.points[0]], 0
        while at < len(self.points) - 1:
            for further in range(len(self.points) - 1, at, -1):
                if further == at + 1:
                    break
                straight = ground.costs(self.points[at], self.points[further])
                if straight is not None and straight <= self.costs[at] - self.costs[further] + SLACK:
                    break
            corners.append(self.points[further])
            at = further
        return corners


def _length(a: Point, b: Point) -> float:
    return STEP * dist(a, b) / c.SIDE


def way(ground: Ground, starts: Places, ends: Places) -> Way | None:
    """The cheapest way from one of the starts to one of the ends; None if there is none."""
    fronts, end = _fronts(ground, ends, starts)
    if not fronts:
        return None
    now = len(fronts) - 1
    cell = next(c.single(fronts[now] & end))
    points, costs = [c.middle(cell)], [now]
    while not any(costs == now and cells >> cell & 1 for cells, costs in ends):
        more = next(costs for cells, costs in ground.classes if cells >> cell & 1)
        cell, now = next(
            (cell + step, now - more - costs)
            for step, costs in STEPS
            if now >= more + costs and fronts[now - more - costs] >> cell + step & 1
        )
        points.append(c.middle(cell))
        costs.append(now)
    return Way(tuple(points), tuple(costs))


def _fronts(ground: Ground, origins: Places, targets: Places) -> tuple[list[int], int]:
    """The cells that are reached at each cost, up to where the cheapest way meets a target; and that target."""
    due, fronts = [0] * (LATEST + EDGE_COSTS + DIAGONAL), list[int]()
    for cells, costs in origins:
        due[costs] |= cells
    latest = max(costs for _, costs in origins)
    left, best, reached, last = ground.open, LATEST, 0, 0
    for now in range(LATEST):
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
