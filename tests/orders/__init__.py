"""Tests of reading and writing orders."""
