"""Turns and parties, as all players need them."""

from __future__ import annotations

from functools import cache
from typing import Any

from tkid.bots.player import Turn
from tkid.kernel.game import AnyGame, Parties


def party_of(game: AnyGame, position: Any, seat: int | None = None) -> int:
    """The index of the party of a seat, or of the seat to act."""
    sought = position.to_act if seat is None else seat
    return next(index for index, party in enumerate(game.parties[len(position.seats)]) if sought in party)


def played(game: AnyGame, position: Any, turn: Turn) -> Any:
    """The position after a turn, which is legal."""
    for move in turn:
        position, _ = game.apply(position, move)
    return position


def shares(game: AnyGame, position: Any) -> tuple[float, ...]:
    """What each party has of the win in a finished position: all, a part of a shared one, or nothing; a draw is shared."""
    return shared(game.parties[len(position.seats)], position.winners)


@cache
def shared(parties: Parties, winners: tuple[int, ...]) -> tuple[float, ...]:
    """What each party has of the win where these seats have won."""
    won = [index for index, party in enumerate(parties) if any(seat in winners for seat in party)]
    winning = won or range(len(parties))
    return tuple(1 / len(winning) if index in winning else 0.0 for index in range(len(parties)))
