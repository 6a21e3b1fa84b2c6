"""Tests of tkid.cli."""
