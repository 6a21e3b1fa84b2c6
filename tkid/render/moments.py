"""Moments of a replay as pictures, whatever is played."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from tkid.kernel.game import AnyGame, Position, View
from tkid.record.model import Record
from tkid.record.replay import Moment, Replay
from tkid.record.seen import seen
from tkid.render.families import showing
from tkid.render.picture import Last, Picture


def picture_at(known: Replay, moment: Moment, seat: int | None) -> Picture:
    """A moment as a seat may know it (None: a spectator), with the turn that led to it marked.

    `known` is the replay of which the moment is one, as the seat may know it (see `tkid.record.seen`).
    """
    record = known.record
    return _drawn(record, record.game.view(moment.position, seat), moment)


def pictures(played: Replay, seat: int | None = None) -> tuple[Replay, list[Picture]]:
    """A replay as a seat may know it, and a picture of every moment of it.

    Without a seat a game that goes on is shown as a spectator may know it; one that is over, with all that its record
    states, as nothing is hidden any more.
    """
    if seat is None and played.position.decision is None:
        record = played.record
        return played, [_drawn(record, laid_open(record.game, moment.position), moment) for moment in played.moments]
    known = seen(played, seat)
    return known, [picture_at(known, moment, seat) for moment in known.moments]


def laid_open(game: AnyGame, position: Position) -> Any:
    """The view of whoever is shown everything that a position tells: for games that are over, and for examples."""
    spectator: Any = game.view(position, None)
    return evolve(spectator, shown=position)


def last_of(moment: Moment) -> Last | None:
    """The turn that led to a moment, as a picture marks it; None for the start, and for a turn that was taken back."""
    turn = moment.turn
    return None if turn is None or turn.undone else Last(turn.seat, moment.moves, moment.events)


def _drawn(record: Record, view: View, moment: Moment) -> Picture:
    return showing(record.game).picture(record.game, view, record.names, last_of(moment))
