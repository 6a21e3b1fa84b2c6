"""Every example of every order, whole and with mistakes, is read as it was recorded: order, problem, place and hint."""

from __future__ import annotations

import pytest

from tests.makers.lines import READERS, list_examples, read_file

RECORDED = read_file()


@pytest.mark.parametrize("scope", READERS)
def test_lines_are_read_as_recorded(scope: str) -> None:
    changed = {
        line: (reading, now) for line, reading in RECORDED[scope].items() if (now := READERS[scope](line)) != reading
    }
    assert not changed, "if this is meant, run `python -m tests.makers.lines`"


def test_every_example_is_recorded_as_an_order() -> None:
    for scope, lines in list_examples().items():
        assert set(lines) <= RECORDED[scope].keys(), "run `python -m tests.makers.lines`"
