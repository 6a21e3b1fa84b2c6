"""Claim as a picture: a page of parts, the cards, the table, the players and the piles."""
