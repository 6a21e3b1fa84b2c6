"""The outlines of the map: coasts and borders of Britain as lines, and the regions between them.

A border is one line that both regions use, so that they touch. Another board gets a plain map of circles. We drew the
lines ourselves, and not to scale.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from math import cos, pi, sin

from attrs import frozen

from tkid.games.struggle.render.britain import regions_of_britain
from tkid.games.struggle.render.picture.layout import MAP_HEIGHT, MAP_WIDTH
from tkid.games.struggle.rules.board import Board

Point = tuple[float, float]
Line = tuple[Point, ...]


ROUNDS = 2
"""So often the corners of a line are cut, which makes it round."""

LINES: Mapping[str, Line] = {
    # coasts
    "MOR": (
        *((84, 112), (66, 98), (82, 78), (66, 56), (88, 32), (112, 14), (150, 22), (190, 8), (220, 12), (214, 32)),
        *((192, 46), (210, 54), (246, 44), (276, 56), (270, 82), (246, 94), (236, 108)),
    ),
    "STR west": ((92, 198), (68, 202), (50, 188), (70, 170), (54, 152), (70, 132), (84, 112)),
    "STR east": ((236, 108), (222, 120), (240, 132), (266, 142), (264, 168), (268, 192)),
    "NOR": ((268, 192), (278, 208), (298, 222), (308, 242), (298, 258), (306, 276)),
    "LAN": ((88, 280), (66, 268), (82, 246), (66, 226), (90, 216), (92, 198)),
    "GWY": (
        *((114, 392), (90, 406), (60, 402), (32, 394), (24, 378), (48, 366), (54, 350), (48, 334), (32, 322)),
        *((24, 310), (40, 294), (68, 292), (88, 280)),
    ),
    "ESS": ((306, 276), (334, 274), (352, 296), (348, 324), (322, 344), (348, 358), (344, 384), (322, 398)),
    "DEV": (
        *((322, 398), (314, 424), (286, 440), (252, 442), (228, 456), (196, 450), (172, 458), (150, 474), (118, 466)),
        *((90, 472), (58, 488), (28, 490), (28, 476), (58, 458), (80, 438), (104, 420), (114, 392)),
    ),
    # borders
    "MOR STR": ((84, 112), (112, 102), (150, 120), (190, 104), (236, 108)),
    "STR LAN": ((92, 198), (116, 206), (146, 192), (176, 200)),
    "STR NOR": ((176, 200), (204, 208), (234, 188), (268, 192)),
    "LAN NOR": ((176, 200), (168, 222), (188, 250), (190, 280)),
    "LAN GWY": ((88, 280), (112, 282), (138, 295)),
    "LAN WAR": ((138, 295), (164, 292), (190, 280)),
    "NOR WAR": ((190, 280), (216, 278), (248, 291)),
    "NOR ESS": ((248, 291), (272, 277), (306, 276)),
    "GWY WAR": ((138, 295), (146, 322), (134, 350), (146, 380)),
    "GWY DEV": ((146, 380), (130, 388), (114, 392)),
    "WAR ESS": ((248, 291), (240, 318), (254, 348), (242, 378)),
    "WAR DEV": ((146, 380), (178, 390), (212, 376), (242, 378)),
    "ESS DEV": ((242, 378), (268, 394), (294, 386), (322, 398)),
}
"""Each line by the regions on its sides: one for a coast, two for a border."""

ROOMS: Mapping[str, tuple[float, float]] = {
    "MOR": (154, 66),
    "STR": (162, 154),
    "LAN": (131, 244),
    "NOR": (238, 242),
    "GWY": (97, 340),
    "WAR": (194, 336),
    "ESS": (292, 332),
    "DEV": (204, 419),
}
"""The middle of the room for a region's name and followers."""


@frozen
class Shape:
    """A region as it is drawn: its closed outline, and the middle of the room inside."""

    outline: Line
    middle: Point


@frozen
class Drawing:
    """A map: a shape for each region in the board's order, and roads for borders whose shapes do not touch."""

    shapes: tuple[Shape, ...]
    roads: tuple[tuple[Point, Point], ...] = ()


@cache
def drawing(board: Board) -> Drawing:
    """How a board is drawn: as Britain if it has Britain's regions and borders, or else plainly."""
    borders = {frozenset(sides) for sides in map(_sides, LINES) if len(sides) > 1}
    regions = regions_of_britain(board, borders)
    return Drawing(tuple(Shape(_outline(each), ROOMS[each]) for each in regions)) if regions else plain(board)


def plain(board: Board) -> Drawing:
    """A map for any board: regions as circles around a middle, borders as roads."""
    many = len(board.regions)
    around = [
        (
            MAP_WIDTH / 2 + 0.37 * MAP_WIDTH * sin(2 * pi * n / many),
            MAP_HEIGHT / 2 - 0.4 * MAP_HEIGHT * cos(2 * pi * n / many),
        )
        for n in range(many)
    ]
    wide = min(52.0, 0.8 * pi * MAP_WIDTH * 0.37 / max(many, 2))
    circles = [
        tuple((x + wide * cos(pi * step / 12), y + wide * sin(pi * step / 12)) for step in range(24)) for x, y in around
    ]
    roads = tuple((around[a], around[b]) for a, b in sorted(board.borders))
    return Drawing(tuple(map(Shape, circles, around)), roads)


def _sides(name: str) -> tuple[str, ...]:
    """The regions on the sides of a line, without `west` and `east`."""
    return tuple(word for word in name.split() if word.isupper())


def _outline(code: str) -> Line:
    """The lines around a region, joined end to end."""
    left = [smooth(line) for name, line in LINES.items() if code in _sides(name)]
    ring = left.pop(0)
    while left:
        line = next(line for line in left if ring[-1] in {line[0], line[-1]})
        left.remove(line)
        ring += (line if line[0] == ring[-1] else line[::-1])[1:]
    return ring[:-1]


def smooth(line: Line) -> Line:
    """A line with its corners cut, and its ends as they are."""
    for _ in range(ROUNDS):
        cut = [
            ((3 * a + c) / 4, (3 * b + d) / 4, (a + 3 * c) / 4, (b + 3 * d) / 4) for (a, b), (c, d) in pairwise(line)
        ]
        line = (line[0], *(point for a, b, c, d in cut for point in ((a, b), (c, d))), line[-1])
    return line
