"""What is wrong with turns that were taken back: who did not agree, and turns that would hang in the air."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from tkid.kernel.problems import Kind, Problem
from tkid.record.clock.notes import UNDONE_RULE, At, NoteReader, Undone, note_reader
from tkid.record.format.model import TAKEN_BACK, Record, Turn
from tkid.rulebook import cites


@cites("record.turn.undone")
def undone_faults(record: Record) -> Iterator[Problem]:
    """The problems of a record's turns that were taken back.

    Every player agreed; and when a turn was taken back, none that was played after it still stood, as far as the
    times on the turns tell.
    """
    reader = note_reader(record.names)
    read = [(turn, *undoing(reader, turn)) for turn in record.turns]
    played = [taken_at(reader, turn) for turn in record.turns]
    for index, (turn, note, col) in enumerate(read):
        if isinstance(note, Problem):
            yield note.moved(line=turn.line or 1, col=col)
        elif note is not None and note.time is not None:
            later = zip(read[index + 1 :], played[index + 1 :], strict=True)
            standing = next((other for (other, mark, _), at in later if _stood(at, mark, note.time)), None)
            if standing is not None:
                message = f"Turn {standing.number} is later, and has to be taken back first"
                hint = "Take turns back one by one, the latest first."
                length = len(reader.write_note(note))
                yield Problem(Kind.INTEGRITY, UNDONE_RULE, message, turn.line or 1, col + 1, length, hint)


def undoing(reader: NoteReader, turn: Turn) -> tuple[Undone | Problem | None, int]:
    """The note that a turn was taken back, and the column of its text from 0; None where it was not."""
    for at, text in enumerate(turn.notes):
        if text.casefold().startswith(TAKEN_BACK):
            note = reader.note(text)
            assert note is None or isinstance(note, Undone | Problem)
            return note, turn.note_cols[at] + 1 if at < len(turn.note_cols) else 0
    return None, 0


def taken_at(reader: NoteReader, turn: Turn) -> datetime | None:
    """When a turn was taken, where that is told."""
    notes = (reader.note(text) for text in turn.notes)
    return next((note.time for note in notes if isinstance(note, At)), None)


def _stood(played: datetime | None, undone: Undone | Problem | None, when: datetime) -> bool:
    """Whether a turn was played before some moment, and had not been taken back by then."""
    if played is None or played >= when or isinstance(undone, Problem):
        return False
    return undone is None or (undone.time is not None and undone.time > when)
