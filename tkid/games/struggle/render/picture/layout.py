"""The layout of the picture: where its blocks are, in units. The map is 480 units wide; y grows downwards.

The tallies stand on the map's sea, clear of land, in the coordinates of the map.
"""

from __future__ import annotations

from functools import cache

from tkid.render.picture import Box

WIDTH, BROAD = 480, 960
"""The width of a picture in one column, and in two."""
MAP_HEIGHT = 620
EDGE = 12
"""From the edge of the picture to its text."""
BELOW_MAP = 627
"""From the top of the map to the players."""
ROW, WHOLE_ROW = 54, 126
"""The height of a player's row, and of one with whole cards."""
FOOT = 3
"""The paper below the last row."""
LEGEND, EMBLEMS = 114, 24
"""The height of the legend in two columns, and of the line of emblems in one."""

TRACK = Box(346, 9, 478, 244)
"""The region cards with their numbers, in the North Sea."""
WON = Box(360, 260, 476, 300)
"""How many regions each faction has won."""
SUPPLY = Box(10, 254, 76, 366)
"""The supply, in the Irish Sea."""
PASSES = Box(10, 5, 110, 51)
"""The number of the last turn, and the passes in a row, in the Atlantic."""
LOST = Box(204, 582, 472, 614)
"""The instability discs, in the Channel."""
TALLIES: tuple[Box, ...] = (TRACK, WON, SUPPLY, PASSES, LOST)
"""What stands on the sea, so that arrows go round it."""

SPACES_TOP, SPACE, CARD_HEIGHT = 31, 27, 23
"""The top of the first region card, from one to the next, and their height."""
IN_COLUMN = 9
"""The most region cards in one column; more are in two columns of narrower cards."""


@cache
def spaces(number: int) -> tuple[Box, ...]:
    """Where the region cards are on a track of so many spaces; each has the number of its struggle to its left."""
    if number <= IN_COLUMN:
        return tuple([_space(368, 470, place) for place in range(number)])
    rows = -(-number // 2)
    columns = ((315, 381), (404, 470))
    return tuple([_space(*columns[place // rows], place % rows) for place in range(number)])


def _space(left: float, right: float, row: int) -> Box:
    top = SPACES_TOP + SPACE * row
    return Box(left, top, right, top + CARD_HEIGHT)
