"""Tests of results, ratings and tournaments."""
