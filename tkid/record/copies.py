"""Compare and join two copies of one record, and make a copy to share."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cached_property
from itertools import chain, takewhile, zip_longest

from attrs import evolve, frozen

from tkid.kernel import problems as kinds
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Problem
from tkid.kernel.values import derive
from tkid.notation.text import count_noun, single_space
from tkid.record.clock import CLOCK, STARTED, has_host
from tkid.record.clock_notes import (
    BY_RESIGNATION,
    Announced,
    Away,
    Back,
    Ended,
    Line,
    Marked,
    NoteReader,
    Resigned,
    StandIn,
    find_comment_hash,
    make_note_reader,
    name_speaker,
)
from tkid.record.format import model, seal
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.reader import LABEL, ReadRecord, iter_setup_rows, read_record, sort_headers, write_start
from tkid.record.format.turn_rows import DASHES, NUMBERED, may_be_turn
from tkid.record.play import note_chain
from tkid.record.play.note_chain import MARK as NOTE_MARK
from tkid.record.play.replay import Replay, is_over, replay
from tkid.record.play.validation import judge_record
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_outcome_lines
from tkid.rulebook import cites

FIRST_LINE = f"Tkid-Record: {model.FORMAT}"
"""First line of every record."""
ADDRESS = re.compile(r"\s*<[^<>]*>\s*$")
ENTROPY = "seal: entropy"


@frozen
class Row:
    """A line of a header or set-up, what it begins with, and its number in its file (0: it comes from none)."""

    text: str
    label: str = ""
    line: int = 0


@frozen
class Received:
    """A text that should be a record; `ended` if a line feed ends it, `begun` if it goes as far as the turns."""

    lines: tuple[str, ...]
    read: ReadRecord
    problems: tuple[Problem, ...]
    replay: Replay | None
    ended: bool
    begun: bool

    @cached_property
    def last_line(self) -> int:
        """The number of the last line that isn't empty; 0 if all are."""
        return max((number for number, line in enumerate(self.lines, 1) if line.strip()), default=0)

    def get_line(self, line: int) -> str:
        """Return a line as written; "" for line 0."""
        return self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""


def read_received(data: bytes) -> Received:
    """Read a received text. A character cut in two at the very end is dropped."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and error.end == len(data):
            data = data[: error.start]
    lines = tuple(model.split_lines(data.decode("utf-8-sig", "replace")))
    read = read_record(data)
    problems, played = judge_record(read)
    return Received(lines, read, tuple(problems), played, not lines[-1], any(map(_is_turns_start, lines)))


def _is_turns_start(line: str) -> bool:
    return line.strip().rstrip(":").casefold() == "turns" or NUMBERED.match(line) is not None


def list_public_rows(record: model.Record, *, whole: bool = False) -> list[Row]:
    """List a canonical public header and set-up; without `whole` no addresses, own headers and entropy; rulings by name."""
    shown = hide_secrets(replay(evolve(record, turns=())), None).record
    headers = sorted(shown.headers, key=lambda header: header.value if header.name == "Ruling" else "")
    rows = []
    for header in sort_headers(evolve(shown, headers=tuple(headers))):
        text = f"{header.name}: {header.value}"
        if whole or is_shared(text):
            rows.append(Row(text if whole else ADDRESS.sub("", text), f"{header.name}:", header.line))
    for label, value in iter_setup_rows(shown) if shown.deal else ():
        place = record.places.get(label)
        rows.append(Row(f"{label:<{LABEL}} {value}", label, place.line if place else 0))
    return rows


def is_shared(text: str) -> bool:
    """Return True if all players' files have this line of the header in common."""
    folded = single_space(text).casefold()
    return not folded.startswith(("x-", ENTROPY))


def find_difference(mine: model.Record, theirs: model.Record, *, whole: bool = False) -> tuple[Row, Row] | None:
    """Find the first lines before the turns in which two records differ, with `whole` also in addresses and own headers."""
    pairs = zip_longest(list_public_rows(mine, whole=whole), list_public_rows(theirs, whole=whole), fillvalue=Row(""))
    return next(((own, other) for own, other in pairs if own.text != other.text), None)


def find_raw_difference(mine: model.Record, received: Received) -> tuple[Row, Row] | None:
    """Find the first whole line before the turns, in a text that makes no record, that isn't a line of mine."""
    own = list_public_rows(mine)
    known = {"setup", *(_fold_text(row.text) for row in own)}
    is_secret = find_record_plugin(mine.game).is_secret
    for number, line in enumerate(received.lines, 1):
        if _is_turns_start(line) or number == received.last_line:
            break
        text, folded = line.strip(), _fold_text(line.strip())
        if not text or model.is_comment(line) or folded in known or not is_shared(text):
            continue
        if not (mine.game.secret and is_secret(folded)):
            near = (each for each in own if folded.startswith(each.label.casefold()))
            return next(near, Row("")), Row(text, line=number)
    return None


def _fold_text(text: str) -> str:
    return single_space(ADDRESS.sub("", text)).casefold().rstrip(": ")


def is_cut_off(received: Received) -> bool:
    """Return True if the last line is incomplete, and nothing is wrong before it.

    The line is incomplete if its hash does not fit, or if it has none although others have. If none has one and
    no line feed ends it, it is incomplete if it isn't understood, or if it is the beginning of its own turn
    written in full: a name shortened at the very end is a name that was cut.
    """
    if not received.begun:
        return True
    record = received.read.record
    if record is None or not record.turns:
        return False
    first = min((problem.line for problem in received.problems), default=len(received.lines) + 1)
    written = (n for n, line in enumerate(received.lines, 1) if line.strip() and not model.is_comment(line))
    last = max(written, default=0)
    half = received.get_line(last) == "-" and len(record.turns) > 1
    *before, turn = record.turns[:-1] if half else record.turns
    if first < turn.line:
        return False
    if turn.line < last:
        is_outcome = half or DASHES.match(received.get_line(last)) is not None
        return is_outcome and (first == last or (first < last and _is_outcome_start(record, before, turn)))
    if not turn.hash:
        is_text = turn.line == last and not may_be_turn(received.get_line(last), record.names)
        is_cut = not received.ended and (first == last or _is_shortened(received))
        return not is_text and (any(each.hash for each in before) or is_cut)
    return any(problem.rule == "record.turn.hash" and problem.line == turn.line for problem in received.problems)


