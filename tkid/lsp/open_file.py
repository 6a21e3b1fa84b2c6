"""A game file as it is open in an editor: outline, hover, repairs, formatting, preview."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from attrs import frozen

from tkid.kernel.game import Event, Position, with_names
from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.mail.timeline import with_notes
from tkid.notation.text import single_spaced
from tkid.record.format.model import Turn, split
from tkid.record.format.reader import read_record
from tkid.record.format.turn_rows import DASHES, reader
from tkid.record.play.replay import Moment, Replay
from tkid.record.play.validation import judge
from tkid.record.play.views import seen
from tkid.record.play.writer import write_record
from tkid.render.frames import picture_at
from tkid.render.picture import document
from tkid.rulebook import known, rule

Viewer = Callable[[str, Replay, Position], int | None]
"""The choice of the view that an editor gets: a function of the file's path, its replay and the position."""
Span = tuple[int, int]
"""Part of a line: the columns of its start and its end, from 0."""


def next_player(path: str, replay: Replay, position: Position) -> int | None:  # noqa: ARG001 - a Viewer
    """Return the seat of the next player: the view for files without a known owner."""
    return position.to_act


@frozen(eq=False)
class Reading:
    """A game file that is open in an editor; lines count from 1.

    Attributes:
        path: The file's path, as the editor gives it.
        text: The file's text.
        lines: Its lines, without their ends.
        problems: Its problems, as `tkid check` reports them.
        replay: The game; None if the text makes none.
    """

    path: str
    text: str
    lines: Sequence[str]
    problems: Sequence[Problem]
    replay: Replay | None

    @property
    def turns(self) -> Sequence[Turn]:
        """The turns of the game, in the order of their lines."""
        return self.replay.record.turns if self.replay else ()

    def turns_before(self, line: int) -> int:
        """Return the number of turns on the lines above a line, which is the index of the moment before it."""
        return bisect_right(self.turns, line - 1, key=lambda turn: turn.line)

    def turn_on(self, line: int) -> Turn | None:
        """Return the turn on a line; None if the line has none."""
        before = self.turns_before(line)
        turn = self.turns[before] if before < len(self.turns) else None
        return turn if turn and turn.line == line else None

    def text_span(self, turn: Turn) -> Span:
        """Return the columns of a turn's text on its line, without comments and hash."""
        line = self.lines[turn.line - 1]
        ends = [column for column in (turn.hash_col, *turn.note_cols) if column > turn.col]
        return turn.col, turn.col + len(line[turn.col : min(ends, default=len(line))].rstrip())

    def decision_on(self, turn: Turn, column: int) -> int:
        """Return the index of the decision to which a column of the turn's line belongs."""
        return max(bisect_right(turn.read.columns, column - turn.col) - 1, 0)

    def decision_span(self, turn: Turn, index: int) -> Span:
        """Return the columns of a decision on the turn's line."""
        start, end = self.text_span(turn)
        columns = [start + column for column in turn.read.columns] or [start]
        stop = min(end, columns[index + 1] - 1) if index + 1 < len(columns) else end
        written = self.lines[turn.line - 1][columns[index] : stop]
        return columns[index] + len(written) - len(written.lstrip()), columns[index] + len(written.rstrip())


def read_text(path: str, text: str) -> Reading:
    """Read a game file from its text. Half characters, which editors may send, are a problem, like bytes that are no text."""
    lines = split(text)
    try:
        problems, replay = judge(read_record(text.encode("utf-8", "surrogatepass")))
        return Reading(path, text, lines, with_notes(problems, replay), replay)
    except Exception as error:  # noqa: BLE001 - the editor keeps its other files
        message = f"tkid failed at this file ({type(error).__name__}: {error}). Please report it with the file"
        return Reading(path, text, lines, [Problem(Kind.FILE, "", message, 1, 1, 1)], None)


MOST_COMPARED = 100
"""Maximum number of differing lines to compare, as that takes the square of their number; more are all replaced."""


