"""What tests of one process share, and what has to be stopped when they end."""

from __future__ import annotations

from contextlib import ExitStack

SHARED = ExitStack()
"""It is closed at the end of the session."""
