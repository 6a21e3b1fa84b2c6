"""The lines of a mail as orders: reading each, writing it canonically, and the order in which they are carried out.

`tkid.orders.reader` reads a line by the grammar; here a mail makes use of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from attrs import evolve

from tkid.kernel.game import AnyGame
from tkid.kernel.problems import Kind, Problem
from tkid.mail.model import OrderLine
from tkid.notation.people import people
from tkid.orders.intent import IntentDetector
from tkid.orders.kinds import LAST, kind_of
from tkid.orders.model import Order
from tkid.orders.plugin import order_language
from tkid.orders.reader import LineReader, ReadOrder
from tkid.orders.writer import Writer
from tkid.record.format.turn_rows import reader
from tkid.rulebook import cites

ONE_TURN = "mail.one-turn"
MOST_ORDERS = 40
READERS = 64
"""Readers that are remembered: one for each group of players and seat."""
REMEMBERED = 256
"""So many lines, and so many canonical texts, a reader remembers: replies quote the same letters."""


class OrderReader:
    """Reads and writes the orders of a game with these players; `seat` is whose orders they are, if that is known.

    With the seat it is also judged whom the orders name: a plan does not look at its owner, and words do not go to
    oneself or to a team-mate alone [post.plan.others, post.say.self, post.say.team-mate].
    """

    def __init__(self, game: AnyGame, names: Sequence[str], seat: int | None = None) -> None:
        turns = reader(game, tuple(names))
        players = people(names, order_language(game).reserved)
        self._typed = LineReader(turns, players, seat)
        self._read = lru_cache(REMEMBERED)(self._typed.read)
        self._stored = lru_cache(REMEMBERED)(LineReader(turns, players, seat, stored=True).read)
        self._writer = Writer(turns, players)

    @property
    def intent(self) -> IntentDetector:
        """What tells the orders of these players from remarks."""
        return self._typed.intent

    def read(self, line: str) -> ReadOrder:
        """What a line asks for, or why it is not understood. Never raises, whatever the line."""
        return self._read(line)

    def stored(self, text: str) -> ReadOrder:
        """What a canonical text says, which may be longer than what was typed; the same text is parsed once."""
        return self._stored(text)

    def written(self, order: Order) -> str:
        """An order in the one form that is stored and shown; reading what is `stored` gives the same order."""
        return self._writer.order(order)


@lru_cache(READERS)
def order_reader(game: AnyGame, names: tuple[str, ...], seat: int | None = None) -> OrderReader:
    """The reader of a player's orders, made once."""
    return OrderReader(game, names, seat)


@cites("post.order.several", "post.order.most")
def in_order(lines: Iterable[OrderLine]) -> tuple[OrderLine, ...]:
    """The lines of a mail in the order in which they are carried out; those that fail come last.

    One mail can play only one turn: more turns fail [mail.one-turn]. So does what comes after many orders, in one line for
    all of them [post.order.most].
    """
    ordered, given = [], set[str]()
    for count, line in enumerate(lines):
        if count == MOST_ORDERS:
            ordered.append(evolve(line, read=ReadOrder(None, (_too_many_problem(line.typed),))))
            break
        order = line.read.order
        again = order is not None and kind_of(order).once and line.read.kind in given
        given.add(line.read.kind if order is not None else "")
        ordered.append(
            evolve(line, read=ReadOrder(None, (_second_turn_problem(line.typed),), line.read.kind)) if again else line
        )
    return tuple(sorted(ordered, key=_rank))


def _rank(line: OrderLine) -> int:
    return LAST if line.read.order is None else kind_of(line.read.order).rank


def _too_many_problem(text: str) -> Problem:
    message = f"One mail can have at most {MOST_ORDERS} orders: this one and all below it are ignored"
    return Problem(
        Kind.ILLEGAL, "post.order.most", message, length=max(1, len(text)), hint="Send them in another mail."
    )


def _second_turn_problem(text: str) -> Problem:
    hint = "To play it on your next turn, write `then` between the two turns, in one line."
    return Problem(Kind.ILLEGAL, ONE_TURN, "One mail can play only one turn", length=max(1, len(text)), hint=hint)
