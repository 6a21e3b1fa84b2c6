"""Who has resigned, as a record says it without a host, and what another player's record brings of that."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from tkid.record.clock.notes import NoteReader, Resigned, StandIn, note_reader
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
    reader = note_reader(played.record.names)
    lines = map(reader.line, played.record.remarks())
    latest = [time for line in lines if isinstance(time := getattr(line, "time", None), datetime)]
    for seat, time in sorted(new.items(), key=lambda each: each[1]):
        latest.append(max([time.replace(second=0, microsecond=0), *latest]))
        played = with_comment(played, Resigned(seat, latest[-1]))
    return played


def only_resignations(comments: Comments, reader: NoteReader) -> Comments:
    """The comment lines that say who has resigned, as the program writes them."""
    lines = [reader.line(comment) for comment in comments]
    return tuple(reader.write_line(line) for line in lines if isinstance(line, Resigned))


def is_over(played: Replay) -> bool:
    """Whether a game is over, by its rules or before."""
    return played.position.to_act is None or outcome(played) is not None
