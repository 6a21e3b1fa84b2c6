"""What the notation asks of a game: reading a turn, the position in one line, and what its orders are about.

Each game answers in its own room, in `notation/plugin.py`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from lark import Tree

from tkid.kernel.game import AnyGame
from tkid.kernel.plugins import plugin
from tkid.notation.people import People
from tkid.notation.turns import ReadTurn
from tkid.notation.vocabulary import Vocabulary

if TYPE_CHECKING:
    from tkid.notation.clauses import PositionCodec
    from tkid.orders.model import Condition, Standing
    from tkid.orders.plan_reader import PlanBuild


class Sense(Protocol):
    """What shows that a line was meant as a turn, or as a plan, although it cannot be read.

    `signs` stand in turns and plans and hardly in sentences; `known` are words that a condition may be about besides
    players, in small letters. `happens` finds what a condition waits for, `done` what a plan does at the start of a
    text, and `otherwise` the rest of a plan.
    """

    signs: Sequence[str]
    known: Collection[str]
    happens: re.Pattern[str]
    done: re.Pattern[str]
    otherwise: re.Pattern[str]

    def is_turn(self, text: str) -> bool:
        """Whether a line was meant as a turn."""
        ...

    def is_standing(self, words: Sequence[str]) -> bool:
        """Whether a line that begins like a standing order was meant as one; its words are in small letters."""
        ...


class Orders(Protocol):
    """What a family's players may order in words of their own: standing orders, what plans depend on, which news.

    `grammar` names the file that has the rules `standing` and `condition` and the terminal `NEWS`. `forms` says how
    each kind of order is written (see `orders_teach.all_forms`), `wrong` holds wrong standing orders and plans by what
    is wrong with them, `topics` are further words that help may be asked about. For hints, `examples` are some orders,
    `turn` is one turn, and `without_not` is what to write where somebody wrote `not` in a condition. `reserved` are
    words that mean something in a condition besides the general ones. `level` is the wish for news of what was
    decided, as `notify` writes it; `gives_up` finds sentences that name what they ask for.
    """

    def __hash__(self) -> int: ...

    grammar: str
    forms: Mapping[str, str]
    wrong: Mapping[str, Mapping[str, Sequence[str]]]
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

    def read_standing(self, build: PlanBuild, tree: Tree[Any]) -> Standing:
        """The standing order of a parsed line; what is wrong is left with `build`."""
        ...

    def read_condition(self, build: PlanBuild, tree: Tree[Any]) -> Condition:
        """A condition of a parsed plan; what is wrong is left with `build`."""
        ...

    def write_standing(self, order: Any, game: Any, people: People) -> str:
        """A standing order in canonical form."""
        ...

    def write_condition(self, condition: Any, game: Any, people: People) -> str:
        """A condition in canonical form."""
        ...

    def sense(self, turns: Any, people: People) -> Sense:
        """What shows that a line was meant as a turn."""
        ...


class TurnReader(Protocol):
    """Reads the turns of a game; the same text gives the same result and is parsed once.

    `cards` are the words that a turn begins with: the cards, and whatever else there is to do; `names` the players.
    `beginnings` are all these in small letters, with cards of the edition that are not in this game.
    """

    @property
    def game(self) -> Any: ...  # noqa: D102 - the class says what each is

    @property
    def names(self) -> Sequence[str]: ...  # noqa: D102

    @property
    def cards(self) -> Vocabulary: ...  # noqa: D102

    @property
    def beginnings(self) -> Sequence[str]: ...  # noqa: D102

    @property
    def orders(self) -> Orders: ...  # noqa: D102

    def turn(self, text: str) -> ReadTurn:
        """Read a whole turn."""
        ...

    def begins(self, text: str) -> bool:
        """Whether a line begins like a turn."""
        ...

    def goes_on(self, words: Sequence[str]) -> bool:
        """Whether a line whose first two words these are, in small letters, is the rest of a turn that began above."""
        ...

    def is_written_out(self, read: ReadTurn, letters: int) -> bool:
        """Whether a turn of so many letters is surely one, and not somebody's initials."""
        ...

    def cards_listed(self) -> str:
        """The cards of the game in a sentence, for a hint."""
        ...


class Notation(Protocol):
    """How the games of a family are written; `positions` writes and reads a position in one line."""

    @property
    def positions(self) -> PositionCodec: ...  # noqa: D102 - the class says what it is

    def reader(self, game: Any, names: Sequence[str] = ()) -> TurnReader:
        """A reader of turns; `names` are those of the players, where turns may name them."""
        ...

    def part(self, read: Any, canonical: Any, part: str) -> str:
        """The part of a move as it was read that is this part of its canonical form."""
        ...

    def instead(self, game: Any, move: Any, alternative: Any) -> str:
        """An alternative that a violation names in place of a move, as text."""
        ...


def notation(game: AnyGame) -> Notation:
    """How a game is written."""
    found: Notation = plugin(game.name, "notation/plugin")
    return found
