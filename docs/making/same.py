"""The editions that a rule holds in, and what the others have in its place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from attrs import frozen

from docs.making.comparison import only_in
from docs.making.pocket import EDITIONS, Edition
from tkid.rulebook import Rule, in_force
from tkid.rulebook.rulesets import Ruleset, rulesets

OF_RULESET: Mapping[str, str] = {
    "second-edition": "second",
    "second-edition-advanced": "advanced",
    "digest": "digest",
    "digest-advanced": "digest",
    "first-edition": "first",
    "first-edition-mordred": "mordred",
    "manual": "manual",
    "claim": "claim",
}
"""The edition that people choose, by the name of a ruleset."""
SAME = "The same"


@frozen
class Row:
    """What an edition says about the matter of a rule; `rule` is None where it is the very rule."""

    edition: Edition
    text: str
    rule: Rule | None
    here: bool = False


@cache
def _held() -> Mapping[str, Mapping[str, Rule]]:
    """The rules that hold in each edition, by topic."""
    held: dict[str, dict[str, Rule]] = {edition.key: {} for edition in EDITIONS}
    for ruleset in rulesets():
        for entry in in_force(ruleset.rule_prefix).values():
            if not entry.moved and holds(entry, ruleset):
                held[OF_RULESET[ruleset.code]].setdefault(entry.topic, entry)
    return held


@cache
def _only(rule_id: str) -> frozenset[str]:
    from tkid.rulebook import rule  # noqa: PLC0415

    return frozenset(ruleset.code for ruleset in only_in(rule(rule_id)))


def holds(entry: Rule, ruleset: Ruleset) -> bool:
    """Whether a rule of its prefix is in force in a ruleset."""
    only = _only(entry.id)
    return not only or ruleset.code in only


def editions_of(entry: Rule) -> list[Edition]:
    """The editions in which a rule holds, in the order of the list; none for rules about files, mails and hosts."""
    return [edition for edition in EDITIONS if _held()[edition.key].get(entry.topic) == entry]


def in_editions(entry: Rule) -> list[Row]:
    """What each edition says about the matter of a rule; nothing if it is in one edition alone."""
    own = editions_of(entry)
    rows = []
    for edition in EDITIONS:
        other = _held()[edition.key].get(entry.topic)
        if other is None:
            continue
        same = (other.statement, other.default) == (entry.statement, entry.default)
        first = edition == own[0] if own else False
        text = (entry.short or entry.statement) if first else SAME if same else (other.short or other.statement)
        rows.append(Row(edition, text, None if other == entry else other, here=first))
    return rows if len(rows) > 1 else []
