"""The record as a player hands it on: what everybody may know, and nobody's comments."""

from __future__ import annotations

from attrs import evolve

from tkid.record.format.model import STANDS, TAKEN_BACK, Turn
from tkid.record.play.replay import Replay, replay
from tkid.record.play.views import seen
from tkid.rulebook import cites


@cites("mail.letter")
def shared(played: Replay) -> Replay:
    """A replay without comments, and without any hand where hands are secret.

    The marks of turns that stand, or were taken back, remain.
    """
    record = played.record
    if record.game.secret:
        return seen(played, None)
    headers = tuple(evolve(header, comments=()) for header in record.headers)
    return replay(evolve(record, headers=headers, row_comments={}, turns=tuple(map(_bare, record.turns)), end=()))


def _bare(turn: Turn) -> Turn:
    notes = tuple(note for note in turn.notes if note.casefold().startswith((STANDS, *TAKEN_BACK)))
    return evolve(turn, notes=notes, outcomes=tuple(evolve(o, comments=()) for o in turn.outcomes), comments=())
