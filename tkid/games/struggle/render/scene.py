"""What is to be drawn: a position as a seat may know it, the players, and what the last turn did; and where things stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import field, frozen

from tkid.games.struggle.render.traces import traces
from tkid.games.struggle.rules.board import Board, Followers, minus, plus
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.transfers import Transfer, Where
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
    moved: tuple[Transfer, ...] = field(init=False)
    """What went from where to where in the last turn."""

    @moved.default
    def _(self) -> tuple[Transfer, ...]:
        return traces(self.last.moves, len(self.game.board.factions)) if self.last else ()

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return self.game.board

    def came(self, target: Where) -> Followers:
        """The followers that came to a place in the last turn."""
        return self._sum(transfer for transfer in self.moved if transfer.target == target)

    def left(self, origin: Where) -> list[Transfer]:
        """What left a place in the last turn."""
        return [transfer for transfer in self.moved if transfer.origin == origin]

    def change(self, place: Where) -> Followers:
        """By how many followers the last turn made a place richer, or poorer."""
        return minus(self.came(place), self._sum(self.left(place)))

    def _sum(self, moved: Iterable[Transfer]) -> Followers:
        total: Followers = (0,) * len(self.board.factions)
        for transfer in moved:
            total = plus(total, transfer.group)
        return total
