"""How games of the family of The King is Dead are recorded: set-ups, what hidden hands leave open, JSON."""
