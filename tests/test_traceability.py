"""Rule, code, test and message are joined by one id: each register entry is cited, and really happens."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path
from random import Random
from types import CodeType, FrameType

import pytest

from tests.games.struggle.shared.family import struggles
from tests.makers.games import FOLDER
from tests.shared.strategies import random_game
from tests.shared.tables import sample
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.rulebook import all_rules
from tkid.rulebook.register import CITATIONS, KINDS, list_in_force, list_prefixes
from tkid.rulebook.rulesets import Ruleset, rulesets

ROOT = Path(__file__).parents[1]
ILLEGAL = ROOT / "fixtures" / "illegal"
RULES = {rule.id: rule for rule in all_rules()}

NOT_CITED = {
    "first.team.secrets": "what players may say to each other is their conduct: no code can see it",
    "second.team.secrets": "what players may say to each other is their conduct: no code can see it",
}
"""Rules that no code cites, each with the reason."""


@cache
def strings(folder: str = "") -> frozenset[str]:
    """Every string constant of the package's code, or of one of its folders."""
    return frozenset(
        node.value
        for path in (ROOT / "tkid" / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@cache
def cited() -> frozenset[str]:
    """The ids that code reaches: as constants whole or local, by `cites`, and those built when rulesets are."""
    played = {ruleset.rule_prefix for ruleset in rulesets()}
    local = {text for ids in CITATIONS.values() for text in ids} | strings()
    mail = {f"mail.{text}" for folder in ("mail", "host") for text in strings(folder)}
    built = {rule_id for ruleset in rulesets() for rule_id in ruleset.game().ids.cited}
    return frozenset({f"{prefix}.{text}" for prefix in played for text in local} | local | mail | built)


@pytest.mark.guard
def test_every_rule_is_cited_by_code() -> None:
    left = set(RULES) - cited()
    assert left == set(NOT_CITED), "cite the rule, or give a reason; a reason that is no longer needed goes"


@pytest.mark.slow
def test_every_id_in_the_code_is_registered() -> None:
    """A string that looks like an id is one: a prefix, a dot, words."""
    for text in strings():
        prefix, dot, rest = text.partition(".")
        if (
            dot
            and prefix in list_prefixes()
            and rest
            and all(part.replace("-", "").isalnum() for part in rest.split("."))
        ):
            assert text in RULES or text.endswith((".toml", ".tkid", ".css")), text


def test_related_rules_exist_and_are_not_retired() -> None:
    for rule in RULES.values():
        for other in rule.related:
            assert other in RULES
            assert not RULES[other].moved
        assert not rule.moved or rule.moved in RULES
        assert rule.kind in KINDS
        assert rule.statement.endswith(".")
        assert rule.source


def test_every_ruling_has_question_options_default_and_reason() -> None:
    for rule in RULES.values():
        if rule.kind == "ruling":
            assert rule.question.endswith("?")
            assert rule.default in rule.options
            assert rule.reason
        else:
            assert not rule.options
    switched = {switch for ruleset in rulesets() for switch in ruleset.switches}
    assert switched == {rule.id for rule in RULES.values() if len(rule.options) > 1}


UNWRITTEN = {"post", "club"}
"""Prefixes of rules that are broken by what people ask for, and not by what is in a file or a mail."""


def test_every_constraint_has_an_illegal_fixture() -> None:
    folders = {folder.name for folder in ILLEGAL.iterdir() if folder.is_dir()}
    assert folders == {rule.id for rule in RULES.values() if rule.kind == "constraint" and rule.prefix not in UNWRITTEN}


@pytest.fixture(scope="module")
def happened() -> set[str]:
    """What happened when the recorded games were replayed: events, comparisons, and the citing functions that ran.

    The readings that a record chooses count too: each such record is one in which its choice decides (`occasions`)
    or is shown (`ladders`).
    """
    ran: set[CodeType] = set()
    seen: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            ran.add(frame.f_code)

    sys.setprofile(note)
    try:
        for path in FOLDER.glob("*/*.tkid"):
            ran.clear()
            found = read_record(path.read_bytes())
            assert found.record is not None
            seen |= found.record.readings.keys()
            for moment in replay(found.record).moments:
                seen |= {event.rule for event in moment.events}
            holding = list_in_force(found.record.ruleset.rule_prefix)
            local = {text for code in ran & CITATIONS.keys() for text in CITATIONS[code]}
            seen |= {holding[text].id for text in local & holding.keys()} | (local & RULES.keys())
    finally:
        sys.setprofile(None)
    return seen


@pytest.mark.slow
def test_every_procedure_and_ending_occurred_in_a_recorded_game(happened: set[str]) -> None:
    played = tuple(ruleset.rule_prefix for ruleset in rulesets())
    wanted = {rule.id for rule in RULES.values() if rule.kind in {"procedure", "ending"} and rule.prefix in played}
    assert wanted - happened == set()


@pytest.mark.slow
def test_the_rulings_that_act_occurred_in_a_recorded_game(happened: set[str]) -> None:
    switched = {switch for ruleset in rulesets() for switch in ruleset.switches}
    acting = switched | {f"second.ruling.{name}" for name in ("invasion-tie", "empty-hand", "third-disc", "plot")}
    acting |= {f"first.ruling.{name}" for name in ("invasion-tie", "empty-hand", "second-rank", "indecision-tie")}
    acting |= {"first.ruling.mordred-tie", "first.ruling.mordred-stock"}
    assert acting - happened == set()


@pytest.mark.parametrize("seeds", sample([range(3), range(3, 10)], 2), ids=str)
@pytest.mark.parametrize("ruleset", struggles(), ids=lambda ruleset: ruleset.code)
def test_every_rule_of_an_event_is_registered(ruleset: Ruleset, seeds: range) -> None:
    for seed in seeds:
        for _, _, events in random_game(Random(seed), 2 + seed % 3, 0.5, ruleset.game()):
            assert {event.rule for event in events} <= set(RULES)
