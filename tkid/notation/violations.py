"""Violations of a turn as problems: where the part at fault stands, and what would be legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tkid.kernel.game import AnyGame, with_names
from tkid.kernel.ladder import NEAREST
from tkid.kernel.problems import Fix, Kind, Problem, Scope, Violation
from tkid.notation.plugin import notation_plugin
from tkid.notation.turns import ReadTurn, Span
from tkid.notation.vocabulary import listed


def problems(
    game: AnyGame,
    read: ReadTurn,
    index: int,
    violations: Iterable[Violation],
    *,
    canonical: Any,
    names: Sequence[str],
) -> tuple[Problem, ...]:
    """The problems of one decision of a turn that was read, columns within the turn."""
    decision, column = read.decisions[index], read.columns[index]
    notation = notation_plugin(game)

    def as_problem(violation: Violation) -> Problem:
        start, length = _span(decision.parts, notation.part(decision.move, canonical, violation.part))
        instead = [notation.instead(game, canonical, alternative) for alternative in violation.alternatives]
        fixes = (*violation.fixes, *(Fix(text, Scope.DECISION) for text in instead))
        return Problem(
            kind=Kind.ILLEGAL,
            rule=violation.rule,
            message=with_names(violation.sentence[:1].upper() + violation.sentence[1:], names),
            col=column + start + 1,
            length=length,
            hint=with_names(violation.hint or _legal(instead), names),
            fixes=tuple(Fix(with_names(fix.text, names), fix.scope) for fix in fixes),
        )

    return tuple(map(as_problem, violations))


def _span(parts: Mapping[str, Span], part: str) -> Span:
    """Where a part stands; a part that is not written stands for the whole decision."""
    if part in parts:
        return parts[part]
    if not parts:
        return 0, 1
    start = min(column for column, _ in parts.values())
    return start, max(column + length for column, length in parts.values()) - start


def _legal(turns: Sequence[str]) -> str:
    """The way out, in words, where some decisions would be legal."""
    some = ", for example" if len(turns) >= NEAREST else ""
    return f"Legal here{some}: {listed([f'`{turn}`' for turn in turns])}." if turns else ""
