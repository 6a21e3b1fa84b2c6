"""The protocol of a game, who sits at its table, and what comes out in the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from attrs import frozen

from tkid.kernel.problems import Violation

Seat = int
"""A position in turn order, from 0."""

NOBODY = "nobody"
"""In place of the winners, where there are none."""

P = TypeVar("P")
M = TypeVar("M")


@frozen
class Table:
    """Who sits: the players' names in turn order, and the parties, each a tuple of seats that win together."""

    names: tuple[str, ...]
    parties: tuple[tuple[Seat, ...], ...]

    def party(self, seat: Seat) -> tuple[Seat, ...]:
        """The party of a seat."""
        return next(party for party in self.parties if seat in party)


@frozen
class Event:
    """What followed from a move, with the rule by which it did.

    `text` names seats as `{0}`, `{1}`: `read` puts the players' names there. `line` is what the record
    writes of it on a line of its own, or "" where it writes nothing; there seats stand in the same way.
    """

    rule: str
    text: str
    line: str = ""

    def read(self, names: Sequence[str]) -> str:
        """The text for people, seats by name."""
        return with_names(self.text, names)


def with_names(text: str, names: Sequence[str]) -> str:
    """Put names where a text has `{0}`, `{1}` and so on."""
    for seat, name in enumerate(names):
        text = text.replace(f"{{{seat}}}", name)
    return text


@frozen
class Step:
    """One comparison on the way to the winner: its rule, and what it found (seats as `{0}`)."""

    rule: str
    text: str


@frozen
class Result:
    """How a game ended: the kind of ending, the winning seats, and every comparison in the order asked."""

    ending: str
    winners: tuple[Seat, ...]
    chain: tuple[Step, ...]


class Game(Protocol[P, M]):
    """A playable game. Positions are values, a move is one decision."""

    def start(self, table: Table, deal: Any) -> P:
        """The first position, from what was dealt."""
        ...

    def to_act(self, position: P) -> Seat | None:
        """Who decides next; None when the game is over."""
        ...

    def legal(self, position: P) -> Sequence[M]:
        """Every legal move: counted, indexed, searched without being built whole."""
        ...

    def check(self, position: P, move: M) -> tuple[Violation, ...]:
        """Every rule that a move would break; empty for a legal move."""
        ...

    def play(self, position: P, move: M) -> tuple[P, tuple[Event, ...]]:
        """The position after a legal move, and what followed from it."""
        ...

    def view(self, position: P, seat: Seat | None) -> Any:
        """What a seat may know; None asks for a spectator."""
        ...

    def result(self, position: P) -> Result | None:
        """How the game ended, or None while it goes on."""
        ...
