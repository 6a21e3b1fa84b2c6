"""Lines about the game in the chain of hashes: which are in it, what each adds to it, and the hashes that they are written with.

A line such as `# resigned: Bob 2026-12-01T09:00Z` changes what a game allows, so it is a link of the chain like a turn: its
hash stands at its end. It may be left out. Then the line is in the chain all the same, unless a line below it states a hash:
game files of before have hashes that do not cover such lines. Announcements change nothing, and when a host stood still depends
on the host that is asked, so these are no links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, repeat

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.record.clock_notes import (
    Announced,
    Line,
    Marked,
    NoteReader,
    StoodStill,
    find_comment_hash,
    make_note_reader,
    strip_hash,
)
from tkid.record.format import seal
from tkid.record.format.model import Comments, Record, Turn
from tkid.record.format.reader import write_start
from tkid.rulebook import cites

HASH, MARK = "record.note.hash", "record.note.marked"
ADDRESS = re.compile(r" <[^<>]*>")
REMOVE = (
    "This line or something before it was changed, moved or lost. If you changed it on purpose, remove the hashes from here on: "
    "`tkid fmt` writes new ones."
)


@frozen
class NoteLine:
    """A line about the game: what it says, as it stands, its canonical text without the hash, its hash, and its number."""

    says: Line
    written: str
    text: str
    hash: str
    line: int

    @property
    def linked(self) -> str:
        """The text that the chain covers: without an address, which copies for others leave out."""
        return ADDRESS.sub("", self.text)


@frozen
class Link:
    """A line about the game that the chain goes through: whether it is in the chain, and the value after it."""

    note: NoteLine
    covered: bool
    value: bytes

    @property
    def hash(self) -> str:
        """The hash that fits; "" for a line that is not in the chain."""
        return seal.shorten_hash(self.value) if self.covered else ""


def list_note_lines(record: Record) -> list[list[NoteLine]]:
    """List the lines about the game before each turn, and those after the last one."""
    reader, gaps, below = make_note_reader(record.names), [], list[NoteLine]()
    numbers = iter(record.numbered_remarks())
    for turn in record.turns:
        gaps.append(below + _read_notes(reader, turn.comments, numbers))
        below = []
        for outcome in turn.outcomes:
            below += _read_notes(reader, outcome.comments, numbers)
    return [*gaps, below + _read_notes(reader, record.end, numbers)]


def _read_notes(reader: NoteReader, comments: Comments, numbers: Iterator[int]) -> list[NoteLine]:
    """Read the lines about the game among some comments, which are the lines of the next numbers."""
    found = []
    for written, number in zip(comments, numbers, strict=False):
        says = reader.read_line(written)
        if says is not None and not isinstance(says, Problem | Announced | StoodStill):
            found.append(NoteLine(says, written, reader.write_line(says), find_comment_hash(written), max(1, number)))
    return found


class NoteChain:
    """The part of a record's chain of hashes that covers the lines about the game."""

    def __init__(self, record: Record) -> None:
        self.gaps = list_note_lines(record) if next(record.remarks(), None) is not None else []
        stated = [
            bool(turn.hash) or any(note.hash for note in gap)
            for turn, gap in zip(record.turns, self.gaps[1:], strict=False)
        ]
        self._below = [*reversed([*accumulate(reversed(stated), max)]), False] if self.gaps else []
        """For each gap whether a hash is stated below it."""

    def iter_links(self, gap: int, value: bytes) -> Iterator[Link]:
        """Yield the lines before the turn at a place of the record, with the values of the chain."""
        notes = self.gaps[gap] if self.gaps else ()
        last = max((at for at, note in enumerate(notes) if note.hash), default=-1)
        for at, note in enumerate(notes):
            covered = bool(note.hash) or (at > last and not self._below[gap])
            value = seal.link_hash(value, note.linked) if covered else value
            yield Link(note, covered, value)

    def compute_value(self, gap: int, value: bytes) -> bytes:
        """Compute the value of the chain after the lines before the turn at a place of the record."""
        for link in self.iter_links(gap, value):
            value = link.value
        return value


def compute_chain_values(record: Record, lines: Sequence[str], start: str = "") -> Iterator[bytes]:
    """Yield the values of a record's chain after each turn; `lines` are the canonical lines of its turns.

    `start` is the text that the chain starts from, if that is not the record's own.
    """
    notes, value = NoteChain(record), seal.compute_first_hash(start or write_start(record))
    for gap, line in enumerate(lines):
        value = seal.link_hash(notes.compute_value(gap, value), line)
        yield value