def _is_outcome_start(record: model.Record, before: Sequence[model.Turn], turn: model.Turn) -> bool:
    """Return True if the lines behind the last turn begin its outcomes, as a missing line below would have shown.

    That line names the holder of a card that is revealed at the end, and decides what else followed. Without
    it, a record that doesn't know the hands doesn't know either that the game has ended.
    """
    told = "\n".join(f"-- {outcome.text}" for outcome in turn.outcomes)
    for text in find_record_plugin(record.game).list_late_outcomes(record.game, record.names):
        longer = evolve(turn, outcomes=(*turn.outcomes, model.Outcome(text)))
        played = replay(evolve(record, turns=(*before, longer)))
        if "\n".join(write_outcome_lines(played.last, record.names)).startswith(told):
            return True
    return False


def _is_shortened(received: Received) -> bool:
    assert received.replay is not None
    written, full = _fold_text(received.get_line(received.last_line)), _fold_text(received.replay.moments[-1].line)
    return len(written) < len(full) and full.startswith(written)


def find_resignations(record: model.Record) -> Mapping[int, datetime]:
    """Find the seats whose players have resigned, each with the time. Seats that others have taken over don't count."""
    gone: dict[int, datetime] = {}
    for _, line in note_chain.iter_telling(record.list_remarks(), record.names):
        match line:
            case Resigned(seat, time):
                gone.setdefault(seat, time)
            case StandIn(seat):
                gone.pop(seat, None)
    return gone


def find_new_resignations(
    mine: model.Record, theirs: model.Record, writers: Collection[int] = ()
) -> Mapping[int, datetime]:
    """Find the resignations of another record that mine does not have, or has at another time than their `writers` say."""
    known, found = find_resignations(mine), find_resignations(theirs).items()
    return {seat: time for seat, time in found if seat not in known or (seat in writers and time != known[seat])}


@cites("record.resigned")
def add_resignation(played: Replay, seat: int, time: datetime) -> Replay:
    line = Resigned(seat, time.replace(second=0, microsecond=0))
    return replay(place_resignations(played.record, [(len(played.record.turns), line)]))


def take_resignations(mine: model.Record, theirs: model.Record, new: Mapping[int, datetime]) -> model.Record:
    lines = _iter_resignations(note_chain.list_note_lines(theirs) if new else ())
    found = [(min(gap, len(mine.turns)), line) for gap, line, _ in lines if new.get(line.seat) == line.time]
    return place_resignations(mine, found)


def _iter_resignations(
    gaps: Iterable[Iterable[note_chain.NoteLine]],
) -> Iterator[tuple[int, Resigned, note_chain.NoteLine]]:
    for gap, notes in enumerate(gaps):
        for note in notes:
            if isinstance(note.says, Resigned):
                yield gap, note.says, note


@cites("record.turn.over", "record.resigned.first")
def place_resignations(record: model.Record, new: Sequence[tuple[int, Resigned]] = ()) -> model.Record:
    """Put each resignation above the next turn of its player, or at the end, and mark the passes that follow from it.

    So turns that crossed with it in the mail stand above it, and its place does not depend on the order of the mails. Of several in
    one place, the earliest comes first. `new` are others, each with the turn above which its writer has it, and take the place of
    those of the same players. If a line moves, the record has no hashes. A game at a host stays as it is.
    """
    gaps, reader = note_chain.list_note_lines(record), make_note_reader(record.names)
    old = [(gap, line, note.written) for gap, line, note in _iter_resignations(gaps)]
    if has_host(record) or not (old or new):
        return record
    gone = {written for _, _, written in old}
    bare = note_chain.replace_comments(record, lambda lines: tuple(each for each in lines if each not in gone))
    comments = [*([*turn.comments] for turn in bare.turns), [*bare.end]]
    again = {line.seat for _, line in new}
    lines = [each for each in old if each[1].seat not in again]
    lines += [(gap, line, reader.write_line(line)) for gap, line in new]
    for gap, line, written in sorted(lines, key=lambda each: (each[1].time, each[1].seat)):
        places = range(gap, len(record.turns))
        stops = (
            at
            for at in places
            if record.turns[at].seat == line.seat
            or any(isinstance(note.says, StandIn | Back | Ended) for note in gaps[at])
        )
        _insert_line(comments[next(stops, -1)], reader, line, written)
    turns = tuple(evolve(turn, comments=tuple(lines)) for turn, lines in zip(bare.turns, comments, strict=False))
    placed = evolve(bare, turns=turns, end=tuple(comments[-1]))
    now = note_chain.list_note_lines(placed)
    if [[note.linked for note in notes] for notes in now] == [[note.linked for note in notes] for notes in gaps]:
        return _mark_passes(record, gaps)
    return _mark_passes(note_chain.remove_hashes(placed), now)


def _mark_passes(record: model.Record, gaps: Sequence[Sequence[note_chain.NoteLine]]) -> model.Record:
    gone, turns, is_idle = set[int](), list[model.Turn](), find_record_plugin(record.game).is_idle
    mark = make_note_reader(record.names).write_note(BY_RESIGNATION)
    for turn, notes in zip(record.turns, gaps, strict=False):
        for says in (note.says for note in notes):
            gone |= {says.seat} if isinstance(says, Resigned) else set()
            gone -= {says.seat} if isinstance(says, StandIn) else set()
        passes = turn.seat in gone and not turn.notes and turn.moves and all(map(is_idle, turn.moves))
        turns.append(evolve(turn, notes=(mark,), note_cols=()) if passes else turn)
    return evolve(record, turns=tuple(turns))


