"""Turns that were not taken: comments of a record of the form `what if: TURN`, played by the engine.

Such a comment stands in the turn that it would replace, or on a line before it; after the last turn, it is about the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve, frozen

from tkid.record.format.model import Comments
from tkid.record.play.replay import Replay, append
from tkid.record.play.views import seen

MARK = re.compile(r"\s*(?:#\s+)?what if:\s*(.*\S)\s*", re.IGNORECASE)


@frozen
class Branch:
    """A turn that might have been taken at a moment, as a replay that ends with it; `comment` is how it was written."""

    start: int
    comment: str
    replay: Replay


def branches(whole: Replay, known: Replay, seat: int | None) -> tuple[Branch, ...]:
    """All such turns that are legal, in order, as a seat may know them.

    `whole` is the replay with all that is hidden, `known` what the seat may know: only the comments in it are read.
    """
    return tuple(_branches(whole, known, seat))


def _branches(whole: Replay, known: Replay, seat: int | None) -> Iterator[Branch]:
    for start, comment, text in _written(known):
        played = append(_until(whole, start), text)
        if not played.problems and whole.moments[start].position.decision is not None:
            yield Branch(start, comment, seen(played, seat) if known is not whole else played)


def _written(known: Replay) -> Iterator[tuple[int, str, str]]:
    """For each comment of the form the moment from which it starts, the comment, and the turn as it was typed."""
    for index, moment in enumerate(known.moments[1:]):
        if moment.turn is not None:
            yield from _found(index, (*moment.turn.comments, *moment.turn.notes))
    yield from _found(len(known.moments) - 1, known.record.end)


def _found(start: int, comments: Comments) -> Iterator[tuple[int, str, str]]:
    for comment in comments:
        if match := MARK.fullmatch(comment):
            yield start, comment, match[1]


def _until(whole: Replay, index: int) -> Replay:
    """A replay up to one of its moments, without what it has found wrong and unproven."""
    record = evolve(whole.record, turns=whole.record.turns[:index], end=())
    return Replay(record, whole.moments[: index + 1])
