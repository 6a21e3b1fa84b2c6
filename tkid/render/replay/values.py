"""The values in an annotated game: of each party after each turn, and what comments mark, as points and as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import frozen

from tkid.notation.vocabulary import listed
from tkid.record.format.values import Value, read_value
from tkid.record.play.replay import Replay
from tkid.render.replay.words import comments_of

TURNING_POINT, MISSED = "Turning point", "Missed"
MARKED = (TURNING_POINT, MISSED)
"""What a comment begins with, before a colon, that is marked in the graph."""


@frozen
class Point:
    """What every party's chance to win was after a turn; `step` is its moment, `turn` its number."""

    step: int
    turn: int
    shares: tuple[float, ...]
    proven: bool

    @property
    def leader(self) -> int | None:
        """The party with the best chance; None if several have it."""
        best = max(self.shares)
        return self.shares.index(best) if self.shares.count(best) == 1 else None


@frozen
class Marked:
    """A comment that the graph marks: its moment, what it begins with, and the whole sentence."""

    step: int
    kind: str
    text: str


def called(known: Replay) -> tuple[str, ...]:
    """The parties, each by the names of its players."""
    table = known.record.table
    return tuple(listed([table.names[seat] for seat in party], "and") for party in table.parties)


def value_of(note: str, known: Replay) -> Value | None:
    """The value in an inline comment; None for one that says something else."""
    return read_value(note, known.record.names, known.record.table.parties)


def points(known: Replay) -> tuple[Point, ...]:
    """A point for each turn with a value."""
    return tuple(_points(known))


def _points(known: Replay) -> Iterator[Point]:
    for step, moment in enumerate(known.moments):
        turn = moment.turn
        found = [value_of(note, known) for note in turn.notes] if turn else []
        for value in [each for each in found if each][-1:]:
            assert turn is not None
            yield Point(step, turn.number, value.shares, value.proven)


def marks(known: Replay) -> tuple[Marked, ...]:
    """What comments mark, in order."""
    written = [
        (step, comment.removeprefix("#").strip())
        for step, moment in enumerate(known.moments)
        for comment in comments_of(moment)
    ]
    return tuple(
        Marked(step, kind, text)
        for step, text in written
        for kind in MARKED
        if text.casefold().startswith(f"{kind.casefold()}:")
    )


def told(note: str, known: Replay) -> str:
    """An inline comment as a sentence, if it is a value; otherwise as it is."""
    value = value_of(note, known)
    if value is None:
        return note
    said = now(value.shares, called(known), proven=value.proven)
    return f"It is proven that {said}." if value.proven else f"Chance to win after this turn: {said}."


def now(found: Sequence[float], parties: Sequence[str], *, proven: bool) -> str:
    """The chances after a turn, in a few words."""
    if proven and 1 in found:
        winner = parties[found.index(1)]
        return f"{winner} {'win' if ' and ' in winner else 'wins'}"
    if proven and min(found) == max(found):
        return "the game is drawn"
    return ", ".join(f"{party} {share * 100:.0f}\u00a0%" for party, share in zip(parties, found, strict=True))


def story(found: Sequence[Point], parties: Sequence[str]) -> str:
    """How the game went by its values, in one sentence."""

    def at(point: Point) -> str:
        said = now(point.shares, parties, proven=point.proven)
        return (
            f"it was proven after turn {point.turn} that {said}"
            if point.proven
            else f"after turn {point.turn} it was {said}"
        )

    first, last = found[0], found[-1]
    if first == last:
        return f"The chance to win: {at(first)}."
    leads = [point for point in found if point.leader is not None]
    changes = [after.turn for before, after in pairwise(leads) if before.leader != after.leader]
    times = "once," if len(changes) == 1 else f"{len(changes)} times, last"
    change = f"the lead changed {times} at turn {changes[-1]}" if changes else "the lead never changed"
    return f"The chance to win: {at(first)}, {change}, and {at(last)}."
