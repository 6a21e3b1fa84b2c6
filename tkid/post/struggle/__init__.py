"""What the post does of its own for games of the family of The King is Dead: turns to copy, plans, a bot."""
