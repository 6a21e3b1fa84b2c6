"""Repairs of problems as changes of the text: each fix that a problem proposes, at the place that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from tkid.kernel.problems import Fix, Problem, Scope
from tkid.lsp.hover import problem_span
from tkid.lsp.reading import Reading, Span


@frozen
class Change:
    """A new text for a stretch of a line; lines count from 1."""

    line: int
    span: Span
    text: str


@frozen
class Repair:
    """A problem, and a change that puts it right."""

    problem: Problem
    change: Change


def repairs(reading: Reading, first: int, last: int) -> Iterator[Repair]:
    """The repairs that the problems on some lines propose."""
    for problem in reading.problems:
        if first <= problem.line <= last:
            for fix in problem.fixes:
                change = _change(reading, problem, fix)
                if change is not None:
                    yield Repair(problem, change)


def _change(reading: Reading, problem: Problem, fix: Fix) -> Change | None:
    """A fix as a change; None where the turn that it belongs to is not there."""
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
