"""What orders need of a game: its own order language, and what shows that a line was meant as a turn or a plan."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from lark import Tree

from tkid.kernel.game import AnyGame
from tkid.kernel.plugins import plugin
from tkid.notation.line_parser import Wrong
from tkid.notation.people import People
from tkid.notation.turns import ReadTurn
from tkid.orders.lookup import Lookup
from tkid.orders.model import Condition, Standing


class Signs(Protocol):
    """What shows that a line was meant as a turn, or as a plan, although it cannot be read.

    `signs` stand in turns and plans and hardly in sentences; `known` are words that a condition may be about besides
    players. `beginnings` are the first words of turns, with cards of the edition that are not in this game; all are in
    small letters. `happens` finds what a condition waits for, `done` what a plan does at the start of a text, and
    `otherwise` the rest of a plan.
    """

    signs: Sequence[str]
    known: Sequence[str]
    beginnings: Sequence[str]
    happens: re.Pattern[str]
    done: re.Pattern[str]
    otherwise: re.Pattern[str]

    def is_turn(self, text: str) -> bool:
        """Whether a line was meant as a turn."""
        ...

    def is_standing(self, words: Sequence[str]) -> bool:
        """Whether a line that begins like a standing order was meant as one; its words are in small letters."""
        ...

    def goes_on(self, words: Sequence[str]) -> bool:
        """Whether a line whose first two words these are, in small letters, is the rest of a turn that began above."""
        ...

    def is_written_out(self, read: ReadTurn, letters: int) -> bool:
        """Whether a turn of so many letters is surely one, and not somebody's initials."""
        ...


class OrderLanguage(Protocol):
    """What a game's players may order in words of their own: standing orders, what plans depend on, which news.

    `grammar` names the file that has the rules `standing` and `condition` and the terminal `NEWS`. `forms` says how
    those kinds of orders are written that name something of the game, `wrong` holds wrong standing orders and plans by
    what is wrong with them, `topics` are further words that help may be asked about. For hints, `examples` are some
    orders, `turn` is one turn, and `without_not` is what to write where somebody wrote `not` in a condition. `reserved`
    are words that mean something in a condition besides the general ones. `level` is the wish for news of what was
    decided, as `notify` writes it; `gives_up` finds sentences that name what they ask for.
    """

    def __hash__(self) -> int: ...

    grammar: str
    forms: Mapping[str, str]
    wrong: Mapping[str, Wrong]
    topics: Mapping[str, str]
    examples: str
    turn: str
    without_not: str
    reserved: Collection[str]
    level: str
    gives_up: re.Pattern[str]

    def is_standing(self, text: str) -> bool:
        """Whether a line begins like a standing order; asked before anything else, as it may begin like a plan."""
        ...

    def read_standing(self, lookup: Lookup, tree: Tree[Any]) -> Standing:
        """The standing order of a parsed line; what is wrong is left with `lookup`."""
        ...

    def read_condition(self, lookup: Lookup, tree: Tree[Any]) -> Condition:
        """A condition of a parsed plan; what is wrong is left with `lookup`."""
        ...

    def write_standing(self, order: Any, game: Any, people: People) -> str:
        """A standing order in canonical form."""
        ...

    def write_condition(self, condition: Any, game: Any, people: People) -> str:
        """A condition in canonical form."""
        ...

    def signs(self, turns: Any, people: People) -> Signs:
        """What shows that a line of a game with these players was meant as a turn or a plan."""
        ...


def order_language(game: AnyGame) -> OrderLanguage:
    """What the players of a game may order in words of their own."""
    language: OrderLanguage = plugin(game.name, "notation/orders")(game)
    return language
