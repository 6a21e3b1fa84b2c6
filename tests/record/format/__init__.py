"""Tests of reading and writing game files."""
