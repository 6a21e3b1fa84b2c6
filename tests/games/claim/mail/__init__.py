"""Tests of mails about Claim."""
