"""What the page of a replay is made of."""
