"""Results, ratings and tournaments at a host: made from its games, and the rounds that begin by themselves."""
