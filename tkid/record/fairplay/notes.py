"""What the chain of hashes covers of the lines about a game and of the marks of its turns, and who alone can have written them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.record.clock.notes import At, Marked, Passed, note_reader, said_by
from tkid.record.format.model import STANDS, TAKEN_BACK, Record, Turn
from tkid.record.play.note_chain import HASH, NoteChain
from tkid.record.play.replay import Replay, replay
from tkid.rulebook import cites


@frozen
class Said:
    """Something in a file that changes what its game allows, or who wins: where it stands, and who alone can say it."""

    line: int
    text: str
    who: str
    covered: bool

    @property
    def place(self) -> str:
        """The text with its line."""
        return f"line {self.line}, `{self.text}`" if self.line else f"`{self.text}`"


@cites(HASH)
def said_in(record: Record) -> list[Said]:
    """The lines about the game in a file and the marks of its turns; the chain covers those that state a hash.

    A mark that a turn was taken back, or stands, is covered if a line with a hash repeats it.
    """
    notes, reader = NoteChain(record), note_reader(record.names)
    lines = [note for gap in notes.gaps for note in gap]
    repeated = {(note.says.turn, note.says.mark): bool(note.hash) for note in lines if isinstance(note.says, Marked)}
    found = [
        Said(note.line, note.text, said_by(record, note.says), bool(note.hash))
        for note in lines
        if not isinstance(note.says, Marked)
    ]
    for turn in record.turns:
        for mark in map(reader.mark, turn.notes):
            if mark.casefold().startswith((STANDS, *TAKEN_BACK)):
                who = said_by(record, Marked(turn.number, mark))
                found.append(Said(turn.line, f"{{{mark}}}", who, repeated.get((turn.number, mark), False)))
    return sorted(found, key=lambda each: each.line)


def outside_chain(record: Record) -> list[Said]:
    """What can change who has won, and is not covered by the chain of hashes: lines, and marks of turns that were taken back."""
    return [each for each in said_in(record) if not each.covered and not each.text.startswith(f"{{{STANDS}")]


@cites("record.turn.stands")
def needless_marks(played: Replay) -> list[Turn]:
    """The turns that are marked as standing although they break no rule."""
    record = played.record
    marked = [turn for turn in record.turns if turn.stands and not turn.undone]
    if not marked:
        return []
    bare = [evolve(turn, notes=tuple(note for note in turn.notes if not _stands(note))) for turn in record.turns]
    wrong = {problem.line for problem in replay(evolve(record, turns=tuple(bare))).problems}
    return [turn for turn in marked if turn.line not in wrong]


def _stands(note: str) -> bool:
    return note.casefold().startswith(STANDS)


def needless_notes(played: Replay) -> Iterator[Problem]:
    """What to say about such turns: they are no faults of the record."""
    for turn in needless_marks(played):
        message = f"Turn {turn.number} breaks no rule, but is marked as standing although it breaks one"
        yield Problem(Kind.FOLLOW_ON, "record.turn.stands", message, turn.line, hint="Ask who added the mark.")


def noted_lines(played: Replay) -> Iterator[str]:
    """A sentence about each line about the game in a file that begins with a letter."""
    for each in said_in(played.record):
        if not each.text.startswith("{"):
            outside = "" if each.covered else " The hashes do not cover it."
            yield f"{each.place}. Only {each.who} can have written that.{outside}"


def is_timed(record: Record) -> bool:
    """Return True if turns say when they were played, or why they were passed."""
    reader = note_reader(record.names)
    return any(isinstance(reader.note(note), At | Passed) for turn in record.turns for note in turn.notes)


def unhashed_turns(record: Record) -> list[int]:
    """The numbers of the last turns if they state no hash, although turns before them do."""
    hashed = [at for at, turn in enumerate(record.turns) if turn.hash]
    return [turn.number for turn in record.turns[hashed[-1] + 1 :]] if hashed else []
