"""A turn as it was read, in any game: moves with their places, or problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from attrs import field, frozen

from tkid.kernel.problems import Problem

Span = tuple[int, int]
"""Where a part stands in the text: column from 0, and length."""


class WrongError(Exception):
    """A part of a decision was not understood; carries the problems."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*map(str, problems))
        self.problems = problems


class PartsWhenAsked(Mapping[str, Span]):
    """Where the parts of a decision stand, found out when somebody asks: for what is legal nobody does."""

    def __init__(self, find: Callable[[], Mapping[str, Span]]) -> None:
        self._parts = cache(find)

    def __getitem__(self, part: str) -> Span:
        return self._parts()[part]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts())

    def __len__(self) -> int:
        return len(self._parts())


@frozen
class ReadDecision:
    """One decision as read: the move, None with the problems where it could not be; and where its parts stand."""

    move: Any
    problems: tuple[Problem, ...]
    parts: Mapping[str, Span]


@frozen
class ReadTurn:
    """A turn as read: its decisions in order, and the column at which each starts.

    `moves` are the moves in order, empty where anything was not understood; `problems` say what was not, with
    columns within the whole turn.
    """

    decisions: tuple[ReadDecision, ...]
    columns: tuple[int, ...]
    moves: tuple[Any, ...] = field(init=False)

    @moves.default
    def _(self) -> tuple[Any, ...]:
        moves = tuple(decision.move for decision in self.decisions if decision.move is not None)
        return moves if len(moves) == len(self.decisions) else ()

    problems: tuple[Problem, ...] = field(init=False)

    @problems.default
    def _(self) -> tuple[Problem, ...]:
        return tuple(
            problem.moved(line=problem.line, col=column)
            for decision, column in zip(self.decisions, self.columns, strict=True)
            for problem in sorted(decision.problems, key=lambda problem: problem.col)
        )
