"""Cards that place followers from the supply, or return and place them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, partial
from itertools import combinations_with_replacement, product
from typing import Any

from attrs import evolve

from tkid.games.struggle.rules import card as c
from tkid.games.struggle.rules import moves
from tkid.games.struggle.rules.board import (
    OPEN,
    Board,
    Followers,
    Position,
    add_followers,
    count_followers,
    has_group,
    list_groups,
    say_factions,
)
from tkid.games.struggle.rules.card import Card, CardFactory, make_rewriter
from tkid.kernel.ladder import NOTHING, WHERE, Condition, Gate, Shape, Slot

Numbers = tuple[int, int]
"""Number of followers of the region given, and of the bordering one taken; (0, 0) for no swap."""
NO_SWAP = (0, 0)
Swaps = Mapping[int, tuple[Numbers, ...]]
"""By the number of followers placed, from two down to none, the swaps that go with it, best first."""
LANDED = (2, 1, 0)
WORDS = ("none", "one", "two")

Another = Condition[c.Ground, int | None]
Moved = tuple[tuple[Followers, int], ...]
Going = tuple[Followers, tuple[int, ...], int]
"""The region's followers by then, the discs, and the region, on which it depends who moves on."""


def make_landing_swap_card(
    factory: CardFactory, name: str, local: str, faction: int, swaps: Swaps, *, own: bool, home_counts: bool = True
) -> Card:
    """Make a card that places up to two of the faction and swaps as far as possible; `own`: the one given is of it too."""
    steps = [(placed, swap) for placed in LANDED for swap in (*swaps[placed], NO_SWAP) if placed or swap != NO_SWAP]
    given, taken = swaps[LANDED[0]][0]
    full = f"swaps {WORDS[given]} for {WORDS[taken]}"
    printed = f"{name} places two followers and {full}, or as much of that as can be done"
    shape = partial(_shape_landing_swap, factory, printed, local, faction, own=own, home=home_counts)
    tiers = tuple((shape(step),) for step in steps)
    return factory.make_card(name, local, "place_swap", tiers)


def make_landing_move_card(factory: CardFactory, name: str, local: str, faction: int) -> Card:
    """Make a card that places up to two of the faction, then moves two of that region to bordering ones, or one."""
    steps = [(2, 2), (2, 0), (1, 2), (1, 1), (1, 0), (0, 2), (0, 1)]
    tiers = tuple((_shape_landing_move(factory, name, local, faction, step),) for step in steps)
    return factory.make_card(
        name,
        local,
        "place_move",
        tiers,
        canonical=make_rewriter(moves.PlaceMove, lambda _, it: evolve(it, moved=_merge_by_target(it.moved))),
    )


def _make_near_slot(factory: CardFactory, local: str, faction: int, *, home: bool) -> Slot[c.Ground, int]:
    near = factory.require_near(f"{local}.near", faction, home_counts=home)
    return factory.make_open_region_slot("region", near)


def _make_placed_slot(
    factory: CardFactory, local: str, faction: int, size: int, printed: str
) -> Slot[Followers, Followers]:
    conditions = (
        factory.require_size(f"{local}.number", size, printed),
        factory.require_faction(f"{local}.faction", faction),
        factory.require_supply(),
    )
    return factory.make_group_slot("placed", c.supply, size, conditions)


def _shape_landing_swap(
    factory: CardFactory, printed: str, local: str, faction: int, step: tuple[int, Numbers], *, own: bool, home: bool
) -> Shape[Position, moves.PlaceSwap]:
    board = factory.board
    size, (given, taken) = step
    number = f"{local}.number"
    landed = count_followers((faction,) * size, len(board.factions))
    none = (0,) * len(board.factions)

    def of_other(position: Position, bound: tuple[Any, ...]) -> Followers:
        return none if bound[1] is None else position.regions[bound[1]]

    def at_other(bound: tuple[Any, ...]) -> str:
        return "no region" if bound[1] is None else board.name_region(bound[1])

    colour = (factory.require_faction(f"{local}.faction", faction, "are given in exchange"),) if own else ()
    take = (factory.require_size(number, taken, printed), factory.require_available("action.region", WHERE))
    slots = (
        _make_near_slot(factory, local, faction, home=home),
        _make_other_slot(factory, local, printed, swaps=bool(given)),
        _make_placed_slot(factory, local, faction, size, printed),
        factory.make_followers_slot(
            "give", 0, given, factory.require_size(number, given, printed), *colour, more=landed
        ),
        factory.make_group_slot("take", of_other, taken, take, at_other),
    )
    then = f"{WORDS[given]} swapped for {WORDS[taken]}" if given else "none swapped"
    label = f"{WORDS[size]} placed, {then}"

    def make(region: int, other: int | None, placed: Followers, *swapped: Followers) -> moves.PlaceSwap:
        return moves.PlaceSwap(region, placed, other, *swapped)

    return Shape(factory.ids(number), label, moves.PlaceSwap, slots, ground=c.discs, make=make)


