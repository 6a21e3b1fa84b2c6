"""The interface of a player, and the arithmetic that all players share."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from hashlib import sha256
from operator import add, mul
from random import Random
from typing import Any, Protocol

from attrs import frozen

from tkid.kernel.game import HIDDEN, AnyGame, AnyView, Parties, View
from tkid.kernel.pickling import Portable, PortableError
from tkid.notation.positions import write_position

Turn = tuple[Any, ...]
"""The decisions of one turn; where a turn has begun, those that are left of it."""


@frozen
class Choice(Portable):
    """A turn that a player would play, and what it thinks of it.

    Attributes:
        turn: The decisions of the turn.
        value: The chance that the party of the seat to act wins, from 0 to 1; a draw counts half.
        proven: Whether the value is certain (0, 0.5 or 1) for all decisions of the others and all hidden cards.
        line: What the player expects to follow, turn by turn, where it looked further.
        unsure: Whether looking ahead changed the value so much that it isn't worth printing.
    """

    turn: Turn
    value: float
    proven: bool = False
    line: tuple[Turn, ...] = ()
    unsure: bool = False


MAX_DOUBT = 0.25
"""Difference between two estimates of one turn from which on neither is printed."""


class EngineError(PortableError):
    """Another program gave no turn: which program, why, and what to do."""


class Player(Protocol):
    """Somebody who plays. The same view and thought give the same turn on every machine."""

    def choose(self, view: AnyView, thought: int) -> Turn:
        """Return a legal turn for the seat of the view, which is to act.

        Args:
            view: what the seat knows.
            thought: how many positions may be looked at, 1 at least.

        Returns:
            The decisions of the turn, or the rest of a turn that has begun.

        Raises:
            ValueError: the seat is not to act, or nothing may be looked at.
        """

    def choices(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        """List the turns that the player likes best, best first: `choose` plays the first of them.

        Args:
            view: what the seat knows.
            thought: how many positions may be looked at.
            most: how many turns to list at most.

        Returns:
            At least one, and no two that lead to the same position.

        Raises:
            ValueError: the seat is not to act, nothing may be looked at, or nothing is to be listed.
        """


def check_asked(view: AnyView, thought: int, most: int = 1) -> None:
    """Raise ValueError if a player doesn't act, know its cards or think, and TypeError for anything but a view."""
    if not isinstance(view, View):
        raise TypeError("this is no view; `game.view(position, position.to_act)` is one")
    if view.shown.to_act is None:
        raise ValueError("the game is over, so it is no seat's turn")
    if view.seat is None or view.seat != view.shown.to_act:
        raise ValueError(f"seat {view.seat} is not to act; it is the turn of seat {view.shown.to_act}")
    if HIDDEN in view.shown.hands[view.seat]:
        raise ValueError(f"seat {view.seat} does not know its own cards here")
    if thought < 1 or most < 1:
        raise ValueError("a player looks at one position at least, and lists one turn at least")


def lot(game: AnyGame, view: AnyView, salt: str = "") -> Random:
    """Return a source of chance that depends only on what a seat sees.

    Equal views give the same chance, on every machine.

    Args:
        game: the game.
        view: what the seat sees.
        salt: a word for what is drawn, so that two draws from one view differ.

    Returns:
        A source of chance.
    """
    text = f"{salt};{view.seat};{write_position(game, view.shown)}"
    return Random(sha256(text.encode("utf-8")).digest())  # noqa: S311 - no secret depends on it


def find_party(game: AnyGame, position: Any, seat: int | None = None) -> int:
    sought = position.to_act if seat is None else seat
    return next(index for index, party in enumerate(game.parties[len(position.seats)]) if sought in party)


def apply_turn(game: AnyGame, position: Any, turn: Turn) -> Any:
    for move in turn:
        position, _ = game.apply(position, move)
    return position


def find_win_shares(game: AnyGame, position: Any) -> tuple[float, ...]:
    """Return each party's share of the win in a finished position; a draw is shared by all."""
    return share_win(game.parties[len(position.seats)], position.winners)


@cache
def share_win(parties: Parties, winners: tuple[int, ...]) -> tuple[float, ...]:
    """Return each party's share of the win if these seats have won."""
    won = [index for index, party in enumerate(parties) if any(seat in winners for seat in party)]
    winning = won or range(len(parties))
    return tuple(1 / len(winning) if index in winning else 0.0 for index in range(len(parties)))


def add_in_order(values: Iterable[float]) -> float:
    """Return the sum of some numbers, added in their order."""
    return reduce(add, values, 0.0)


def add_weighted(values: Iterable[float], weights: Iterable[float]) -> float:
    return reduce(add, map(mul, values, weights), 0.0)
