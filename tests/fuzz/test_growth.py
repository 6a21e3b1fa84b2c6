"""Each reader takes twice the steps for twice the text, whatever kind of line there is more of. Steps are counted, not timed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest

from tests.fuzz.growth import GROWING
from tests.fuzz.readers import READERS

LINES = 200
MOST = 2.6
"""Twice the steps, and something for what is only done for long texts. For the square of the text it is four times."""


def count_steps(read: Callable[[], object]) -> int:
    """Count the lines of Python that reading takes."""
    steps = 0

    def step(frame: FrameType, event: str, value: Any) -> Any:  # noqa: ARG001 - a trace function
        nonlocal steps
        steps += 1
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        read()
    finally:
        sys.settrace(before)
    return steps


def test_steps_of_a_square_are_noticed() -> None:
    def square(count: int) -> None:
        for _ in range(count):
            [each + 1 for each in range(count)]

    assert count_steps(lambda: square(2 * LINES)) > MOST * count_steps(lambda: square(LINES))


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_steps(name: str) -> None:
    steep = {}
    for kind, grown in GROWING[name].items():
        read = READERS[name].read
        read(grown(LINES // 10))  # what is only done once is done
        once, twice = (count_steps(partial(read, grown(count))) for count in (LINES, 2 * LINES))
        if twice > MOST * once:
            steep[kind] = f"{once:,} and {twice:,}"
    assert not steep