def insert_end(played: Replay, line: Ended) -> Replay:
    """Insert a line that ends the game at the end of a replay's record, above lines there that are later; these lose their hashes."""
    reader, end = make_note_reader(played.record.names), [*played.record.end]
    at = _insert_line(end, reader, line, reader.write_line(line)) + 1
    later = note_chain.make_hash_remover(played.record)(tuple(end[at:]))
    return evolve(played, record=evolve(played.record, end=(*end[:at], *later)))


def _insert_line(comments: list[str], reader: NoteReader, line: Resigned | Ended, written: str) -> int:
    """Insert a line about the game among comments, above those that are later, and return its place."""
    lines = map(reader.read_line, comments)
    at = next((at for at, other in enumerate(lines) if _is_later(other, line)), len(comments))
    comments.insert(at, written)
    return at


def _is_later(other: Line | Problem | None, line: Resigned | Ended) -> bool:
    """Return True if a line is later than another, or as late and decided after it."""
    if other is None or isinstance(other, Problem | Away) or other.time is None:
        return False
    both_resigned = isinstance(other, Resigned) and isinstance(line, Resigned)
    return other.time > line.time or (both_resigned and other.time == line.time and other.seat > line.seat)  # type: ignore[union-attr]


def filter_notes(comments: model.Comments, reader: NoteReader) -> model.Comments:
    """Keep the lines about the game among some comments, as the program writes them, with their hashes."""
    kept = []
    for comment in comments:
        line, stated = reader.read_line(comment), find_comment_hash(comment)
        if line is not None and not isinstance(line, Problem | Announced):
            kept.append(f"{reader.write_line(line)} #{stated}" if stated else reader.write_line(line))
    return tuple(kept)


MARKS = (model.STANDS, model.TAKEN_BACK)
"""Beginnings of inline comments that are more than remarks."""


def join_turns(mine: Replay, theirs: Replay, *, agree: bool) -> Replay:
    """Add another record's further turns to mine, and replay them with what mine knows.

    The problems are those of the new turns. Only the turns, what followed and new resignations are taken over:
    no hashes, no comments; and marks of turns that stand or were taken back, and ends, only with `agree`. If a game had
    ended while the holder of a card that is revealed at the end was unknown, what followed from the last turn
    is found again.
    """
    record, others = mine.record, theirs.record.turns
    new = [_take_turn(turn, agree=agree) for turn in others[len(record.turns) :]]
    own = [_copy_mark(turn, other) if agree else turn for turn, other in zip(record.turns, others, strict=False)]
    own += record.turns[len(own) :]
    taken = list_taken_lines(record, theirs.record, agree=agree)
    end = (*record.end, *(taken[len(own)] if len(own) < len(taken) else ()))
    held: model.Comments = ()
    is_late_reveal = find_record_plugin(record.game).is_late_reveal
    if new and own and (_is_open_ended(mine) or any(map(is_late_reveal, new[0].moves[:1]))):
        held = _list_outcome_comments(own[-1])
        own[-1] = evolve(own[-1], outcomes=())
    if new:
        new[-1] = evolve(new[-1], outcomes=()) if _is_open_ended(theirs) else new[-1]
        new[0] = evolve(new[0], comments=(*held, *end))
        new[1:] = [evolve(turn, comments=taken[at]) for at, turn in enumerate(new[1:], len(own) + 1)]
        joined = evolve(record, turns=(*own, *new), end=taken[-1])
        joined = take_resignations(joined, theirs.record, find_new_resignations(record, theirs.record))
        return remove_late_passes(replay(joined))
    if is_better_informed(mine, theirs):
        first, *rest = (evolve(outcome, comments=()) for outcome in others[-1].outcomes)
        first = evolve(first, comments=_list_outcome_comments(own[-1]))
        own[-1] = evolve(own[-1], outcomes=(first, *rest))
    return replay(evolve(record, turns=tuple(own), end=end))


def list_taken_lines(mine: model.Record, theirs: model.Record, *, agree: bool) -> list[model.Comments]:
    """List the lines on marks and ends of another record that are taken over with `agree`, by turn, and at the end."""
    if next(theirs.list_remarks(), None) is None:
        return [()] * (len(theirs.turns) + 1)
    times = (getattr(line, "time", None) for line in map(make_note_reader(mine.names).read_line, mine.list_remarks()))
    latest = max((time for time in times if isinstance(time, datetime)), default=None)
    known = list_note_texts(mine)

    def is_taken(note: note_chain.NoteLine) -> bool:
        match note.says:
            case Marked():
                return agree and note.text not in known
            case Ended(time=time):
                return agree and note.text not in known and (latest is None or latest <= time)
            case _:
                return False

    return [tuple(note.text for note in gap if is_taken(note)) for gap in note_chain.list_note_lines(theirs)]


def list_note_texts(record: model.Record) -> set[str]:
    return {note.text for note in chain.from_iterable(note_chain.list_note_lines(record))}


def is_better_informed(mine: Replay, theirs: Replay) -> bool:
    """Return True if only the other record, of as many turns, knows the holder of the card revealed at the end."""
    if len(mine.record.turns) != len(theirs.record.turns) or not mine.record.turns:
        return False
    game, plugin = mine.record.game, find_record_plugin(mine.record.game)
    here, there = (plugin.has_late_outcome(game, played.last.events) for played in (mine, theirs))
    return there and not here


