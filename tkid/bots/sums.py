"""Sums of floats, added one after the other: how `sum` rounds them differs from one version of Python to the next."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add, mul


def total(values: Iterable[float]) -> float:
    """The sum of some numbers, added in their order."""
    return reduce(add, values, 0.0)


def weighted(values: Iterable[float], weights: Iterable[float]) -> float:
    """The sum of some numbers, each times its weight; where one side is longer, its rest does not count."""
    return reduce(add, map(mul, values, weights), 0.0)
