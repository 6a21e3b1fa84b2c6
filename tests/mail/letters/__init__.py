"""Tests of letters."""
