"""Tests of results and tournaments at a host."""
