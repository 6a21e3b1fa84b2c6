"""The chain of hashes through lines about the game, such as resignations and pauses.

A line such as `# resigned: Bob 2026-12-01T09:00Z` changes what a game allows, so it is a link of the chain like a turn, with
its hash at its end. The hash may be missing. The line is then still a link, unless a line below it states a hash: older game
files have hashes that don't cover such lines. Announcements change nothing, and each host states its own standstills, so these
are no links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, groupby, repeat

from attrs import define, evolve, field, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.names import list_names
from tkid.record import clock_notes
from tkid.record.clock import has_host
from tkid.record.format import seal
from tkid.record.format.model import Comments, Record, Turn, find_bot_seats
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.reader import write_start
from tkid.rulebook import cites

HASH, MARK = "record.note.hash", "record.note.marked"
TELLING = re.compile("resigned|ended|stand|back", re.IGNORECASE)
"""A word of every line that decides who plays, or who has won."""
ENDING = re.compile(r"#\s*(?:resigned|ended)\b", re.IGNORECASE)
"""The beginning of a line that decides who has won."""
ADDRESS = re.compile(r" <[^<>]*>")
REMOVE = (
    "This line or something before it was changed, moved or lost. If you changed it on purpose, remove the hashes from here on: "
    "`tkid fmt` writes new ones."
)


@frozen
class NoteLine:
    """A line about the game: its meaning, its text, its canonical text without the hash, its hash, and its number."""

    says: clock_notes.Line
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


def list_note_lines(record: Record, unread: list[Problem] | None = None) -> list[list[NoteLine]]:
    """List the lines about the game before each turn, and those after the last one; add the problems with unreadable ends to `unread`."""
    reader, gaps, below = clock_notes.make_note_reader(record.names), [], list[NoteLine]()
    numbers = iter(record.numbered_remarks())
    for turn in record.turns:
        gaps.append(below + _read_notes(reader, turn.comments, numbers, unread))
        below = []
        for outcome in turn.outcomes:
            below += _read_notes(reader, outcome.comments, numbers, unread)
    return [*gaps, below + _read_notes(reader, record.end, numbers, unread)]


@cites("post.note.form")
def _read_notes(
    reader: clock_notes.NoteReader, comments: Comments, numbers: Iterator[int], unread: list[Problem] | None = None
) -> list[NoteLine]:
    found = []
    for written, number in zip(comments, numbers, strict=False):
        says = reader.read_line(written)
        if says is not None and not isinstance(says, Problem | clock_notes.Announced | clock_notes.StoodStill):
            stated = clock_notes.find_comment_hash(written)
            found.append(NoteLine(says, written, reader.write_line(says), stated, max(1, number)))
        elif unread is not None and isinstance(says, Problem) and ENDING.match(written):
            unread.append(says.move_to(line=number))
    return found


class NoteChain:
    """The part of a record's chain of hashes that covers the lines about the game."""

    def __init__(self, record: Record) -> None:
        self.unread = list[Problem]()
        self.gaps = list_note_lines(record, self.unread) if next(record.list_remarks(), None) is not None else []
        pairs = zip(record.turns, self.gaps[1:], strict=False)
        stated = [bool(turn.hash) or any(note.hash for note in gap) for turn, gap in pairs]
        self._below = [*reversed([*accumulate(reversed(stated), max)]), False] if self.gaps else []
        """For each gap whether a hash is stated below it."""

    def iter_links(self, gap: int, value: bytes) -> Iterator[Link]:
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
    """Yield a chain's values after each turn, by its canonical lines, from `start` or the record's own start."""
    notes, value = NoteChain(record), seal.compute_first_hash(start or write_start(record))
    for gap, line in enumerate(lines):
        value = seal.link_hash(notes.compute_value(gap, value), line)
        yield value


def add_note_hashes(record: Record, lines: Sequence[str]) -> Record:
    notes = NoteChain(record)
    if not any(notes.gaps):
        return record
    after, hashes = [seal.compute_first_hash(write_start(record)), *compute_chain_values(record, lines)], list[str]()
    for gap, value in enumerate(after):
        hashes += [link.hash for link in notes.iter_links(gap, value)]
    reader, left = clock_notes.make_note_reader(record.names), iter(hashes)

    def add_hash(comment: str) -> str:
        fitting = next(left) if _read_notes(reader, (comment,), repeat(0)) else ""
        return f"{clock_notes.strip_hash(comment)} #{fitting}" if fitting else comment

    return replace_comments(record, lambda comments: tuple(map(add_hash, comments)))


