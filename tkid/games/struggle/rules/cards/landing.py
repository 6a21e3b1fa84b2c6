"""Landings: two followers of a faction are placed near it; then followers of that region are swapped or move on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import OPEN, Board, Followers, groups, holds, plus, tally
from tkid.games.struggle.rules.cards.card import Card, CardFactory, rewriting
from tkid.games.struggle.rules.moves import PlaceMove, PlaceSwap
from tkid.games.struggle.rules.position import Position
from tkid.kernel.ladder import WHERE, Condition, Shape, Slot

Numbers = tuple[int, int]
"""How many followers of the region are given, and how many of the bordering one taken; (0, 0) for no swap."""
NO_SWAP = (0, 0)
Swaps = Mapping[int, tuple[Numbers, ...]]
"""By the number of followers placed, from two down to none, the swaps that go with it, best first."""
LANDED = (2, 1, 0)
WORDS = ("none", "one", "two")

Another = Condition[c.Ground, int | None]
Moved = tuple[tuple[Followers, int], ...]
Going = tuple[Followers, tuple[int, ...], int]
"""What decides who moves on: the region's followers by then, the discs, and the region."""


def landing_swap(
    factory: CardFactory, name: str, local: str, faction: int, swaps: Swaps, *, own: bool, home_counts: bool = True
) -> Card:
    """As many of two of the faction as the supply has, then a swap with a bordering region, or as much of that as can be.

    `own`: the follower that is given is of the faction; `home_counts`: the faction's open home counts as controlled.
    """
    steps = [(placed, swap) for placed in LANDED for swap in (*swaps[placed], NO_SWAP) if placed or swap != NO_SWAP]
    given, taken = swaps[LANDED[0]][0]
    full = f"swaps {WORDS[given]} for {WORDS[taken]}"
    printed = f"{name} places two followers and {full}, or as much of that as can be done"
    tiers = tuple((_swapping(factory, printed, local, faction, step, own=own, home=home_counts),) for step in steps)
    return factory.card(name, local, "place_swap", tiers)


def landing_move(factory: CardFactory, name: str, local: str, faction: int) -> Card:
    """As many of two of the faction as the supply has, then two of that region each to a bordering one, or one."""
    steps = [(2, 2), (2, 0), (1, 2), (1, 1), (1, 0), (0, 2), (0, 1)]
    tiers = tuple((_moving(factory, name, local, faction, step),) for step in steps)
    return factory.card(name, local, "place_move", tiers, canonical=rewriting(PlaceMove, _together))


# -- placing ----------------------------------------------------------------------------------------------


def _region(factory: CardFactory, local: str, faction: int, *, home: bool) -> Slot[c.Ground, int]:
    """The slot for the region in which followers are placed."""
    near = c.near(factory.board, factory.ids(f"{local}.near"), faction, home_counts=home)
    return factory.region("region", near)


def _placed(factory: CardFactory, local: str, faction: int, size: int, printed: str) -> Slot[Followers, Followers]:
    """The slot for the followers that are placed."""
    board, ids = factory.board, factory.ids
    conditions = (
        c.number(board, ids(f"{local}.number"), size, printed),
        c.colour(board, ids(f"{local}.faction"), faction),
        factory.supplied(),
    )
    return c.group_slot("placed", board, c.supply, size, conditions)


def _label(placed: int, then: str) -> str:
    return f"{WORDS[placed]} placed, {then}"


# -- and swapping -----------------------------------------------------------------------------------------


def _swapping(
    factory: CardFactory, printed: str, local: str, faction: int, step: tuple[int, Numbers], *, own: bool, home: bool
) -> Shape[Position, PlaceSwap]:
    """So many placed, and so many of that region for so many of a bordering one."""
    board, ids = factory.board, factory.ids
    size, (given, taken) = step
    number = ids(f"{local}.number")
    landed = tally((faction,) * size, len(board.factions))
    none = (0,) * len(board.factions)

    def of_other(position: Position, bound: tuple[Any, ...]) -> Followers:
        return none if bound[1] is None else position.regions[bound[1]]

    def at_other(bound: tuple[Any, ...]) -> str:
        return "no region" if bound[1] is None else board.name(bound[1])

    colour = (c.colour(board, ids(f"{local}.faction"), faction, "are given in exchange"),) if own else ()
    take = (c.number(board, number, taken, printed), c.available(board, ids("action.region"), WHERE))
    slots = (
        _region(factory, local, faction, home=home),
        _other(factory, local, printed, swaps=bool(given)),
        _placed(factory, local, faction, size, printed),
        factory.inside("give", 0, given, c.number(board, number, given, printed), *colour, more=landed),
        c.group_slot("take", board, of_other, taken, take, at_other),
    )
    then = f"{WORDS[given]} swapped for {WORDS[taken]}" if given else "none swapped"

    def make(region: int, other: int | None, placed: Followers, *swapped: Followers) -> PlaceSwap:
        return PlaceSwap(region, placed, other, *swapped)

    return Shape(number, _label(size, then), PlaceSwap, slots, ground=c.discs, make=make)


