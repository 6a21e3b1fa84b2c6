"""Rulesets by code, with their readings, and the differences between two."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Any

from attrs import evolve, field, frozen

from tkid.kernel.game import (
    HIDDEN,
    AnyGame,
    Event,
    IllegalMoveError,
    Parties,
    Table,
    View,
    check_move,
    check_seat,
    seat_players,
)
from tkid.kernel.pickling import PortableError, pickle_call
from tkid.kernel.plugins import find_plugin, find_rooms, find_value
from tkid.kernel.problems import Violation
from tkid.rulebook import Rule, is_known_rule, rule
from tkid.rulebook.register import list_in_force

MIN_CODE_LENGTH = 3


class UnknownRulesetError(PortableError, LookupError):
    """No ruleset has this code; `alike` are those that may be meant."""

    alike: Sequence[str] = ()


class UnknownRulingError(PortableError, LookupError):
    """Code chooses an option of a ruling for which a ruleset has no switch."""

    def __init__(self, entry: Ruleset, ruling: str, option: str) -> None:
        super().__init__(entry, ruling, option)

    def __str__(self) -> str:
        entry, ruling, option = self.args
        known_ones = ", ".join(entry.switches) or "none"
        return f"{entry.code} has no switch {ruling!r} to set to {option!r}; its switches are {known_ones}"


@frozen
class Ruleset:
    """A game to choose: its code, version, title, the source it implements, and the way to build it."""

    code: str
    version: int
    title: str
    page: str
    source: str
    rule_prefix: str
    game_name: str
    confidence: str
    switches: tuple[str, ...]
    build: Callable[[Mapping[str, str]], AnyGame] = field(repr=False)
    facts: Callable[[Any], Iterable[Fact]] = field(default=lambda _: (), repr=False)
    """Facts that an edition states about itself, for comparisons."""
    answers: Callable[[Any], Mapping[str, Any]] = field(default=lambda _: {}, repr=False)
    """What the game knows of questions about it, as `make_facts` describes it."""
    former: Mapping[int, Mapping[str, str]] = field(default=MappingProxyType({}), eq=False, repr=False)
    """By former version: the readings that were the usual ones then, if others are today. Records keep their version."""

    @property
    def stated(self) -> str:
        """Code and version as a record states them: without the version if that is the first."""
        return self.code if self.version == 1 else f"{self.code} {self.version}"

    def list_defaults(self) -> dict[str, str]:
        """Return the reading of each switch that holds unless a record chooses another."""
        return {switch: rule(switch).default for switch in self.switches} | dict(self.former.get(self.version, {}))

    def game(self, chosen: Mapping[str, str] | None = None) -> Any:
        """Build the game, once for each choice of readings.

        Args:
            chosen: options by the ids of their rulings; for rulings that it does not name, the defaults are taken.

        Returns:
            The game: a `Struggle` or a `Claim`, as `game_name` says.

        Raises:
            UnknownRulingError: the `switches` lack a chosen ruling.
            UnknownOptionError: a ruling lacks its chosen option.
        """
        if not chosen and self.version not in self.former:
            return _build_usual(self.code)
        chosen = chosen or {}
        for ruling, option in chosen.items():
            if ruling not in self.switches:
                raise UnknownRulingError(self, ruling, option)
        return _build_game(self.code, tuple(sorted({**self.list_defaults(), **chosen}.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_call(load_version, self.code, self.version)


class RulesetGame:
    """A game that a ruleset builds: it is pickled as its ruleset and its readings, and unpickled as the same value.

    The methods are those of a game in which a turn is one move that has one form, and only hands are hidden.
    """

    __slots__ = ()
    code: str
    readings: Mapping[str, str]
    parties: Mapping[int, Parties]
    covered = False

    @property
    def names_players(self) -> bool:
        """False: no turn names a player."""
        return False

    def __repr__(self) -> str:
        readings = [f"{ruling}={reading}" for ruling, reading in self.readings.items()]
        return f"<Game {', '.join([self.code, *readings])}>"

    def __reduce__(self) -> tuple[Any, ...]:
        usual: object = _build_game(self.code, tuple(sorted(self.readings.items())))
        if usual is not self:
            from pickle import PicklingError  # noqa: PLC0415 - few programs pickle a game

            raise PicklingError(
                f"this game is not that of the ruleset {self.code}: only `Ruleset.game` makes games to pickle"
            )
        return pickle_call(_build_game, self.code, tuple(sorted(self.readings.items())))

    def seat_players(self, names: tuple[str, ...]) -> Table:
        """Seat players in turn order."""
        return seat_players(self.parties, names)

    def turn_continues(self, _: Any) -> bool:
        """Return False: a turn is one move."""
        return False

    def canonical(self, _: Any, move: Any) -> Any:
        """Return the same move: it has only one form."""
        return move

    @abstractmethod
    def check(self, position: Any, move: Any) -> tuple[Violation, ...]:
        """Return every rule that a move by the seat to act would break."""

    def admits(self, position: Any, move: Any) -> bool:
        """Return True if a move is legal."""
        return not self.check(position, move)

    def play(self, position: Any, move: Any) -> tuple[Any, tuple[Event, ...]]:
        """Play a legal move; return the position and what followed. Raises IllegalMoveError for an illegal one."""
        check_move(move)
        violations = self.check(position, move)
        if violations:
            raise IllegalMoveError(violations)
        return self.apply(position, move)

    @abstractmethod
    def apply(self, position: Any, move: Any) -> tuple[Any, tuple[Event, ...]]:
        """Play a canonical move without checking it."""

    def view(self, position: Any, seat: int | None) -> View[Any]:
        """Return the view of a seat, or of a spectator if it is None: it hides the hands of others."""
        check_seat(position, seat)
        hands = [hand if owner == seat else (HIDDEN,) * len(hand) for owner, hand in enumerate(position.hands)]
        return View(seat, evolve(position, hands=tuple(hands)))


@cache
def _list_places() -> Mapping[str, tuple[str, str]]:
    """Return the game of each ruleset, by its code, and the place of the value in the game's room."""
    stated: dict[str, Mapping[str, str]] = {game: find_plugin(game, "rulesets", dict) for game in find_rooms()}
    return {code: (game, place) for game, places in stated.items() for code, place in places.items()}