def remove_hashes(record: Record) -> Record:
    shorn = evolve(record, turns=tuple(evolve(turn, hash="") for turn in record.turns))
    return (
        replace_comments(shorn, make_hash_remover(record)) if next(record.list_remarks(), None) is not None else shorn
    )


def keep_first_turns(record: Record, turns: int) -> Record:
    """Keep only the first turns; lines at the end lose their hashes, and lines that repeat removed turns' marks go."""
    reader, gone = clock_notes.make_note_reader(record.names), {turn.number for turn in record.turns[turns:]}
    lines = [(each, reader.read_line(each)) for each in record.end]
    end = tuple(each for each, says in lines if not (isinstance(says, clock_notes.Marked) and says.turn in gone))
    return evolve(record, turns=record.turns[:turns], end=make_hash_remover(record)(end))


def make_hash_remover(record: Record) -> Callable[[Comments], Comments]:
    reader = clock_notes.make_note_reader(record.names)
    return lambda comments: tuple(
        clock_notes.strip_hash(each) if _read_notes(reader, (each,), repeat(0)) else each for each in comments
    )


def replace_comments(record: Record, changed: Callable[[Comments], Comments]) -> Record:
    """Return a record with its comment lines changed by a function, called in the order of the file."""

    def of(turn: Turn) -> Turn:
        comments = changed(turn.comments)
        outcomes = tuple(evolve(each, comments=changed(each.comments)) for each in turn.outcomes)
        return evolve(turn, comments=comments, outcomes=outcomes)

    return evolve(record, turns=tuple(map(of, record.turns)), end=changed(record.end))


