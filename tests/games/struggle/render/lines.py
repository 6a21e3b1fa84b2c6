"""Lines of a picture as points: along a path, and how far they are from boxes."""

from __future__ import annotations

import re
from math import ceil, dist

from tkid.render.picture import Box

Point = tuple[float, float]
COMMAND = re.compile(r"([MLQZ])([^MLQZ]*)")
STEP = 2.5
"""The distance of the points along a path, at most."""


def sampled(path: str) -> list[Point]:
    """Points along a path of straight lines and quadratic curves; a subpath that is closed ends where it began."""
    points, begin = list[Point](), (0.0, 0.0)
    for command, data in COMMAND.findall(path):
        numbers = list(map(float, data.split())) if " " in data else []
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        if command == "M":
            begin = pairs[0]
            points.append(begin)
        else:
            points += _curve(points[-1], *pairs) if command == "Q" else _line(points[-1], *(pairs or [begin]))
    return points


def apart(point: Point, box: Box) -> float:
    """How far a point is from a box; 0 inside."""
    x, y = point
    return dist(point, (min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)))


def _line(a: Point, b: Point) -> list[Point]:
    steps = ceil(dist(a, b) / STEP) or 1
    return [(a[0] + (b[0] - a[0]) * n / steps, a[1] + (b[1] - a[1]) * n / steps) for n in range(1, steps + 1)]


def _curve(a: Point, bend: Point, b: Point) -> list[Point]:
    steps = ceil((dist(a, bend) + dist(bend, b)) / STEP) or 1
    weights = [((1 - t) ** 2, 2 * t * (1 - t), t * t) for t in (n / steps for n in range(1, steps + 1))]
    return [(u * a[0] + v * bend[0] + w * b[0], u * a[1] + v * bend[1] + w * b[1]) for u, v, w in weights]
