"""Routes: the lines of an arrow, from pieces to pieces, with round corners and with forks to several pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import dist

from attrs import frozen

from tkid.games.struggle.render.picture.outlines import Line, Point
from tkid.games.struggle.render.picture.routes.ground import HEAD, STOP, Ground, Places, toward
from tkid.games.struggle.render.picture.routes.search import Way, way
from tkid.games.struggle.render.picture.routes.shape import bends, relaxed
from tkid.render.picture import Box

APPROACHES = (((50, 57), 22), ((36, 43), 20), ((26, 32), 22))
"""A line comes straight to a piece from a place within some distances, and what that costs."""
FORKS = (((36, 58), 0), ((27, 36), 10))
"""The same for a fork, from which lines go to several pieces."""
FORKED = 40
"""So much more a way may cost for reaching one more piece."""
DETOUR = (0.6, 30)
"""A way is good if it costs no more than so much for each unit between the pieces, and so much besides."""
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
        for (a, corner, b), cut in zip(bends(self.corners), self.cuts, strict=True):
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
    inner = corners[len(start.pieces) == 1 : len(corners) - (len(end.pieces) == 1)]
    trunk = relaxed(ground, start.pieces, inner, end.pieces)
    pairs = [
        (start.pieces[n % len(start.pieces)], end.pieces[n % len(end.pieces)])
        for n in range(max(len(start.pieces), len(end.pieces)))
    ]
    lines = [(first, *trunk, last) for first, last in pairs]
    cuts = [[_cut(ground, line, at) for at in range(1, len(line) - 1)] for line in lines]
    least = tuple(map(min, zip(*cuts, strict=True)))
    return tuple(Route(line, least) for line in lines)


# -- corners ----------------------------------------------------------------------------------------------


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
