"""Draw the moments of a replay as one reader may see them, with branches.

A branch is a turn that nobody played, written in a comment. The comment is on the turn that it would replace, or on a line
before it; after the last turn, it is about the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, frozen

from tkid.kernel.game import AnyGame, AnyView, Position
from tkid.record.play.replay import Moment, Replay, append, find_early_end, find_shown_position
from tkid.record.play.views import hide_secrets
from tkid.render.clicks import find_drawing_plugin
from tkid.render.picture import LastTurn, Layout, Picture
from tkid.render.plugin import Tale, TaleSentence, find_render_plugin


def picture_at(replay: Replay, index: int, seat: int | None, *, layout: Layout = "page") -> Picture:
    """Draw a moment as a seat (None: a spectator) may know it, with its turn marked; for `layout` see `tkid.render.picture`."""
    view = replay.record.game.view(find_shown_position(replay, index), seat)
    return draw_moment(replay, index, seat, view, layout=layout)


def make_views(replay: Replay, seat: int | None = None) -> tuple[Replay, list[AnyView]]:
    """Return a replay as a seat may know it, and the view of each moment. Without a seat, use a spectator's view."""
    game = replay.record.game
    if is_all_open(replay, seat):
        return replay, [open_view(game, find_shown_position(replay, index)) for index in range(len(replay.moments))]
    known = hide_secrets(replay, seat)
    return known, [game.view(find_shown_position(known, index), seat) for index in range(len(known.moments))]


def draw_pictures(replay: Replay, seat: int | None = None, *, layout: Layout = "board") -> tuple[Replay, list[Picture]]:
    """Return a replay as a seat may know it (see `make_views`), and a picture of each moment."""
    known, shown = make_views(replay, seat)
    return known, [draw_moment(known, index, seat, view, layout=layout) for index, view in enumerate(shown)]


def is_all_open(replay: Replay, seat: int | None) -> bool:
    """Return True if a spectator sees everything: the game is over, and doesn't keep hands covered after its end."""
    over = replay.position.decision is None or find_early_end(replay) is not None
    return seat is None and over and not replay.record.game.covered


def open_view(game: AnyGame, position: Position) -> Any:
    """Return a view that hides nothing: for games that are over, and for examples."""
    spectator: Any = game.view(position, None)
    return evolve(spectator, shown=position)


def last_turn(replay: Replay, index: int, seat: int | None) -> LastTurn | None:
    """Return the turn that led to a moment, as a seat may know it; None for the start, and if it was taken back or isn't understood."""
    moment = replay.moments[index]
    if moment.turn is None or moment.turn.undone or not moment.moves:
        return None
    before = replay.record.game.view(replay.moments[index - 1].position, seat).shown
    return LastTurn(moment.turn.seat, moment.moves, moment.events, before)


def draw_moment(replay: Replay, index: int, seat: int | None, view: AnyView, *, layout: Layout = "page") -> Picture:
    record, last = replay.record, last_turn(replay, index, seat)
    return find_drawing_plugin(record.game).draw_picture(record.game, view, record.names, last, layout=layout)


MARK = re.compile(r"\s*(?:#\s+)?what if:\s*(.*\S)\s*", re.IGNORECASE)


def _find_comments(known: Replay) -> Iterator[tuple[int, str, str]]:
    """Yield each comment of the form: the moment where it starts, the comment, and the turn as it was typed."""
    turns = [(start, moment.turn) for start, moment in enumerate(known.moments[1:]) if moment.turn is not None]
    written = [(start, comment) for start, turn in turns for comment in (*turn.comments, *turn.notes)]
    for start, comment in (*written, *((len(known.moments) - 1, comment) for comment in known.record.end)):
        if match := MARK.fullmatch(comment):
            yield start, comment, match[1]


@frozen
class Frame:
    """A moment as it is shown."""

    moment: Moment
    view: AnyView
    picture: Picture
    tale: Tale


@frozen
class Branch:
    """A turn that was not taken: how it was written, the moment from which it starts, and what it would have led to."""

    start: int
    comment: str
    frame: Frame


@frozen
class ReplayStory:
    """Content of a page: the replay as the reader may know it, a frame of each moment, and the branches."""

    known: Replay
    frames: Sequence[Frame]
    branches: Sequence[Branch]


def build_story(whole: Replay, seat: int | None) -> ReplayStory:
    """Build the content of a page from a replay, as a seat may know it; see `make_views`."""
    known, seen_by = make_views(whole, seat)
    frames = [_make_frame(known, index, seat, view) for index, view in enumerate(seen_by)]
    return ReplayStory(known, frames, list(_list_branches(whole, known, seat)))


def _list_branches(whole: Replay, known: Replay, seat: int | None) -> Iterator[Branch]:
    """Yield the legal turns of the comments in `known`, what a seat may know of `whole`; with every hand if it shows every hand."""
    game, everything = whole.record.game, is_all_open(whole, seat)
    for start, comment, text in _find_comments(known):
        record = evolve(whole.record, turns=whole.record.turns[:start], end=())
        played = append(Replay(record, whole.moments[: start + 1]), text)
        if not played.problems and whole.moments[start].position.decision is not None:
            played = hide_secrets(played, seat) if known is not whole else played
            view = open_view(game, played.position) if everything else game.view(played.position, seat)
            yield Branch(start, comment, _make_frame(played, start + 1, seat, view))


def _make_frame(known: Replay, index: int, seat: int | None, view: AnyView) -> Frame:
    game, names, moment = known.record.game, known.record.names, known.moments[index]
    render, last = find_render_plugin(game), last_turn(known, index, seat)
    forecast = render.write_forecast(game, view, names)
    if last is not None:
        tale = render.tell_turn(game, view, names, last)
    elif moment.turn is None:
        tale = Tale(render.write_headline(game, view, names))
    else:
        events = [event.seen(seat) for event in moment.events]
        tale = Tale("taken back", tuple(TaleSentence(f"{event.read(names)}.", event.rule) for event in events))
    if forecast and forecast not in {*tale.changes, *(step.text for step in tale.steps)}:
        tale = evolve(tale, changes=(*tale.changes, forecast))
    if moment.position.decision is None:
        tale = evolve(tale, heading=render.write_headline(game, view, names))
    return Frame(moment, view, draw_moment(known, index, seat, view, layout="board"), tale)
