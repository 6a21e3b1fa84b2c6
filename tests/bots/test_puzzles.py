"""Every puzzle has exactly one winning turn, and its solution plays it and wins."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from tests.makers.puzzles import KINDS, NAMES, line, outdated
from tests.shared.puzzles import (
    FOLDER,
    find_winning_positions,
    list_numbers,
    read,
    solver_of,
    whole_turns,
    winning_turns,
    wins,
)
from tkid.bots.player import find_party, find_win_shares
from tkid.rulebook.rulesets import rulesets

BUDGET = 1_000_000
NUMBERS = list_numbers()
SOME = NUMBERS[1::10]
"""The puzzles that are proven in every run."""


def proven(number: str) -> None:
    """Prove a puzzle: try every turn of it to the end, and play its solution."""
    task, solution = read(FOLDER / f"{number}.tkid"), read(FOLDER / f"{number}-solution.tkid")
    game, start = task.record.game, task.position
    told = json.loads((FOLDER / f"{number}.json").read_text("utf-8"))
    ((_, after),) = winning_turns(game, start, BUDGET)
    assert find_winning_positions(game, start, BUDGET) == {after}
    assert solution.moments[0].position == start
    assert solution.moments[1].position == after
    assert solution.position.to_act is None
    assert find_win_shares(game, solution.position)[find_party(game, start)] == 1
    assert outdated(FOLDER / f"{number}.json") == {}, "python -m tests.makers.puzzles again"
    whole = list(whole_turns(game, start))
    assert len({reached for _, reached in whole}) == told["turns"]
    assert told["right"] == [line(game, turn, NAMES) for turn, reached in whole if reached == after]
    _answers_hold(game, start, told["answers"], {line(game, turn, NAMES): reached for turn, reached in whole})


def _answers_hold(game: Any, start: Any, answers: dict[str, str], reached: dict[str, Any]) -> None:
    """Every answer to a wrong turn is legal, and takes the win away."""
    solver = solver_of(game, start, BUDGET)
    for turn, answer in answers.items():
        position = reached[turn]
        assert not wins(solver, position), turn
        if answer:
            replies = {
                f"{NAMES[position.to_act]} {line(game, reply, NAMES)}": after
                for reply, after in whole_turns(game, position)
            }
            assert not wins(solver, replies[answer]), (turn, answer)


def test_there_are_some_of_each_kind() -> None:
    """A hundred at least, three of every ruleset, and three with three players."""
    assert [f"{number:02}" for number in range(1, len(NUMBERS) + 1)] == NUMBERS
    assert len(NUMBERS) >= 100
    records = [read(FOLDER / f"{number}.tkid").record for number in NUMBERS]
    kinds = Counter((record.ruleset.code, len(record.seats)) for record in records)
    assert kinds == {kind[:2]: kind.puzzles for kind in KINDS}
    assert {kind.code for kind in KINDS} == {entry.code for entry in rulesets()}
    assert min(kind.puzzles for kind in KINDS if kind.players == 2) >= 3
    assert sum(kind.puzzles for kind in KINDS if kind.players == 3) >= 3


def test_a_quarter_at_most_is_won_by_a_pass() -> None:
    right = [json.loads((FOLDER / f"{number}.json").read_text("utf-8"))["right"] for number in NUMBERS]
    assert right.count(["Pass"]) * 4 <= len(NUMBERS)


def test_no_puzzle_is_there_twice() -> None:
    positions = [read(FOLDER / f"{number}.tkid").position for number in NUMBERS]
    assert len(set(positions)) == len(positions)


@pytest.mark.parametrize("number", SOME)
def test_some_puzzles_have_exactly_one_winning_turn(number: str) -> None:
    proven(number)


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", NUMBERS)
def test_every_puzzle_has_exactly_one_winning_turn(number: str) -> None:
    proven(number)
