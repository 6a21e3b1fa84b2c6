"""Tests of finding orders in mails."""