@cites("record.compare.late-passes")
def remove_late_passes(played: Replay) -> Replay:
    """Remove the passes after the end: the players couldn't know that the game was over."""
    end = next((at for at, moment in enumerate(played.moments) if moment.position.to_act is None), len(played.moments))
    return replay(note_chain.keep_first_turns(played.record, end)) if _is_all_passes(played.record, end) else played


def remove_own_late_passes(mine: Replay, theirs: Replay) -> Replay:
    """Remove passes from mine that a shorter record, by showing that the game was over, makes late."""
    end = len(theirs.record.turns)
    if theirs.position.to_act is not None or not _is_all_passes(mine.record, end):
        return mine
    shorter = replay(note_chain.keep_first_turns(mine.record, end))
    return shorter if is_better_informed(shorter, theirs) else mine


def _is_all_passes(record: model.Record, begin: int) -> bool:
    late, idle = record.turns[begin:], find_record_plugin(record.game).is_idle
    return bool(late) and all(turn.moves and all(map(idle, turn.moves)) for turn in late)


def _list_outcome_comments(turn: model.Turn) -> model.Comments:
    return tuple(comment for outcome in turn.outcomes for comment in outcome.comments)


def find_mark(turn: model.Turn, kind: str | tuple[str, ...]) -> str:
    return next((note for note in turn.notes if note.casefold().startswith(kind)), "")


def _is_open_ended(played: Replay) -> bool:
    return any(unproven.ending for unproven in played.unproven)


def _copy_mark(turn: model.Turn, theirs: model.Turn) -> model.Turn:
    note = find_mark(theirs, model.TAKEN_BACK)
    return evolve(turn, notes=(*turn.notes, note), note_cols=()) if note and not turn.undone else turn


def _take_turn(turn: model.Turn, *, agree: bool) -> model.Turn:
    """Return a turn of another record without its comments, and without outcomes that it hides."""
    notes = tuple(filter(None, (find_mark(turn, kind) for kind in MARKS))) if agree else ()
    known = [outcome for outcome in turn.outcomes if not outcome.text.endswith(f": {HIDDEN}")]
    outcomes = tuple(evolve(outcome, comments=()) for outcome in known)
    return evolve(turn, hash="", notes=notes, note_cols=(), outcomes=outcomes, comments=())


PAST, OWN_TURN = "record.compare.past", "record.compare.own-turn"
TERMS = {name.casefold() for name in (CLOCK, STARTED, model.BOT)}
"""Headers of one's own that say how the game is played."""
HASH, OUTCOME = "record.turn.hash", "record.outcome"
ONLY = "Only "
"""How a note on a line begins that is in one of the files only."""
YOURS = "Your file has the real turns. Ask for an unchanged file, or send yours."
YOU_TELL = "Tell the sender. Your file stays as it is."
BY_HAND = "If you know that it is complete, run `tkid fmt` on a copy of it, and read that."


class Kind(Enum):
    """The relation of a received record to one's own."""

    SAME = "same"  # the same turns
    CONTINUES = "continues"  # mine, and legal turns after it
    STALE = "stale"  # mine goes on from it
    FORK = "fork"  # the same up to a point, and then another turn
    EDITED = "edited"  # a past that its own hashes contradict
    OTHER = "other"  # another header or set-up
    TRUNCATED = "truncated"  # the text breaks off
    WRONG = "wrong"  # it would go on from mine, but something in it is wrong


@frozen
class Comparison:
    """The relation of a received record to one's own, and the reason.

    `message` says it in a sentence, `hint` suggests what to do, `rule` is the rule. `mine` and `theirs` are the
    first lines that differ, or "", `line` the line of theirs in its file, `turn` the number of
    the turn in question (0: none). `problems` are those of the received text, `notes` other remarks. `replay`
    is the reader's own record with the `new` turns, if it continues.
    """

    kind: Kind
    rule: str
    message: str
    hint: str = ""
    mine: str = ""
    theirs: str = ""
    line: int = 0
    turn: int = 0
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    replay: Replay | None = None
    new: int = 0


@cites("record.compare")
def compare_copies(
    mine: Replay, data: bytes, me: int | None = None, *, agree: bool = False, writers: Collection[int] = ()
) -> Comparison:
    """Compare one's own record, which has no problems, with a received text.

    `me` is the seat whose file it is, if known: turns of that seat are not taken from others. `writers` are the
    seats who wrote the text: only they can say that they resign. With `agree`, resignations of others are taken
    over too, and marks that say that a turn stands although it breaks a rule, or that it was taken back.
    """
    received = read_received(data)
    if received.replay is None or not received.begun:
        return _report_unfinished(mine, received)
    return _Comparer(mine, received, received.replay, me, writers, agree).find_result()


def _report_unfinished(mine: Replay, received: Received) -> Comparison:
    if received.read.readable and (rows := find_raw_difference(mine.record, received)):
        return _report_other_game(mine, received, *rows)
    last = received.last_line
    only_starts = last <= 1 and FIRST_LINE.casefold().startswith(received.get_line(last).casefold())
    if not received.begun and (received.read.readable or only_starts):
        message = f"The text ends after line {last}, before the turns" if last else "The text is empty"
        return _report_truncated(received, message)
    message = "The file has mistakes, so tkid can't read a game from it"
    return Comparison(Kind.WRONG, "record.compare.right", message, problems=received.problems)


def _report_truncated(received: Received, message: str, problems: tuple[Problem, ...] = ()) -> Comparison:
    hint = f"Ask for it again, as an attachment. {BY_HAND}" if received.begun else "Ask for it again, as an attachment."
    raw, line = received.get_line(received.last_line), received.last_line
    return Comparison(Kind.TRUNCATED, "record.compare.whole", message, hint, theirs=raw, line=line, problems=problems)


