"""Orders, one line each: their kinds, reading, writing, and telling an order from prose."""