def _make_other_slot(factory: CardFactory, local: str, printed: str, *, swaps: bool) -> Slot[c.Ground, int | None]:
    """Return the slot for the bordering region; it holds None if no follower is swapped."""
    board, ids = factory.board, factory.ids
    takes_part: Another = Condition(
        ids(f"{local}.number"),
        lambda _, other: (other is not None) == swaps,
        lambda _, other: f"{printed}: " + ("no swap is possible here" if other is not None else "the swap is missing"),
    )
    wanted = (factory.unresolved, factory.require_border(f"{local}.border"))
    everywhere = range(len(board.regions))
    return Slot(
        "other",
        c.on_ground,
        lambda _: everywhere if swaps else (None,),
        (takes_part, *map(_skip_if_missing, wanted)),
        bound=True,
    )


def _skip_if_missing(wanted: c.Wanted) -> Another:
    return Condition(
        wanted.rule,
        lambda seen, other: other is None or wanted.holds(seen, other),
        lambda seen, other: wanted.says(seen, other or 0),
    )


def _shape_landing_move(
    factory: CardFactory, name: str, local: str, faction: int, step: tuple[int, int]
) -> Shape[Position, moves.PlaceMove]:
    board, ids = factory.board, factory.ids
    size, going = step
    number = ids(f"{local}.number")
    printed = f"{name} places two followers and moves two on, or as much of that as can be done"
    landed = count_followers((faction,) * size, len(board.factions))
    slots = (
        _make_near_slot(factory, local, faction, home=True),
        _make_placed_slot(factory, local, faction, size, printed),
        Slot(
            "moved",
            lambda position, bound: (add_followers(position.regions[bound[0]], landed), position.discs, bound[0]),
            lambda seen: _list_ways_out(board, seen[2], going),
            tuple(_limit_moves(factory, local, printed, going)),
            where=factory.name_region_at(0),
        ),
    )
    return Shape(number, f"{WORDS[size]} placed, {WORDS[going]} moved on", moves.PlaceMove, slots, ground=c.discs)


def _limit_moves(factory: CardFactory, local: str, printed: str, going: int) -> list[Condition[Going, Moved]]:
    board, ids = factory.board, factory.ids
    kinds, name = len(board.factions), board.name_region

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
            lambda seen, moved: has_group(seen[0], all_of(moved)),
            lambda seen, moved: (
                f"{WHERE} has {board.in_words(seen[0])} by then, so you cannot move {board.write_group(all_of(moved))}"
            ),
        ),
    ]


@cache
def _list_ways_out(board: Board, region: int, going: int) -> tuple[Moved, ...]:
    kinds = len(board.factions)
    singles = [(one, target) for target in board.neighbours[region] for one in list_groups(1, kinds)]
    return tuple(map(_merge_by_target, combinations_with_replacement(singles, going)))


def _merge_by_target(moved: Iterable[tuple[Followers, int]]) -> Moved:
    targets: dict[int, Followers] = {}
    for group, target in sorted(moved, key=lambda going: going[1]):
        targets[target] = add_followers(targets[target], group) if target in targets else group
    return tuple((group, target) for target, group in targets.items())


Pair = tuple[Followers, Followers]
"""The groups placed in each of two regions."""
PLACING_SIZES = {2: "two followers into one region", 1: "one follower into one region"}


def make_support_card(factory: CardFactory, name: str, faction: int) -> Card:
    """Make a card that places two of the faction in a region near it, or one if the supply has one."""
    colour = factory.require_faction("card.support.faction", faction)
    near = factory.require_near("card.support.near", faction)
    return evolve(_make_placing_card(factory, name, "card.support", colour, near), faction=faction)


