"""Reading the register: rules by id, search by words, and the citing of rules by code.

The register is one TOML file for each first word of an id (`second.toml` holds `second.*`): rules about files, mails and
hosts beside this module, those of a game in its room, in `rulesets/`. `page` and `title` name the page of the site
that states them. Other keys are ids;
an entry has `kind`, `statement`, `source`, and may have `related`, `confidence` where that is less than certain,
for a ruling `question`, `options`, `default` and `reason`, for a retired id `moved`.

A family that restates another need not repeat it: `base`, before the first entry, names the other one. A rule of
the base then holds unless the family has one of the same local id, or lists that under `without`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import CodeType, FunctionType, MappingProxyType
from typing import Any, NamedTuple, TypeVar

from tkid.kernel.plugins import ROOMS, games

KINDS = ("definition", "constraint", "procedure", "ending", "ruling")
SITE = "https://tkid.readthedocs.io/rules"
VERSION = "2026.3"
"""The register's own version: raised when a statement changes, or rules are added."""

C = TypeVar("C", bound=Callable[..., object])
V = TypeVar("V")


class UnknownRuleError(LookupError):
    """Code or a person cites a rule that is not in the register."""


class UnknownOptionError(LookupError):
    """Code takes an option that a ruling does not have."""

    def __init__(self, ruling: str, option: str, options: Iterable[str]) -> None:
        super().__init__(f"{option!r} is no option of {ruling}; its options are {', '.join(options)}")


class Rule(NamedTuple):
    """An entry of the register: a named tuple, so that `tkid rule` starts without attrs.

    `id` is permanent, dotted, general to specific. `source` names text and heading (for a ruling: what
    leaves it open). `options` of a ruling are the readings a record may choose from, by name, with what
    each means; `default` is the one taken. `moved` names the id that replaces a retired one. `confidence` says how
    sure we are of the statement, "" where nothing is in doubt.
    """

    id: str
    kind: str
    statement: str
    source: str
    related: tuple[str, ...] = ()
    question: str = ""
    options: Mapping[str, str] = MappingProxyType({})
    default: str = ""
    reason: str = ""
    moved: str = ""
    confidence: str = ""

    @property
    def page(self) -> str:
        """The page of the site that states the rule, without its address."""
        return page(self.family)

    @property
    def family(self) -> str:
        """The first word of the id."""
        return self.id.partition(".")[0]

    @property
    def link(self) -> str:
        """The permanent address of the rule."""
        return f"{SITE}/{self.page}/#{self.id}"


@cache
def _files() -> Mapping[str, Traversable]:
    """The files of the register by the first word of their ids: those of the rulebook, and those of each game."""
    folders = (__package__, *(f"{ROOMS}.{game}.rulesets" for game in games()))
    found = (file for folder in folders for file in files(folder).iterdir() if file.name.endswith(".toml"))
    return {file.name[:-5]: file for file in sorted(found, key=lambda file: file.name)}


def families() -> tuple[str, ...]:
    """The first words that ids may have, in the order of the alphabet."""
    return tuple(_files())


@cache
def register_text(family: str) -> str:
    """One file of the register as it is written, comments included."""
    return _files()[family].read_text("utf-8")


@cache
def _file(family: str) -> Mapping[str, Any]:
    return tomllib.loads(register_text(family))


def page(family: str) -> str:
    """The page of the site that states the rules of a family, without its address."""
    return str(_file(family)["page"])


def page_title(family: str) -> str:
    """The title of the page that states the rules of a family."""
    return str(_file(family)["title"])


@cache
def _entries(family: str) -> Mapping[str, Rule]:
    """The rules of one file of the register, in its order (which is the reading order)."""
    return {
        key: Rule(id=key, **{**entry, "related": tuple(entry.get("related", ()))})
        for key, entry in _file(family).items()
        if isinstance(entry, dict)
    }


def base(family: str) -> str:
    """The family whose rules hold where this one has no other; "" where it stands for itself."""
    return str(_file(family).get("base", ""))


