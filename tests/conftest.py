"""How the tests run: hypothesis never judges by time, and prints how to repeat a failure; no colour but where it is asked for."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("tkid", deadline=None, print_blob=True)
settings.load_profile("tkid")
for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
    os.environ.pop(name, None)
