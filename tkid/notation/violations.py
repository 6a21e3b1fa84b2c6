"""Violations of a turn as problems: where the part at fault stands, and what would be legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tkid.kernel.game import AnyGame, with_names
from tkid.kernel.ladder import NEAREST
from tkid.kernel.problems import Kind, Problem, Violation
from tkid.notation.plugin import notation
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
    part = notation(game).part
    return tuple(
        Problem(
            kind=Kind.ILLEGAL,
            rule=violation.rule,
            message=with_names(violation.sentence[:1].upper() + violation.sentence[1:], names),
            col=column + at + 1,
            length=length,
            hint=with_names(hint(game, violation, canonical), names),
        )
        for violation in violations
        for at, length in (_span(decision.parts, part(decision.move, canonical, violation.part)),)
    )


def _span(parts: Mapping[str, Span], part: str) -> Span:
    """Where a part stands; a part that is not written stands for the whole decision."""
    if part in parts:
        return parts[part]
    if not parts:
        return 0, 1
    start = min(at for at, _ in parts.values())
    return start, max(at + length for at, length in parts.values()) - start


def hint(game: AnyGame, violation: Violation, move: Any) -> str:
    """The way out of a violation, in words."""
    if violation.hint:
        return violation.hint
    if not violation.alternatives:
        return ""
    texts = [notation(game).instead(game, move, alternative) for alternative in violation.alternatives]
    some = "for instance " if len(texts) >= NEAREST else ""
    return f"Legal would be {some}{listed([f'`{text}`' for text in texts])}."