@define
class EndReader:
    """Finds the line that ends a game; `gone` are seats that nobody plays any more, `bots` those that programs play."""

    record: Record
    gone: set[int] = field(factory=set)
    bots: set[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.bots = {*find_bot_seats(self.record)}

    @property
    def left(self) -> list[tuple[int, ...]]:
        """The seats that win together and are still played, by parties."""
        return [party for party in self.record.table.parties if not self.gone.issuperset(party)]

    def is_end(self, line: clock_notes.Line) -> bool:
        """Take the next line into account, and return True if the game ends with it."""
        match line:
            case clock_notes.Resigned(seat):
                self.gone.add(seat)
                return len(self.left) <= 1
            case clock_notes.StandIn(seat, bot=bot):
                self.gone.discard(seat)
                self.bots = self.bots | {seat} if bot else self.bots - {seat}
            case clock_notes.Back(seat):
                self.bots.discard(seat)
            case clock_notes.Ended(how, agreed=agreed):
                return how == "aborted" or not self.list_missing(agreed)
        return False

    @cites("post.agree.all")
    def list_missing(self, agreed: Iterable[int]) -> list[int]:
        """Return the seats that have not agreed. Bots and players who have resigned are not asked."""
        return sorted({*range(len(self.record.seats))} - self.gone - self.bots - {*agreed})


Telling = clock_notes.Resigned | clock_notes.StandIn | clock_notes.Back | clock_notes.Ended


def iter_telling(remarks: Iterable[str], names: Sequence[str]) -> Iterator[tuple[int, Telling]]:
    """Yield the lines that decide who plays, or who has won, each with its place among some comments."""
    reader = clock_notes.make_note_reader(names)
    for at, text in enumerate(remarks):
        if TELLING.search(text) and isinstance(line := reader.read_line(text), Telling):
            yield at, line


@cites("record.resigned.first")
def sort_lines(lines: Iterable[Telling]) -> Iterator[Telling]:
    """Yield lines on who plays or has won, by time and then turn order, not in the order of mails."""
    for _, group in groupby(sorted(lines, key=lambda line: line.time), lambda line: (line.time, type(line))):
        same = [*group]
        resigned = [line for line in same if isinstance(line, clock_notes.Resigned)]
        yield from sorted(resigned, key=lambda line: line.seat) or same


@cites("record.turn.over", "post.resign.final")
def find_late_turns(record: Record, notes: NoteChain, *, is_over: bool) -> Iterator[tuple[int, Problem]]:
    """Find turns after the end, by rules (`is_over`) or lines, and of who resigned, unless they crossed with the resignation."""
    reader, is_idle = clock_notes.make_note_reader(record.names), find_record_plugin(record.game).is_idle
    ends, ended, hosted = EndReader(record), None, has_host(record)
    lost, reported = dict[int, NoteLine](), set[NoteLine]()
    for at, turn in enumerate(record.turns):
        for note in notes.gaps[at]:
            ended = note if ends.is_end(note.says) and ended is None else ended
            lost |= {note.says.seat: note} if isinstance(note.says, clock_notes.Resigned) else {}
        if turn.undone:
            continue
        is_lost = turn.seat in ends.gone and not (turn.moves and all(map(is_idle, turn.moves)))
        wrong = lost[turn.seat] if is_lost else None
        if ended is not None:
            timed = hosted or clock_notes.find_noted_time(reader, turn) is not None
            decides = is_over and at == len(record.turns) - 1
            says = ended.says
            crossed = isinstance(says, clock_notes.Resigned) and says.seat != turn.seat and ended not in reported
            wrong = None if crossed and not (timed or decides or is_lost) else ended
        if wrong is not None:
            problem = _report_late_turn(wrong) if wrong is ended else _report_lost_seat(record, turn.seat, wrong)
            kind = Kind.FOLLOW_ON if wrong in reported else problem.kind
            reported.add(wrong)
            length = max(1, turn.col - 1 - turn.name_col)
            yield at, evolve(problem, kind=kind, line=turn.line or 1, col=turn.name_col + 1, length=length)


def _report_late_turn(ended: NoteLine) -> Problem:
    message = f"The game was over before this turn, by the line `{ended.text}`"
    hint = "Remove the turns below that line. If this turn was played before, move the line below it. If the game did not end, remove the line."
    return Problem(Kind.INTEGRITY, "record.turn.over", message, hint=hint)


def _report_lost_seat(record: Record, seat: int, note: NoteLine) -> Problem:
    name = record.names[seat]
    message = f"{name} had resigned before this turn, by the line `{note.text}`, so {name}'s seat can only pass"
    hint = f"If somebody else plays for {name}, say so above this turn: `# stand-in: {name} is played by NAME TIME`."
    return Problem(Kind.INTEGRITY, "post.resign.final", message, hint=hint)


@cites("record.resigned.first")
def report_crossed_resignations(record: Record) -> Iterator[Problem]:
    """Report that no player is left, so that the times of two resignations decide who has won."""
    places = {line: at for at, line in iter_telling(record.list_remarks(), record.names)}
    ends, reader, first = EndReader(record), clock_notes.make_note_reader(record.names), None
    for line in sort_lines(places):
        if not ends.is_end(line) or not isinstance(line, clock_notes.Resigned):
            continue
        if first is None:
            first, won = line, list_names([record.names[seat] for party in ends.left for seat in party], "and")
        if not ends.left:
            same = f"has the same time as the line `{reader.write_line(line)}`, and {record.names[first.seat]} comes first in turn order"
            how = f"is earlier than the line `{reader.write_line(line)}`" if first.time < line.time else same
            message = f"Everybody has resigned. The line `{reader.write_line(first)}` {how}, so {won} won"
            yield Problem(Kind.FOLLOW_ON, "record.resigned.first", message, record.numbered_remarks()[places[line]])
            return


@cites(HASH)
def check_note_hash(link: Link) -> Problem | None:
    note = link.note
    if not note.hash or note.hash == link.hash:
        return None
    message = f"The hash #{note.hash} does not fit. After everything before it, this line has #{link.hash}"
    return Problem(Kind.INTEGRITY, HASH, message, note.line, note.written.rfind("#") + 1, 7, REMOVE)


@cites(HASH)
def find_early_notes(record: Record) -> Iterator[Problem]:
    reader = clock_notes.make_note_reader(record.names)
    for number, comment in record.above:
        if _read_notes(reader, (comment,), repeat(number)):
            message = "A line about the game belongs below `Turns`, where it happened"
            hint = "Here it counts for nothing. If somebody moved it, move it back."
            yield Problem(Kind.INTEGRITY, HASH, message, number, 1, len(comment), hint)


@cites(MARK)
def find_wrong_note_marks(record: Record, notes: NoteChain) -> Iterator[Problem]:
    """Find the problems with lines that repeat a mark, where no turn before them has that mark."""
    reader, marks = clock_notes.make_note_reader(record.names), dict[int, set[str]]()
    for gap in range(len(notes.gaps)):
        for note in notes.gaps[gap]:
            if isinstance(note.says, clock_notes.Marked) and note.says.mark not in marks.get(note.says.turn, ()):
                message = f"No turn {note.says.turn} before this line has the mark {{{note.says.mark}}}"
                hint = "The mark of the turn was removed or changed later, or this line was added."
                yield Problem(Kind.INTEGRITY, MARK, message, note.line, 1, len(note.written), hint)
        if gap < len(record.turns):
            turn = record.turns[gap]
            marks[turn.number] = set(map(reader.write_mark, turn.notes)) if turn.notes else set()
