"""What a resolution does to the board, whichever card it was played with."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tkid.games.struggle.rules.board import Followers, minus, plus
from tkid.games.struggle.rules.moves import Copy, Exchange, Resolution, carried_out, transfers
from tkid.games.struggle.rules.position import Position, put
from tkid.games.struggle.rules.transfers import COURT, SUPPLY, Where
from tkid.kernel.ladder import Nothing
from tkid.rulebook import cites

Changes = dict[str, Any]
"""Attributes of a position with their new values."""
BALANCES_REMEMBERED = 1 << 12


def changes(position: Position, resolution: Resolution) -> Changes:
    """What a resolution by the seat to act changes in the position."""
    done = carried_out(resolution) if isinstance(resolution, Copy) else resolution
    if isinstance(done, Exchange):
        return _exchanged(position, done)
    return _nothing() if isinstance(done, Nothing) else _moved(position, done)


@cites("partial.nothing")
def _nothing() -> Changes:
    return {}


@lru_cache(BALANCES_REMEMBERED)
def balance(resolution: Resolution) -> tuple[tuple[Where, Followers], ...]:
    """By how many followers each place that a resolution touches grows, or shrinks."""
    growth: dict[Where, Followers] = {}
    for group, origin, target in transfers(resolution):
        none = (0,) * len(group)
        growth[origin] = minus(growth.get(origin, none), group)
        growth[target] = plus(growth.get(target, none), group)
    return tuple(growth.items())


def _moved(position: Position, resolution: Resolution) -> Changes:
    """Followers come and go: in the regions, and behind them in the court of the seat to act and in the supply."""
    seat = position.to_act
    assert seat is not None
    court = position.courts[seat]
    places = [*position.regions, court, position.supply]
    for place, growth in balance(resolution):
        places[place] = plus(places[place], growth)
    changed: Changes = {"regions": tuple(places[:COURT]), "supply": places[SUPPLY]}
    if places[COURT] is not court:
        changed["courts"] = put(position.courts, seat, places[COURT])
    return changed


def _exchanged(position: Position, exchange: Exchange) -> Changes:
    """Two region cards change places, and a disc goes on one of them."""
    instead = {exchange.first: exchange.second, exchange.second: exchange.first}
    changed: Changes = {"track": tuple([instead.get(region, region) for region in position.track])}
    if exchange.disc is not None:
        assert position.to_act is not None
        discs = list(position.negotiation_discs)
        discs[position.to_act] -= 1
        changed |= {"negotiated": position.negotiated | {exchange.disc}, "negotiation_discs": tuple(discs)}
    return changed
