"""What an order makes of a game: dispatch, a handler for each kind, the answer."""
