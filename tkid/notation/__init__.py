"""The notation: moves and positions as text. `read_*` gives a value or problems, `write_*` the canonical form."""
