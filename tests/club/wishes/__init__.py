"""Tests of what a member may set and ask for by mail."""
