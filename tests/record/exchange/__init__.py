"""Tests of records that somebody else sent."""
