"""A game file as it is open in an editor: outline, hover, repairs, formatting, preview."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from attrs import frozen

from tkid.kernel.game import Event, Position, fill_names
from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.mail.timeline import judge_file
from tkid.notation.text import single_space
from tkid.record.format.model import Record, Turn, split_lines
from tkid.record.format.reader import read_record
from tkid.record.format.turn_rows import DASHES, reader
from tkid.record.play.replay import Moment, Replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.render.frames import picture_at
from tkid.render.picture import write_svg_document
from tkid.render.plugin import tell_events
from tkid.rulebook import is_known_rule, rule

Viewer = Callable[[str, Replay, Position], int | None]
"""The choice of the view that an editor gets: a function of the file's path, its replay and the position."""
Span = tuple[int, int]
"""Part of a line: the columns of its start and its end, from 0."""


def get_next_player(path: str, replay: Replay, position: Position) -> int | None:  # noqa: ARG001 - a Viewer
    """Return the seat of the next player: the view for files without a known owner."""
    return position.to_act


@frozen(eq=False)
class OpenFile:
    """A game file open in an editor, with its `path` there; lines count from 1 and have no ends; problems as in `tkid check`."""

    path: str
    text: str
    lines: Sequence[str]
    problems: Sequence[Problem]
    replay: Replay | None

    @property
    def turns(self) -> Sequence[Turn]:
        return self.replay.record.turns if self.replay else ()

    def count_turns_before(self, line: int) -> int:
        return bisect_right(self.turns, line - 1, key=lambda turn: turn.line)

    def find_turn(self, line: int) -> Turn | None:
        before = self.count_turns_before(line)
        turn = self.turns[before] if before < len(self.turns) else None
        return turn if turn and turn.line == line else None

    def find_text_span(self, turn: Turn) -> Span:
        line = self.lines[turn.line - 1]
        ends = [column for column in (turn.hash_col, *turn.note_cols) if column > turn.col]
        return turn.col, turn.col + len(line[turn.col : min(ends, default=len(line))].rstrip())

    def find_decision(self, turn: Turn, column: int) -> int:
        return max(bisect_right(turn.read.columns, column - turn.col) - 1, 0)

    def find_decision_span(self, turn: Turn, index: int) -> Span:
        start, end = self.find_text_span(turn)
        columns = [start + column for column in turn.read.columns] or [start]
        stop = min(end, columns[index + 1] - 1) if index + 1 < len(columns) else end
        written = self.lines[turn.line - 1][columns[index] : stop]
        return columns[index] + len(written) - len(written.lstrip()), columns[index] + len(written.rstrip())


def read_open_file(path: str, text: str) -> OpenFile:
    """Read a game file from its text. Half characters, which editors may send, are a problem, like bytes that are no text."""
    lines = split_lines(text)
    try:
        return OpenFile(path, text, lines, *judge_file(read_record(text.encode("utf-8", "surrogatepass"))))
    except Exception as error:  # noqa: BLE001 - the editor keeps its other files
        message = f"tkid failed at this file ({type(error).__name__}: {error}). Please report it with the file"
        return OpenFile(path, text, lines, [Problem(Kind.FILE, "", message, 1, 1, 1)], None)


MAX_COMPARED = 100
"""Maximum number of differing lines to compare, as that takes the square of their number; more are all replaced."""


@frozen
class Lines:
    """New lines that replace the lines from `first` up to, not including, `stop`; they count from 0."""

    first: int
    stop: int
    text: str


def format_file(file: OpenFile) -> str | None:
    if file.replay is None or file.problems:
        return None
    return write_record(file.replay.record, file.replay)


def list_changes(file: OpenFile, tidy: str) -> Iterator[Lines]:
    """Return the differences between the file and its canonical form, from the top down."""
    before, after = _add_ends(file.lines), _add_ends(split_lines(tidy))
    same = _count_same(before, after)
    before, after = before[same:], after[same:]
    tail = _count_same(reversed(before), reversed(after))
    before, after = before[: len(before) - tail], after[: len(after) - tail]
    if max(len(before), len(after)) > MAX_COMPARED:
        yield Lines(same, same + len(before), "".join(after))
        return
    for kind, first, stop, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Lines(same + first, same + stop, "".join(after[start:end]))


def _count_same(one: Iterable[str], other: Iterable[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _add_ends(lines: Sequence[str]) -> list[str]:
    return [*(f"{line}\n" for line in lines[:-1]), *filter(None, lines[-1:])]


@frozen
class Preview:
    """A picture as SVG, the number of the turn after which it is drawn (0: the start), and its title."""

    turn: int
    title: str
    svg: str


def draw_preview(file: OpenFile, line: int, viewer: Viewer) -> Preview | None:
    """Draw the position after the turn on or above a line, as far as the viewer may know it; None without a game."""
    replay = file.replay
    if replay is None:
        return None
    index = file.count_turns_before(line + 1)
    seat = viewer(file.path, replay, replay.moments[index].position)
    picture = picture_at(hide_secrets(replay, seat), index, seat)
    return Preview(index, picture.title, write_svg_document(picture))


@frozen
class Entry:
    """A turn in the outline: its name, the events that followed, its line, its last line, and the place of its text."""

    name: str
    detail: str
    line: int
    last: int
    span: Span


def make_outline(file: OpenFile) -> Iterator[Entry]:
    turns = file.turns
    for turn in turns:
        outcomes = turn.outcomes
        detail = "; ".join(outcome.text for outcome in outcomes)
        last = max([turn.line, *(outcome.line for outcome in outcomes)])
        start, end = turn.name_col, file.find_text_span(turn)[1]
        text = file.lines[turn.line - 1][start:end].strip()
        yield Entry(f"{turn.number}. {text}", detail, turn.line, last, (0, len(file.lines[turn.line - 1])))


SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|])")


