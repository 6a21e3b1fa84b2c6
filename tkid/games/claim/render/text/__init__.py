"""Claim as text: positions in lines and in sentences, what is legal, and why a game ended as it did."""
