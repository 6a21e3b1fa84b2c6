"""What differs between rulesets: by facts, and by the rules that hold in each."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.shared.tables import each_row
from tkid.rulebook import list_in_force
from tkid.rulebook.rulesets import (
    Ruleset,
    compare_rulesets,
    describe_comparison,
    find_different_rules,
    find_rules_in_force,
    find_stated_rules,
    ruleset,
    rulesets,
)

BASIC, ADVANCED = ruleset("second-edition"), ruleset("second-edition-advanced")
DIGEST, DIGEST_ADVANCED = ruleset("digest"), ruleset("digest-advanced")
every_ruleset = pytest.mark.parametrize("each", rulesets(), ids=lambda ruleset: ruleset.code)


def differing(one: Ruleset, other: Ruleset) -> dict[str, tuple[str, ...]]:
    """The texts of the facts that differ, by title."""
    return {
        row.title: tuple(cell.text for cell in row.cells.values())
        for row in compare_rulesets((one, other))
        if row.differs
    }


@every_ruleset
def test_nothing_differs_from_itself(each: Ruleset) -> None:
    assert not differing(each, each)
    assert not list(find_different_rules(each, each))


@each_row(("one", "other"), list(combinations(rulesets(), 2)), ids=lambda ruleset: ruleset.code)
def test_both_directions_tell_the_same(one: Ruleset, other: Ruleset) -> None:
    there = {pair.local: (pair.one, pair.other) for pair in find_different_rules(one, other)}
    assert there == {pair.local: (pair.other, pair.one) for pair in find_different_rules(other, one)}
    facts = (sorted(map(sorted, differing(*both).values())) for both in ((one, other), (other, one)))
    assert next(facts) == next(facts)


@every_ruleset
def test_what_holds_is_in_force_and_whatever_is_stated_holds(each: Ruleset) -> None:
    held = {entry.id for entry in find_rules_in_force(each.code).values()}
    force = {entry.id for entry in list_in_force(each.rule_prefix).values()}
    assert held <= force
    assert {rule_id for rule_id in find_stated_rules(each.code) if rule_id in force} <= held


def test_cards_are_compared_whatever_they_are_called() -> None:
    found = differing(ADVANCED, DIGEST_ADVANCED)
    assert found["Card: Edict"][1].startswith("Decree: two for two, or else")
    assert found["Card: Influence"] == (
        "Influence: one for two, or else one for one, or else nothing",
        "Influence: one for two, or else nothing",
    )
    assert "Card: Aid" not in found
    assert found["Card: Betrayal"] == ("–", "Betrayal: one for one, or else nothing")
    assert found["Cards drawn in addition"] == ("3 of 12, in secret", "3 of 19, in secret")
    assert "Ending: Invasion, step by step" not in found
    assert not [title for title in found if "Coronation" in title]


def test_rules_are_compared_by_their_ids() -> None:
    pairs = {
        pair.local: (pair.one and pair.one.id, pair.other and pair.other.id)
        for pair in find_different_rules(BASIC, DIGEST)
    }
    assert pairs["ending.invasion"] == ("second.ending.invasion", "digest.ending.invasion")
    assert pairs["names"] == (None, "digest.names")
    assert not [local for local in pairs if local.startswith(("card.", "turn.", "struggle."))]


def test_the_rules_of_a_card_and_what_is_ruled_about_it_go_with_it() -> None:
    basic, advanced = find_rules_in_force("second-edition"), find_rules_in_force("second-edition-advanced")
    for local in ("card.spy", "card.spy.top", "ruling.spy-on-spy", "ending.plot"):
        assert local not in basic
        assert local in advanced
    assert "card.support.near" in basic
    assert "card.support.near" not in advanced
    assert "ruling.undo" in basic
    assert "ruling.swift-strike-swap" not in find_rules_in_force("digest")
    assert "ruling.swift-strike-swap" in find_rules_in_force("digest-advanced")


def test_a_variant_has_its_rules_alone() -> None:
    first, manual = find_rules_in_force("first-edition"), ruleset("manual")
    assert not [local for local in first if "mordred" in local]
    assert len([local for local in find_rules_in_force("first-edition-mordred") if "mordred" in local]) > 15
    alone = [pair.local for pair in find_different_rules(ruleset("first-edition"), manual) if pair.other is None]
    assert alone == ["turn.last-card", "summon.must"]


def test_a_card_that_may_be_barred_says_when() -> None:
    found = differing(ruleset("first-edition"), ruleset("manual"))
    assert found["Card: Scots"][1].endswith("or else nothing; not while its faction controls no region")


def test_as_data() -> None:
    data = describe_comparison(BASIC, DIGEST)
    assert data["rulesets"] == ["second-edition", "digest"]
    (source,) = [fact for fact in data["facts"] if fact["title"] == "Source"]
    assert source["digest"]["text"] == DIGEST.source
    (names,) = [entry for entry in data["rules"] if entry["rule"] == "names"]
    assert names["second-edition"] is None
    assert names["digest"]["id"] == "digest.names"
