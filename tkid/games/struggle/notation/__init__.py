"""How The King is Dead is written: turns, positions, and what plans wait for."""
