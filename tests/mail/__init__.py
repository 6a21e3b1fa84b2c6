"""Tests of tkid.mail."""
