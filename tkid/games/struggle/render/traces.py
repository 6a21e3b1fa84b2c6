"""Where followers and region cards went in a move: what a picture marks and draws arrows for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from attrs import frozen

from tkid.games.struggle.rules.board import Followers, tally
from tkid.games.struggle.rules.moves import (
    Apart,
    Copy,
    CourtSwap,
    Exchange,
    Place,
    PlaceMove,
    PlaceReturn,
    PlaceSwap,
    Play,
    ReturnPlace,
    Shift,
    Spread,
    Summon,
    Swap,
)

Where = int | Literal["supply", "court"]
"""A region, the supply, or the court of whoever moves."""


@frozen
class Trace:
    """Followers that went from one place to another."""

    group: Followers
    origin: Where
    target: Where


def traces(moves: Iterable[Any], kinds: int) -> tuple[Trace, ...]:
    """Where followers of so many kinds went in the moves of a turn, in order."""
    return tuple(trace for move in moves for trace in _moved(move, kinds) if any(trace.group))


def exchanged(moves: Iterable[Any]) -> tuple[int, int] | None:
    """The regions whose cards changed places in a turn."""
    for move in moves:
        done = _done(move)
        if isinstance(done, Exchange):
            return done.first, done.second
    return None


def _done(move: Any) -> Any:
    """The resolution of a card, of the copied one where it copies; None where nothing was played."""
    done = move.resolution if isinstance(move, Play) else None
    return done.resolution if isinstance(done, Copy) else done


def _moved(move: Any, kinds: int) -> Iterable[Trace]:
    if isinstance(move, Summon):
        return (Trace(_one(move.faction, kinds), move.region, "court"),)
    return _TRACES.get(type(_done(move)), _nothing)(_done(move))


def _one(faction: int, kinds: int) -> Followers:
    return tally((faction,), kinds)


def _nothing(_: Any) -> Iterator[Trace]:
    yield from ()


def _place(done: Place) -> Iterator[Trace]:
    yield Trace(done.group, "supply", done.region)


def _apart(done: Apart) -> Iterator[Trace]:
    for region, group in zip((done.left, done.right), done.groups, strict=True):
        yield Trace(group, "supply", region)


def _spread(done: Spread) -> Iterator[Trace]:
    for faction, region in enumerate(done.regions):
        if region is not None:
            yield Trace(_one(faction, len(done.regions)), "supply", region)


def _swap(done: Swap) -> Iterator[Trace]:
    yield Trace(done.give, done.left, done.right)
    yield Trace(done.take, done.right, done.left)


def _shift(done: Shift) -> Iterator[Trace]:
    yield Trace(done.group, done.origin, done.target)


def _place_return(done: PlaceReturn) -> Iterator[Trace]:
    yield Trace(done.placed, "supply", done.region)
    yield Trace(done.returned, done.region, "supply")


def _return_place(done: ReturnPlace) -> Iterator[Trace]:
    yield Trace(tally(done.returned, len(done.placed)), done.region, "supply")
    yield Trace(done.placed, "supply", done.region)


def _place_swap(done: PlaceSwap) -> Iterator[Trace]:
    yield Trace(done.placed, "supply", done.region)
    if done.other is not None:
        yield from _swap(Swap(done.region, done.other, done.give, done.take))


def _place_move(done: PlaceMove) -> Iterator[Trace]:
    yield Trace(done.placed, "supply", done.region)
    for group, target in done.moved:
        yield Trace(group, done.region, target)


def _court_swap(done: CourtSwap) -> Iterator[Trace]:
    yield Trace(done.give, "court", done.region)
    yield Trace(done.take, done.region, "court")


_TRACES: Mapping[type, Callable[[Any], Iterable[Trace]]] = {
    Place: _place,
    Apart: _apart,
    Spread: _spread,
    Swap: _swap,
    Shift: _shift,
    PlaceReturn: _place_return,
    ReturnPlace: _return_place,
    PlaceSwap: _place_swap,
    PlaceMove: _place_move,
    CourtSwap: _court_swap,
}
