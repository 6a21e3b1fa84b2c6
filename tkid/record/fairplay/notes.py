"""What the chain of hashes covers of the lines about a game and of the marks of its turns, and who alone can have written them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from tkid.record.clock.notes import At, Marked, Passed, note_reader, said_by
from tkid.record.format.model import STANDS, TAKEN_BACK, Record
from tkid.record.play.note_chain import HASH, NoteChain
from tkid.record.play.replay import Replay
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
        Said(note.line, note.text, said_by(record.names, note.says), bool(note.hash))
        for note in lines
        if not isinstance(note.says, Marked)
    ]
    for turn in record.turns:
        for mark in map(reader.mark, turn.notes):
            if mark.casefold().startswith((STANDS, *TAKEN_BACK)):
                who = said_by(record.names, Marked(turn.number, mark))
                found.append(Said(turn.line, f"{{{mark}}}", who, repeated.get((turn.number, mark), False)))
    return sorted(found, key=lambda each: each.line)


def outside_chain(record: Record) -> list[Said]:
    """What can change who has won, and is not covered by the chain of hashes: lines, and marks of turns that were taken back."""
    return [each for each in said_in(record) if not each.covered and not each.text.startswith(f"{{{STANDS}")]


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
