"""Months of games by mail, simulated."""
