"""The shell completes what is typed: rulesets, rules, players of the game file, and cards in hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.shared.tables import each_row
from tkid.cli.app import app
from tkid.rulebook import all_rules
from tkid.rulebook.rulesets import rulesets

CODES = [each.code for each in rulesets()]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("completion") / "game.tkid"
    assert CliRunner().invoke(app, ["new", str(file), "Ann", "Bob", "--first", "Ann"]).exit_code == 0
    return file


def complete(words: str) -> list[str]:
    """What bash is offered for the last of some words."""
    environment = {
        "_TKID_COMPLETE": "complete_bash",
        "COMP_WORDS": f"tkid {words}",
        "COMP_CWORD": str(len(words.split(" "))),
    }
    return CliRunner().invoke(app, prog_name="tkid", env=environment).stdout.split()


@each_row(
    "words, offered",
    [
        ("new g.tkid Ann Bob --ruleset ", CODES),
        ("transcribe n.txt --ruleset first", ["first-edition", "first-edition-mordred"]),
        ("compare digest ", CODES),
        ("cite second.struggle.ti", ["second.struggle.tie"]),
        ("rule zzz", []),
        ("play nowhere.tkid ", []),
        ("me nowhere.tkid ", []),
    ],
)
def test_rulesets_and_rules_are_completed(words: str, offered: list[str]) -> None:
    assert complete(words) == offered


def test_all_rules_are_offered() -> None:
    assert complete("cite ") == sorted(rule.id for rule in all_rules())


@each_row(
    "words, offered",
    [
        ("me GAME ", ["Ann", "Bob"]),
        ("play GAME --me B", ["Bob"]),
        ("undo GAME --for A", ["Ann"]),
        ("play GAME N", ["Negotiate"]),
        ("play GAME P", ["Pass"]),
        ("legal GAME --card M", ["Manoeuvre"]),
    ],
)
def test_players_and_cards_of_a_game_are_completed(words: str, offered: list[str], game: Path) -> None:
    assert complete(words.replace("GAME", str(game))) == offered
