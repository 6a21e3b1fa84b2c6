"""What an editor shows for the word under the cursor: the rule that is named, the card, or what followed from a turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from tkid.kernel.game import with_names
from tkid.kernel.problems import Problem
from tkid.lsp.markdown import events_text, rule_text
from tkid.lsp.reading import Reading, Span
from tkid.notation.text import single_spaced
from tkid.record.format.model import Turn
from tkid.record.format.turn_rows import DASHES, reader
from tkid.record.play.replay import Moment
from tkid.rulebook import known

RULE_ID = re.compile(r"[a-z]+(?:\.[a-z0-9-]+)+")
HASH_LENGTH = 7
HASH_RULE = "record.turn.hash"


@frozen
class Hover:
    """A text in Markdown about a stretch of a line."""

    text: str
    span: Span


def hover(reading: Reading, line: int, column: int) -> Hover | None:
    """What to show for a column of a line; None where there is nothing."""
    if not 0 < line <= len(reading.lines):
        return None
    found = [*_named(reading, line, column), *_wrong(reading, line, column)] or [*_played(reading, line, column)]
    text = "\n\n---\n\n".join(dict.fromkeys(each.text for each in found if each.text))
    return Hover(text, found[0].span) if text else None


def _named(reading: Reading, line: int, column: int) -> Iterator[Hover]:
    """The rule whose id is written here."""
    for match in RULE_ID.finditer(reading.lines[line - 1]):
        if match.start() <= column <= match.end() and known(match[0]):
            yield Hover(rule_text(match[0]), match.span())


def _wrong(reading: Reading, line: int, column: int) -> Iterator[Hover]:
    """The rules that this place breaks."""
    for problem in reading.problems:
        start, end = problem_span(problem)
        if problem.line == line and start <= column <= end:
            yield Hover(rule_text(problem.rule), (start, end))


def problem_span(problem: Problem) -> Span:
    """The columns of a problem on its line."""
    return problem.col - 1, problem.col - 1 + max(problem.length, 1)


def _played(reading: Reading, line: int, column: int) -> Iterator[Hover]:
    """The turn on this line, or the turn that this line follows from."""
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
    """The card of the decision under the cursor, or what a player summons by."""
    assert reading.replay is not None
    record = reading.replay.record
    index = reading.decision_on(turn, column)
    move = turn.read.decisions[index].move if turn.read.decisions else None
    if move is not None:
        yield Hover(rule_text(reader(record.game, record.names).rule(move)), reading.decision_span(turn, index))


def _followed(reading: Reading, line: int, moment: Moment) -> Iterator[Hover]:
    """The event that a `--` line writes down."""
    assert reading.replay is not None
    names, written = reading.replay.record.names, reading.lines[line - 1]
    begins = DASHES.match(written)
    for event in moment.events:
        if begins and single_spaced(written[begins.end() :]) == with_names(event.line, names):
            yield Hover(events_text([event], names) + "\n\n" + rule_text(event.rule), (0, len(written)))
