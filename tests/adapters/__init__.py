"""The games as programs that learn see them."""