@frozen
class Lines:
    """New lines that replace the lines from `first` up to, not including, `stop`; they count from 0."""

    first: int
    stop: int
    text: str


def tidied(reading: Reading) -> str | None:
    """Return the file in canonical form; None if it has mistakes."""
    if reading.replay is None or reading.problems:
        return None
    return write_record(reading.replay.record, reading.replay)


def changes(reading: Reading, tidy: str) -> Iterator[Lines]:
    """Return the differences between the file and its canonical form, from the top down."""
    before, after = _with_ends(reading.lines), _with_ends(split(tidy))
    same = _count_same(before, after)
    before, after = before[same:], after[same:]
    tail = _count_same(reversed(before), reversed(after))
    before, after = before[: len(before) - tail], after[: len(after) - tail]
    if max(len(before), len(after)) > MOST_COMPARED:
        yield Lines(same, same + len(before), "".join(after))
        return
    for kind, first, stop, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Lines(same + first, same + stop, "".join(after[start:end]))


def _count_same(one: Iterable[str], other: Iterable[str]) -> int:
    """Count the lines with which both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _with_ends(lines: Sequence[str]) -> list[str]:
    """Add the ends of lines; drop the last line if it is empty."""
    return [*(f"{line}\n" for line in lines[:-1]), *filter(None, lines[-1:])]


@frozen
class Preview:
    """A picture as SVG, the number of the turn after which it is drawn (0: the start), and its title."""

    turn: int
    title: str
    svg: str


def preview(reading: Reading, line: int, viewer: Viewer) -> Preview | None:
    """Draw the position after the turn on a line, or after the last one above it; return None if there is no game.

    It shows only what the viewer may know of the position.
    """
    replay = reading.replay
    if replay is None:
        return None
    index = reading.turns_before(line + 1)
    seat = viewer(reading.path, replay, replay.moments[index].position)
    picture = picture_at(seen(replay, seat), index, seat)
    return Preview(index, picture.title, document(picture))


@frozen
class Entry:
    """A turn in the outline: its name, the events that followed, its line, its last line, and the place of its text."""

    name: str
    detail: str
    line: int
    last: int
    span: Span


def outline(reading: Reading) -> Iterator[Entry]:
    """Return the turns of a game file, in order."""
    turns = reading.turns
    for turn in turns:
        outcomes = turn.outcomes
        detail = "; ".join(outcome.text for outcome in outcomes)
        last = max([turn.line, *(outcome.line for outcome in outcomes)])
        start, end = turn.name_col, reading.text_span(turn)[1]
        text = reading.lines[turn.line - 1][start:end].strip()
        yield Entry(f"{turn.number}. {text}", detail, turn.line, last, (0, len(reading.lines[turn.line - 1])))


SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")


def escaped(text: str) -> str:
    """Return a text so that Markdown shows it unchanged."""
    return SPECIAL.sub(r"\\\1", text)


def rule_text(rule_id: str) -> str:
    """Return a rule's title, statement and link; "" if there is no such rule."""
    if not known(rule_id):
        return ""
    entry = rule(rule_id)
    return f"**{escaped(entry.title)}**\n\n{escaped(entry.statement)}\n\n[{entry.id}]({entry.link})"


def events_text(events: Iterable[Event], names: Sequence[str]) -> str:
    """Return the events that followed from a turn: one line for each, with a link to its rule."""
    return "\n".join(f"- {escaped(event.read(names))} [{event.rule}]({rule(event.rule).link})" for event in events)


RULE_ID = re.compile(r"[a-z]+(?:\.[a-z0-9-]+)+")
HASH_LENGTH = 7
HASH_RULE = "record.turn.hash"


@frozen
class Hover:
    """A text in Markdown about a stretch of a line."""

    text: str
    span: Span


def hover(reading: Reading, line: int, column: int) -> Hover | None:
    """Return the text to show for a column of a line; None if there is nothing to show."""
    if not 0 < line <= len(reading.lines):
        return None
    found = [*_named(reading, line, column), *_wrong(reading, line, column)] or [*_played(reading, line, column)]
    text = "\n\n---\n\n".join(dict.fromkeys(each.text for each in found if each.text))
    return Hover(text, found[0].span) if text else None


