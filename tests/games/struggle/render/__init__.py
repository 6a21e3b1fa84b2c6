"""Tests of how The King is Dead is shown."""
