"""The layout of the picture: where its blocks are, in units. The map is 480 units wide; y grows downwards.

The tallies stand on the map's sea, clear of land, in the coordinates of the map.
"""

from __future__ import annotations

from tkid.render.picture import Box

WIDTH = 480
MARGIN = 10
MAP_TOP = 74
MAP_WIDTH, MAP_HEIGHT = 346, 496
SEA_TOP, SEA_WIDTH, SEA_HEIGHT = MAP_TOP - 12, 350, MAP_HEIGHT + 12
MAP_SHIFT = 14
"""So far to the left of its coordinates the map is drawn."""
LEFT, RIGHT = 360, 471
"""The edges of the column beside the map."""
SPACE_HEIGHT = 31
"""From one space of the track to the next."""
SUPPLY_TOP = MAP_TOP + 14 + 8 * SPACE_HEIGHT + 40
PLAYERS_TOP = MAP_TOP + MAP_HEIGHT + 8
PLAYER_HEIGHT = 92

TRACK = Box(346, 9, 478, 244)
"""The region cards with their numbers, in the North Sea; a track of more than eight is longer."""
WON = Box(360, 260, 476, 300)
"""How many regions each faction has won."""
SUPPLY = Box(10, 250, 68, 358)
"""The supply, in the Irish Sea."""
PASSES = Box(10, 9, 106, 52)
"""The passes in a row, in the Atlantic."""
LOST = Box(228, 582, 472, 614)
"""The instability discs, in the Channel."""
TALLIES: tuple[Box, ...] = (TRACK, WON, SUPPLY, PASSES, LOST)
"""What stands on the sea, so that arrows go round it."""