@cache
def _load_entry(code: str) -> Ruleset:
    """Return the ruleset with exactly this code, loading only its module."""
    entry: Ruleset = find_value(*_list_places()[code])
    return entry


@cache
def load_version(code: str, version: int) -> Ruleset:
    """Return the ruleset with exactly this code in one of its versions."""
    entry = _load_entry(code)
    return entry if version == entry.version else evolve(entry, version=version)


def state_ruleset(code: str) -> str:
    """Return a ruleset as a new record states it: code and version. What is no code stays as it is."""
    return _load_entry(code.lower()).stated if code.lower() in list_codes() else code


@cache
def _build_usual(code: str) -> AnyGame:
    return _build_game(code, tuple(sorted(_load_entry(code).list_defaults().items())))


@cache
def _build_game(code: str, readings: tuple[tuple[str, str], ...]) -> AnyGame:
    return _load_entry(code).build(dict(readings))


def list_codes() -> tuple[str, ...]:
    """Return the code of every ruleset, game by game, in the order in which they are listed to people."""
    return tuple(_list_places())


def rulesets() -> tuple[Ruleset, ...]:
    """Return every ruleset that can be played. To get one of them, `ruleset` loads less.

    Returns:
        The rulesets, in the order of their `codes`.
    """
    return tuple(map(_load_entry, list_codes()))


def ruleset(code: str) -> Ruleset:
    """Return the ruleset with a code.

    Args:
        code: such as `second-edition`; capitals do not matter.

    Returns:
        The ruleset; call its `game()` to play.

    Raises:
        UnknownRulesetError: no ruleset has this code; the message names codes that contain it, or a similar one.
    """
    if code.lower() not in list_codes():
        spelled = "-".join(code.lower().split())
        within = [each for each in list_codes() if len(code) >= MIN_CODE_LENGTH and spelled in each]
        alike = [spelled] if spelled in within else within or get_close_matches(spelled, list_codes(), n=1)
        hint = f"Did you mean {' or '.join(alike)}?" if alike else f"Known are: {', '.join(list_codes())}"
        unknown = UnknownRulesetError(f"there is no ruleset {code!r}. {hint}")
        unknown.alike = alike
        raise unknown
    return _load_entry(code.lower())


def find_readings(game: AnyGame) -> dict[str, str]:
    """Return the readings that differ from the defaults in a game that `Ruleset.game` made."""
    entry = _load_entry(game.code)
    return {switch: taken for switch, taken in game.readings.items() if taken != entry.list_defaults()[switch]}


NONE = "–"
"""Text where a ruleset has nothing of the kind."""
QUESTION = "Open question: "
"""Beginning of the titles of questions that a record may answer in another way."""


@frozen
class Fact:
    """One thing that a ruleset says of itself."""

    key: str
    title: str
    text: str
    rules: tuple[str, ...] = ()
    topic: str = ""


@frozen
class Row:
    """One thing in which rulesets may differ: the text of each, by code; `topic` is its subject."""

    title: str
    cells: Mapping[str, Fact]
    topic: str = ""

    @property
    def differs(self) -> bool:
        """True if the texts differ; the rules behind them don't count."""
        return len({fact.text for fact in self.cells.values()}) > 1


