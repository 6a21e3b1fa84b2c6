"""Routes: the lines of an arrow, from pieces to pieces, with round corners and with forks to several pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import dist, hypot

from attrs import frozen

from tkid.games.struggle.render.picture.outlines import Line, Point
from tkid.games.struggle.render.picture.routes import cells as c
from tkid.games.struggle.render.picture.routes.ground import HEAD, STOP, Ground, Places, toward
from tkid.games.struggle.render.picture.routes.search import Way, way
from tkid.render.picture import Box

APPROACHES = (((50, 57), 22), ((36, 43), 20), ((26, 32), 22))
"""A line comes straight to a piece from a place within some distances, and what that costs."""
FORKS = (((36, 58), 0),)
"""The same for a fork, from which lines go to several pieces."""
FORKED = 40
"""So much more a way may cost for reaching one more piece."""
DETOUR = (0.6, 30)
"""A way is good if it costs no more than so much for each unit between the pieces, and so much besides."""
SHARP = 0.35
"""The cosine of the turn from which on a corner is sharp."""
BEYOND = (16, 11, 7)
"""So far a line goes beyond a sharp corner, to turn in two steps there."""
TURNING = 50
"""So much longer a line may be if it turns less by a right angle."""
ROUND, LEAST = 60, 5
"""A corner is cut at most so far from its point, and at least."""


@frozen
class Route:
    """A line between the middles of two pieces: its corners, and how far from each corner between them it is cut."""

    corners: Line
    cuts: tuple[float, ...]

    def path(self, *, before: float = STOP, after: float = STOP) -> str:
        """The data of a path of SVG that stops short of both ends."""
        start, end = self.corners[0], self.corners[-1]
        data = "M{:.1f} {:.1f}".format(*toward(start, self.corners[1], before))
        for (a, corner, b), cut in zip(_bends(self.corners), self.cuts, strict=True):
            if cut:
                data += "L{:.1f} {:.1f}".format(*toward(corner, a, cut))
                data += "Q{:.1f} {:.1f} {:.1f} {:.1f}".format(*corner, *toward(corner, b, cut))
            else:
                data += "L{:.1f} {:.1f}".format(*corner)
        return data + "L{:.1f} {:.1f}".format(*toward(end, self.corners[-2], after))


@lru_cache(2048)
def routes(starts: Line, ends: Line, boxes: tuple[Box, ...], avoid: Line = ()) -> tuple[Route, ...]:
    """Lines from pieces to pieces, past boxes and rather not through a region; () if there is no room for any.

    Several pieces at an end are reached through a fork if there is room for one, or else one of them is.
    """
    ground = Ground.of(boxes, avoid, (*starts, *ends))
    enough = DETOUR[0] * min(dist(start, end) for start in starts for end in ends) + DETOUR[1]
    best: tuple[float, _End, _End, Way] | None = None
    for start in _ends(ground, starts):
        for end in _ends(ground, ends):
            if found := way(ground, start.places, end.places):
                costs = found.costs[0] - FORKED * (len(start.pieces) + len(end.pieces) - 2)
                best = (costs, start, end, found) if best is None or costs < best[0] else best
                if costs < enough:
                    return _lines(ground, *best[1:])
    return _lines(ground, *best[1:]) if best else ()


@frozen
class _End:
    """The pieces at an end of a line, all of several or a single one, and the places from where it goes straight to them."""

    pieces: Line
    places: Places

    @property
    def single(self) -> Point | None:
        """The piece, if there is one."""
        return self.pieces[0] if len(self.pieces) == 1 else None

    @property
    def middle(self) -> Point:
        """The point between the pieces."""
        return sum(x for x, _ in self.pieces) / len(self.pieces), sum(y for _, y in self.pieces) / len(self.pieces)


def _ends(ground: Ground, pieces: Line) -> Iterator[_End]:
    """The ways in which a line can end at pieces."""
    if len(pieces) > 1:
        yield _end(ground, pieces, FORKS)
    for piece in pieces:
        yield _end(ground, (piece,), APPROACHES)


def _end(ground: Ground, pieces: Line, distances: Sequence[tuple[tuple[int, int], int]]) -> _End:
    return _End(pieces, tuple((ground.approaches(pieces, each), costs) for each, costs in distances))


def _lines(ground: Ground, start: _End, end: _End, found: Way) -> tuple[Route, ...]:
    """The lines from each of some pieces along a way to each of others."""
    corners = found.between(start.single, end.single).pulled(ground)
    corners = _settled(ground, _settled(ground, corners, end)[::-1], start)[::-1]
    trunk = _eased(ground, corners)
    pairs = [
        (start.pieces[n % len(start.pieces)], end.pieces[n % len(end.pieces)])
        for n in range(max(len(start.pieces), len(end.pieces)))
    ]
    lines = [
        (*(() if start.single else (first,)), *trunk, *(() if end.single else (last,))) for first, last in pairs
    ]
    cuts = [[_cut(ground, line, at) for at in range(1, len(line) - 1)] for line in lines]
    least = tuple(map(min, zip(*cuts, strict=True)))
    return tuple(Route(line, least) for line in lines)


# -- corners ----------------------------------------------------------------------------------------------


def _bends(line: Sequence[Point]) -> Iterator[tuple[Point, Point, Point]]:
    """Each corner of a line between its neighbours."""
    return zip(line, line[1:], line[2:], strict=False)


def _turn(before: Point, corner: Point, after: Point) -> float:
    """The cosine of the turn at a corner: 1 where there is none, -1 where the line goes back."""
    (a, b), (x, y), (d, e) = before, corner, after
    across, down, on, under = x - a, y - b, d - x, e - y
    return (across * on + down * under) / (hypot(across, down) * hypot(on, under) or 1)


def _settled(ground: Ground, corners: list[Point], end: _End) -> list[Point]:
    """Corners with the place from where the line goes to its end chosen again, so that it turns less."""
    *rest, place = corners[:-1] if end.single else corners
    if not rest:
        return corners
    middle = end.middle

    def badness(place: Point) -> float:
        bends = _bends([*rest[-2:], place, middle])
        return dist(rest[-1], place) + dist(place, middle) - TURNING * sum(_turn(*bend) for bend in bends)

    cells = 0
    for each, _ in end.places:
        cells |= each
    for better in sorted((place, *map(c.middle, c.single(cells))), key=badness):
        if better == place or ground.is_open(rest[-1], better):
            return [*rest, better, *corners[len(rest) + 1 :]]
    return corners


def _eased(ground: Ground, line: list[Point]) -> Line:
    """A line that goes beyond its sharp corners where there is room, and turns in two steps there."""
    eased = line[:1]
    for before, corner, after in _bends(line):
        turned = [corner]
        for far in BEYOND if _turn(before, corner, after) < SHARP else ():
            first, second = _beside(before, corner, after, far)
            if ground.is_open(before, first) and ground.is_open(first, second) and ground.is_open(second, after):
                turned = [first, second]
                break
        eased += turned
    return (*eased, *line[1:][-1:])


def _beside(before: Point, corner: Point, after: Point, far: float) -> tuple[Point, Point]:
    """Two points on the outer side of a corner."""
    (a, b), (d, e) = toward(corner, before, far), toward(corner, after, far)
    x, y = corner[0] - 0.2 * (a + d - 2 * corner[0]), corner[1] - 0.2 * (b + e - 2 * corner[1])
    across, down = (d - a) / 2, (e - b) / 2
    return (x - across, y - down), (x + across, y + down)


def _cut(ground: Ground, line: Line, at: int) -> float:
    """How far from its point a corner of a line can be cut."""
    before, corner, after = line[at - 1 : at + 2]
    cut = min(
        ROUND,
        dist(before, corner) - STOP - HEAD if at == 1 else dist(before, corner) / 2,
        dist(corner, after) - STOP - HEAD if at == len(line) - 2 else dist(corner, after) / 2,
    )
    while cut >= LEAST and not _is_open(ground, toward(corner, before, cut), corner, toward(corner, after, cut)):
        cut *= 0.7
    return cut if cut >= LEAST else 0


def _is_open(ground: Ground, a: Point, bend: Point, b: Point) -> bool:
    """Whether a line may go along a curve."""
    for tenth in range(1, 10):
        u, v, w = (1 - tenth / 10) ** 2, 0.02 * tenth * (10 - tenth), (tenth / 10) ** 2
        if not ground.free(u * a[0] + v * bend[0] + w * b[0], u * a[1] + v * bend[1] + w * b[1]):
            return False
    return True
