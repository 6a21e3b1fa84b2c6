"""Tests of the front door: orders to the club, from a line to a game that begins."""
