"""What differs between rulesets: the facts they state, and the rules that hold in one but not in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from attrs import frozen

from tkid.kernel.plugins import plugin
from tkid.rulebook import Rule, in_force, known, rule
from tkid.rulebook.rulesets import Ruleset, ruleset, rulesets

NONE = "–"
"""The text where a ruleset has nothing of the kind."""
QUESTION = "Open question: "
"""How the titles of questions begin that a record may answer otherwise."""


@frozen
class Fact:
    """Something that a ruleset says of itself.

    Facts with the same `key` are compared; people read `title` instead. `text` may have several lines, `rules` are the
    whole ids that say it. `topic` is what it is about, "" for the whole.
    """

    key: str
    title: str
    text: str
    rules: tuple[str, ...] = ()
    topic: str = ""


@frozen
class Row:
    """One thing in which rulesets may differ: what each says, by code; `topic` is what it is about."""

    title: str
    cells: Mapping[str, Fact]
    topic: str = ""

    @property
    def differs(self) -> bool:
        """Whether not all say the same, by whatever rule they say it."""
        return len({fact.text for fact in self.cells.values()}) > 1


@frozen
class Pair:
    """A rule of one ruleset and what another has in its place; None where it has no such rule."""

    local: str
    one: Rule | None
    other: Rule | None


def rows(some: Sequence[Ruleset]) -> tuple[Row, ...]:
    """Every thing that is compared between some rulesets, in reading order."""
    columns = {each.code: {fact.key: fact for fact in _facts(each)} for each in some}
    first: dict[str, Fact] = {}
    for fact in (fact for column in columns.values() for fact in column.values()):
        first.setdefault(fact.key, fact)
    nothing = {key: Fact(key, fact.title, NONE) for key, fact in first.items()}
    return tuple(
        Row(fact.title, {code: column.get(key, nothing[key]) for code, column in columns.items()}, fact.topic)
        for key, fact in first.items()
    )


@cache
def _facts(entry: Ruleset) -> tuple[Fact, ...]:
    """What a ruleset says of itself."""
    facts = [Fact("Source", "Source", entry.source), *plugin(entry.game_name, "rules/facts")(entry.game())]
    for ruling in map(rule, entry.switches):
        others = [option for option in ruling.options if option != ruling.default]
        title = f"{QUESTION}{ruling.question}"
        facts.append(Fact(title, title, f"{ruling.default}, unless you choose {' or '.join(others)}", (ruling.id,)))
    return tuple(facts)


# -- rules in force ---------------------------------------------------------------------------------------


@cache
def stated(code: str) -> frozenset[str]:
    """The rules that a ruleset names, by whole or local ids, under any reading."""
    value = ruleset(code)
    chosen = [{}, *({switch: option} for switch in value.switches for option in rule(switch).options)]
    texts = {text for each in chosen for text in _texts(value.game(each), set())}
    local = {entry.id for name, entry in in_force(value.rule_prefix).items() if name in texts}
    return frozenset({*value.switches, *filter(known, texts), *local})


def _texts(value: object, seen: set[int]) -> Iterator[str]:
    """Every string in a value, however deep."""
    if isinstance(value, str):
        yield value
    elif id(value) not in seen:
        seen.add(id(value))
        for part in _parts(value):
            yield from _texts(part, seen)


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, list | tuple | set | frozenset):
        return value
    fields = getattr(type(value), "__attrs_attrs__", ())
    return [getattr(value, field.name, None) for field in fields]


@cache
def holding(code: str) -> Mapping[str, Rule]:
    """The rules that hold in a ruleset by local id: those of its prefix, without what only other rulesets of that prefix state.

    A rule that only others state takes along the rules about it: those whose ids continue its id, and those that no
    other rule refers to.
    """
    elsewhere = frozenset[str]().union(*(stated(each.code) for each in rulesets())) - stated(code)
    every = {local: entry for local, entry in in_force(ruleset(code).rule_prefix).items() if not entry.moved}
    gone = {local for local, entry in every.items() if entry.id in elsewhere}
    own = {local: entry for local, entry in every.items() if not gone & set(_beginnings(local))}
    return {
        local: entry
        for local, entry in own.items()
        if entry.id in stated(code) or not _referring(entry, every) or _referring(entry, own)
    }


def _beginnings(local: str) -> list[str]:
    """A local id, and those that it goes on from."""
    words = local.split(".")
    return [".".join(words[:count]) for count in range(1, len(words) + 1)]


def _referring(entry: Rule, rules: Mapping[str, Rule]) -> bool:
    """Whether another of some rules refers to this one."""
    return any(entry.id in each.related for each in rules.values())


def different_rules(one: Ruleset, other: Ruleset) -> Iterator[Pair]:
    """The rules that hold in one of two rulesets and not as they are in the other, in reading order."""
    first, second = holding(one.code), holding(other.code)
    for local in dict.fromkeys((*first, *second)):
        pair = Pair(local, first.get(local), second.get(local))
        if pair.one is None or pair.other is None or _says(pair.one) != _says(pair.other):
            yield pair


def _says(entry: Rule) -> tuple[str, str]:
    return entry.statement, entry.default


def comparison_data(one: Ruleset, other: Ruleset) -> dict[str, Any]:
    """What differs between two rulesets as a JSON object."""
    return {
        "rulesets": [one.code, other.code],
        "facts": [
            {"title": row.title}
            | {code: {"text": fact.text, "rules": list(fact.rules)} for code, fact in row.cells.items()}
            for row in rows((one, other))
            if row.differs
        ],
        "rules": [
            {"rule": pair.local, one.code: _rule_data(pair.one), other.code: _rule_data(pair.other)}
            for pair in different_rules(one, other)
        ],
    }


def _rule_data(entry: Rule | None) -> dict[str, str] | None:
    return {"id": entry.id, "statement": entry.statement} if entry else None
