"""The layout of the picture: where its blocks are. A picture is 480 units wide; y grows downwards."""

from __future__ import annotations

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
