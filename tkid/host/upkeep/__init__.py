"""Keeping a host for years: looking after it, copies of it, what is thrown away."""
