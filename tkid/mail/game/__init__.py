"""A game at a host: its state, its clock, and the plans of its players."""
