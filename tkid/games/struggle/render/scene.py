"""What is to be drawn: a position as a seat may know it, the players, and what the last turn did; and where things stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import field, frozen

from tkid.games.struggle.render.traces import Trace, Where, traces
from tkid.games.struggle.rules.board import Board, Followers, minus, plus
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.render.picture import Last

WIDTH = 480
MAP_TOP = 74
"""Where the map begins; the players' parts follow below it."""


@frozen
class Scene:
    """What is to be drawn, and for whom (None: a spectator)."""

    game: Struggle
    shown: Position
    seat: int | None
    names: Sequence[str]
    last: Last | None
    moved: tuple[Trace, ...] = field(init=False)
    """What went from where to where in the last turn."""

    @moved.default
    def _(self) -> tuple[Trace, ...]:
        return traces(self.last.moves, len(self.game.board.factions)) if self.last else ()

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return self.game.board

    def came(self, target: Where) -> Followers:
        """The followers that came to a place in the last turn."""
        return self._sum(trace for trace in self.moved if trace.target == target)

    def left(self, origin: Where) -> list[Trace]:
        """What left a place in the last turn."""
        return [trace for trace in self.moved if trace.origin == origin]

    def change(self, place: Where) -> Followers:
        """By how many followers the last turn made a place richer, or poorer."""
        return minus(self.came(place), self._sum(self.left(place)))

    def _sum(self, moved: Iterable[Trace]) -> Followers:
        total: Followers = (0,) * len(self.board.factions)
        for trace in moved:
            total = plus(total, trace.group)
        return total
