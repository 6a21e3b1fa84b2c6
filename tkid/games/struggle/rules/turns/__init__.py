"""Turns: what follows a move, summoning, power struggles, and the very last card."""
