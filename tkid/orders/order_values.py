"""Orders as values, the interface that every game implements for orders, and names.

Each game has its own standing orders and conditions. The mail layer carries orders out. Seats are indices, as in moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import cache
from types import MappingProxyType
from typing import Any, Literal

from attrs import evolve, field, frozen
from lark import Token, Tree

from tkid.kernel.game import AnyGame
from tkid.kernel.plugins import find_plugin
from tkid.kernel.problems import Kind, Problem
from tkid.notation.line_parser import Wrong
from tkid.notation.names import ANYONE, SELF, People, Unknown, Who, simplify_name
from tkid.notation.plugin import ReadTurn, TurnReader
from tkid.orders.forms import Part, shorten_typed


class Order:
    """An order to a game. Each kind is a class, and the table of kinds has a row for it."""

    __slots__ = ()


@frozen
class Turn(Order):
    """A turn: its text, and its reading."""

    text: str
    read: ReadTurn = field(eq=False, repr=False)


@frozen
class Draft(Order):
    """A turn that is checked and answered, never played."""

    turn: Turn


class Standing(Order):
    """An order that holds turn after turn until something ends it; each game has its own."""

    __slots__ = ()


class Condition:
    """A condition of a plan; each game has its own."""

    __slots__ = ()


@frozen
class Stop:
    """A step of a plan: play nothing, ask the player."""


@frozen
class If:
    """A step of a plan that depends: on all `conditions` or, where `every` is false, on any; `otherwise` may be None."""

    conditions: tuple[Condition, ...]
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...] | None = None
    every: bool = True


Step = Turn | Stop | If
Steps = tuple[Step, ...]


@frozen
class Planned(Order):
    """A plan: steps for the player's next turns, one for each; a conditional order is one of a single `If`."""

    steps: Steps


@frozen
class Cancel(Order):
    """End plans: all, the standing or the conditional ones, one by its number; or an absence."""

    what: Literal["all", "standing", "conditional", "away"] | int


@frozen
class Say(Order):
    """Press: words to all or to one seat."""

    to: int | Literal["all"]
    text: str


Question = Literal["status", "legal", "rules", "why", "history", "help"]


@frozen
class Ask(Order):
    """A question; `argument` is a card for `legal`, a rule's id or words for `rules`, an order for `help`, or ""."""

    kind: Question
    argument: str = ""


@frozen
class Away(Order):
    """An absence, first and last day."""

    first: date
    last: date


@frozen
class TimeZone(Order):
    """Where the sender's days begin: `+02:00`, or the name of a zone in the time zone database."""

    zone: str


@frozen
class Undo(Order):
    """Taking a turn back: asked for, agreed to, or refused."""

    consent: Literal["ask", "agree", "refuse"]


@frozen
class Agree(Order):
    """An end by agreement: a draw or a game without a result, proposed or agreed to; or a proposal that is refused."""

    to: Literal["draw", "abandon", "refuse"]


@frozen
class Pause(Order):
    """A pause by agreement, proposed or agreed to: no clock runs until a day begins."""

    until: date


@frozen
class Resign(Order):
    """Giving up the game."""


PICTURES, NO_PICTURES = "pictures", "no pictures"


@frozen
class Notify(Order):
    """The mails that a player wants: of `every turn`, only of `my turns`, or by the game's word for its decisions."""

    level: str


Plan = Standing | Planned
NEGATED = re.compile(r"(?:.*\s)?(?:not|n't|never|nobody|none|no)(?:\s.*)?|.*n't(?:\s.*)?", re.IGNORECASE)


def report_unknown_player(people: People, part: Part, lead: str = "") -> Problem:
    """Return the problem with a name that no player has."""
    message = f"`{shorten_typed(part.text)}` is not a player in this game"
    return part.make_problem(message, lead + people.make_hint(part.text), Kind.NAME, "notation.player")


def report_unknown_card(turns: TurnReader, unknown: Unknown, column: int) -> Problem:
    """Return the problem with a name that no card has; the column counts from 0."""
    place, cut = (column, len(unknown.typed)), evolve(unknown, typed=shorten_typed(unknown.typed))
    return cut.make_problem("card", "notation.card", place, turns.list_cards(), of=" of this game")