@frozen
class Pair:
    """A rule of one ruleset and its counterpart in another; None if it has no such rule."""

    local: str
    one: Rule | None
    other: Rule | None


def compare_rulesets(some: Sequence[Ruleset]) -> tuple[Row, ...]:
    """Return every thing that is compared between some rulesets, in reading order."""
    columns = {each.code: {fact.key: fact for fact in _list_facts(each)} for each in some}
    first: dict[str, Fact] = {}
    for fact in (fact for column in columns.values() for fact in column.values()):
        first.setdefault(fact.key, fact)
    nothing = {key: Fact(key, fact.title, NONE) for key, fact in first.items()}
    return tuple(
        Row(fact.title, {code: column.get(key, nothing[key]) for code, column in columns.items()}, fact.topic)
        for key, fact in first.items()
    )


@cache
def _list_facts(entry: Ruleset) -> tuple[Fact, ...]:
    facts = [Fact("Source", "Source", entry.source), *entry.facts(entry.game())]
    for ruling in map(rule, entry.switches):
        others = [option for option in ruling.options if option != ruling.default]
        title = f"{QUESTION}{ruling.question}"
        facts.append(Fact(title, title, f"{ruling.default}, unless you choose {' or '.join(others)}", (ruling.id,)))
    return tuple(facts)


@cache
def find_stated_rules(code: str) -> frozenset[str]:
    """Return the rules that a ruleset names, by whole or local ids, under any reading."""
    value = ruleset(code)
    chosen = [{}, *({switch: option} for switch in value.switches for option in rule(switch).options)]
    texts = {text for each in chosen for text in _find_texts(value.game(each), set())}
    local = {entry.id for name, entry in list_in_force(value.rule_prefix).items() if name in texts}
    return frozenset({*value.switches, *filter(is_known_rule, texts), *local})


def _find_texts(value: object, seen: set[int]) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif id(value) not in seen:
        seen.add(id(value))
        for part in _list_parts(value):
            yield from _find_texts(part, seen)


def _list_parts(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, list | tuple | set | frozenset):
        return value
    fields = getattr(type(value), "__attrs_attrs__", ())
    return [getattr(value, field.name, None) for field in fields]


@cache
def find_rules_in_force(code: str) -> Mapping[str, Rule]:
    """Return the rules in force in a ruleset, by local id: those of its prefix, except what only its siblings state.

    A rule that only others state takes along the rules about it: those whose ids continue its id, and those that
    no other rule refers to.
    """
    elsewhere = frozenset[str]().union(*(find_stated_rules(each.code) for each in rulesets())) - find_stated_rules(code)
    every = {local: entry for local, entry in list_in_force(ruleset(code).rule_prefix).items() if not entry.moved}
    gone = {local for local, entry in every.items() if entry.id in elsewhere}
    own = {local: entry for local, entry in every.items() if not gone & set(_list_beginnings(local))}
    return {
        local: entry
        for local, entry in own.items()
        if entry.id in find_stated_rules(code) or not _is_referred_to(entry, every) or _is_referred_to(entry, own)
    }


def _list_beginnings(local: str) -> list[str]:
    words = local.split(".")
    return [".".join(words[:count]) for count in range(1, len(words) + 1)]


def _is_referred_to(entry: Rule, rules: Mapping[str, Rule]) -> bool:
    return any(entry.id in each.related for each in rules.values())


def find_different_rules(one: Ruleset, other: Ruleset) -> Iterator[Pair]:
    """Yield the rules of one of two rulesets that the other does not have as they are, in reading order."""
    first, second = find_rules_in_force(one.code), find_rules_in_force(other.code)
    for local in dict.fromkeys((*first, *second)):
        pair = Pair(local, first.get(local), second.get(local))
        if pair.one is None or pair.other is None or _read_statement(pair.one) != _read_statement(pair.other):
            yield pair


def _read_statement(entry: Rule) -> tuple[str, str]:
    return entry.statement, entry.default


def describe_comparison(one: Ruleset, other: Ruleset) -> dict[str, Any]:
    """Return the differences between two rulesets as a JSON object."""
    return {
        "rulesets": [one.code, other.code],
        "facts": [
            {"title": row.title}
            | {code: {"text": fact.text, "rules": list(fact.rules)} for code, fact in row.cells.items()}
            for row in compare_rulesets((one, other))
            if row.differs
        ],
        "rules": [
            {"rule": pair.local, one.code: _describe_statement(pair.one), other.code: _describe_statement(pair.other)}
            for pair in find_different_rules(one, other)
        ],
    }


def _describe_statement(entry: Rule | None) -> dict[str, str] | None:
    return {"id": entry.id, "statement": entry.statement} if entry else None
