"""Tests of the rules of Claim."""