def make_faction_card(factory: CardFactory, name: str, faction: int) -> Card:
    """Make a card that places two of the faction next to its regions, or one; without such regions it can't be played."""
    board, ids = factory.board, factory.ids
    two = "card.support.two"
    printed = f"{name} places two followers in one region or two, or one if the {board.terms.supply} has one"
    colour = factory.require_faction("card.support.faction", faction)
    beside = factory.require_near("card.support.near", faction, home_counts=False)
    gate: Gate[Position] = Gate(
        ids("card.support.control"),
        "not while its faction controls no region",
        lambda position: faction in position.discs,
        lambda _: f"{name} cannot be played while {say_factions(board, [faction], 'control')} no region",
        "Play another card, or pass.",
    )
    together, single = (_shape_placing(factory, size, two, printed, (colour,), (beside,)) for size in (2, 1))
    tiers = ((together, _shape_apart(factory, two, printed, colour, beside)), (single,))
    canonical = make_rewriter(moves.Apart, _order_apart)
    card = factory.make_card(name, "card.support", "apart", tiers, gate=gate, canonical=canonical)
    return evolve(card, faction=faction)


def _shape_apart(
    factory: CardFactory, local: str, printed: str, colour: c.Taken, beside: c.Wanted
) -> Shape[Position, moves.Apart]:
    board, rule = factory.board, factory.ids(local)

    def add_pair(pair: Pair) -> Followers:
        return add_followers(*pair)

    number: Condition[Followers, Pair] = Condition(
        rule,
        lambda _, pair: sum(pair[0]) == sum(pair[1]) == 1,
        lambda _, pair: (
            f"{printed}: place one in each of two regions, not {' and '.join(map(board.write_group, pair))}"
        ),
    )
    ones = list_groups(1, len(board.factions))
    slots: tuple[Slot[Any, Any], ...] = (
        factory.make_open_region_slot("left", beside),
        factory.make_open_region_slot("right", beside, in_order=True),
        Slot(
            "groups",
            c.supply,
            lambda _: product(ones, ones),
            (colour.of(add_pair), number, factory.require_supply().of(add_pair)),
        ),
    )
    return Shape(rule, "one follower into each of two regions", moves.Apart, slots, ground=c.discs)


def _order_apart(_: Position, apart: moves.Apart) -> moves.Resolution:
    """Put the region first on the list first; followers in one region are written together."""
    left, right, (one, other) = apart.left, apart.right, apart.groups
    if left == right:
        return moves.Place(add_followers(one, other), left)
    return apart if left < right else moves.Apart(right, left, (other, one))


def make_resist_card(factory: CardFactory, name: str, faction: int) -> Card:
    """Make a card that places two of other factions in a region near the faction, or one."""
    colour = factory.require_other_factions("card.resist.faction", faction, "are placed")
    near = factory.require_near("card.resist.near", faction)
    return _make_placing_card(factory, name, "card.resist", colour, near)


def make_conquest_card(factory: CardFactory, name: str, local: str, faction: int) -> Card:
    """Make a card that places two of any factions in a region near one faction, or one if the supply has one."""
    near = factory.require_near(f"{local}.near", faction)
    return _make_placing_card(factory, name, local, None, near)


def make_aid_card(factory: CardFactory, name: str) -> Card:
    """Make a card that places two of a faction the supply has most of, anywhere; one if it has at most one of each."""
    board = factory.board

    def most(supply: Followers, group: Followers) -> bool:
        return any(n == sum(group) and supply[faction] == max(supply) for faction, n in enumerate(group))

    def says(supply: Followers, group: Followers) -> str:
        names = " or ".join(f.name for f, n in zip(board.factions, supply, strict=True) if n == max(supply))
        return (
            f"the supply has {board.format_counts(supply)}, so place {names} followers, not {board.write_group(group)}"
        )

    fullest = Condition(factory.ids("card.aid.most"), most, says)
    printed = f"{name} places two followers of one faction, or one if there is one"
    return _make_placing_card(factory, name, "card.aid", fullest, printed=printed)


def _make_placing_card(
    factory: CardFactory, name: str, local: str, colour: c.Taken | None, *near: c.Wanted, printed: str = ""
) -> Card:
    two, colours = f"{local}.two", (colour,) if colour else ()
    printed = printed or f"{name} places two followers, or one if the {factory.board.terms.supply} has one"
    tiers = tuple((_shape_placing(factory, size, two, printed, colours, near),) for size in PLACING_SIZES)
    return factory.make_card(name, local, "place", tiers)


