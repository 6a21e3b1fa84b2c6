"""Tests of playing a record through."""
