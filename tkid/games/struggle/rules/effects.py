"""What a resolution does to the board, whichever card it was played with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tkid.games.struggle.rules.board import Followers, minus, plus, tally
from tkid.games.struggle.rules.moves import (
    Apart,
    Copy,
    CourtSwap,
    Exchange,
    Place,
    PlaceMove,
    PlaceReturn,
    PlaceSwap,
    ReturnPlace,
    Shift,
    Spread,
    Swap,
)
from tkid.games.struggle.rules.position import Position, put
from tkid.kernel.ladder import Nothing
from tkid.rulebook import cites

Changes = dict[str, Any]
"""Attributes of a position with their new values."""


def changes(position: Position, resolution: Any) -> Changes:
    """What a resolution by the seat to act changes in the position."""
    return _EFFECTS[type(resolution)](position, resolution)


def _from_supply(position: Position, region: int, change: Followers) -> Changes:
    """Followers pass from the supply into a region; less than none pass the other way."""
    return {
        "regions": put(position.regions, region, plus(position.regions[region], change)),
        "supply": minus(position.supply, change),
    }


def _place(position: Position, done: Place) -> Changes:
    return _from_supply(position, done.region, done.group)


def _apart(position: Position, done: Apart) -> Changes:
    regions, supply = position.regions, position.supply
    for region, group in zip((done.left, done.right), done.groups, strict=True):
        regions, supply = put(regions, region, plus(regions[region], group)), minus(supply, group)
    return {"regions": regions, "supply": supply}


def _place_return(position: Position, done: PlaceReturn) -> Changes:
    return _from_supply(position, done.region, minus(done.placed, done.returned))


def _return_place(position: Position, done: ReturnPlace) -> Changes:
    return _from_supply(position, done.region, minus(done.placed, tally(done.returned, len(done.placed))))


def _place_swap(position: Position, done: PlaceSwap) -> Changes:
    landed = _from_supply(position, done.region, done.placed)
    if done.other is None:
        return landed
    swapped = _swap(position.but(**landed), Swap(done.region, done.other, done.give, done.take))
    return landed | swapped


def _place_move(position: Position, done: PlaceMove) -> Changes:
    changed = _from_supply(position, done.region, done.placed)
    for group, target in done.moved:
        changed |= _shift(position.but(**changed), Shift(group, done.region, target))
    return changed


def _court_swap(position: Position, done: CourtSwap) -> Changes:
    seat = position.to_act
    assert seat is not None
    change = minus(done.take, done.give)
    return {
        "courts": put(position.courts, seat, plus(position.courts[seat], change)),
        "regions": put(position.regions, done.region, minus(position.regions[done.region], change)),
    }


def _spread(position: Position, done: Spread) -> Changes:
    regions = [list(followers) for followers in position.regions]
    for faction, target in enumerate(done.regions):
        if target is not None:
            regions[target][faction] += 1
    placed = tuple([int(target is not None) for target in done.regions])
    return {"regions": tuple(map(tuple, regions)), "supply": minus(position.supply, placed)}


def _swap(position: Position, done: Swap) -> Changes:
    left, right, change = done.left, done.right, minus(done.take, done.give)
    regions = put(position.regions, left, plus(position.regions[left], change))
    return {"regions": put(regions, right, minus(regions[right], change))}


def _shift(position: Position, done: Shift) -> Changes:
    regions = put(position.regions, done.origin, minus(position.regions[done.origin], done.group))
    return {"regions": put(regions, done.target, plus(regions[done.target], done.group))}


def _exchange(position: Position, done: Exchange) -> Changes:
    instead = {done.first: done.second, done.second: done.first}
    changed: Changes = {"track": tuple([instead.get(region, region) for region in position.track])}
    if done.disc is not None:
        assert position.to_act is not None
        discs = list(position.negotiation_discs)
        discs[position.to_act] -= 1
        changed |= {"negotiated": position.negotiated | {done.disc}, "negotiation_discs": tuple(discs)}
    return changed


def _copy(position: Position, done: Copy) -> Changes:
    return changes(position, done.resolution)


@cites("partial.nothing")
def _nothing(_: Position, __: Nothing) -> Changes:
    return {}


_EFFECTS: Mapping[type, Callable[[Position, Any], Changes]] = {
    Place: _place,
    Apart: _apart,
    PlaceReturn: _place_return,
    ReturnPlace: _return_place,
    Spread: _spread,
    Swap: _swap,
    Shift: _shift,
    PlaceSwap: _place_swap,
    PlaceMove: _place_move,
    CourtSwap: _court_swap,
    Exchange: _exchange,
    Copy: _copy,
    Nothing: _nothing,
}