@cache
def in_force(family: str) -> Mapping[str, Rule]:
    """The rules that hold in a family by local id: those of its base in their order, replaced by its own, and the rest."""
    inherited = dict(in_force(base(family))) if base(family) else {}
    for local in _file(family).get("without", ()):
        del inherited[local]
    return inherited | {rule_id.partition(".")[2]: entry for rule_id, entry in _entries(family).items()}


def all_rules() -> Iterator[Rule]:
    """Every rule of the register, family by family in reading order."""
    for family in families():
        yield from _entries(family).values()


def known(rule_id: str) -> bool:
    """Whether the register has a rule of this id."""
    family = rule_id.partition(".")[0]
    return family in families() and rule_id in _entries(family)


def rule(rule_id: str) -> Rule:
    """The rule of an id. Raises UnknownRuleError, which names the ids that look alike."""
    rule_id = rule_id.strip().lower()
    if not known(rule_id):
        alike = get_close_matches(rule_id, [r.id for r in all_rules()], n=3)
        raise UnknownRuleError(f"no rule {rule_id!r}" + (f"; did you mean {' or '.join(alike)}?" if alike else ""))
    return _entries(rule_id.partition(".")[0])[rule_id]


def choose(readings: Mapping[str, str], ruling: str, values: Mapping[str, V]) -> V:
    """Look up what the option taken of a ruling stands for.

    Args:
        readings: the options taken, by the ids of their rulings.
        ruling: the whole id of the ruling.
        values: a value for each option that the register has for the ruling.

    Returns:
        The value of the option taken.

    Raises:
        ValueError: `values` has not exactly the options of the register.
        UnknownOptionError: the option taken is none of them.
    """
    options = rule(ruling).options
    if set(values) != set(options):
        raise ValueError(f"the options of {ruling} are {', '.join(options)}, not {', '.join(values)}")
    option = readings[ruling]
    if option not in options:
        raise UnknownOptionError(ruling, option, options)
    return values[option]


def find(words: str) -> list[Rule]:
    """The rules that hold all of some words in id, statement, question or source: best first."""
    wanted = words.lower().split()

    def weight(entry: Rule) -> int:
        places = ((entry.id, 4), (entry.statement, 2), (entry.question, 2), (entry.source, 1))
        hits = [sum(worth for text, worth in places if word in text.lower()) for word in wanted]
        return sum(hits) if all(hits) else 0

    ranked = sorted(((weight(r), r) for r in all_rules()), key=lambda pair: -pair[0])
    return [r for worth, r in ranked if worth]


class Ids:
    """The ids of one family of rules: `ids("card.assemble")` is `second.card.assemble`, checked when first asked.

    Where the family has a base and no such rule of its own, the id is the base's.
    """

    def __init__(self, family: str) -> None:
        self.family = family
        self._checked: dict[str, str] = {}

    def __call__(self, local: str) -> str:
        """The whole id of a local one. Raises UnknownRuleError."""
        return self._checked.get(local) or self._check(local)

    def cite(self, *local: str) -> None:
        """Cite rules that a value states, beside that value. Raises UnknownRuleError."""
        for each in local:
            self(each)

    @property
    def cited(self) -> frozenset[str]:
        """The whole ids asked for so far."""
        return frozenset(self._checked.values())

    def _check(self, local: str) -> str:
        entry = in_force(self.family).get(local) if self.family in families() else None
        if entry is None:
            raise UnknownRuleError(f"code cites {f'{self.family}.{local}'!r}, which is not in the register")
        return self._checked.setdefault(local, entry.id)


CITATIONS: dict[CodeType, tuple[str, ...]] = {}
"""What functions cite: whole ids, or local ones that each ruleset's family completes."""


def cites(*ids: str) -> Callable[[C], C]:
    """Mark the function that carries out a procedure or an ending with the rules that it implements.

    The ids are whole, or local to a ruleset's family (`struggle.trigger`); whoever registers rulesets checks them.
    """

    def mark(function: C) -> C:
        if not isinstance(function, FunctionType):
            raise TypeError("only functions cite")
        CITATIONS[function.__code__] = ids
        return function

    return mark
