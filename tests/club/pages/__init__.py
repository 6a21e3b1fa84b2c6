"""Tests of the pages of a club."""
