"""Placing: followers from the supply into one region. Support and Resist place them near a faction, Aid anywhere."""

from __future__ import annotations

from tkid.games.struggle import conditions as c
from tkid.games.struggle.board import Followers
from tkid.games.struggle.cards.card import Card, Press
from tkid.games.struggle.moves import Place
from tkid.games.struggle.position import Position
from tkid.kernel.ladder import Condition, Shape

SIZES = {2: "two followers into one region", 1: "one follower into one region"}


def support(press: Press, name: str, faction: int) -> Card:
    """Two of the faction into a region near it; one where the supply has one."""
    supply = press.board.terms.supply
    colour = c.colour(press.board, press.ids("card.support.faction"), faction)
    near = c.near(press.board, press.ids("card.support.near"), faction)
    return _placing(
        press, name, "card.support", f"{name} places two followers, or one if the {supply} has one", colour, near
    )


def resist(press: Press, name: str, faction: int) -> Card:
    """Two that are not of the faction into a region near it; one where the supply has one."""
    colour = c.other_colours(press.board, press.ids("card.resist.faction"), faction, "are placed")
    near = c.near(press.board, press.ids("card.resist.near"), faction)
    return _placing(
        press, name, "card.resist", f"{name} places two followers, or one if the supply has one", colour, near
    )


def aid(press: Press, name: str) -> Card:
    """Two of a faction that the supply has most of into any region; one where it has but one of each."""
    board = press.board

    def most(supply: Followers, group: Followers) -> bool:
        return any(n == sum(group) and supply[faction] == max(supply) for faction, n in enumerate(group))

    def says(supply: Followers, group: Followers) -> str:
        names = " or ".join(f.name for f, n in zip(board.factions, supply, strict=True) if n == max(supply))
        return f"the supply holds {board.counted(supply)}, so {names} followers are placed, not {board.group(group)}"

    fullest = Condition(press.ids("card.aid.most"), most, says)
    return _placing(
        press, name, "card.aid", f"{name} places two followers of one faction, or one if there is one", fullest
    )


def _placing(press: Press, name: str, local: str, printed: str, colour: c.Taken, *near: c.Wanted) -> Card:
    """Two followers, or else one, under a condition on their factions and others on the region."""
    board, ids = press.board, press.ids
    rule, two = ids(local), ids(f"{local}.two")

    def placing(size: int) -> Shape[Position, Place]:
        number = c.number(board, two, size, printed)
        group = (colour, number, c.available(board, ids("action.supply"), f"the {board.terms.supply}"))
        region = (c.unresolved(board, ids("action.resolved")), *near)
        slots = (
            c.group_slot("group", board, c.supply, size, group),
            c.region_slot("region", board, region, bound=False),
        )
        return Shape(two, SIZES[size], Place, slots)

    return Card(name, rule, "place", press.ladder(rule, ((placing(2),), (placing(1),))))
