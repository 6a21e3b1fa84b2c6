"""Ambush: two followers of a faction are placed in a region, and then one of that region is returned."""

from __future__ import annotations

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import tally
from tkid.games.struggle.rules.cards.card import Card, CardFactory
from tkid.games.struggle.rules.moves import PlaceReturn
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import WHERE, Shape

SIZES = {2: "two placed, one returned", 1: "one placed, one returned", 0: "none placed, one returned"}


def ambush(factory: CardFactory, name: str, faction: int) -> Card:
    """As many of two as the supply has into an open region, and one out of it, which may be one of them."""
    board, ids = factory.board, factory.ids
    rule, number = ids("card.ambush"), ids("card.ambush.number")
    colour = c.colour(board, ids("card.ambush.faction"), faction)
    placed = f"{name} places two followers, or as many as the supply has"

    def placing(size: int) -> Shape[Position, PlaceReturn]:
        by_then = tally((faction,) * size, len(board.factions))
        group = (c.number(board, number, size, placed), colour, c.available(board, ids("action.supply"), "the supply"))
        returned = (
            c.number(board, number, 1, f"{name} returns one follower"),
            c.available(board, ids("action.region"), WHERE, by_then),
        )
        slots = (
            c.region_slot("region", board, (c.unresolved(board, ids("action.resolved")),)),
            c.group_slot("placed", board, c.supply, size, group),
            c.inside_slot("returned", board, 0, 1, returned),
        )
        return Shape(number, SIZES[size], PlaceReturn, slots, ground=c.discs)

    return Card(name, rule, "place_return", factory.ladder(rule, tuple((placing(size),) for size in SIZES)))
