"""How the games of the family of The King is Dead are written: turns, positions, and what their plans wait for."""
