"""Ambush: two followers of a faction are placed in a region, and then one of that region is returned."""

from __future__ import annotations

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import tally
from tkid.games.struggle.rules.cards.card import Card, CardFactory
from tkid.games.struggle.rules.moves import PlaceReturn
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import Shape

SIZES = {2: "two placed, one returned", 1: "one placed, one returned", 0: "none placed, one returned"}


def ambush(factory: CardFactory, name: str, faction: int) -> Card:
    """As many of two as the supply has into an open region, and one out of it, which may be one of them."""
    board, number = factory.board, factory.ids("card.ambush.number")
    colour = c.colour(board, factory.ids("card.ambush.faction"), faction)
    placed = f"{name} places two followers, or as many as the supply has"
    returned = c.number(board, number, 1, f"{name} returns one follower")

    def placing(size: int) -> Shape[Position, PlaceReturn]:
        group = (c.number(board, number, size, placed), colour, factory.supplied())
        slots = (
            factory.region("region"),
            c.group_slot("placed", board, c.supply, size, group),
            factory.inside("returned", 0, 1, returned, more=tally((faction,) * size, len(board.factions))),
        )
        return Shape(number, SIZES[size], PlaceReturn, slots, ground=c.discs)

    return factory.card(name, "card.ambush", "place_return", tuple((placing(size),) for size in SIZES))
