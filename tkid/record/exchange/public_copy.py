"""The record as a player hands it on: what everybody may know, and nobody's comments."""

from __future__ import annotations

from attrs import evolve

from tkid.record.clock.notes import NoteReader, note_reader
from tkid.record.exchange.resignations import only_notes
from tkid.record.format.model import STANDS, TAKEN_BACK, Turn
from tkid.record.play.replay import Replay, replay
from tkid.record.play.views import seen
from tkid.rulebook import cites


@cites("mail.letter")
def shared(played: Replay) -> Replay:
    """A replay without comments, and without any hand where hands are secret.

    The marks of turns that stand, or were taken back, remain, and so do the lines about the game, with their hashes.
    """
    record = played.record
    if record.game.secret:
        return seen(played, None)
    headers, reader = tuple(evolve(header, comments=()) for header in record.headers), note_reader(record.names)
    turns, end = tuple(_bare(turn, reader) for turn in record.turns), only_notes(record.end, reader)
    return replay(evolve(record, headers=headers, row_comments={}, turns=turns, end=end))


def _bare(turn: Turn, reader: NoteReader) -> Turn:
    comments = only_notes(turn.comments, reader)
    notes = tuple(note for note in turn.notes if note.casefold().startswith((STANDS, *TAKEN_BACK)))
    return evolve(turn, notes=notes, outcomes=tuple(evolve(o, comments=()) for o in turn.outcomes), comments=comments)
