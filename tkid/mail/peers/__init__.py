"""Letters between players without a host: about a turn, and about dealing a game together."""