def _report_other_game(mine: Replay, received: Received, own: Row, other: Row) -> Comparison:
    words = {"Game:", "Ruleset:", "Seat:"}
    if received.read.record and _has_shared_hash(mine, received.read.record):
        message = "Its header or set-up was changed: its hashes still fit yours"
        hint = "Your file has what was agreed. Ask for an unchanged file, or send yours."
    elif {own.text.partition(" ")[0], other.text.partition(" ")[0]} & words:
        message, hint = "It is the file of another game", "Did you name the right file, or open the right mail?"
    else:
        message = "Its header or set-up differs from your file's"
        hint = "It belongs to another game, or somebody changed this line. Compare it with the first mail of the game."
    return Comparison(Kind.OTHER, "record.compare.game", message, hint, own.text, other.text, other.line)


def _has_shared_hash(mine: Replay, theirs: model.Record) -> bool:
    once = {moment.turn.number: moment.hash for moment in hide_secrets(mine, None).moments if moment.turn}
    return any(turn.hash and once.get(turn.number) == turn.hash for turn in theirs.turns)


def has_same_start(mine: model.Record, theirs: model.Record) -> bool:
    """Return True if two records have the same header and set-up, and agree on the hands they know."""
    return find_difference(mine, theirs, whole=True) is None and _find_hand_conflict(mine, theirs) is None


def _find_hand_conflict(mine: model.Record, theirs: model.Record) -> int | None:
    for seat, (own, other) in enumerate(zip(mine.start().hands, theirs.start().hands, strict=True)):
        mine_knows, they_know = (Counter(card for card in hand if card != HIDDEN) for hand in (own, other))
        more, less = they_know - mine_knows, mine_knows - they_know
        if more.total() > own.count(HIDDEN) or less.total() > other.count(HIDDEN):
            return seat
    return None


