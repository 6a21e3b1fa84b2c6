"""Renewals: followers of a region near a faction are returned, then others placed there: Quell, Muster, Suppress."""

from __future__ import annotations

from itertools import product
from typing import Any

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import Followers, plus, tally
from tkid.games.struggle.rules.cards.card import Card, CardFactory, rewriting
from tkid.games.struggle.rules.moves import ReturnPlace
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import WHERE, Condition, Shape, Slot

NUMBERS = {0: "none", 1: "one", 2: "two"}
Returned = tuple[int, ...]
"""Factions, one for each follower in the order in which they are returned."""
Leading = Condition[Followers, Returned]
Step = tuple[str, int, int, Leading | None]
"""A tier: its label, how many are returned and how many placed, and whose the returned ones have to be."""


def quell(factory: CardFactory, name: str, local: str, faction: int, *, whole: bool = False) -> Card:
    """One of the faction for two of any; where none of it is within reach, just the two. `whole`: two, or no effect."""
    can = "" if whole else " if it can"
    printed = f"{name} returns one follower, if one of its faction is within reach, and places two{can}"
    leading = _leading(factory, local, faction)
    own = factory.board.factions[faction].name
    steps: tuple[Step, ...] = (
        (f"one {own} returned, two placed", 1, 2, leading),
        (f"one {own} returned, one placed", 1, 1, leading),
        ("none returned, two placed", 0, 2, None),
        ("none returned, one placed", 0, 1, None),
    )
    return _renewal(factory, name, local, faction, printed, steps[::2] if whole else steps)


def suppress(factory: CardFactory, name: str, local: str, faction: int, *, both: bool, lone: bool = True) -> Card:
    """One of the faction and another for one of any; `both`: the other is of the faction too. Or else less.

    `lone`: where no region allows that, one of the faction alone comes before one of any faction.
    """
    printed = f"{name} returns two followers, or as many as are within reach, and places one"
    leading = _leading(factory, local, faction)
    two = _all_own(factory, faction) if both else leading
    own = factory.board.factions[faction].name
    steps: tuple[Step, ...] = (
        (f"{'two' if both else 'one'} {own} {'' if both else 'and another '}returned, one placed", 2, 1, two),
        *(((f"one {own} returned, one placed", 1, 1, leading),) if lone else ()),
        ("one of any faction returned, one placed", 1, 1, None),
        ("none returned, one placed", 0, 1, None),
    )
    return _renewal(factory, name, local, faction, printed, steps)


def _leading(factory: CardFactory, local: str, faction: int) -> Leading:
    """The first of the returned is of the faction."""
    name = factory.board.factions[faction].name
    return Condition(
        factory.ids(f"{local}.first"),
        lambda _, returned: returned[:1] == (faction,),
        lambda *_: f"return one {name} follower first",
    )


def _all_own(factory: CardFactory, faction: int) -> Leading:
    """All of the returned are of the faction."""
    name = factory.board.factions[faction].name
    return Condition(
        factory.ids("ruling.suppress-second"),
        lambda _, returned: set(returned) == {faction},
        lambda *_: f"in this game, both returned followers must be {name}",
    )


def _renewal(  # noqa: PLR0917 - what, then how far
    factory: CardFactory, name: str, local: str, faction: int, printed: str, steps: tuple[Step, ...]
) -> Card:
    tiers = tuple((_shape(factory, local, faction, printed, step),) for step in steps)

    def leading_first(_: Position, renewal: ReturnPlace) -> ReturnPlace:
        """The faction's follower comes first, the others in the order of the board."""
        returned = tuple(sorted(renewal.returned, key=lambda one: (one != faction, one)))
        return ReturnPlace(renewal.region, returned, renewal.placed)

    return factory.card(name, local, "return_place", tiers, canonical=rewriting(ReturnPlace, leading_first))


def _shape(factory: CardFactory, local: str, faction: int, printed: str, step: Step) -> Shape[Position, ReturnPlace]:
    """So many followers of a region returned, so many placed there out of what the supply holds by then."""
    board, ids = factory.board, factory.ids
    label, back, out, leading = step
    number = ids(f"{local}.number")
    kinds = len(board.factions)
    region = (factory.unresolved, c.near(board, ids(f"{local}.near"), faction))
    counted: Leading = Condition(
        number,
        lambda _, returned: len(returned) == back,
        lambda _, returned: f"{printed}: return {back} here, not {len(returned)}",
    )
    inside = c.available(board, ids("action.region"), WHERE)
    there: Leading = Condition(
        inside.rule,
        lambda stock, returned: inside.holds(stock, tally(returned, kinds)),
        lambda stock, returned: inside.says(stock, tally(returned, kinds)),
    )
    first = range(kinds) if leading is None else (faction,)
    every = tuple(product(*(first, range(kinds))[:back]))
    placed = (c.number(board, number, out, printed), factory.supplied("the supply by then"))

    def by_then(position: Position, bound: tuple[Any, ...]) -> Followers:
        """The supply when the returned followers have come into it."""
        return plus(position.supply, tally(bound[1], kinds))

    slots = (
        c.region_slot("region", board, region, facet=c.on_board),
        Slot(
            "returned",
            c.contents(0),
            lambda _: every,
            tuple(filter(None, (counted, leading, there))),
            bound=True,
            where=c.region_at(board, 0),
        ),
        c.group_slot("placed", board, by_then, out, placed),
    )
    return Shape(number, label, ReturnPlace, slots, ground=lambda position: position, remembered=False)
