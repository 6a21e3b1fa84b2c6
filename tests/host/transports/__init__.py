"""Tests of how mails reach a host and letters leave it."""
