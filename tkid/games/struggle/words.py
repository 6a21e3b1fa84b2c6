"""Moves in canonical notation: how each is written down."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from attrs import field, frozen

from tkid.games.struggle.board import Board
from tkid.games.struggle.moves import Exchange, Move, NoSummon, Pass, Place, Play, Spread, Summon, Swap
from tkid.kernel.ladder import Nothing

TEXTS_REMEMBERED = 1 << 14


@frozen
class Words:
    """Writes the moves of a board. Resolutions are written without the card's name."""

    board: Board
    _move: Callable[[Move], str] = field(init=False, eq=False)
    _resolution: Callable[[Any], str] = field(init=False, eq=False)

    @_move.default
    def _(self) -> Callable[[Move], str]:
        return lru_cache(TEXTS_REMEMBERED)(self._write_move)

    @_resolution.default
    def _(self) -> Callable[[Any], str]:
        return lru_cache(TEXTS_REMEMBERED)(self._write)

    def move(self, move: Move) -> str:
        """One decision."""
        return self._move(move)

    def _write_move(self, move: Move) -> str:
        match move:
            case Pass():
                return "Pass"
            case Play(card, resolution):
                return f"{card} {self.resolution(resolution)}"
            case Summon(faction, region):
                return f"summon {self.summon(faction, region)}"
            case NoSummon():
                return "no summon"

    def summon(self, faction: int, region: int) -> str:
        """A summoned follower: `W Gwynedd`."""
        return f"{self.board.factions[faction].letter} {self.board.name(region)}"

    def turn(self, moves: tuple[Move, ...]) -> str:
        """The decisions that stand on one turn line."""
        return "; ".join(map(self.move, moves))

    def resolution(self, resolution: Any) -> str:
        """A resolution: `SS Lancaster`, `S Moray <> E Devon`, `nothing`."""
        return self._resolution(resolution)

    def _write(self, resolution: Any) -> str:
        name, group = self.board.name, self.board.group
        match resolution:
            case Nothing():
                return "nothing"
            case Place(followers, region):
                return f"{group(followers)} {name(region)}"
            case Spread(regions):
                placed = zip(self.board.factions, regions, strict=True)
                return ", ".join(f"{f.letter} {name(r)}" for f, r in placed if r is not None)
            case Exchange(first, second, disc):
                return f"{name(first)} <> {name(second)}, " + ("no disc" if disc is None else f"disc {name(disc)}")
            case Swap(left, right, give, take):
                return f"{group(give)} {name(left)} <> {group(take)} {name(right)}"
        raise TypeError(resolution)
