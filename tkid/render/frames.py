"""The frames of a replay: its moments as pictures, whatever is played."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from tkid.kernel.game import AnyGame, AnyView, Position
from tkid.record.play.outcome import outcome, shown_position
from tkid.record.play.replay import Replay
from tkid.record.play.views import seen
from tkid.render.picture import LastTurn, Layout, Picture
from tkid.render.plugin import render_plugin


def picture_at(replay: Replay, index: int, seat: int | None, *, layout: Layout = "page") -> Picture:
    """A moment as a seat may know it (None: a spectator), with the turn that led to it marked.

    `replay` is already what the seat may know (see `tkid.record.play.views`). `layout`: see `tkid.render.picture`.
    """
    return draw(replay, index, seat, replay.record.game.view(shown_position(replay, index), seat), layout=layout)


def views(replay: Replay, seat: int | None = None) -> tuple[Replay, list[AnyView]]:
    """A replay as a seat may know it, and the view of each moment; without a seat, what a spectator may know."""
    game = replay.record.game
    if nothing_hidden(replay, seat):
        return replay, [open_view(game, shown_position(replay, index)) for index in range(len(replay.moments))]
    known = seen(replay, seat)
    return known, [game.view(shown_position(known, index), seat) for index in range(len(known.moments))]


def pictures(replay: Replay, seat: int | None = None, *, layout: Layout = "board") -> tuple[Replay, list[Picture]]:
    """A replay as a seat may know it (see `views`), and a picture of each moment."""
    known, shown = views(replay, seat)
    return known, [draw(known, index, seat, view, layout=layout) for index, view in enumerate(shown)]


def nothing_hidden(replay: Replay, seat: int | None) -> bool:
    """Whether a spectator sees all: when the game is over, unless it covers hands to the last."""
    over = replay.position.decision is None or outcome(replay) is not None
    return seat is None and over and not replay.record.game.covered


def open_view(game: AnyGame, position: Position) -> Any:
    """A view that hides nothing: for games that are over, and for examples."""
    spectator: Any = game.view(position, None)
    return evolve(spectator, shown=position)


def last_turn(replay: Replay, index: int, seat: int | None) -> LastTurn | None:
    """The turn that led to a moment, as a seat may know it; None for the start, and if it was taken back or isn't understood."""
    moment = replay.moments[index]
    if moment.turn is None or moment.turn.undone or not moment.moves:
        return None
    before = replay.record.game.view(replay.moments[index - 1].position, seat).shown
    return LastTurn(moment.turn.seat, moment.moves, moment.events, before)


def draw(replay: Replay, index: int, seat: int | None, view: AnyView, *, layout: Layout = "page") -> Picture:
    """A moment in a view of it."""
    record, last = replay.record, last_turn(replay, index, seat)
    return render_plugin(record.game).picture(record.game, view, record.names, last, layout=layout)
