"""How many examples hypothesis tries: all in CI, and fewer in `make test`, which people wait for."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

FULL = 100
"""How many examples a test tries in CI if it says nothing."""
LEAST = 3
"""How many a test tries in `make test` even if it tries few in CI."""


def examples(number: int, **rest: Any) -> settings:
    """Let a test try so many examples in CI, and the same share of them as other tests do in `make test` and `make quick`.

    Args:
        number: How many examples.
        rest: What else hypothesis is told, such as `phases`.
    """
    most = settings().max_examples
    return settings(max_examples=number if most == FULL else min(max(number * most // FULL, LEAST), most), **rest)