def add_note_hashes(record: Record, lines: Sequence[str]) -> Record:
    """Add the hashes of the lines about the game that are in the chain."""
    notes = NoteChain(record)
    if not any(notes.gaps):
        return record
    after, hashes = [seal.compute_first_hash(write_start(record)), *compute_chain_values(record, lines)], list[str]()
    for gap, value in enumerate(after):
        hashes += [link.hash for link in notes.iter_links(gap, value)]
    reader, left = make_note_reader(record.names), iter(hashes)

    def hashed(comments: Comments) -> Comments:
        written = []
        for comment in comments:
            fitting = next(left) if _read_notes(reader, (comment,), repeat(0)) else ""
            written.append(f"{strip_hash(comment)} #{fitting}" if fitting else comment)
        return tuple(written)

    return _replace_comments(record, hashed)


def remove_hashes(record: Record) -> Record:
    """Remove all hashes from a record, so that its chain is that of its own text."""
    shorn = evolve(record, turns=tuple(evolve(turn, hash="") for turn in record.turns))
    return _replace_comments(shorn, make_hash_remover(record)) if next(record.remarks(), None) is not None else shorn


def keep_first_turns(record: Record, turns: int) -> Record:
    """Keep only the first turns of a record. The lines at its end lose their hashes.

    Lines that repeat a mark of a removed turn go with it.
    """
    reader, gone = make_note_reader(record.names), {turn.number for turn in record.turns[turns:]}
    lines = [(each, reader.read_line(each)) for each in record.end]
    end = tuple(each for each, says in lines if not (isinstance(says, Marked) and says.turn in gone))
    return evolve(record, turns=record.turns[:turns], end=make_hash_remover(record)(end))


def make_hash_remover(record: Record) -> Callable[[Comments], Comments]:
    """Return a function that takes the hashes off the lines about a game."""
    reader = make_note_reader(record.names)
    return lambda comments: tuple(
        strip_hash(each) if _read_notes(reader, (each,), repeat(0)) else each for each in comments
    )


def _replace_comments(record: Record, changed: Callable[[Comments], Comments]) -> Record:
    """Return a record with its comment lines changed by a function, called in the order of the file."""

    def of(turn: Turn) -> Turn:
        comments = changed(turn.comments)
        outcomes = tuple(evolve(each, comments=changed(each.comments)) for each in turn.outcomes)
        return evolve(turn, comments=comments, outcomes=outcomes)

    return evolve(record, turns=tuple(map(of, record.turns)), end=changed(record.end))


# -- what is wrong --------------------------------------------------------------------------------------------


@cites(HASH)
def check_note_hash(link: Link) -> Problem | None:
    """Return the problem with the hash that a line about the game states; None if it fits."""
    note = link.note
    if not note.hash or note.hash == link.hash:
        return None
    message = f"The hash #{note.hash} does not fit. After everything before it, this line has #{link.hash}"
    return Problem(Kind.INTEGRITY, HASH, message, note.line, note.written.rfind("#") + 1, 7, REMOVE)


@cites(HASH)
def find_early_notes(record: Record) -> Iterator[Problem]:
    """Find the problems with lines about the game before the turns, where they have no effect."""
    reader = make_note_reader(record.names)
    for number, comment in record.above:
        if _read_notes(reader, (comment,), repeat(number)):
            message = "A line about the game belongs below `Turns`, where it happened"
            hint = "Here it counts for nothing. If somebody moved it, move it back."
            yield Problem(Kind.INTEGRITY, HASH, message, number, 1, len(comment), hint)


@cites(MARK)
def find_wrong_note_marks(record: Record, notes: NoteChain) -> Iterator[Problem]:
    """Find the problems with lines that repeat a mark, where no turn before them has that mark."""
    reader, marks = make_note_reader(record.names), dict[int, set[str]]()
    for gap in range(len(notes.gaps)):
        for note in notes.gaps[gap]:
            if isinstance(note.says, Marked) and note.says.mark not in marks.get(note.says.turn, ()):
                message = f"No turn {note.says.turn} before this line has the mark {{{note.says.mark}}}"
                hint = "The mark of the turn was removed or changed later, or this line was added."
                yield Problem(Kind.INTEGRITY, MARK, message, note.line, 1, len(note.written), hint)
        if gap < len(record.turns):
            turn = record.turns[gap]
            marks[turn.number] = set(map(reader.write_mark, turn.notes)) if turn.notes else set()
