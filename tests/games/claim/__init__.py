"""Tests of Claim."""
