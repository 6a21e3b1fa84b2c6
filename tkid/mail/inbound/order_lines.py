"""The lines of a mail as orders: reading each, writing it canonically, and the order in which they are carried out.

The grammar and its reading stand in `tkid.orders.reader`: an order is text with places, like a turn, and only
notation and record use a parser. Here is what the post makes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from attrs import frozen

from tkid.kernel.game import AnyGame
from tkid.kernel.problems import Kind, Problem
from tkid.notation.people import people
from tkid.orders.model import (
    Ask,
    Away,
    Cancel,
    Draft,
    Notify,
    Order,
    Planned,
    Resign,
    Say,
    Standing,
    Turn,
    Undo,
    class_of,
)
from tkid.orders.reader import Reading, ReadOrder
from tkid.orders.writer import Writer
from tkid.record.play.replay import reader
from tkid.rulebook import cites

ONE_TURN = "mail.one-turn"
MOST_ORDERS = 40
READERS = 64
"""For so many groups of players and seats a reader is remembered."""
RANKS: dict[type, int] = {
    kind: rank
    for rank, kinds in enumerate(
        ((Draft, Say), (Cancel,), (Away, Notify), (Undo, Resign), (Turn,), (Standing, Planned), (Ask,))
    )
    for kind in kinds
}
"""When each kind of order is carried out: the lowest first."""


class OrderReader:
    """Reads and writes the orders of a game with these players; `seat` is whose orders they are, if that is known.

    With the seat it is also judged whom the orders name: a plan does not look at its owner, and words do not go to
    oneself or to a team-mate alone [post.plan.others, post.say.self, post.say.team-mate].
    """

    def __init__(self, game: AnyGame, names: Sequence[str], seat: int | None = None) -> None:
        turns = reader(game, tuple(names))
        players = people(names, turns.orders.reserved)
        self._typed = Reading(turns, players, seat)
        self._stored = Reading(turns, players, seat, stored=True)
        self._writer = Writer(turns, players)

    def read(self, line: str) -> ReadOrder:
        """What a line asks for, or why it is not understood. Never raises, whatever the line."""
        return self._typed.read(line)

    def stored(self, text: str) -> ReadOrder:
        """What a canonical text says, which may be longer than what was typed."""
        return self._stored.read(text)

    def written(self, order: Order) -> str:
        """An order in the one form that is stored and shown; reading what is `stored` gives the same order."""
        return self._writer.order(order)


@lru_cache(READERS)
def order_reader(game: AnyGame, names: tuple[str, ...], seat: int | None = None) -> OrderReader:
    """The reader of a player's orders, made once."""
    return OrderReader(game, names, seat)


@frozen
class Line:
    """A line of a mail that asks for something: as it was typed, where it stood (from 0), and as it was read."""

    typed: str
    at: int
    read: ReadOrder


@cites("post.order.several", "post.order.most")
def in_order(typed: Iterable[str], read: OrderReader) -> tuple[Line, ...]:
    """The lines of a mail in the order in which they are carried out; those that fail come last.

    One mail gives one turn: further ones fail [mail.one-turn]. So does what comes after many orders, in one line for
    all of them [post.order.most].
    """
    lines, turns = [], 0
    for at, text in enumerate(typed):
        if at == MOST_ORDERS:
            lines.append(Line(text, at, ReadOrder(None, (_too_many(text),))))
            break
        found = read.read(text)
        if isinstance(found.order, Turn):
            turns += 1
            found = found if turns == 1 else ReadOrder(None, (_second(text),), found.kind)
        lines.append(Line(text, at, found))
    return tuple(sorted(lines, key=lambda line: RANKS.get(class_of(line.read.order), len(RANKS))))


def _too_many(text: str) -> Problem:
    """The problem with the first order that is one too many."""
    told = f"One mail gives at most {MOST_ORDERS} orders: this one and all below it are left out"
    return Problem(Kind.ILLEGAL, "post.order.most", told, length=max(1, len(text)), hint="Send them in another mail.")


def _second(text: str) -> Problem:
    """The problem with a second turn in one mail."""
    hint = "To play it on your next turn, write `then` between the two turns, in one line."
    return Problem(Kind.ILLEGAL, ONE_TURN, "One mail gives one turn", length=max(1, len(text)), hint=hint)
