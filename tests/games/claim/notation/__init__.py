"""Tests of how Claim is written."""