@frozen
class Lookup:
    """Looks up the names in a parsed line, and collects the problems. `text` is the line as typed."""

    people: People
    turns: TurnReader
    text: str
    owner: int | None = None
    without_not: str = ""
    problems: list[Problem] = field(factory=list)

    def find_who(self, tree: object) -> Who:
        part = self.find_part(tree)
        who = self.people.find_who(part.text)
        if (who is not None and who == self.owner) or simplify_name(part.text) in SELF:
            message = "A plan looks at what the others do, not at what you do"
            hint = "Name another player, or write `anyone`."
            self.problems.append(part.make_problem(message, hint, Kind.ILLEGAL, "post.plan.others"))
        elif who is not None:
            return who
        elif NEGATED.fullmatch(part.text):
            self.note_problem(f"`{shorten_typed(part.text)}` is not understood", self.without_not, tree)
        else:
            self.problems.append(report_unknown_player(self.people, part))
        return ANYONE

    def find_part(self, tree: object) -> Part:
        """Return the part of the line for a part of the parsed tree."""
        if isinstance(tree, Token):
            return Part(str(tree), tree.start_pos or 0)
        assert isinstance(tree, Tree)
        return Part(self.text[tree.meta.start_pos : tree.meta.end_pos], tree.meta.start_pos)

    def note_problem(self, message: str, hint: str, tree: object) -> None:
        self.problems.append(self.find_part(tree).make_problem(message, hint))


NEVER = re.compile(r"(?!)")
MAX_WORDS_OF_TURN = 5
"""Maximum number of words of a line that was meant as a turn, if it begins like one."""


class Signs:
    """Signs that a line was meant as a turn, or as a plan, although it cannot be read."""

    signs: Sequence[str] = ()
    known: Sequence[str] = ()
    beginnings: Sequence[str] = ()
    happens: re.Pattern[str] = NEVER
    done: re.Pattern[str] = NEVER
    otherwise: re.Pattern[str] = NEVER

    def is_turn(self, text: str) -> bool:
        """Return True if a line was meant as a turn."""
        return False

    def is_standing(self, words: Sequence[str]) -> bool:
        """Return True if a line that begins like a standing order was meant as one; its words are in small letters."""
        return False

    def is_continuation(self, words: Sequence[str]) -> bool:
        """Return True if a line with these first two words, in small letters, is the rest of a turn that began above."""
        return False

    def is_written_out(self, read: ReadTurn, letters: int) -> bool:
        """Return True if a turn of this many letters is surely one, and not somebody's initials."""
        return True


class PlainSigns(Signs):
    """The signs of a game without its own: a short line that begins like a turn was meant as one."""

    def __init__(self, turns: TurnReader) -> None:
        self.turns, self.beginnings = turns, tuple(name.casefold() for name in turns.cards.names)

    def is_turn(self, text: str) -> bool:
        """Return True if a line begins like a turn, and is short."""
        return self.turns.is_begun(text) and len(text.split()) <= MAX_WORDS_OF_TURN


class OrderLanguage:
    """The orders that a game's players give in words of their own: standing orders, conditions of plans, news.

    Without a game's own, there are plans of turns one after the other, but no standing orders and no conditions.
    """

    grammar: str = "plain_plans"
    forms: Mapping[str, str] = MappingProxyType({"standing": ""})
    wrong: Mapping[str, Wrong] = MappingProxyType({"standing": {}, "plan": {}})
    examples: str = "`undo?`"
    turn: str = "TURN"
    without_not: str = "There is no `not`: use `else`."
    reserved: Collection[str] = frozenset()
    level: str = "turns"
    gives_up: re.Pattern[str] = NEVER

    def begins_standing(self, text: str) -> bool:
        """Return True if a line begins like a standing order; asked before anything else, as it may begin like a plan."""
        return False

    def read_standing(self, lookup: Lookup, tree: Tree[Any]) -> Standing:
        """Read the standing order of a parsed line; problems are left with `lookup`."""
        raise NotImplementedError

    def read_condition(self, lookup: Lookup, tree: Tree[Any]) -> Condition:
        """Read a condition of a parsed plan; problems are left with `lookup`."""
        raise NotImplementedError

    def write_standing(self, order: Any, game: Any, people: People) -> str:
        """Write a standing order in canonical form."""
        raise NotImplementedError

    def write_condition(self, condition: Any, game: Any, people: People) -> str:
        """Write a condition in canonical form."""
        raise NotImplementedError

    def find_signs(self, turns: Any, people: People) -> Signs:
        """Return the signs that a line of a game with these players was meant as a turn or a plan."""
        return PlainSigns(turns)


@cache
def _find_plain_language(_: AnyGame) -> OrderLanguage:
    return OrderLanguage()


def find_order_language(game: AnyGame) -> OrderLanguage:
    find: Callable[[AnyGame], OrderLanguage] = find_plugin(game.name, "notation/orders", lambda: _find_plain_language)
    return find(game)
