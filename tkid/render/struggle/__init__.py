"""How games of the family of The King is Dead are shown to people."""
