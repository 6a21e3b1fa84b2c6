"""Tests of a host at work."""
