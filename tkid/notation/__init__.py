"""The notation: moves and positions as text. `read_*` returns a value or problems, `write_*` text."""
