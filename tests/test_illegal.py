"""For each constraint of the rules, the notation and the record: a file that breaks it, and what is said of it.

`python -m tests.test_illegal` writes what is expected anew; read each before it is kept. The rules about mails
have their own in tests/post, those about letters from hand to hand in tests/cli.
"""

from __future__ import annotations

import json
import re
from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.shared.tables import each_row
from tkid.cli.app import app
from tkid.rulebook import all_rules

FOLDER = Path(__file__).parents[1] / "fixtures" / "illegal"
ELSEWHERE = ("mail.", "post.", "record.compare.", "record.draw.", "record.deal.", "club.")
"""Rules about what others send: they have tests of their own."""
RULES = [rule.id for rule in all_rules() if not rule.id.startswith(ELSEWHERE) and rule.kind == "constraint"]
REQUEST = "request.jsonl"
PROVEN = {"record.seal.deal"}
"""What `tkid verify` finds: it deals a game again."""


def run(rule: str, *options: str) -> Result:
    """What the program says of the input of a rule's folder, run inside it."""
    folder = FOLDER / rule
    with chdir(folder):
        if (folder / REQUEST).exists():
            return CliRunner().invoke(app, ["legal", "--jsonl"], input=(folder / REQUEST).read_bytes())
        if rule in PROVEN:
            return CliRunner().invoke(app, ["verify", "game.tkid"])
        return CliRunner().invoke(app, ["check", "game.tkid", *options])


def emitted(rule: str) -> set[str]:
    """The rules of all problems found."""
    if rule in PROVEN:
        assert CliRunner().invoke(app, ["check", str(FOLDER / rule / "game.tkid")]).exit_code == 0
        return set(re.findall(r"^game\.tkid:\d+:\d+: .* \[(\S+)\]$", run(rule).stdout, re.MULTILINE))
    answer = json.loads(run(rule, "--format", "json").stdout)
    return {problem["rule"] for problem in answer["problems"]}


def test_every_constraint_has_a_folder() -> None:
    folders = {folder.name for folder in FOLDER.iterdir() if not folder.name.startswith(ELSEWHERE)}
    assert folders == set(RULES)


@each_row("rule", RULES)
def test_what_is_said(rule: str) -> None:
    result = run(rule)
    assert result.stdout == (FOLDER / rule / "expected.txt").read_text("utf-8")
    assert (result.stderr, result.exit_code) == ("", 2 if rule in UNREADABLE else 1)


UNREADABLE = {"record.encoding", "record.size", "record.first-line"}
"""What makes a file no record at all."""


@pytest.mark.slow
@each_row("rule", RULES)
def test_this_rule_is_broken_and_no_other(rule: str) -> None:
    assert emitted(rule) == {rule}


@each_row("rule", RULES)
def test_a_folder_holds_what_is_read_and_what_is_said(rule: str) -> None:
    names = {path.name for path in (FOLDER / rule).iterdir()}
    assert names in ({"game.tkid", "expected.txt"}, {REQUEST, "expected.txt"})


if __name__ == "__main__":
    for each in RULES:
        (FOLDER / each / "expected.txt").write_bytes(run(each).stdout_bytes)
        print(f"{each}\n{run(each).stdout}")  # noqa: T201 - to be read
