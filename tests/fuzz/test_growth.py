"""Each reader takes twice the steps for twice the text, whatever kind of line there is more of. Steps are counted, not timed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType
from typing import Any

import pytest

from tests.fuzz.growth import GROWING
from tests.fuzz.readers import READERS

LINES = 200
EACH = 6
"""One kind of line of so many is tried in `make test`."""
LONG = {"record": 5, "mail": 2}
"""Seconds that a part of the kinds takes."""
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


def deal_kinds(each: int) -> list[Any]:
    """Deal the kinds of lines of each reader into parts. `make test` takes one part, another one for each reader, because readers share kinds."""
    dealt = []
    for number, name in enumerate(READERS):
        kinds = list(GROWING[name])
        parts = min(each, len(kinds))
        for part in range(parts):
            marks = [pytest.mark.exhaustive(seconds=LONG.get(name, 1))] * (part != number % parts)
            dealt.append(pytest.param(name, kinds[part::parts], id=f"{name}-{part}", marks=marks))
    return dealt


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kinds"), deal_kinds(EACH))
def test_steps(name: str, kinds: Sequence[str]) -> None:
    steep = {}
    for kind in kinds:
        grown = GROWING[name][kind]
        read = READERS[name].read
        read(grown(LINES // 10))  # what is only done once is done
        once, twice = (count_steps(partial(read, grown(count))) for count in (LINES, 2 * LINES))
        if twice > MOST * once:
            steep[kind] = f"{once:,} and {twice:,}"
    assert not steep
