"""Support: two followers of a faction from the supply into one region near that faction."""

from __future__ import annotations

from tkid.games.struggle import conditions as c
from tkid.games.struggle.cards.card import Card, Press
from tkid.games.struggle.moves import Place
from tkid.games.struggle.position import Position
from tkid.kernel.ladder import Shape

SIZES = {2: "two followers into one region", 1: "one follower into one region"}


def support(press: Press, name: str, faction: int) -> Card:
    """Two of the faction into a region near it; one where the supply has one."""
    board, ids = press.board, press.ids
    rule, two = ids("card.support"), ids("card.support.two")
    number = f"{name} places two followers, or one if the supply has one"

    def placing(size: int) -> Shape[Position, Place]:
        group = (
            c.colour(board, ids("card.support.faction"), faction),
            c.number(board, two, size, number),
            c.available(board, ids("action.supply"), "the supply"),
        )
        region = (
            c.unresolved(board, ids("action.resolved")),
            c.near(board, ids("card.support.near"), faction),
        )
        slots = (
            c.group_slot("group", board, c.supply, size, group),
            c.region_slot("region", board, region, bound=False),
        )
        return Shape(two, SIZES[size], Place, slots)

    return Card(name, rule, "place", press.ladder(rule, ((placing(2),), (placing(1),))))
