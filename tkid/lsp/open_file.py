"""A game file open in an editor: outline, hover, repairs, formatting, preview."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from attrs import frozen

from tkid.kernel.game import AnyGame, Event, Position, fill_names
from tkid.kernel.ladder import Options
from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.mail.timeline import judge_file
from tkid.notation.plugin import TurnReader, find_turn_reader
from tkid.notation.text import fold_name, measure_name, single_space
from tkid.record.copies import count_same
from tkid.record.format.model import Record, Turn, split_lines
from tkid.record.format.reader import read_record
from tkid.record.format.turn_rows import DASHES, NUMBERED
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
    same = count_same(before, after)
    before, after = before[same:], after[same:]
    tail = count_same(reversed(before), reversed(after))
    before, after = before[: len(before) - tail], after[: len(after) - tail]
    if max(len(before), len(after)) > MAX_COMPARED:
        yield Lines(same, same + len(before), "".join(after))
        return
    for kind, first, stop, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Lines(same + first, same + stop, "".join(after[start:end]))


def _add_ends(lines: Sequence[str]) -> list[str]:
    return [*(f"{line}\n" for line in lines[:-1]), *filter(None, lines[-1:])]


def draw_preview(file: OpenFile, line: int, viewer: Viewer) -> dict[str, object] | None:
    """Draw the position after the turn on or above a line, as far as the viewer may know it; None without a game.

    Returns the number of the turn (0: the start), the title, and the picture as SVG.
    """
    replay = file.replay
    if replay is None:
        return None
    index = file.count_turns_before(line + 1)
    seat = viewer(file.path, replay, replay.moments[index].position)
    picture = picture_at(hide_secrets(replay, seat), index, seat)
    return {"turn": index, "title": picture.title, "svg": write_svg_document(picture)}


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
    found = [
        Hover(describe_rule_in_markdown(match[0]), match.span())
        for match in RULE_ID.finditer(file.lines[line - 1])
        if match.start() <= column <= match.end() and is_known_rule(match[0])
    ]
    for problem in file.problems:
        start, end = find_problem_span(problem)
        if problem.line == line and start <= column <= end:
            found.append(Hover(describe_rule_in_markdown(problem.rule), (start, end)))
    found = found or [*_describe_turn(file, line, column)]
    text = "\n\n---\n\n".join(dict.fromkeys(each.text for each in found if each.text))
    return Hover(text, found[0].span) if text else None


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
        text = describe_rule_in_markdown(find_turn_reader(record.game, record.names).find_rule(move))
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
class Repair:
    """A problem, and a new text for part of its line that fixes it."""

    problem: Problem
    span: Span
    text: str


def list_repairs(file: OpenFile, first: int, last: int) -> Iterator[Repair]:
    for problem in file.problems:
        if first <= problem.line <= last:
            yield from filter(None, (_make_repair(file, problem, fix) for fix in problem.fixes))


def _make_repair(file: OpenFile, problem: Problem, fix: Fix) -> Repair | None:
    if fix.scope is Scope.PLACE:
        return Repair(problem, find_problem_span(problem), fix.text)
    turn = file.find_turn(problem.line)
    if turn is None:
        return None
    span = file.find_text_span(turn)
    if fix.scope is Scope.END:
        return Repair(problem, (span[1], span[1]), f"; {fix.text}")
    if fix.scope is Scope.DECISION:
        span = file.find_decision_span(turn, file.find_decision(turn, problem.col - 1))
    return Repair(problem, span, fix.text)


MAX_TURNS = 40
"""Maximum number of turns to offer; if there are more, their next words are offered."""
MAX_WAYS = 4096
"""Maximum number of ways to play a card that are examined; of more, this many at even distances."""
TURNS_LINE = "turns"
"""The line that begins the turns, in small letters and without its colon."""


@frozen
class Choice:
    """A text to type: the new content of the line from `start` on, a note, the rule, and whether the decision is whole."""

    start: int
    text: str
    detail: str
    rule: str
    whole: bool


def list_completions(file: OpenFile, line: int, column: int, viewer: Viewer) -> list[Choice]:
    """Return the possible continuations of the turn being typed; none outside the turns or after the end of the game."""
    replay = file.replay
    above = (each.strip().rstrip(":").casefold() for each in file.lines[: line - 1])
    if replay is None or not 0 < line <= len(file.lines) or TURNS_LINE not in above:
        return []
    before = file.count_turns_before(line)
    now = replay.moments[before].position
    if now.to_act is None:
        return []
    number = file.turns[before - 1].number + 1 if before else 1
    name = replay.record.names[now.to_act]
    place = _find_place(file.lines[line - 1][:column], f"{number}.", name)
    if place is None:
        return []
    start, lead, typed = place
    game, names = replay.record.game, replay.record.names
    position = game.view(now, viewer(file.path, replay, now)).shown
    offer = _Offer(game, names, find_turn_reader(game, names), start, lead)
    return list(offer.list_choices(position, typed))


def _find_place(typed: str, number: str, name: str) -> tuple[int, str, str] | None:
    """Return where a choice begins, the text of the turn before it, and the typed part; None if the line is no turn."""
    numbered = NUMBERED.match(typed)
    if numbered is None:
        return (0, f"{number} {name} ", "") if number.startswith(typed.strip()) else None
    rest = typed[numbered.end() :]
    length = measure_name(name, rest)
    if length is not None and rest[length:].startswith(" "):
        turn = rest[length + 1 :]
        return None if {"#", "{"} & set(turn) else (numbered.end() + length + 1, "", turn)
    return (numbered.end(), f"{name} ", "") if fold_name(name).startswith(fold_name(rest)) else None


@frozen
class _Offer:
    """The maker of the choices for one line: where they begin and what goes before them."""

    game: AnyGame
    names: Sequence[str]
    reader: TurnReader
    start: int
    lead: str

    def list_choices(self, position: Any, typed: str) -> Iterator[Choice]:
        first, semicolon, second = typed.partition(";")
        if not semicolon:
            begun = typed.lstrip()
            yield from self._list_decisions(position, begun, self.lead + typed.removesuffix(begun))
            return
        moves = self.reader.read_turn(first).moves
        move = self.game.canonical(position, moves[0]) if moves else None
        if move is None or self.game.check(position, move):
            return
        after, _ = self.game.apply(position, move)
        if self.game.turn_continues(after):
            yield from self._list_decisions(after, second.lstrip(), f"{self.lead}{first}; ")

    def _list_decisions(self, position: Any, typed: str, lead: str) -> Iterator[Choice]:
        legal = self.game.legal(position)
        parts = [part for part in (legal.parts if isinstance(legal, Options) else [legal]) if part]
        card, begun = self._find_card(typed)
        for part in parts:
            named = self._get_common_card(part)
            if not named:
                yield from self._list_ways(position, part, typed, lead)
            elif card:
                if named == card:
                    yield from self._list_ways(position, part, begun, lead)
            elif named.casefold().startswith(typed.casefold()):
                ways = f"{len(part)} ways"
                yield Choice(self.start, f"{lead}{named} ", ways, self.reader.find_rule(part[0]), whole=False)

    def _find_card(self, typed: str) -> tuple[str, str]:
        """Return a fully named card that a blank follows, and the typed text with its full name; "" if no card is named."""
        words = typed.split(" ")
        for count in range(len(words) - 1, 0, -1):
            card = self.reader.cards.find(" ".join(words[:count]))
            if isinstance(card, str):
                return card, " ".join([card, *words[count:]])
        return "", typed

    def _get_common_card(self, part: Sequence[Any]) -> str:
        """Return the card that all ways of a part play; "" if there is only one way, or several cards."""
        if len(part) == 1:
            return ""
        first, last = self._write_move(part[0]), self._write_move(part[-1])
        named = (name for name in self.reader.cards.names if f"{first} ".startswith(f"{name} "))
        card = max(named, key=len, default="")
        return card if f"{last} ".startswith(f"{card} ") else ""

    def _write_move(self, move: Any) -> str:
        return fill_names(self.game.words.write_move(move), self.names)

    def _list_ways(self, position: Any, part: Sequence[Any], typed: str, lead: str) -> Iterator[Choice]:
        """List the ways that begin with the typed text, or their next words if there are too many."""
        count = min(len(part), MAX_WAYS)
        moves = (part[index * len(part) // count] for index in range(count))
        written = ((self._write_move(move), move) for move in moves)
        texts = {text: move for text, move in written if text.casefold().startswith(typed.casefold())}
        if len(texts) <= MAX_TURNS:
            for text, move in texts.items():
                goes_on = self.game.turn_continues(self.game.apply(position, move)[0])
                choice = f"{lead}{text}{'; ' if goes_on else ''}"
                yield Choice(self.start, choice, "", self.reader.find_rule(move), whole=not goes_on)
            return
        rule = self.reader.find_rule(part[0])
        for step, ways in _count_next_words(tuple(texts), len(typed)).items():
            yield Choice(self.start, f"{lead}{step} ", f"{ways} ways", rule, whole=False)


def _count_next_words(texts: Sequence[str], length: int) -> dict[str, int]:
    """Count the texts by their next words: as many words as it takes to tell some texts apart."""
    while True:
        steps: dict[str, int] = {}
        for text in texts:
            end = text.find(" ", length)
            step = text[:end] if end >= 0 else text
            steps[step] = steps.get(step, 0) + 1
        if len(steps) > 1 or min(map(len, steps)) >= min(map(len, texts)):
            return dict(list(steps.items())[:MAX_TURNS])
        length = len(next(iter(steps))) + 1
