"""Moves in canonical notation: how each is written down. A seat stands as `{0}`, for the player's name.

The notation has a table of its own and does not follow from the transfers. It writes `S Moray <> E Devon` and
`Devon place SS return W`: each form names a region once, has its own words, and keeps the order in which followers
are returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from attrs import field, frozen

from tkid.games.struggle.rules.board import Board
from tkid.games.struggle.rules.moves import (
    Apart,
    Copy,
    CourtSwap,
    Exchange,
    Move,
    NoSummon,
    Pass,
    Place,
    PlaceMove,
    PlaceReturn,
    PlaceSwap,
    Play,
    ReturnPlace,
    Reveal,
    Shift,
    Spread,
    Summon,
    Swap,
)
from tkid.kernel.ladder import Nothing

TEXTS_REMEMBERED = 1 << 12


@frozen(eq=False)
class Words:
    """Writes the moves of a board. Resolutions are written without the card's name."""

    board: Board
    move: Callable[[Move], str] = field(init=False, eq=False)
    """Writes one decision."""
    resolution: Callable[[Any], str] = field(init=False, eq=False)
    """Writes a resolution: `SS Lancaster`, `S Moray <> E Devon`, `nothing`."""

    @move.default
    def _(self) -> Callable[[Move], str]:
        return lru_cache(TEXTS_REMEMBERED)(self._write_move)

    @resolution.default
    def _(self) -> Callable[[Any], str]:
        return lru_cache(TEXTS_REMEMBERED)(lambda resolution: _WRITTEN[type(resolution)](self, resolution))

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
            case Reveal(card, faction):
                return f"{card} {self.board.factions[faction].letter}"

    def summon(self, faction: int, region: int) -> str:
        """A summoned follower: `W Gwynedd`."""
        return f"{self.board.factions[faction].letter} {self.board.name(region)}"

    def turn(self, moves: Iterable[Move]) -> str:
        """The decisions that stand on one turn line."""
        return "; ".join(map(self.move, moves))


def _part(what: str, followers: str) -> str:
    """A part of a resolution, which is left out where no follower takes part."""
    return "" if followers == "-" else f" {what} {followers}"


def _apart(words: Words, apart: Apart) -> str:
    name, group = words.board.name, words.board.group
    first, second = apart.groups
    return f"{group(first)} {name(apart.left)}, {group(second)} {name(apart.right)}"


def _spread(words: Words, spread: Spread) -> str:
    placed = zip(words.board.factions, spread.regions, strict=True)
    return ", ".join(f"{f.letter} {words.board.name(r)}" for f, r in placed if r is not None)


def _exchange(words: Words, exchange: Exchange) -> str:
    name = words.board.name
    disc = "no disc" if exchange.disc is None else f"disc {name(exchange.disc)}"
    return f"{name(exchange.first)} <> {name(exchange.second)}, {disc}"


def _swap(words: Words, swap: Swap) -> str:
    name, group = words.board.name, words.board.group
    return f"{group(swap.give)} {name(swap.left)} <> {group(swap.take)} {name(swap.right)}"


def _shift(words: Words, shift: Shift) -> str:
    name = words.board.name
    return f"{words.board.group(shift.group)} {name(shift.origin)} > {name(shift.target)}"


def _place_return(words: Words, done: PlaceReturn) -> str:
    name, group = words.board.name, words.board.group
    return name(done.region) + _part("place", group(done.placed)) + _part("return", group(done.returned))


def _return_place(words: Words, done: ReturnPlace) -> str:
    name, group = words.board.name, words.board.group
    returned = "".join([words.board.factions[faction].letter for faction in done.returned])
    return name(done.region) + _part("return", returned or "-") + _part("place", group(done.placed))


def _place_swap(words: Words, done: PlaceSwap) -> str:
    name, group = words.board.name, words.board.group
    landed = name(done.region) + _part("place", group(done.placed))
    if done.other is None:
        return landed
    return f"{landed} swap {group(done.give)} <> {group(done.take)} {name(done.other)}"


def _place_move(words: Words, done: PlaceMove) -> str:
    name, group = words.board.name, words.board.group
    moved = ", ".join(f"{group(some)} > {name(target)}" for some, target in done.moved)
    return name(done.region) + _part("place", group(done.placed)) + _part("move", moved or "-")


def _court_swap(words: Words, done: CourtSwap) -> str:
    group = words.board.group
    return f"{group(done.give)} <> {group(done.take)} {words.board.name(done.region)}"


_WRITTEN: Mapping[type, Callable[[Words, Any], str]] = {
    Nothing: lambda *_: "nothing",
    Place: lambda words, place: f"{words.board.group(place.group)} {words.board.name(place.region)}",
    Apart: _apart,
    PlaceReturn: _place_return,
    ReturnPlace: _return_place,
    Spread: _spread,
    Exchange: _exchange,
    Swap: _swap,
    Shift: _shift,
    PlaceSwap: _place_swap,
    PlaceMove: _place_move,
    CourtSwap: _court_swap,
    Copy: lambda words, copy: f"{{{copy.seat}}}: {copy.card} {words.resolution(copy.resolution)}",
}
