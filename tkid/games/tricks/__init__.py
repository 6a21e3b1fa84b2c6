"""Claim: the deck, position, moves, tricks, scoring and views of the trick-taking game in two phases."""
