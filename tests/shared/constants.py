"""The numbers and words of the whole program, which hypothesis tries in the same places of each run with a seed.

By itself it knows those of the modules that a process has imported so far, and so two runs differ. It has no setting for them, so
this is the one place that reaches into it, and does nothing with a version that has changed there.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import tkid


def share_constants() -> bool:
    """Give hypothesis the constants of the program; return False if this version keeps them in another way."""
    try:
        providers = import_module("hypothesis.internal.conjecture.providers")
        reading = import_module("hypothesis.internal.constants_ast")
        found, read, _ = reading.Constants(), reading._constants_from_source, providers._get_local_constants  # noqa: SLF001 - it has no public way
        read(b"", limit=True)
    except (ImportError, AttributeError, TypeError):
        return False

    @cache
    def read_constants() -> Any:
        every = found
        for file in sorted(Path(tkid.__file__).parent.rglob("*.py")):
            every |= read(file.read_bytes(), limit=True)
        return every

    vars(providers)["_get_local_constants"] = read_constants
    return True
