"""Tests of the family of Claim."""
