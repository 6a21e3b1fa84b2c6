"""Tests of tkid.record."""
