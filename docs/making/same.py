"""The editions that a rule holds in, and what the others have in its place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from attrs import frozen

from docs.making.comparison import only_in
from docs.making.pocket import EDITIONS, OF_RULESET, Edition
from tkid.rulebook import Rule, list_in_force, rule
from tkid.rulebook.rulesets import rulesets

SAME = "The same"


@frozen
class Row:
    """What an edition says about the matter of a rule; `rule` is None where there is nothing to link to.

    `here` marks the edition of the rule itself, `differs` those that say something else.
    """

    edition: Edition
    text: str
    rule: Rule | None
    here: bool = False
    differs: bool = False


@cache
def _held() -> Mapping[str, Mapping[str, Rule]]:
    """The rules that hold in each edition, by topic."""
    held: dict[str, dict[str, Rule]] = {edition.key: {} for edition in EDITIONS}
    for ruleset in rulesets():
        for entry in list_in_force(ruleset.rule_prefix).values():
            if not entry.moved and (not _only(entry.id) or ruleset.code in _only(entry.id)):
                held[OF_RULESET[ruleset.code]].setdefault(entry.topic, entry)
    return held


@cache
def _only(rule_id: str) -> frozenset[str]:
    """The rulesets that have a rule which others with the same rules leave out; none where all have it."""
    return frozenset(ruleset.code for ruleset in only_in(rule(rule_id)))


def editions_of(entry: Rule) -> list[Edition]:
    """The editions in which a rule holds, in the order of the list; none for rules about files, mails and hosts."""
    return [edition for edition in EDITIONS if _held()[edition.key].get(entry.topic) == entry]


def in_editions(entry: Rule) -> list[Row]:
    """What each edition says about the matter of a rule; nothing if it is in one edition alone."""
    own = editions_of(entry)
    rows: list[Row] = []
    for edition in EDITIONS:
        other = _held()[edition.key].get(entry.topic)
        if other is None:
            continue
        earlier = next((row.edition.short for row in rows if other == row.rule), "")
        if edition in own[:1]:
            rows.append(Row(edition, entry.short or "As above", None, here=True))
        elif other == entry or (other.statement, other.default) == (entry.statement, entry.default):
            rows.append(Row(edition, SAME, None if other == entry else other))
        elif earlier:
            rows.append(Row(edition, f"As in {earlier}", None, differs=True))
        else:
            rows.append(Row(edition, other.short or other.statement, other, differs=True))
    return rows if len(rows) > 1 else []
