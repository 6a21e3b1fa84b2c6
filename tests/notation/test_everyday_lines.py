"""How people say a turn in their own words: `fixtures/lines`, written by people who had not seen the program."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tkid.notation.free_text import understand_turn
from tkid.notation.positions import read_position

FOLDER = Path(__file__).parents[2] / "fixtures" / "lines"
LINES = {"seen": 575, "aside": 218, "unseen": 160}
LEAST = {"seen": 556, "aside": 202, "unseen": 136}
"""How many of the lines are read right, or asked about with the right turn among the choices."""
MOST_WRONG = {"seen": 0, "aside": 2, "unseen": 2}
"""How many lines get a wrong proposal; none is certain and wrong."""


def read_kinds(name: str) -> Counter[str]:
    """Count what becomes of the lines of a file; where a row has no turn, none may be proposed, and `asked` rows leave something open."""
    kinds = Counter[str]()
    for row in tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))["line"]:
        game, position = read_position(row["position"])
        found = understand_turn(game, tuple(row["players"]), position, row["text"])
        if found.turn:
            is_right = found.turn == row["turn"] and not row.get("asked")
            kinds["right" if is_right else "certain" if found.certain else "wrong"] += 1
        elif not row["turn"]:
            kinds["right"] += 1
        else:
            kinds["asked" if row["turn"] in found.choices else "choices" if found.choices else "nothing"] += 1
    return kinds


@pytest.mark.exhaustive(seconds=150)
@pytest.mark.parametrize("name", LEAST)
def test_turns_in_everyday_words_are_read_or_asked_about(name: str) -> None:
    kinds = read_kinds(name)
    assert kinds.total() == LINES[name]
    assert not kinds["certain"]
    assert kinds["wrong"] <= MOST_WRONG[name]
    assert kinds["right"] + kinds["asked"] >= LEAST[name], kinds
