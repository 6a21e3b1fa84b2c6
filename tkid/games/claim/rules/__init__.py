"""The rules of Claim: deck, position, moves, tricks, scoring, views."""
