"""Writing a record in canonical form, by its replay."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from tkid.kernel.game import with_names
from tkid.record.format.model import BEFORE_TURNS, Record
from tkid.record.format.start_text import start_lines
from tkid.record.play.replay import Moment, Replay, replay


def write_record(record: Record, played: Replay | None = None) -> str:
    """Write a record in canonical form.

    Args:
        record: a record without problems.
        played: its replay, if at hand.

    Returns:
        The text, with hashes and outcomes.

    Raises:
        ValueError: the replay is that of another record.
    """
    if played is not None and played.record.turns != record.turns:
        raise ValueError("this is the replay of another record; leave it out, and the record is played through")
    lines = [*start_lines(record, comments=True), "", *record.row_comments.get(BEFORE_TURNS, ()), "Turns"]
    played = evolve(played, record=record) if played is not None else replay(record)
    if next(record.remarks(), None) is not None:
        played = as_written(played)
    for moment in played.moments[1:]:
        lines += turn_lines(record, moment)
    record = played.record
    return "".join(f"{line}\n" for line in [*lines, *record.end])


def as_written(played: Replay) -> Replay:
    """A replay whose record states the hashes that it is written with, also those of lines about the game."""
    moments, record = played.moments[1:], played.record
    if next(record.remarks(), None) is not None:
        from tkid.record.play.note_chain import with_hashes  # noqa: PLC0415 - only for records with comments

        record = with_hashes(record, [moment.line for moment in moments])
    turns = tuple(evolve(turn, hash=moment.hash) for turn, moment in zip(record.turns, moments, strict=True))
    told = [evolve(moment, turn=turn) for moment, turn in zip(moments, turns, strict=True)]
    return evolve(played, record=evolve(record, turns=turns), moments=[played.moments[0], *told])


def turn_lines(record: Record, moment: Moment) -> Iterator[str]:
    """A turn with its comments, its hash, and what followed from it."""
    turn = moment.turn
    assert turn is not None
    yield from turn.comments
    notes = "".join(f" {{{note}}}" for note in turn.notes)
    yield f"{moment.line}{notes} #{moment.hash}"
    waiting = list(turn.outcomes)
    for outcome in outcome_lines(moment, record.names):
        yield from waiting.pop(0).comments if waiting else ()
        yield outcome
    for left in waiting:
        yield from left.comments


def outcome_lines(moment: Moment, names: tuple[str, ...]) -> list[str]:
    """The `--` lines of what followed by rule from a turn."""
    return [f"-- {with_names(event.line, names)}" for event in moment.events if event.line]
