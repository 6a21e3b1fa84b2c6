"""Tests of what an order makes of a game."""
