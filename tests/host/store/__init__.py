"""Tests of the database of a host."""
