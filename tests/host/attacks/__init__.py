"""Tests of hostile mails."""
