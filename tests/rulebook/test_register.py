"""What a family of the register takes over from its base, and how ids are found."""

from __future__ import annotations

import pytest

from tkid.rulebook import Ids, UnknownRuleError, base, in_force, known
from tkid.rulebook import register as code
from tkid.rulebook.register import families

BASED = [family for family in families() if base(family)]


def test_a_rule_is_the_familys_own_or_its_bases() -> None:
    ids = Ids("digest")
    assert ids("card.influence") == "digest.card.influence"
    assert ids("card.influence.english") == "second.card.influence.english"
    assert ids.cited == {"digest.card.influence", "second.card.influence.english"}
    with pytest.raises(UnknownRuleError, match=r"digest\.card\.walrus"):
        ids("card.walrus")
    with pytest.raises(UnknownRuleError, match=r"walrus\.turn\.pass"):
        Ids("walrus")("turn.pass")


@pytest.mark.parametrize("family", BASED)
def test_what_is_in_force_is_that_of_the_base_replaced_and_added_to(family: str) -> None:
    here, there = in_force(family), in_force(base(family))
    assert base(family) in families()
    for local, entry in here.items():
        assert entry.id.partition(".")[2] == local
        assert known(entry.id)
        assert entry.family == family or there[local] == entry
    assert [local for local in here if local in there] == [local for local in there if local in here], "in its order"


def test_a_family_without_a_base_stands_for_itself() -> None:
    assert base("second") == ""
    assert {entry.family for entry in in_force("second").values()} == {"second"}


def test_rules_that_have_no_counterpart_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    written = {"base": "second", "without": ["turn.once"]}
    monkeypatch.setattr(code, "_file", lambda family: written if family == "third" else {})
    monkeypatch.setattr(code, "base", lambda family: "second" if family == "third" else "")
    second = in_force("second")
    fresh = code.in_force.__wrapped__
    monkeypatch.setattr(
        code, "_entries", lambda _: {"third.turn.pass": second["turn.pass"]._replace(id="third.turn.pass")}
    )
    found = fresh("third")
    assert "turn.once" not in found
    assert found["turn.pass"].id == "third.turn.pass"
    assert found["turn.hand"] == second["turn.hand"]
    assert len(found) == len(second) - 1
