"""Tests of tkid.kernel."""
