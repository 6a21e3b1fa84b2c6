"""A turn as it was read, in any game: moves with their places, or problems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field

from tkid.kernel.problems import Kind, Place, Problem
from tkid.kernel.values import quick_frozen
from tkid.rulebook import cites

MAX_TURN_LENGTH = 2000
"""Maximum number of characters of a turn; the longest that the program writes has a twentieth of them."""
Span = tuple[int, int]
"""Place of a part in the text: column from 0, and length."""


class WrongError(Exception):
    """A part of a decision was not understood; carries the problems."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*map(str, problems))
        self.problems = problems


@quick_frozen
class ReadDecision:
    """One decision as read: the move, or None with the problems; and the places of its parts."""

    move: Any
    problems: tuple[Problem, ...]
    parts: Mapping[str, Span]


@quick_frozen
class ReadTurn:
    """A turn as read: its decisions in order, and the column at which each starts.

    `moves` are the moves in order, empty where anything was not understood; `problems` say what was not, with
    columns within the whole turn. `written` is the text, if it is exactly what the program writes for these moves.
    """

    decisions: tuple[ReadDecision, ...]
    columns: tuple[int, ...]
    written: str = ""
    moves: tuple[Any, ...] = field(init=False)

    @moves.default
    def _(self) -> tuple[Any, ...]:
        moves = tuple([decision.move for decision in self.decisions])
        return moves if all(moves) else ()

    problems: tuple[Problem, ...] = field(init=False)

    @problems.default
    def _(self) -> tuple[Problem, ...]:
        if self.moves:
            return ()
        return tuple(
            problem.moved(line=problem.line, col=column)
            for decision, column in zip(self.decisions, self.columns, strict=True)
            for problem in sorted(decision.problems, key=lambda problem: problem.col)
        )


@cites("notation.long")
def refuse_long_turn(text: str) -> ReadTurn:
    """Return the reading of a text that is longer than any turn, with a problem at the first character too many."""
    message = f"This has {len(text):,} characters; a turn has at most {MAX_TURN_LENGTH:,}"
    place = Place(col=MAX_TURN_LENGTH + 1, length=1)
    problem = Problem(Kind.SYNTAX, "notation.long", message, hint="Write one turn, without other words.", **place)
    return ReadTurn((ReadDecision(None, (problem,), {}),), (0,))
