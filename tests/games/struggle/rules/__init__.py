"""Tests of the rules of The King is Dead."""