def _shape_placing(  # noqa: PLR0917 - what a shape is made of
    factory: CardFactory, size: int, local: str, printed: str, colour: tuple[c.Taken, ...], near: tuple[c.Wanted, ...]
) -> Shape[Position, moves.Place]:
    board = factory.board
    group = (*colour, factory.require_size(local, size, printed), factory.require_supply(f"the {board.terms.supply}"))
    slots = (
        factory.make_group_slot("group", c.supply, size, group),
        factory.make_region_slot("region", (factory.unresolved, *near), bound=False),
    )
    return Shape(factory.ids(local), PLACING_SIZES[size], moves.Place, slots)


Returned = tuple[int, ...]
"""Factions, one for each follower in the order in which they are returned."""
Leading = Condition[Followers, Returned]
Step = tuple[str, int, int, Leading | None]
"""A tier: its label, the numbers of followers returned and placed, and a condition on the returned ones."""


def make_quell_card(factory: CardFactory, name: str, local: str, faction: int, *, whole: bool = False) -> Card:
    """Make a card that returns one of the faction, if there is one, and places two of any; `whole`: two or no effect."""
    can = "" if whole else " if it can"
    printed = f"{name} returns one follower, if one of its faction is within reach, and places two{can}"
    leading = _require_first(factory, local, faction)
    own = factory.board.factions[faction].name
    steps: tuple[Step, ...] = (
        (f"one {own} returned, two placed", 1, 2, leading),
        (f"one {own} returned, one placed", 1, 1, leading),
        ("none returned, two placed", 0, 2, None),
        ("none returned, one placed", 0, 1, None),
    )
    return _make_renewal_card(factory, name, local, faction, printed, steps[::2] if whole else steps)


def make_suppress_card(
    factory: CardFactory, name: str, local: str, faction: int, *, both: bool, lone: bool = True
) -> Card:
    """Make a card that returns one of the faction and another (`both`: of it too; `lone`: or it alone) and places one."""
    printed = f"{name} returns two followers, or as many as are within reach, and places one"
    leading = _require_first(factory, local, faction)
    two = _require_all(factory, faction) if both else leading
    own = factory.board.factions[faction].name
    steps: tuple[Step, ...] = (
        (f"{'two' if both else 'one'} {own} {'' if both else 'and another '}returned, one placed", 2, 1, two),
        *(((f"one {own} returned, one placed", 1, 1, leading),) if lone else ()),
        ("one of any faction returned, one placed", 1, 1, None),
        ("none returned, one placed", 0, 1, None),
    )
    return _make_renewal_card(factory, name, local, faction, printed, steps)


def _require_first(factory: CardFactory, local: str, faction: int) -> Leading:
    name = factory.board.factions[faction].name
    return Condition(
        factory.ids(f"{local}.first"),
        lambda _, returned: returned[:1] == (faction,),
        lambda *_: f"return one {name} follower first",
    )


def _require_all(factory: CardFactory, faction: int) -> Leading:
    name = factory.board.factions[faction].name
    return Condition(
        factory.ids("ruling.suppress-second"),
        lambda _, returned: set(returned) == {faction},
        lambda *_: f"in this game, both returned followers must be {name}",
    )


def _make_renewal_card(  # noqa: PLR0917 - what, then how far
    factory: CardFactory, name: str, local: str, faction: int, printed: str, steps: tuple[Step, ...]
) -> Card:
    tiers = tuple((_shape_renewal(factory, local, faction, printed, step),) for step in steps)

    def leading_first(_: Position, renewal: moves.ReturnPlace) -> moves.ReturnPlace:
        """Put the faction's follower first, the others in the order of the board."""
        returned = tuple(sorted(renewal.returned, key=lambda one: (one != faction, one)))
        return moves.ReturnPlace(renewal.region, returned, renewal.placed)

    return factory.make_card(
        name, local, "return_place", tiers, canonical=make_rewriter(moves.ReturnPlace, leading_first)
    )


