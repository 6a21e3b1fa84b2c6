"""Placing: followers from the supply into one region, near a faction, or Aid anywhere."""

from __future__ import annotations

from itertools import product
from typing import Any

from attrs import evolve

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import Followers, groups, plus
from tkid.games.struggle.rules.cards.card import Card, CardFactory, rewriting
from tkid.games.struggle.rules.moves import Apart, Place, Resolution
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import Condition, Gate, Shape, Slot

Pair = tuple[Followers, Followers]
"""What goes into each of two regions."""
SIZES = {2: "two followers into one region", 1: "one follower into one region"}


def support(factory: CardFactory, name: str, faction: int) -> Card:
    """Two of the faction into a region near it; one where the supply has one."""
    colour = c.colour(factory.board, factory.ids("card.support.faction"), faction)
    near = c.near(factory.board, factory.ids("card.support.near"), faction)
    printed = f"{name} places two followers, or one if the {factory.board.terms.supply} has one"
    return evolve(_placing(factory, name, "card.support", printed, colour, near), faction=faction)


def faction_card(factory: CardFactory, name: str, faction: int) -> Card:
    """Two of the faction into one region or two, each beside one that it controls; one where the supply has one.

    As long as the faction controls nothing, the card may not be played.
    """
    board, ids = factory.board, factory.ids
    two = ids("card.support.two")
    printed = f"{name} places two followers in one region or two, or one if the {board.terms.supply} has one"
    colour = c.colour(board, ids("card.support.faction"), faction)
    beside = c.near(board, ids("card.support.near"), faction, home_counts=False)
    gate: Gate[Position] = Gate(
        ids("card.support.control"),
        "not while its faction controls no region",
        lambda position: faction in position.discs,
        lambda _: f"{name} cannot be played while the {board.factions[faction].name} control no region",
        "Play another card, or pass.",
    )
    together, single = (_shape(factory, size, two, printed, (colour,), (beside,)) for size in (2, 1))
    tiers = ((together, _apart(factory, two, printed, colour, beside)), (single,))
    card = factory.card(name, "card.support", "apart", tiers, gate=gate, canonical=rewriting(Apart, _in_order))
    return evolve(card, faction=faction)


def _apart(factory: CardFactory, rule: str, printed: str, colour: c.Taken, beside: c.Wanted) -> Shape[Position, Apart]:
    """One follower into each of two regions."""
    board = factory.board

    def of_both(condition: c.Taken) -> Condition[Followers, Pair]:
        """A condition on the two groups taken together."""
        return Condition(
            condition.rule,
            lambda supply, pair: condition.holds(supply, plus(*pair)),
            lambda supply, pair: condition.says(supply, plus(*pair)),
        )

    number: Condition[Followers, Pair] = Condition(
        rule,
        lambda _, pair: sum(pair[0]) == sum(pair[1]) == 1,
        lambda _, pair: f"{printed}: place one in each of two regions, not {' and '.join(map(board.group, pair))}",
    )
    ones = groups(1, len(board.factions))
    slots: tuple[Slot[Any, Any], ...] = (
        factory.region("left", beside),
        factory.region("right", beside, in_order=True),
        Slot("groups", c.supply, lambda _: product(ones, ones), (of_both(colour), number, of_both(factory.supplied()))),
    )
    return Shape(rule, "one follower into each of two regions", Apart, slots, ground=c.discs)


def _in_order(_: Position, apart: Apart) -> Resolution:
    """The region that is first on the list comes first; into one region both go together."""
    left, right, (one, other) = apart.left, apart.right, apart.groups
    if left == right:
        return Place(plus(one, other), left)
    return apart if left < right else Apart(right, left, (other, one))


def resist(factory: CardFactory, name: str, faction: int) -> Card:
    """Two that are not of the faction into a region near it; one where the supply has one."""
    colour = c.other_colours(factory.board, factory.ids("card.resist.faction"), faction, "are placed")
    near = c.near(factory.board, factory.ids("card.resist.near"), faction)
    printed = f"{name} places two followers, or one if the supply has one"
    return _placing(factory, name, "card.resist", printed, colour, near)


def conquest(factory: CardFactory, name: str, local: str, faction: int) -> Card:
    """Two of any faction or factions into a region near one faction; one where the supply has one."""
    near = c.near(factory.board, factory.ids(f"{local}.near"), faction)
    printed = f"{name} places two followers, or one if the supply has one"
    return _placing(factory, name, local, printed, None, near)


def aid(factory: CardFactory, name: str) -> Card:
    """Two of a faction that the supply has most of into any region; one where it has but one of each."""
    board = factory.board

    def most(supply: Followers, group: Followers) -> bool:
        return any(n == sum(group) and supply[faction] == max(supply) for faction, n in enumerate(group))

    def says(supply: Followers, group: Followers) -> str:
        names = " or ".join(f.name for f, n in zip(board.factions, supply, strict=True) if n == max(supply))
        return f"the supply has {board.counted(supply)}, so place {names} followers, not {board.group(group)}"

    fullest = Condition(factory.ids("card.aid.most"), most, says)
    return _placing(
        factory, name, "card.aid", f"{name} places two followers of one faction, or one if there is one", fullest
    )


def _placing(
    factory: CardFactory, name: str, local: str, printed: str, colour: c.Taken | None, *near: c.Wanted
) -> Card:
    """Two followers, or else one, under a condition on their factions, if there is one, and others on the region."""
    two, colours = factory.ids(f"{local}.two"), (colour,) if colour else ()
    tiers = tuple((_shape(factory, size, two, printed, colours, near),) for size in SIZES)
    return factory.card(name, local, "place", tiers)


def _shape(  # noqa: PLR0917 - what a shape is made of
    factory: CardFactory, size: int, rule: str, printed: str, colour: tuple[c.Taken, ...], near: tuple[c.Wanted, ...]
) -> Shape[Position, Place]:
    """So many followers into one region."""
    board = factory.board
    group = (*colour, c.number(board, rule, size, printed), factory.supplied(f"the {board.terms.supply}"))
    slots = (
        c.group_slot("group", board, c.supply, size, group),
        c.region_slot("region", board, (factory.unresolved, *near), bound=False),
    )
    return Shape(rule, SIZES[size], Place, slots)