def _other(factory: CardFactory, local: str, printed: str, *, swaps: bool) -> Slot[c.Ground, int | None]:
    """The slot for the bordering region; None where nobody is swapped."""
    board, ids = factory.board, factory.ids
    takes_part: Another = Condition(
        ids(f"{local}.number"),
        lambda _, other: (other is not None) == swaps,
        lambda _, other: f"{printed}: " + ("no swap is possible here" if other is not None else "the swap is missing"),
    )
    wanted = (factory.unresolved, c.bordering(board, ids(f"{local}.border")))
    everywhere = range(len(board.regions))
    return Slot(
        "other",
        c.on_ground,
        lambda _: everywhere if swaps else (None,),
        (takes_part, *map(_where_named, wanted)),
        bound=True,
    )


def _where_named(wanted: c.Wanted) -> Another:
    """A condition on a region that is not asked where there is none."""
    return Condition(
        wanted.rule,
        lambda seen, other: other is None or wanted.holds(seen, other),
        lambda seen, other: wanted.says(seen, other or 0),
    )


# -- and moving on ----------------------------------------------------------------------------------------


def _moving(
    factory: CardFactory, name: str, local: str, faction: int, step: tuple[int, int]
) -> Shape[Position, PlaceMove]:
    """So many placed, and so many of that region each to a bordering one."""
    board, ids = factory.board, factory.ids
    size, going = step
    number = ids(f"{local}.number")
    printed = f"{name} places two followers and moves two on, or as much of that as can be done"
    landed = tally((faction,) * size, len(board.factions))
    slots = (
        _region(factory, local, faction, home=True),
        _placed(factory, local, faction, size, printed),
        Slot(
            "moved",
            lambda position, bound: (plus(position.regions[bound[0]], landed), position.discs, bound[0]),
            lambda seen: _ways_out(board, seen[2], going),
            tuple(_may_go(factory, local, printed, going)),
            where=c.region_at(board, 0),
        ),
    )
    return Shape(number, _label(size, f"{WORDS[going]} moved on"), PlaceMove, slots, ground=c.discs)


def _may_go(factory: CardFactory, local: str, printed: str, going: int) -> list[Condition[Going, Moved]]:
    """The conditions on those who move on."""
    board, ids = factory.board, factory.ids
    kinds, name = len(board.factions), board.name

    def all_of(moved: Moved) -> Followers:
        return tuple([sum(group[faction] for group, _ in moved) for faction in range(kinds)])

    def strangers(seen: Going, moved: Moved) -> str:
        return " and ".join(name(target) for _, target in moved if target not in board.neighbours[seen[2]])

    def resolved(seen: Going, moved: Moved) -> str:
        return " and ".join(name(target) for _, target in moved if seen[1][target] != OPEN)

    return [
        Condition(
            ids(f"{local}.number"),
            lambda _, moved: sum(all_of(moved)) == going,
            lambda _, moved: f"{printed}: move {going} on here, not {sum(all_of(moved))}",
        ),
        Condition(
            ids(f"{local}.border"),
            lambda seen, moved: not strangers(seen, moved),
            lambda seen, moved: f"{strangers(seen, moved)} does not border {name(seen[2])}",
        ),
        Condition(
            ids("action.resolved"),
            lambda seen, moved: not resolved(seen, moved),
            lambda seen, moved: f"{resolved(seen, moved)} is resolved, so nothing can change there",
        ),
        Condition(
            ids("action.region"),
            lambda seen, moved: holds(seen[0], all_of(moved)),
            lambda seen, moved: (
                f"{WHERE} has {board.in_words(seen[0])} by then, so you cannot move {board.group(all_of(moved))}"
            ),
        ),
    ]


@cache
def _ways_out(board: Board, region: int, going: int) -> tuple[Moved, ...]:
    """Every way in which so many followers can go to neighbours of a region."""
    kinds = len(board.factions)
    singles = [(one, target) for target in board.neighbours[region] for one in groups(1, kinds)]
    return tuple(map(_sorted, combinations_with_replacement(singles, going)))


def _sorted(moved: Iterable[tuple[Followers, int]]) -> Moved:
    """The groups put together by target, in the order of the board's regions."""
    targets: dict[int, Followers] = {}
    for group, target in sorted(moved, key=lambda going: going[1]):
        targets[target] = plus(targets[target], group) if target in targets else group
    return tuple((group, target) for target, group in targets.items())


def _together(_: Position, landing: PlaceMove) -> PlaceMove:
    """Those who go to one region are written together."""
    return PlaceMove(landing.region, landing.placed, _sorted(landing.moved))
