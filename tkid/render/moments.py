"""Moments of a replay as pictures, whatever is played."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from tkid.kernel.game import AnyGame, AnyView, Position
from tkid.record.play.replay import Replay
from tkid.record.play.views import seen
from tkid.render.picture import Last, Picture
from tkid.render.plugin import render_plugin


def picture_at(known: Replay, at: int, seat: int | None) -> Picture:
    """The moment at an index as a seat may know it (None: a spectator), with the turn that led to it marked.

    `known` is the replay as the seat may know it (see `tkid.record.play.views`).
    """
    return _drawn(known, at, seat, known.record.game.view(known.moments[at].position, seat))


def pictures(played: Replay, seat: int | None = None) -> tuple[Replay, list[Picture]]:
    """A replay as a seat may know it, and a picture of every moment of it.

    Without a seat a game that goes on is shown as a spectator may know it; one that is over, with all that its record
    states, as nothing is hidden any more.
    """
    if seat is None and played.position.decision is None:
        views = [laid_open(played.record.game, moment.position) for moment in played.moments]
        return played, [_drawn(played, at, None, view) for at, view in enumerate(views)]
    known = seen(played, seat)
    return known, [picture_at(known, at, seat) for at in range(len(known.moments))]


def laid_open(game: AnyGame, position: Position) -> Any:
    """The view of whoever is shown everything that a position tells: for games that are over, and for examples."""
    spectator: Any = game.view(position, None)
    return evolve(spectator, shown=position)


def last_at(known: Replay, at: int, seat: int | None) -> Last | None:
    """The turn that led to a moment, as a picture for a seat marks it; None for the start and for one taken back."""
    moment = known.moments[at]
    if moment.turn is None or moment.turn.undone:
        return None
    before = known.record.game.view(known.moments[at - 1].position, seat).shown
    return Last(moment.turn.seat, moment.moves, moment.events, before)


def _drawn(known: Replay, at: int, seat: int | None, view: AnyView) -> Picture:
    record = known.record
    return render_plugin(record.game).picture(record.game, view, record.names, last_at(known, at, seat))
