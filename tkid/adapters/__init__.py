"""Adapters for programs that learn: turns as small choices, views as numbers, two libraries' APIs."""
