"""The shape of a line: its corners are moved until it is short and turns gently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist, hypot, inf

from tkid.games.struggle.render.picture.outlines import Line, Point
from tkid.games.struggle.render.picture.routes.cells import SIDE
from tkid.games.struggle.render.picture.routes.ground import HEAD, STEP, STOP, Ground, toward

SHARP = 0.6
"""The cosine of the turn from which on a corner becomes two."""
SPLIT = 8
"""So far these are from it at first, at most."""
MOVES = (16, 8, 4, 4)
"""How far corners are moved, time after time."""
AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1), (0.7, 0.7), (0.7, -0.7), (-0.7, 0.7), (-0.7, -0.7))
"""The directions in which they are moved."""
TURNING, TIGHT = 30, 20
"""So much longer a line may be if it turns less by a right angle; and how much more that counts where there is little room."""


def bends(line: Sequence[Point]) -> Iterator[tuple[Point, Point, Point]]:
    """Each corner of a line between its neighbours."""
    return zip(line, line[1:], line[2:], strict=False)


def relaxed(ground: Ground, starts: Line, corners: Sequence[Point], ends: Line) -> Line:
    """The corners of a line between some pieces and others, moved to where the line is best."""
    line = _split(ground, [_middle(starts), *corners, _middle(ends)])
    sides = {0: starts, len(line) - 1: ends}

    def length(at: int, point: Point) -> float:
        """How long the line is to a point from its neighbours, and so much more for what it had better avoid."""
        neighbours = [sides.get(beside, line[beside : beside + 1]) for beside in (at - 1, at + 1)]
        total = 0.0
        for some in neighbours:
            for neighbour in some:
                costs = ground.costs(point, neighbour)
                total += inf if costs is None else costs * SIDE / STEP / len(some)
        return total

    for move in MOVES:
        for at in range(1, len(line) - 1):
            x, y = line[at]
            least = length(at, line[at]) + _strain(line, at)
            for across, down in AROUND:
                old, line[at] = line[at], (x + move * across, y + move * down)
                strain = _strain(line, at)
                shortest = dist(line[at - 1], line[at]) + dist(line[at], line[at + 1])
                if shortest + strain < least and (now := length(at, line[at]) + strain) < least:
                    least = now
                else:
                    line[at] = old
    return tuple(line[1:-1])


def _middle(points: Line) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _split(ground: Ground, line: list[Point]) -> list[Point]:
    """A line with two corners for each sharp one."""
    split = line[:1]
    for before, corner, after in bends(line):
        first, second = [toward(corner, other, min(SPLIT, dist(corner, other) / 3)) for other in (before, after)]
        sharp = _turn(before, corner, after) < SHARP and ground.is_open(first, second)
        split += [first, second] if sharp else [corner]
    return [*split, line[-1]]


def _strain(line: Sequence[Point], at: int) -> float:
    """How much and in how little room a line turns around a corner."""
    strain = 0.0
    for bend in range(max(1, at - 1), min(len(line) - 1, at + 2)):
        before, corner, after = line[bend - 1 : bend + 2]
        room = min(_room(before, corner, ends=bend == 1), _room(corner, after, ends=bend == len(line) - 2))
        strain += TURNING * (1 - _turn(before, corner, after)) * (1 + TIGHT / max(room, 1))
    return strain


def _room(a: Point, b: Point, *, ends: bool) -> float:
    """How much of a stretch is there for a turn at one of its corners, if the other is a corner or an end of the line."""
    return dist(a, b) - STOP - HEAD if ends else dist(a, b) / 2


def _turn(before: Point, corner: Point, after: Point) -> float:
    """The cosine of the turn at a corner: 1 where there is none, -1 where the line goes back."""
    (a, b), (x, y), (d, e) = before, corner, after
    across, down, on, under = x - a, y - b, d - x, e - y
    return (across * on + down * under) / (hypot(across, down) * hypot(on, under) or 1)
