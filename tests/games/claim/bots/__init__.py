"""Tests of what programs know of Claim."""
