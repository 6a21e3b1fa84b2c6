"""The games, each in one room. A new game is a folder here and its name in this list."""

GAMES = ("struggle", "claim")
