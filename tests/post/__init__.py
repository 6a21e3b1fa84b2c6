"""Tests of tkid.post."""
