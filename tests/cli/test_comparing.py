"""Listing the rulesets and comparing two of them at the terminal."""

from __future__ import annotations

import json

from tests.cli import tkid
from tkid.rulebook import rule
from tkid.rulebook.rulesets import rulesets


def test_the_rulesets_are_listed_with_source_and_confidence() -> None:
    told = " ".join(tkid("rulesets").output.split())
    for entry in rulesets():
        assert f"{entry.code} (version {entry.version}): {entry.title}" in told
        assert f"Source: {entry.source}. Confidence: {entry.confidence}." in told
        assert all(f"Ruling {switch}: " in told for switch in entry.switches)


def test_the_rulesets_as_json() -> None:
    listed = json.loads(tkid("rulesets", "--json").output)
    assert [entry["code"] for entry in listed] == [entry.code for entry in rulesets()]
    for found, entry in zip(listed, rulesets(), strict=True):
        assert (found["source"], found["confidence"]) == (entry.source, entry.confidence)
        assert [choice["rule"] for choice in found["rulings"]] == list(entry.switches)
        assert all(choice["default"] == rule(choice["rule"]).default for choice in found["rulings"])


def test_two_rulesets_are_compared() -> None:
    result = tkid("compare", "second-edition-advanced", "Digest-Advanced")
    assert result.exit_code == 0
    told = " ".join(result.output.split())
    assert "facts and" in told
    assert "Card: Influence second-edition-advanced: Influence: one for two, or else one for one" in told
    assert "digest-advanced: Influence: one for two, or else nothing [digest.card.influence]" in told
    assert "Rules that differ:" in told
    alone = told.partition("Rules only in digest-advanced:")[2]
    assert "[digest.card.betrayal]" in alone
    assert "[digest.card.influence]" not in alone
    assert "Rules only in second-edition-advanced:" in told
    assert max(map(len, (line for line in result.output.splitlines() if line.startswith(" ")))) <= 78


def test_two_rulesets_are_compared_as_json() -> None:
    data = json.loads(tkid("compare", "digest", "digest-advanced", "--json").output)
    assert data["rulesets"] == ["digest", "digest-advanced"]
    alone = {entry["rule"] for entry in data["rules"] if entry["digest"] is None}
    assert {"card.conquest", "card.spy", "advanced.hands"} <= alone
    assert all(fact["digest"] != fact["digest-advanced"] for fact in data["facts"])


def test_a_ruleset_does_not_differ_from_itself() -> None:
    result = tkid("compare", "digest", "digest")
    assert result.output == "Nothing differs between digest and digest.\n"


def test_an_unknown_ruleset_is_named_with_what_may_be_meant() -> None:
    result = tkid("compare", "digest", "second-editon")
    assert result.exit_code == 2
    assert "There is no ruleset 'second-editon'. Did you mean second-edition?" in result.output


def test_a_rule_says_how_sure_it_is() -> None:
    assert "Confidence: known from the digest only" in tkid("rule", "digest.card.conquest").output
    assert (
        json.loads(tkid("rule", "digest.card.conquest", "--json").output)["confidence"] == "known from the digest only"
    )
    assert "Confidence" not in tkid("rule", "second.turn.pass").output
