"""What a player may ask for in a line: the kinds of orders, reading, writing, and telling an order from prose."""
