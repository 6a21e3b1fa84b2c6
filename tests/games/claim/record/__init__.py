"""Tests of how Claim is recorded."""
