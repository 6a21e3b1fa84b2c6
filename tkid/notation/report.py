"""Violations of a turn as problems: where the part at fault stands, and what would be legal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tkid.games.struggle.game import Struggle
from tkid.games.struggle.moves import Copy, Exchange, Move, Play, Reveal, Summon, Swap
from tkid.kernel.game import with_names
from tkid.kernel.ladder import NEAREST
from tkid.kernel.problems import Kind, Problem, Violation
from tkid.notation.build import Span
from tkid.notation.turns import ReadTurn
from tkid.notation.vocabulary import listed

OTHER_SIDE = {"left": "right", "right": "left", "give": "take", "take": "give", "first": "second", "second": "first"}


def problems(
    game: Struggle,
    read: ReadTurn,
    index: int,
    violations: Iterable[Violation],
    *,
    canonical: Move,
    names: Sequence[str],
) -> tuple[Problem, ...]:
    """The problems of one decision of a turn that was read, columns within the turn."""
    decision, column = read.decisions[index], read.columns[index]
    turned = _turned(decision.move, canonical)
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
        for at, length in (_span(decision.parts, OTHER_SIDE.get(violation.part, "") if turned else violation.part),)
    )


def _span(parts: Mapping[str, Span], part: str) -> Span:
    """Where a part stands; a part that is not written stands for the whole decision."""
    if part in parts:
        return parts[part]
    if not parts:
        return 0, 1
    start = min(at for at, _ in parts.values())
    return start, max(at + length for at, length in parts.values()) - start


def _turned(read: Move | None, canonical: Move) -> bool:
    """Whether the canonical form tells the move from the other side."""
    if not isinstance(read, Play) or not isinstance(canonical, Play):
        return False
    first, second = (
        m.resolution.resolution if isinstance(m.resolution, Copy) else m.resolution for m in (read, canonical)
    )
    match first, second:
        case Swap() as a, Swap() as b:
            return a.left != b.left
        case Exchange() as c, Exchange() as d:
            return c.first != d.first
    return False


def hint(game: Struggle, violation: Violation, move: Move) -> str:
    """The way out of a violation, in words."""
    if violation.hint:
        return violation.hint
    if not violation.alternatives:
        return ""
    texts = [_written(game, move, alternative) for alternative in violation.alternatives]
    some = "for instance " if len(texts) >= NEAREST else ""
    return f"Legal would be {some}{listed([f'`{text}`' for text in texts])}."


def _written(game: Struggle, move: Move, alternative: Any) -> str:
    """A move that would be legal in place of another: a decision of its own, or a resolution of the same card."""
    if isinstance(alternative, Summon | Reveal):
        return game.words.move(alternative)
    return game.words.move(Play(move.card, alternative)) if isinstance(move, Play) else "no summon"
