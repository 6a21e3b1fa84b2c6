"""Tests of what a host is run with: units, containers, a club to try out."""
