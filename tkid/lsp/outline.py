"""The turns of a game file as a list, so that an editor can jump to one."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from tkid.lsp.reading import Reading, Span


@frozen
class Entry:
    """A turn: what it is called, what followed from it, its line, the last line that belongs to it, and its text's place."""

    name: str
    detail: str
    line: int
    last: int
    span: Span


def outline(reading: Reading) -> Iterator[Entry]:
    """The turns of a game file, in order."""
    turns = reading.turns
    for turn in turns:
        outcomes = turn.outcomes
        detail = "; ".join(outcome.text for outcome in outcomes)
        last = max([turn.line, *(outcome.line for outcome in outcomes)])
        start, end = turn.name_col, reading.text_span(turn)[1]
        text = reading.lines[turn.line - 1][start:end].strip()
        yield Entry(f"{turn.number}. {text}", detail, turn.line, last, (0, len(reading.lines[turn.line - 1])))
