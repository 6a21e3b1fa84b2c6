"""Where followers and region cards went in a turn: what a picture marks and draws arrows for."""

from __future__ import annotations

from collections.abc import Iterable

from tkid.games.struggle.rules.board import groups
from tkid.games.struggle.rules.moves import Exchange, Move, Play, Summon, carried_out, transfers
from tkid.games.struggle.rules.transfers import COURT, Transfer


def traces(moves: Iterable[Move], kinds: int) -> tuple[Transfer, ...]:
    """Where followers of so many factions went in the moves of a turn, in order."""
    return tuple(transfer for move in moves for transfer in _moved(move, kinds) if any(transfer.group))


def exchanged(moves: Iterable[Move]) -> tuple[int, int] | None:
    """The regions whose cards changed places in a turn."""
    for move in moves:
        if isinstance(move, Play) and isinstance(exchange := carried_out(move.resolution), Exchange):
            return exchange.first, exchange.second
    return None


def _moved(move: Move, kinds: int) -> tuple[Transfer, ...]:
    """What goes from where to where in a move."""
    match move:
        case Summon(faction, region):
            return (Transfer(groups(1, kinds)[faction], region, COURT),)
        case Play(_, resolution):
            return transfers(resolution)
        case _:
            return ()
