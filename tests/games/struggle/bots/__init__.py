"""Tests of what programs know of The King is Dead."""
