"""The protocol of a game, the players at its table, and its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from operator import index
from typing import Any, Generic, Protocol, TypeVar

from attrs import frozen

from tkid.kernel.pickling import Portable, PortableError
from tkid.kernel.problems import Violation
from tkid.kernel.values import quick_frozen

Seat = int
"""A position in turn order, from 0."""

HIDDEN = "?"
"""Placeholder for a card that is hidden from the viewer."""
NOBODY = "nobody"
"""The word for the winners of a game without winners."""
Parties = tuple[tuple[Seat, ...], ...]
"""The seats that win together, for each party."""


class Position(Protocol):
    """The position of every game, as far as recording, replaying and mailing need it."""

    @property
    def decision(self) -> str | None: ...

    @property
    def to_act(self) -> Seat | None: ...

    @property
    def ending(self) -> str | None: ...

    @property
    def winners(self) -> tuple[Seat, ...]: ...

    @property
    def hands(self) -> tuple[tuple[Any, ...], ...]: ...

    @property
    def turn(self) -> int: ...

    @property
    def seats(self) -> range: ...


P = TypeVar("P", bound=Position)
M = TypeVar("M")


@frozen
class View(Portable, Generic[P]):
    """A position as one seat sees it (None: a spectator); cards that it may not see are HIDDEN."""

    seat: Seat | None
    shown: P

    def _repr_html_(self) -> str:
        """Return what notebooks show: who sees the position, and its table."""
        who = "a spectator sees it" if self.seat is None else f"seat {self.seat} sees it"
        show = getattr(self.shown, "_repr_html_", self.shown.__repr__)
        return f"<p>As {who}:</p>{show()}"


@frozen
class Table(Portable):
    """The players' names in turn order, and the parties, each a tuple of seats that win together."""

    names: tuple[str, ...]
    parties: Parties


@frozen
class Deal(Portable):
    """The deal of a game in which chance decides only the hands, by seat, and who is first."""

    hands: tuple[tuple[Any, ...], ...]
    first: Seat


@quick_frozen
class Event(Portable):
    """Something that followed from a move, with the rule behind it.

    `text` names seats as `{0}`, `{1}`; `read` puts the players' names there. `line` is the event's line in the record,
    with the same marks for seats, or "" if it has none. If `only` one seat may know the event, `others` is the text and
    the line for everybody else. `about` describes the event as a value of the game, None if the rule says it all. It
    is hidden from seats that may not know the event.
    """

    rule: str
    text: str
    line: str = ""
    only: Seat | None = None
    others: tuple[str, str] = ("", "")
    about: Any = None

    def seen(self, seat: Seat | None) -> Event:
        """Return the event as a seat may know it."""
        return self if self.only in {None, seat} else Event(self.rule, *self.others)

    def read(self, names: Sequence[str]) -> str:
        """Return the event as a sentence.

        Args:
            names: the players' names in turn order.

        Returns:
            The text with the names in place of seats.
        """
        return fill_names(self.text, names)


def fill_names(text: str, names: Sequence[str]) -> str:
    """Put names where a text has `{0}`, `{1}` and so on."""
    for seat, name in enumerate(names if "{" in text else ()):
        text = text.replace(f"{{{seat}}}", name)
    return text


@frozen
class Step(Portable):
    """One comparison on the way to the winner: its rule, and its finding (seats as `{0}`)."""

    rule: str
    text: str
    about: Any = None


@frozen
class Result(Portable):
    """The end of a game: the kind of ending, the winning seats, and every comparison in the order made."""

    ending: str
    winners: tuple[Seat, ...]
    chain: tuple[Step, ...]


class IllegalMoveError(PortableError, ValueError):
    """A program played an illegal move; the message names every broken rule."""

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__(self.violations)

    def __str__(self) -> str:
        return "; ".join(f"{violation.sentence} [{violation.rule}]" for violation in self.violations)


def find_parties(parties: Mapping[int, Parties], players: int) -> Parties:
    """Return the parties for this number of players. Raises ValueError if the game is not for these."""
    if players not in parties:
        raise ValueError(f"the game is for {' or '.join(map(str, parties))} players, not for {players}")
    return parties[players]


def seat_players(parties: Mapping[int, Parties], names: tuple[str, ...]) -> Table:
    """Return the table at which these players sit. Raises ValueError for a wrong number of them, TypeError for a text."""
    if isinstance(names, str):
        raise TypeError(f"{names!r} is one text; the names are a tuple, such as ('Ann', 'Bob')")
    return Table(names, find_parties(parties, len(names)))


def name_players(number: int) -> tuple[str, ...]:
    """Return names for players who have none of their own."""
    return tuple(f"Player {seat}" for seat in range(1, number + 1))


def make_entropy(seed: int) -> bytes:
    """Return the bytes that the deal of a seed is made from. Raises TypeError if it is no whole number."""
    return sha256(f"seed {index(seed)}".encode()).digest()


def prepare_start(game: Game[Any, Any], who: Table | int, deal: Any, seed: int | None) -> tuple[Table, Any]:
    """Return who plays and what is dealt, as given or made from a seed. Raises ValueError if they do not fit."""
    if not isinstance(who, Table | int):
        raise TypeError(
            f"{who!r} is no table; write `start(players=2, seed=7)`, or `start(game.seat_players(names), deal)`"
        )
    table = game.seat_players(name_players(who)) if isinstance(who, int) else who
    if deal is None and seed is None:
        raise ValueError("the deal is missing: give a `seed`, or what `game.deal(players, entropy)` returns")
    dealt = game.deal(len(table.names), make_entropy(seed)) if deal is None and seed is not None else deal
    if not hasattr(dealt, "hands"):
        raise ValueError(f"{dealt!r} is no deal; `game.deal(players, entropy)` makes one")
    if len(dealt.hands) != len(table.names):
        raise ValueError(f"the deal is for {len(dealt.hands)} players, and {len(table.names)} sit at the table")
    return table, dealt


