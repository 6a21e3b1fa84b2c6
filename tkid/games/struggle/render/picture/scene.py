"""What the picture shows: a position as a seat may know it, the players, and what the last turn moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import field, frozen

from tkid.games.struggle.rules.board import Board, Followers, minus, plus
from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.moves import Exchange, Play, Summon, carried_out, transfers
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.transfers import COURT, Transfer, Where
from tkid.games.struggle.rules.turns.struggles import ResolvedRegion
from tkid.render.picture import LastTurn


@frozen
class Scene:
    """A position to be drawn for a seat (None: a spectator), and the turn that led to it."""

    game: Struggle
    shown: Position
    seat: int | None
    names: Sequence[str]
    last: LastTurn | None
    moved: tuple[Transfer, ...] = field(kw_only=True)
    """The followers that the last turn moved; given, they are marked in its place."""

    @moved.default
    def _(self) -> tuple[Transfer, ...]:
        return tuple(transfer for transfer in self._transfers() if any(transfer.group))

    def _transfers(self) -> Iterator[Transfer]:
        for move in self.last.moves if self.last else ():
            match move:
                case Summon(faction, region):
                    yield Transfer(self.board.one(faction), region, COURT)
                case Play(_, resolution):
                    yield from transfers(resolution)

    @property
    def board(self) -> Board:
        """The board of the game."""
        return self.game.board

    @property
    def mover(self) -> str:
        """The player who made the last turn, or whose turn it is if there was none."""
        seat = self.last.seat if self.last else self.shown.to_act
        return "" if seat is None else self.names[seat]

    @property
    def contested(self) -> int | None:
        """The region that players contest; None when the game is over."""
        return None if self.shown.to_act is None else self.shown.contested

    def resolved(self, region: int) -> bool:
        """Whether the last turn resolved a region."""
        events = [event.about for event in self.last.events] if self.last else []
        return any(isinstance(about, ResolvedRegion) and about.region == region for about in events)

    @property
    def exchanged(self) -> tuple[int, int] | None:
        """The regions whose cards changed places in the last turn."""
        for move in self.last.moves if self.last else ():
            if isinstance(move, Play) and isinstance(exchange := carried_out(move.resolution), Exchange):
                return exchange.first, exchange.second
        return None

    def came(self, target: Where) -> Followers:
        """The followers that came to a place in the last turn."""
        return self._sum(transfer for transfer in self.moved if transfer.target == target)

    def left(self, origin: Where) -> list[Transfer]:
        """The transfers from a place in the last turn."""
        return [transfer for transfer in self.moved if transfer.origin == origin]

    def change(self, place: Where) -> Followers:
        """How many followers a place gained in the last turn; lost ones count below zero."""
        return minus(self.came(place), self._sum(self.left(place)))

    def _sum(self, moved: Iterable[Transfer]) -> Followers:
        total: Followers = (0,) * len(self.board.factions)
        for transfer in moved:
            total = plus(total, transfer.group)
        return total
