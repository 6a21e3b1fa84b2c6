"""Editions are values: nothing outside the files of the rulesets asks which edition it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tkid.rulebook.rulesets import rulesets

ROOT = Path(__file__).parents[2]
CODES = {ruleset.code for ruleset in rulesets()}
FILES = sorted(path for path in (ROOT / "tkid").rglob("*.py") if path.parent.name != "rulesets")
EXEMPT = {
    "tkid/cli/letters.py: 'second-edition'": "the ruleset unless another is asked for",
    "tkid/cli/host_games.py: 'second-edition'": "the ruleset unless another is asked for",
    "tkid/club/order_values.py: 'second-edition'": "the ruleset unless another is asked for",
    "tkid/club/order_values.py: 'digest'": "one mail a day",
    "tkid/club/order_handlers.py: 'digest'": "one mail a day",
    "tkid/club/digest.py: 'digest'": "one mail a day",
    "tkid/cli/play.py: 'second-edition'": "the ruleset unless another is asked for",
    "tkid/library.py: 'second-edition'": "the ruleset unless another is asked for",
    "tkid/host/store/retention.py: 'digest'": "the digest of a mail",
    "tkid/host/store/store.py: 'digest'": "the digest of a mail",
    "tkid/record/format/reader.py: head.ruleset.code": "whether a position is of the same ruleset as its record",
    "tkid/record/format/reader.py: game.code": "whether a position is of the same ruleset as its record",
    "tkid/games/__init__.py: 'claim'": "the name of a game",
    "tkid/games/claim/rules.py: 'claim'": "the name of the game",
}
"""What looks like such a question and is none, with what it is."""


def questions(source: str) -> Iterator[str]:
    """The codes of rulesets that a module names, and the codes that it compares with anything."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and node.value in CODES:
            yield repr(node.value)
        asked = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        asked += [node.subject] if isinstance(node, ast.Match) else []
        yield from (ast.unparse(each) for each in asked if isinstance(each, ast.Attribute) and each.attr == "code")


@pytest.mark.guard
def test_no_module_asks_which_edition_it_is() -> None:
    found = {f"{path.relative_to(ROOT)}: {each}" for path in FILES for each in questions(path.read_text("utf-8"))}
    assert found == EXEMPT.keys()


@pytest.mark.parametrize(
    "source", ["x = game.code == name", 'x = name in {"manual", "claim"}', "match game.code:\n    case _: pass"]
)
def test_such_a_question_is_found(source: str) -> None:
    assert list(questions(source))