def check_seat(position: Position, seat: Seat | None) -> None:
    """Raise ValueError if a position has no such seat; None is a spectator."""
    if seat is not None and seat not in position.seats:
        raise ValueError(f"there is no seat {seat}; the seats are {', '.join(map(str, position.seats))}")


def check_move(move: object) -> None:
    """Raise TypeError for nothing, a text, or a whole turn, in place of a move."""
    if move is None:
        raise TypeError("a move is missing: this is None")
    if isinstance(move, str):
        raise TypeError(
            f"{move!r} is text, and no move; `find_turn_reader(game).read_turn(text).moves` has the moves of a text"
        )
    if isinstance(move, tuple):
        raise TypeError("this is a whole turn, and no move; play its moves one by one")


class Words(Protocol):
    """Moves in canonical notation, seats as `{0}`, `{1}`."""

    def write_move(self, move: Any) -> str:
        """Write one decision."""
        ...

    def write_turn(self, moves: Any) -> str:
        """Write the decisions of one turn, as its line shows them."""
        ...


class Game(Protocol[P, M]):
    """A playable game. Positions are values, a move is one decision.

    `name` is the name of the game, the same for all editions: with it the layers above find how to write, record, draw
    and mail the game. `code` is its name as a ruleset, `ids` makes rule ids of local ones, `readings` are the chosen
    options of rulings, `parties` says who wins together, for each number of players. `secret` says
    whether cards are dealt in secret. `covered` says whether views hide what follows from the record: other players'
    hands and piles. `names_players` says whether a turn may name players.
    """

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def code(self) -> str: ...

    @property
    def ids(self) -> Callable[[str], str]: ...

    @property
    def readings(self) -> Mapping[str, str]: ...

    @property
    def parties(self) -> Mapping[int, Parties]: ...

    @property
    def secret(self) -> bool: ...

    @property
    def covered(self) -> bool: ...

    @property
    def names_players(self) -> bool: ...

    @property
    def words(self) -> Words: ...

    def seat_players(self, names: tuple[str, ...]) -> Table:
        """Seat the players.

        Args:
            names: the players in turn order.

        Returns:
            The table, with the parties for this number of players.

        Raises:
            ValueError: the game is not for this number of players.
            TypeError: the names are a single text.
        """
        ...

    def deal(self, players: int, entropy: bytes) -> Any:
        """Draw what chance decides.

        Args:
            players: how many play.
            entropy: the bytes that all shuffles are made from.

        Returns:
            An attrs value that has at least `hands` and `first`.

        Raises:
            ValueError: the game is not for this number of players.
        """
        ...

    def find_faults(self, deal: Any) -> tuple[Violation, ...]:
        """Check a written set-up.

        Args:
            deal: the set-up.

        Returns:
            Every broken rule; `part` is the label of a line of the set-up, with a seat as its number.
        """
        ...

    def start(self, players: Table | int, deal: Any = None, *, seed: int | None = None) -> P:
        """Begin a game.

        Args:
            players: who plays, or how many.
            deal: what was dealt.
            seed: a number to deal from, instead of `deal`. The same number deals the same game.

        Returns:
            The first position.

        Raises:
            ValueError: the deal is missing, or for another number of players; or the game is not for that number.
            TypeError: the players are neither a table nor a number.
        """
        ...

    def turn_continues(self, position: P) -> bool:
        """Return True if the next decision belongs to the turn that has begun, and so to the same line."""
        ...

    def legal(self, position: P) -> Sequence[M]:
        """List every legal move.

        Args:
            position: the position to move in.

        Returns:
            A sequence that is counted, indexed and searched without being built.
        """
        ...

    def canonical(self, position: P, move: M) -> M:
        """Return the same move in the one form that is written down."""
        ...

    def check(self, position: P, move: M) -> tuple[Violation, ...]:
        """Judge a move.

        Args:
            position: the position to move in.
            move: the move of the seat to act.

        Returns:
            Every rule that the move would break; empty for a legal move.
        """
        ...

    def admits(self, position: P, move: M) -> bool:
        """Return True if a canonical move is legal, which takes less time than to `check` it."""
        ...

    def play(self, position: P, move: M) -> tuple[P, tuple[Event, ...]]:
        """Play a move.

        Args:
            position: the position to move in.
            move: a legal move of the seat to act.

        Returns:
            The position after the move, and the events that followed.

        Raises:
            IllegalMoveError: the move is illegal.
            TypeError: the move is text; a turn reader reads text.
        """
        ...

    def apply(self, position: P, move: M) -> tuple[P, tuple[Event, ...]]:
        """Play a canonical move without checking it.

        Args:
            position: the position to move in.
            move: a move of the seat to act, in its canonical form.

        Returns:
            The position after the move, and the events that followed.
        """
        ...

    def view(self, position: P, seat: Seat | None) -> View[P]:
        """Hide what a seat may not know.

        Args:
            position: the position.
            seat: the viewer; None for a spectator.

        Returns:
            What the viewer may know.

        Raises:
            ValueError: there is no such seat.
        """
        ...

    def result(self, position: P) -> Result | None:
        """Return how the game ended, or None while it continues."""
        ...


AnyGame = Game[Any, Any]
"""Any game."""
AnyView = View[Any]
"""A view of any game."""
