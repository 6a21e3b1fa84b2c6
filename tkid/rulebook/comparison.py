"""What differs between rulesets: facts that their values state, and rules that hold in one and not in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from attrs import frozen

from tkid.kernel.plugins import plugin
from tkid.rulebook import Rule, in_force, known, rule
from tkid.rulebook.rulesets import Ruleset, rulesets

NONE = "–"
"""In place of a text where there is nothing of the kind."""
QUESTION = "Open question: "
"""How the titles of questions begin that a record may answer otherwise."""


@frozen
class Fact:
    """Something that an edition says of itself.

    `key` is the same in all editions that can be compared, `title` is what people read in its place; `text` may have
    several lines; `rules` are the whole ids that say it. `topic` is what it is about, "" for what is about the whole.
    """

    key: str
    title: str
    text: str
    rules: tuple[str, ...] = ()
    topic: str = ""


@frozen
class Cell:
    """What one ruleset says: a text, and the rules that say it."""

    text: str
    rules: tuple[str, ...] = ()


@frozen
class Row:
    """One thing in which rulesets may differ: a cell for each, by code; `topic` is what it is about."""

    title: str
    cells: Mapping[str, Cell]
    topic: str = ""

    @property
    def differs(self) -> bool:
        """Whether not all say the same, by whatever rule they say it."""
        return len({cell.text for cell in self.cells.values()}) > 1


@frozen
class Pair:
    """A rule of one ruleset and what another has in its place; None where there is nothing."""

    local: str
    one: Rule | None
    other: Rule | None


def rows(some: Sequence[Ruleset]) -> tuple[Row, ...]:
    """Every thing that is compared between some rulesets, in reading order."""
    columns = {ruleset.code: {fact.key: fact for fact in _facts(ruleset)} for ruleset in some}
    first = {fact.key: fact for column in reversed(columns.values()) for fact in column.values()}
    order = dict.fromkeys(key for column in columns.values() for key in column)
    return tuple(
        Row(first[key].title, {code: _cell(column.get(key)) for code, column in columns.items()}, first[key].topic)
        for key in order
    )


def _cell(fact: Fact | None) -> Cell:
    return Cell(fact.text, fact.rules) if fact else Cell(NONE)


@cache
def _facts(ruleset: Ruleset) -> tuple[Fact, ...]:
    """What a ruleset says of itself."""
    game: Any = ruleset.game()
    own_facts = [Fact("Source", "Source", ruleset.source)]
    own_facts += plugin(ruleset.game_name, "rules/facts")(game)
    for switch in ruleset.switches:
        entry = rule(switch)
        others = [option for option in entry.options if option != entry.default]
        title = f"{QUESTION}{entry.question}"
        own_facts.append(Fact(title, title, f"{entry.default}; or else {', '.join(others)}", (switch,)))
    return tuple(own_facts)


# -- rules in force ---------------------------------------------------------------------------------------


@cache
def stated(code: str) -> frozenset[str]:
    """The rules that a ruleset's value names, whole or by their local ids, under whatever reading."""
    ruleset = next(ruleset for ruleset in rulesets() if ruleset.code == code)
    chosen = [{}, *({switch: option} for switch in ruleset.switches for option in rule(switch).options)]
    texts = {text for each in chosen for text in _texts(ruleset.game(each), set())}
    local = {entry.id for name, entry in in_force(ruleset.rule_prefix).items() if name in texts}
    return frozenset({*ruleset.switches, *filter(known, texts), *local})


def _texts(value: object, seen: set[int]) -> Iterator[str]:
    """Every string in a value, however deep; what a game lacks is left out."""
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
    """The rules that hold in a ruleset by local id: its family's, without what only others of its kin state.

    A rule that only others state takes along the rules about it: those whose ids continue its id, and those that no
    other rule refers to.
    """
    ruleset = next(ruleset for ruleset in rulesets() if ruleset.code == code)
    elsewhere = frozenset[str]().union(*(stated(each.code) for each in rulesets())) - stated(code)
    every = {local: entry for local, entry in in_force(ruleset.rule_prefix).items() if not entry.moved}
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
            {
                "title": row.title,
                **{code: {"text": cell.text, "rules": list(cell.rules)} for code, cell in row.cells.items()},
            }
            for row in rows((one, other))
            if row.differs
        ],
        "rules": [
            {
                "rule": pair.local,
                one.code: _rule_data(pair.one),
                other.code: _rule_data(pair.other),
            }
            for pair in different_rules(one, other)
        ],
    }


def _rule_data(entry: Rule | None) -> dict[str, str] | None:
    return {"id": entry.id, "statement": entry.statement} if entry else None
