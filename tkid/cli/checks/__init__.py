"""Checking game files: where they come from, what is found, and how it is told."""
