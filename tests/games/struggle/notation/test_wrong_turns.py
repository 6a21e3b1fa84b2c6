"""A wrong turn names the rule that it breaks: a table of turns of all kinds, for every ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.shared.strategies import NAMES
from tests.shared.tables import each_row
from tkid.record.format.reader import read_record
from tkid.record.play.replay import append, replay

TABLE = Path(__file__).with_name("wrong_turns.txt")
Row = tuple[str, str, str, tuple[str, ...]]
"""Ruleset, position, turn, and the rules that its problems name."""


def rows() -> Iterator[Row]:
    """The rows of the table."""
    for block in TABLE.read_text("utf-8").split("\n\n")[1:]:
        code, position, *lines = block.strip().splitlines()
        for line in lines:
            turn, _, rules = line.partition(" | ")
            yield code.removesuffix(":"), position, turn, tuple(rules.split())


ROWS = list(rows())


@each_row("row", ROWS, ids=lambda row: f"{row[0]}: {row[2]}")
def test_the_rule_that_is_named_is_the_one_that_is_broken(row: Row) -> None:
    code, position, turn, rules = row
    seats = "".join(f"Seat: {name}\n" for name in NAMES[: position.count(" court ")])
    found = read_record(f"Tkid-Record: 1\nRuleset: {code}\n{seats}Position: {code}; {position}\n\nTurns\n".encode())
    assert found.record is not None
    assert not found.problems
    problems = append(replay(found.record), turn).problems
    assert tuple(dict.fromkeys(problem.rule for problem in problems)) == rules


def test_the_table_is_about_every_edition() -> None:
    assert len(ROWS) > 150
    assert len({code for code, *_ in ROWS}) >= 6
