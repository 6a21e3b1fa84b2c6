"""How the tests run: hypothesis never judges by time, and prints how to repeat a failure."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("tkid", deadline=None, print_blob=True)
settings.load_profile("tkid")
