"""Tests of a club."""
