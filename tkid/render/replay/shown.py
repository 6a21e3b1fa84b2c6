"""A replay as one reader may know it, with all that the page shows of each moment."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, frozen

from tkid.kernel.game import AnyView
from tkid.record.play.replay import Moment, Replay
from tkid.render.frames import draw, last_turn, nothing_hidden, open_view, views
from tkid.render.picture import Picture
from tkid.render.plugin import render_plugin
from tkid.render.replay.branches import Branch, branches
from tkid.render.tale import Tale, Told


@frozen
class Frame:
    """A moment as it is shown."""

    moment: Moment
    view: AnyView
    picture: Picture
    tale: Tale


@frozen
class ShownBranch:
    """A turn that was not taken: how it was written, the moment from which it starts, and what it would have led to."""

    start: int
    comment: str
    frame: Frame


@frozen
class Shown:
    """What a page has: the replay as the reader may know it, a frame of each moment, and the branches."""

    known: Replay
    frames: Sequence[Frame]
    branches: Sequence[ShownBranch]


def shown(whole: Replay, seat: int | None) -> Shown:
    """A replay as a seat may know it; see `tkid.render.frames.views`."""
    known, seen_by = views(whole, seat)
    frames = [_frame(known, index, seat, view) for index, view in enumerate(seen_by)]
    everything = nothing_hidden(whole, seat)
    return Shown(known, frames, [_branch(each, seat, everything=everything) for each in branches(whole, known, seat)])


def _branch(branch: Branch, seat: int | None, *, everything: bool) -> ShownBranch:
    """What a branch led to, with every hand where the replay shows every hand."""
    played, game = branch.replay, branch.replay.record.game
    view = open_view(game, played.position) if everything else game.view(played.position, seat)
    return ShownBranch(branch.start, branch.comment, _frame(played, branch.start + 1, seat, view))


def _frame(known: Replay, index: int, seat: int | None, view: AnyView) -> Frame:
    game, names, moment = known.record.game, known.record.names, known.moments[index]
    render, last = render_plugin(game), last_turn(known, index, seat)
    forecast = render.forecast(game, view, names)
    if last is not None:
        tale = render.tale(game, view, names, last)
    elif moment.turn is None:
        tale = Tale(render.headline(game, view, names))
    else:
        events = [event.seen(seat) for event in moment.events]
        tale = Tale("taken back", tuple(Told(f"{event.read(names)}.", event.rule) for event in events))
    if forecast and forecast not in {*tale.changes, *(step.text for step in tale.steps)}:
        tale = evolve(tale, changes=(*tale.changes, forecast))
    if moment.position.decision is None:
        tale = evolve(tale, heading=render.headline(game, view, names))
    return Frame(moment, view, draw(known, index, seat, view, layout="board"), tale)