def _shape_renewal(
    factory: CardFactory, local: str, faction: int, printed: str, step: Step
) -> Shape[Position, moves.ReturnPlace]:
    board = factory.board
    label, back, out, leading = step
    number = f"{local}.number"
    kinds = len(board.factions)
    region = (factory.unresolved, factory.require_near(f"{local}.near", faction))
    counted: Leading = Condition(
        factory.ids(number),
        lambda _, returned: len(returned) == back,
        lambda _, returned: f"{printed}: return {back} here, not {len(returned)}",
    )

    def count(returned: Returned) -> Followers:
        return count_followers(returned, kinds)

    there: Leading = factory.require_available("action.region", WHERE).of(count)
    first = range(kinds) if leading is None else (faction,)
    every = tuple(product(*(first, range(kinds))[:back]))
    placed = (factory.require_size(number, out, printed), factory.require_supply("the supply by then"))

    def by_then(position: Position, bound: tuple[Any, ...]) -> Followers:
        """Return the supply after the followers were returned to it."""
        return add_followers(position.supply, count(bound[1]))

    slots = (
        factory.make_region_slot("region", region, facet=c.on_board),
        Slot(
            "returned",
            c.make_region_stock(0),
            lambda _: every,
            tuple(filter(None, (counted, leading, there))),
            bound=True,
            where=factory.name_region_at(0),
        ),
        factory.make_group_slot("placed", by_then, out, placed),
    )
    return Shape(
        factory.ids(number), label, moves.ReturnPlace, slots, ground=lambda position: position, remembered=False
    )


Seen = tuple[tuple[int, ...], bool]
"""The discs, and whether the supply has one, on which the place of a faction's follower depends."""
Placed = Condition[Seen, int | None]
"""A condition on the region of a faction's follower; None where none is placed."""


def make_assemble_card(factory: CardFactory, name: str, local: str = "card.assemble") -> Card:
    """Make a card that places a follower of each faction but those apart and those the supply lacks, together or apart."""
    board = factory.board
    spread: Shape[Position, moves.Spread] = Shape(
        factory.ids(f"{local}.each"),
        f"one of each faction in the {board.terms.supply}",
        moves.Spread,
        tuple(_make_follower_slot(factory, local, faction) for faction in range(len(board.factions))),
        make=lambda *regions: moves.Spread(regions),
        applies=lambda position: any(position.supply[faction] for faction in board.courtly),
    )
    return factory.make_card(
        name,
        local,
        "spread",
        ((spread,),),
        canonical=make_rewriter(
            moves.Spread, lambda _, it: it if any(each is not None for each in it.regions) else NOTHING
        ),
    )


def _make_follower_slot(factory: CardFactory, local: str, faction: int) -> Slot[Seen, int | None]:
    board, ids = factory.board, factory.ids
    apart, name = board.factions[faction].apart, board.factions[faction].name
    unresolved = factory.unresolved
    available = Placed(
        ids("action.supply"),
        lambda seen, region: region is None or seen[1],
        lambda *_: f"the {board.terms.supply} has no {name} follower to place",
    )
    each = Placed(
        ids(f"{local}.each"),
        lambda seen, region: region is not None or not seen[1],
        lambda *_: f"{name} followers are in the {board.terms.supply}, so one must be placed too",
    )
    placed = Placed(
        unresolved.rule,
        lambda seen, region: region is None or seen[0][region] == OPEN,
        lambda seen, region: unresolved.says((seen[0], None), region or 0),
    )
    never = Placed(ids(apart or local), lambda _, region: region is None, lambda *_: f"no card places {name} followers")

    def facet(position: Position, _: tuple[Any, ...]) -> Seen:
        return position.discs, position.supply[faction] > 0

    everywhere = (*range(len(board.regions)), None)
    return Slot(
        f"region of {name}",
        facet,
        lambda _: everywhere,
        (never,) if apart else (available, each, placed),
        value=lambda spread: spread.regions[faction],
    )


AMBUSH_SIZES = {2: "two placed, one returned", 1: "one placed, one returned", 0: "none placed, one returned"}


def make_ambush_card(factory: CardFactory, name: str, faction: int) -> Card:
    """Make a card that places up to two followers in an open region, then returns any one from it."""
    number = "card.ambush.number"
    colour = factory.require_faction("card.ambush.faction", faction)
    placed = f"{name} places two followers, or as many as the supply has"
    returned = factory.require_size(number, 1, f"{name} returns one follower")

    def placing(size: int) -> Shape[Position, moves.PlaceReturn]:
        group = (factory.require_size(number, size, placed), colour, factory.require_supply())
        slots = (
            factory.make_open_region_slot("region"),
            factory.make_group_slot("placed", c.supply, size, group),
            factory.make_followers_slot(
                "returned", 0, 1, returned, more=count_followers((faction,) * size, len(factory.board.factions))
            ),
        )
        return Shape(factory.ids(number), AMBUSH_SIZES[size], moves.PlaceReturn, slots, ground=c.discs)

    return factory.make_card(name, "card.ambush", "place_return", tuple((placing(size),) for size in AMBUSH_SIZES))