def count_same(some: Iterable[str], others: Iterable[str]) -> int:
    """Count the lines with which two texts begin alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(some, others, strict=False)))


@frozen
class _Comparer:
    """Compares two records that were both played through; the questions are asked in the order of the methods."""

    mine: Replay
    received: Received
    theirs: Replay
    me: int | None
    writers: Collection[int]
    agree: bool
    own_lines: list[str] = derive(lambda self: [moment.line for moment in self.mine.moments[1:]])
    their_lines: list[str] = derive(lambda self: [moment.line for moment in self.theirs.moments[1:]])
    turns: tuple[model.Turn, ...] = derive(lambda self: self.theirs.record.turns)
    common: int = derive(lambda self: count_same(self.own_lines, self.their_lines))

    def find_result(self) -> Comparison:
        found = (
            self._compare_starts()
            or self._compare_past()
            or self._compare_marks()
            or self._find_fork()
            or self._compare_lengths()
        )
        if found.kind not in {Kind.SAME, Kind.CONTINUES, Kind.STALE}:
            return found
        return self._add_end(self._add_resignations(found))

    def _compare_starts(self) -> Comparison | None:
        mine, theirs = self.mine.record, self.theirs.record
        rows = find_difference(mine, theirs) or (
            _has_shared_hash(self.mine, theirs) and find_difference(mine, theirs, whole=True)
        )
        if rows:
            return _report_other_game(self.mine, self.received, *rows)
        seat = _find_hand_conflict(mine, theirs)
        if seat is None:
            return None
        name = mine.names[seat]
        own, other = (f"Hand {name} {', '.join(record.start().hands[seat])}" for record in (mine, theirs))
        message = f"It shows a different hand for {name} than your file"
        hint = "One of the files differs from the deal. Ask the dealer."
        return Comparison(Kind.OTHER, "record.compare.hands", message, hint, own, other)

    def _compare_past(self) -> Comparison | None:
        """Report a past that was changed after it was played, as hashes show, or a text that is cut off."""
        witness = self._find_witness()
        if witness > self.common:
            number = self.common + 1
            same = self.common < len(self.their_lines) and self.turns[self.common].number == number
            how = "changed" if same else "left out or moved"
            what = f"Turn {number} was {how} there after it was played"
            message = f"{what}: the hash of turn {witness} still fits your turns"
            return self._report_difference(Kind.EDITED, PAST, message, YOURS)
        if self.common >= min(len(self.own_lines), len(self.their_lines) - 1) and is_cut_off(self.received):
            return self._report_cut()
        return next(filter(None, map(self._check_tampering, self.received.problems)), None)

    def _report_cut(self) -> Comparison:
        line = self.received.last_line
        here = tuple(p for p in self.received.problems if p.line == line and p.rule != HASH)
        if self.turns[-1].line == line and self.turns[-1].hash:
            message = f"The last line, line {line}, is incomplete or was changed: its hash does not fit"
        elif self.received.ended and not DASHES.match(self.received.get_line(line)):
            message = f"The last line, line {line}, has no hash, unlike the lines before it. Something may be missing"
        elif self.received.ended:
            message, here = f"The text is cut off at line {line}: something is missing in it or below it", ()
        else:
            message, here = f"The text ends in the middle of line {line}", ()
        return _report_truncated(self.received, message, here)

    def _find_witness(self) -> int:
        """Find the last turn whose hash there shows that the record once had the turns of mine, or 0."""
        reached = note_chain.compute_chain_values(self.mine.record, self.own_lines, write_start(self.theirs.record))
        pairs = zip(self.mine.record.turns, reached, strict=True)
        once = {turn.number: seal.shorten_hash(value) for turn, value in pairs}
        return max((turn.number for turn in self.turns if turn.hash and once.get(turn.number) == turn.hash), default=0)

    def _check_tampering(self, problem: Problem) -> Comparison | None:
        if problem.rule in {note_chain.HASH, NOTE_MARK}:
            message = "A line about the game was added, changed or moved there after hashes had been written"
            raw = self.received.get_line(problem.line)
            return Comparison(Kind.EDITED, PAST, message, YOURS, "", raw, problem.line, problems=(problem,))
        at = bisect_right(self.turns, problem.line, key=lambda turn: turn.line) - 1
        if problem.rule not in {HASH, OUTCOME} or not 0 <= at < self.common:
            return None
        moment, number = self.mine.moments[at + 1], at + 1
        changed = "was changed there. The turns are the same, but this does not fit them"
        if problem.rule == OUTCOME:
            message = f"What followed of turn {number} {changed}"
            own = "; ".join(write_outcome_lines(moment, self.mine.record.names))
        elif differing := self._list_differing_lines(number):
            message = (
                f"The hash of turn {number} does not fit the lines about the game before it. {' '.join(differing)}"
            )
            own = ""
        else:
            message = f"The hash of turn {number} {changed}"
            own = f"{moment.line} #{hide_secrets(self.mine, None).moments[number].hash}"
        raw = self.received.get_line(problem.line)
        return Comparison(Kind.EDITED, PAST, message, YOURS, own, raw, problem.line, number, (problem,))

    def _compare_marks(self) -> Comparison | None:
        turn = next((turn for turn in self.turns[: self.common] if self._is_news(turn)), None)
        if turn is None and self.common == len(self.own_lines):
            turn = next((turn for turn in self.turns[self.common :] if turn.undone), None)
        if turn is None or self.agree:
            return None
        return self._ask_for_agreement(turn, f"Turn {turn.number} is marked there as taken back")

    def _is_news(self, turn: model.Turn) -> bool:
        return turn.undone and not self.mine.record.turns[turn.number - 1].undone

    def _ask_for_agreement(self, turn: model.Turn, message: str, problems: tuple[Problem, ...] = ()) -> Comparison:
        hint, rule = "If you agreed to that, read it again with --agree.", "record.compare.marked"
        found = self._refuse_turn(turn, rule, message, hint, problems)
        return evolve(found, mine=next(iter(self.own_lines[turn.number - 1 : turn.number]), ""))

    def _refuse_turn(
        self, turn: model.Turn, rule: str, message: str, hint: str, problems: tuple[Problem, ...] = ()
    ) -> Comparison:
        raw = self.received.get_line(turn.line)
        return Comparison(Kind.WRONG, rule, message, hint, "", raw, turn.line, turn.number, problems)

    def _find_fork(self) -> Comparison | None:
        if self.common == min(len(self.own_lines), len(self.their_lines)):
            return None
        line = self.turns[self.common].line
        here = [p for p in self.received.problems if p.line == line and p.kind is not kinds.Kind.ILLEGAL]
        if here or self._find_faults(before=line):
            return self._report_mistakes(self.received.problems)
        message = f"The two files differ from turn {self.common + 1} on: it has another turn there than yours"
        problems = tuple(p for p in self.received.problems if p.line == line)
        notes = tuple(self._list_differing_lines(self.common))
        found = self._report_difference(Kind.FORK, "record.compare.fork", message, self._explain_fork(), problems)
        return evolve(found, notes=notes)

    def _explain_fork(self) -> str:
        passed = self.mine.moments[self.common].position.to_act
        gone = find_resignations(self.mine.record).keys() - find_resignations(self.theirs.record)
        if passed is not None and passed in gone:
            name = self.mine.record.names[passed]
            return (
                f"Your file says that {name} has resigned, so it passes for {name}. If that is not so, delete this line and everything "
                "below it from your file, and read this again."
            )
        seat, number = self.mine.record.turns[self.common].seat, self.common + 1
        name, later = self.mine.record.names[seat], len(self.own_lines) > number
        who = f'"{name}"' if " " in name else name
        undo = f"`tkid undo FILE --for {who}`"
        if self.me is None or seat != self.turns[self.common].seat:
            return (
                "Agree which turn was played. The other player deletes theirs and all turns after it from their file, "
                "and reads your letter again."
            )
        if seat == self.me:
            wrong = f"Turn {number} is yours, so the other file is wrong, unless you sent another turn before"
            return f"{wrong}. Its owner removes the turn with {undo}, and reads your letter again."
        first = "Remove the turns after it with `tkid undo FILE`, and then this one" if later else "Remove it"
        new = "If that is refused, begin a new file: `tkid letter read NEW LETTER --begin`."
        wrong = f"Turn {number} is {name}'s, so your file is wrong if {name} did not play what it has there"
        return f"{wrong}. {first} with {undo}, and read this letter again. {new}"

    def _report_difference(
        self, kind: Kind, rule: str, message: str, hint: str, problems: tuple[Problem, ...] = ()
    ) -> Comparison:
        at = self.common
        own = f"{self.own_lines[at]} #{self.mine.moments[at + 1].hash}" if at < len(self.own_lines) else ""
        line = self.turns[at].line if at < len(self.their_lines) else 0
        return Comparison(kind, rule, message, hint, own, self.received.get_line(line), line, at + 1, problems)

    def _find_faults(self, *, before: int) -> list[Problem]:
        stand = {turn.line for turn, own in zip(self.turns, self.mine.record.turns, strict=False) if own.stands}
        illegal = kinds.Kind.ILLEGAL
        return [p for p in self.received.problems if p.line < before and not (p.kind is illegal and p.line in stand)]

    def _report_mistakes(self, problems: tuple[Problem, ...]) -> Comparison:
        message = "The file has mistakes, so tkid takes nothing from it"
        return Comparison(Kind.WRONG, "record.compare.right", message, YOU_TELL, problems=problems)

    def _compare_lengths(self) -> Comparison:
        faults = self._find_faults(before=len(self.received.lines) + 1)
        if faults:
            return self._report_mistakes(tuple(faults))
        own, theirs = len(self.own_lines), len(self.their_lines)
        shorter = remove_own_late_passes(self.mine, self.theirs)
        if shorter is not self.mine:
            return self._report_late_passes(join_turns(shorter, self.theirs, agree=self.agree))
        marked = self.agree and any(map(self._is_news, self.turns[: self.common]))
        if theirs > own or marked or is_better_informed(self.mine, self.theirs):
            return self._take_new_turns()
        if own == theirs:
            notes, count = self._list_notes(), count_noun(own, "turn")
            message = f"Your file has all of this already: {count}, the same in both"
            if any(note.startswith((ONLY, "Turn ")) for note in notes):
                message = f"It has the turns of your file ({count}), but not the same lines about the game"
            return Comparison(Kind.SAME, "record.compare.same", message, notes=notes)
        message = f"It is older than your file: it has {count_noun(theirs, 'turn')}, yours has {own}"
        hint, notes = "Nothing is lost. Send your own file, or wait for the next mail.", self._list_notes()
        return Comparison(Kind.STALE, "record.compare.stale", message, hint, self.own_lines[theirs], notes=notes)

    def _take_new_turns(self) -> Comparison:
        new = self.turns[len(self.own_lines) :]
        plays = self.me is not None and self.me not in find_resignations(self.mine.record)
        mine = next((turn for turn in new if plays and turn.seat == self.me), None)
        if mine is not None:
            name = self.mine.record.names[mine.seat]
            message = f"Turn {mine.number} there is yours, {name}, but your file does not have it"
            hint = "If you played it, and your file was lost or is old, read this again with --restore."
            return self._refuse_turn(mine, OWN_TURN, message, hint)
        after = join_turns(self.mine, self.theirs, agree=self.agree)
        if after.problems:
            return self._report_illegal(new, tuple(after.problems))
        added = len(after.record.turns) - len(self.own_lines)
        if added < len(new):
            return self._report_late_passes(after, max(added, 0))
        message, notes = f"It has {count_noun(added, 'turn')} more than your file", self._list_notes(after)
        return Comparison(Kind.CONTINUES, "record.compare", message, notes=notes, replay=after, new=added)

    @cites("record.resigned")
    def _add_resignations(self, found: Comparison) -> Comparison:
        new = find_new_resignations(self.mine.record, self.theirs.record, self.writers)
        if self.me is not None and self.me in new:
            message = f"It says that you, {self.mine.record.names[self.me]}, have resigned, but your file does not"
            hint = "If you resigned, and your file was lost or is old, read this again with --restore."
            return Comparison(Kind.WRONG, OWN_TURN, message, hint)
        foreign = next((seat for seat in new if not self.agree and seat not in self.writers), None)
        before = found.replay or self.mine
        if foreign is not None:
            asked = self._ask_about_resignation(foreign)
            if not any(seat in self.writers for seat in new):
                return asked
            lines = [*_iter_resignations(note_chain.list_note_lines(self.theirs.record))]
            before = self._take_turns(next(above for above, line, _ in lines if line.seat == foreign))
            known = {line.seat for above, line, _ in lines if above <= len(before.record.turns)}
            new = {seat: time for seat, time in new.items() if seat in self.writers and seat in known}
            taken = before.record.turns[len(self.own_lines) :]
            if not (new or taken):
                return asked
            found = evolve(found, replay=before, new=len(taken), notes=(f"{asked.message}. {asked.hint}",))
        record = take_resignations(before.record, self.theirs.record, new)
        if record == self.mine.record:
            return found
        after = before if record == before.record else replay(record)
        if after.problems:
            message = "A turn in your file does not fit the resignations there, so nothing is taken"
            hint = "If your file is wrong, remove that turn from it, and read this again."
            late = after.problems[0]
            return Comparison(Kind.WRONG, late.rule, message, hint, notes=(f"{late.message}.",))
        problems = note_chain.report_crossed_resignations(after.record) if new else ()
        crossed = tuple(f"{each.message}. [{each.rule}]" for each in problems)
        rule = "record.resigned" if new else found.rule
        return evolve(found, kind=Kind.CONTINUES, rule=rule, replay=after, notes=(*found.notes, *crossed))

    def _take_turns(self, count: int) -> Replay:
        if count <= len(self.own_lines):
            return self.mine
        shorter = note_chain.replace_comments(note_chain.keep_first_turns(self.theirs.record, count), lambda _: ())
        return join_turns(self.mine, replay(shorter), agree=False)

    @cites("record.compare.marked")
    def _add_end(self, found: Comparison) -> Comparison:
        """Ask about a line that ends the game and that mine lacks, or add it by agreement."""
        known = list_note_texts(self.mine.record)
        lines = chain.from_iterable(note_chain.list_note_lines(self.theirs.record))
        note = next((each for each in lines if isinstance(each.says, Ended) and each.text not in known), None)
        if note is None or found.kind is Kind.WRONG or is_over(self.mine):
            return found
        if not self.agree:
            who = name_speaker(self.mine.record, note.says)
            message = f"It says that the game has ended, but nothing shows that {who} wrote that"
            hint = "If it is true, read this again with --agree. If not, ask for a file without this line."
            return Comparison(Kind.WRONG, "record.compare.marked", message, hint, "", note.written, note.line)
        after = found.replay or self.mine
        if isinstance(note.says, Ended) and note.text not in list_note_texts(after.record):
            after = insert_end(after, note.says)
        return evolve(found, kind=Kind.CONTINUES, rule="record.compare.marked", replay=after)

    @cites("record.compare.marked")
    def _ask_about_resignation(self, seat: int) -> Comparison:
        name = self.mine.record.names[seat]
        message = f"It says that {name} has resigned, but nothing shows that {name} wrote that"
        hint = f"Only {name} can say so: read {name}'s own mail first, or ask. If it is true, read this again with --agree."
        lines = _iter_resignations(note_chain.list_note_lines(self.theirs.record))
        note = next(note for _, line, note in lines if line.seat == seat)
        return Comparison(Kind.WRONG, "record.compare.marked", message, hint, "", note.written, note.line)

    @cites("record.compare.notes")
    def _list_differing_lines(self, before: int | None = None) -> list[str]:
        """List lines about the game of one file only, with who can have written them: those before a turn, or all not taken over."""
        last = len(self.turns) if before is None else before
        mine, theirs = (_index_lines(played.record) for played in (self.mine, self.theirs))
        told = []
        for here, there, where in ((theirs, mine, "there"), (mine, theirs, "in your file")):
            for key, (gap, note) in here.items():
                if gap > last:
                    continue
                is_told = before is None and isinstance(note.says, Marked if here is mine else Marked | Resigned)
                if key not in there and not is_told:
                    who = name_speaker(self.mine.record, note.says)
                    told.append(f"{ONLY}{where}: `{note.text}`. Nothing shows that {who} wrote that.")
                elif here is theirs and key in mine and mine[key][0] != gap and not isinstance(note.says, Resigned):
                    told.append(f"At another place there: `{note.text}`.")
        return told

    def _report_late_passes(self, after: Replay, new: int = 0) -> Comparison:
        message = f"The game was over after turn {len(after.record.turns)}. The passes after it do not count"
        rule = "record.compare.late-passes"
        return Comparison(Kind.CONTINUES, rule, message, notes=(f"{message} [{rule}]",), replay=after, new=new)

    def _report_illegal(self, new: tuple[model.Turn, ...], problems: tuple[Problem, ...]) -> Comparison:
        at = next((turn for turn in new if turn.line == problems[0].line), None)
        if at is not None and problems[0].rule in {"record.turn.over", "post.resign.final"}:
            message = f"Turn {at.number} there comes too late for your file, so nothing is taken"
            hint = "If your file is wrong, remove that line from it, and read this again."
            return evolve(self._refuse_turn(at, problems[0].rule, message, hint), notes=(f"{problems[0].message}.",))
        if at is None or not at.stands or self.agree:
            return self._report_mistakes(problems)
        message = f"Turn {at.number} breaks a rule, and is marked there as standing"
        return self._ask_for_agreement(at, message, problems)

    def _list_notes(self, after: Replay | None = None) -> tuple[str, ...]:
        """List harmless differences: marks, addresses, the ending as far as known; `after` is mine with what was taken over."""
        notes = []
        for at, turn in enumerate(self.turns):
            own = self.mine.record.turns[at] if at < len(self.own_lines) else None
            for kind in MARKS:
                theirs, here = find_mark(turn, kind), find_mark(own, kind) if own else ""
                if theirs and not here:
                    notes.append(f"Turn {turn.number} is marked there: {{{theirs}}}")
                elif here and not theirs:
                    notes.append(f"Turn {turn.number} is marked in your file, but not there: {{{here}}}")
        notes += self._list_differing_lines()
        mine = {f"{header.name}: {header.value}".casefold() for header in self.mine.record.headers}
        terms = (header for header in self.theirs.record.headers if header.name.casefold() in TERMS)
        stated = (f"{header.name}: {header.value}" for header in terms)
        notes += [f"Only there, in the header: `{each}`." for each in stated if each.casefold() not in mine]
        for seat, other in zip(self.mine.record.seats, self.theirs.record.seats, strict=True):
            if other.address and other.address != seat.address:
                notes.append(f"{seat.name}'s address is {other.address} there, and {seat.address or 'not known'} here")
        if len(self.own_lines) == len(self.their_lines):
            own_end, their_end = map(_list_public_outcomes, (after or self.mine, self.theirs))
            if len(own_end) != len(their_end) or not all(map(_is_same_outcome, own_end, their_end)):
                lines = "; ".join(their_end) or "nothing"
                notes.append(f"It states something else that followed from the last turn: {lines}")
        return tuple(notes)


def _index_lines(record: model.Record) -> dict[str, tuple[int, note_chain.NoteLine]]:
    """Index lines about the game, with their places; addresses and times of resignations make no other line."""
    lines = dict[str, tuple[int, note_chain.NoteLine]]()
    for gap, notes in enumerate(
        note_chain.list_note_lines(record) if next(record.list_remarks(), None) is not None else ()
    ):
        for note in notes:
            key = f"resigned {note.says.seat}" if isinstance(note.says, Resigned) else note.linked
            lines.setdefault(key, (gap, note))
    return lines


def _list_public_outcomes(played: Replay) -> list[str]:
    events = tuple(event.seen(None) for event in played.last.events)
    return write_outcome_lines(evolve(played.last, events=events), played.record.names)


def _is_same_outcome(own: str, other: str) -> bool:
    """Return True if two lines say the same, or one of them hides the difference."""
    (said, _, what), (there, _, that) = own.rpartition(": "), other.rpartition(": ")
    return own == other or (said == there and HIDDEN in {what, that})


@cites("mail.letter")
def make_shared_copy(played: Replay) -> Replay:
    """Return a replay without comments and secret hands, but with marks of turns and the lines about the game."""
    record = played.record
    if record.game.secret:
        return hide_secrets(played, None)
    headers, reader = tuple(evolve(header, comments=()) for header in record.headers), make_note_reader(record.names)
    turns, end = tuple(_strip_turn(turn, reader) for turn in record.turns), filter_notes(record.end, reader)
    return replay(evolve(record, headers=headers, row_comments={}, turns=turns, end=end))


def _strip_turn(turn: model.Turn, reader: NoteReader) -> model.Turn:
    comments = filter_notes(turn.comments, reader)
    notes = tuple(note for note in turn.notes if note.casefold().startswith((model.STANDS, *model.TAKEN_BACK)))
    return evolve(turn, notes=notes, outcomes=tuple(evolve(o, comments=()) for o in turn.outcomes), comments=comments)
