"""Tests of a game at a host: clock and plans."""