def _named(reading: Reading, line: int, column: int) -> Iterator[Hover]:
    for match in RULE_ID.finditer(reading.lines[line - 1]):
        if match.start() <= column <= match.end() and known(match[0]):
            yield Hover(rule_text(match[0]), match.span())


def _wrong(reading: Reading, line: int, column: int) -> Iterator[Hover]:
    """List the rules that this place breaks."""
    for problem in reading.problems:
        start, end = problem_span(problem)
        if problem.line == line and start <= column <= end:
            yield Hover(rule_text(problem.rule), (start, end))


def problem_span(problem: Problem) -> Span:
    """Return the columns of a problem on its line."""
    return problem.col - 1, problem.col - 1 + max(problem.length, 1)


def _played(reading: Reading, line: int, column: int) -> Iterator[Hover]:
    """Describe the turn on this line, or the event on it that followed from a turn."""
    if reading.replay is None:
        return
    moments, names = reading.replay.moments, reading.replay.record.names
    turn = reading.turn_on(line)
    if turn is None:
        yield from _followed(reading, line, moments[reading.turns_before(line)])
        return
    start, end = reading.text_span(turn)
    if turn.hash and turn.hash_col <= column <= turn.hash_col + HASH_LENGTH:
        yield Hover(rule_text(HASH_RULE), (turn.hash_col, turn.hash_col + HASH_LENGTH))
    elif turn.name_col <= column <= end:
        yield from _card(reading, turn, column)
        followed = events_text(moments[reading.turns_before(line) + 1].events, names)
        yield Hover(followed and f"What followed:\n\n{followed}", (start, end))


def _card(reading: Reading, turn: Turn, column: int) -> Iterator[Hover]:
    """Describe the card of the decision under the cursor, or the rule for summoning."""
    assert reading.replay is not None
    record = reading.replay.record
    index = reading.decision_on(turn, column)
    move = turn.read.decisions[index].move if turn.read.decisions else None
    if move is not None:
        yield Hover(rule_text(reader(record.game, record.names).rule(move)), reading.decision_span(turn, index))


def _followed(reading: Reading, line: int, moment: Moment) -> Iterator[Hover]:
    """Describe the event on a `--` line."""
    assert reading.replay is not None
    names, written = reading.replay.record.names, reading.lines[line - 1]
    begins = DASHES.match(written)
    for event in moment.events:
        if begins and single_spaced(written[begins.end() :]) == with_names(event.line, names):
            yield Hover(events_text([event], names) + "\n\n" + rule_text(event.rule), (0, len(written)))


@frozen
class Change:
    """A new text for part of a line; lines count from 1."""

    line: int
    span: Span
    text: str


@frozen
class Repair:
    """A problem, and a change that fixes it."""

    problem: Problem
    change: Change


def repairs(reading: Reading, first: int, last: int) -> Iterator[Repair]:
    """Return the repairs that the problems on some lines propose."""
    for problem in reading.problems:
        if first <= problem.line <= last:
            for fix in problem.fixes:
                change = _change(reading, problem, fix)
                if change is not None:
                    yield Repair(problem, change)


def _change(reading: Reading, problem: Problem, fix: Fix) -> Change | None:
    """Return a fix as a change; None if there is no turn on the line."""
    if fix.scope is Scope.PLACE:
        return Change(problem.line, problem_span(problem), fix.text)
    turn = reading.turn_on(problem.line)
    if turn is None:
        return None
    start, end = reading.text_span(turn)
    if fix.scope is Scope.END:
        return Change(problem.line, (end, end), f"; {fix.text}")
    span = (start, end)
    if fix.scope is Scope.DECISION:
        span = reading.decision_span(turn, reading.decision_on(turn, problem.col - 1))
    return Change(problem.line, span, fix.text)
