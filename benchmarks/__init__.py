"""Benchmarks: each prints a figure, its yardstick from the same run, and the ratio."""
