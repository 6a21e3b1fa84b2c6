"""Tests of what a host does with mails to the club."""
