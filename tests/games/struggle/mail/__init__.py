"""Tests of what mails say about The King is Dead."""
