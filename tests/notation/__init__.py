"""Tests of tkid.notation."""