def escape_markdown(text: str) -> str:
    return SPECIAL.sub(r"\\\1", text)


def describe_rule_in_markdown(rule_id: str) -> str:
    if not is_known_rule(rule_id):
        return ""
    entry = rule(rule_id)
    return f"**{escape_markdown(entry.title)}**\n\n{escape_markdown(entry.statement)}\n\n[{entry.id}]({entry.link})"


def format_event_links(events: Iterable[Event], record: Record) -> str:
    return "\n".join(
        f"- {escape_markdown(text)} [{rule_id}]({rule(rule_id).link})"
        for text, rule_id in tell_events(record.game, events, record.names)
    )


RULE_ID = re.compile(r"[a-z]+(?:\.[a-z0-9-]+)+")
HASH_LENGTH = 7
HASH_RULE = "record.turn.hash"


@frozen
class Hover:
    """A text in Markdown about a stretch of a line."""

    text: str
    span: Span


def find_hover(file: OpenFile, line: int, column: int) -> Hover | None:
    if not 0 < line <= len(file.lines):
        return None
    found = [*_list_named_rules(file, line, column), *_list_broken_rules(file, line, column)]
    found = found or [*_describe_turn(file, line, column)]
    text = "\n\n---\n\n".join(dict.fromkeys(each.text for each in found if each.text))
    return Hover(text, found[0].span) if text else None


def _list_named_rules(file: OpenFile, line: int, column: int) -> Iterator[Hover]:
    for match in RULE_ID.finditer(file.lines[line - 1]):
        if match.start() <= column <= match.end() and is_known_rule(match[0]):
            yield Hover(describe_rule_in_markdown(match[0]), match.span())


def _list_broken_rules(file: OpenFile, line: int, column: int) -> Iterator[Hover]:
    for problem in file.problems:
        start, end = find_problem_span(problem)
        if problem.line == line and start <= column <= end:
            yield Hover(describe_rule_in_markdown(problem.rule), (start, end))


def find_problem_span(problem: Problem) -> Span:
    return problem.col - 1, problem.col - 1 + max(problem.length, 1)


def _describe_turn(file: OpenFile, line: int, column: int) -> Iterator[Hover]:
    if file.replay is None:
        return
    moments = file.replay.moments
    turn = file.find_turn(line)
    if turn is None:
        yield from _describe_event(file, line, moments[file.count_turns_before(line)])
        return
    start, end = file.find_text_span(turn)
    if turn.hash and turn.hash_col <= column <= turn.hash_col + HASH_LENGTH:
        yield Hover(describe_rule_in_markdown(HASH_RULE), (turn.hash_col, turn.hash_col + HASH_LENGTH))
    elif turn.name_col <= column <= end:
        yield from _describe_decision(file, turn, column)
        followed = format_event_links(moments[file.count_turns_before(line) + 1].events, file.replay.record)
        yield Hover(followed and f"What followed:\n\n{followed}", (start, end))


def _describe_decision(file: OpenFile, turn: Turn, column: int) -> Iterator[Hover]:
    assert file.replay is not None
    record = file.replay.record
    index = file.find_decision(turn, column)
    move = turn.read.decisions[index].move if turn.read.decisions else None
    if move is not None:
        text = describe_rule_in_markdown(reader(record.game, record.names).find_rule(move))
        yield Hover(text, file.find_decision_span(turn, index))


def _describe_event(file: OpenFile, line: int, moment: Moment) -> Iterator[Hover]:
    assert file.replay is not None
    names, written = file.replay.record.names, file.lines[line - 1]
    begins = DASHES.match(written)
    for event in moment.events:
        if begins and single_space(written[begins.end() :]) == fill_names(event.line, names):
            links = format_event_links([event], file.replay.record)
            yield Hover(f"{links}\n\n{describe_rule_in_markdown(event.rule)}", (0, len(written)))


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


def list_repairs(file: OpenFile, first: int, last: int) -> Iterator[Repair]:
    for problem in file.problems:
        if first <= problem.line <= last:
            for fix in problem.fixes:
                change = _make_change(file, problem, fix)
                if change is not None:
                    yield Repair(problem, change)


def _make_change(file: OpenFile, problem: Problem, fix: Fix) -> Change | None:
    if fix.scope is Scope.PLACE:
        return Change(problem.line, find_problem_span(problem), fix.text)
    turn = file.find_turn(problem.line)
    if turn is None:
        return None
    start, end = file.find_text_span(turn)
    if fix.scope is Scope.END:
        return Change(problem.line, (end, end), f"; {fix.text}")
    span = (start, end)
    if fix.scope is Scope.DECISION:
        span = file.find_decision_span(turn, file.find_decision(turn, problem.col - 1))
    return Change(problem.line, span, fix.text)
