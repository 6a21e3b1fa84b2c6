"""Who has resigned, as a record says it without a host, and what another player's record brings of that."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from tkid.kernel.problems import Problem
from tkid.record.clock.interventions import Announced
from tkid.record.clock.notes import NoteReader, Resigned, StandIn, note_reader
from tkid.record.clock.parts import hash_of
from tkid.record.format.model import Comments, Record
from tkid.record.play.amendments import with_comment
from tkid.record.play.outcome import outcome
from tkid.record.play.replay import Replay
from tkid.rulebook import cites


def resignations(record: Record) -> Mapping[int, datetime]:
    """The seats whose players have resigned, each with the time; a seat that somebody has taken over is none of them."""
    gone: dict[int, datetime] = {}
    comments = [*record.remarks()]
    for line in map(note_reader(record.names).line, comments) if comments else ():
        match line:
            case Resigned(seat, time):
                gone.setdefault(seat, time)
            case StandIn(seat):
                gone.pop(seat, None)
    return gone


def new_resignations(mine: Record, theirs: Record) -> Mapping[int, datetime]:
    """The resignations of another record that mine does not have."""
    known = resignations(mine)
    return {seat: time for seat, time in resignations(theirs).items() if seat not in known}


@cites("record.resigned")
def with_resignations(played: Replay, new: Mapping[int, datetime]) -> Replay:
    """A replay in whose record seats resign; no line is earlier than one before it."""
    latest = latest_line(played.record)
    for seat, time in sorted(new.items(), key=lambda each: each[1]):
        latest = max(filter(None, (latest, time.replace(second=0, microsecond=0))))
        played = with_comment(played, Resigned(seat, latest))
    return played


def latest_line(record: Record) -> datetime | None:
    """The latest moment that a line about a game names."""
    lines = map(note_reader(record.names).line, record.remarks())
    return max((time for line in lines if isinstance(time := getattr(line, "time", None), datetime)), default=None)


def only_notes(comments: Comments, reader: NoteReader) -> Comments:
    """The lines about the game among some comments, as the program writes them, with their hashes."""
    kept = []
    for comment in comments:
        line, stated = reader.line(comment), hash_of(comment)
        if line is not None and not isinstance(line, Problem | Announced):
            kept.append(f"{reader.write_line(line)} #{stated}" if stated else reader.write_line(line))
    return tuple(kept)


def is_over(played: Replay) -> bool:
    """Whether a game is over, by its rules or before."""
    return played.position.to_act is None or outcome(played) is not None
