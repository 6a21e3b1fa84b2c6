"""How programs play this game: what a position is worth, which turns look good, what may be hidden."""
