"""Who may give which order where, and how things then stand: every row of the three tables against a recorded matrix."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.makers.matrix import FILE, Matrix, list_rows, make_club_matrix, make_desk_matrix, make_game_matrix

RECORDED: dict[str, Matrix] = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize(
    ("scope", "make"), [("game", make_game_matrix), ("desk", make_desk_matrix), ("club", make_club_matrix)]
)
def test_each_order_fares_as_recorded(scope: str, make: Callable[[], Matrix]) -> None:
    assert make() == RECORDED[scope], "if this is meant, run `python -m tests.makers.matrix`"


def test_every_row_is_in_the_matrix() -> None:
    assert list_rows() == set()
