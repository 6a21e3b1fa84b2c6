"""Tests of time in a record."""
