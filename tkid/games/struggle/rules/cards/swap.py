"""Swaps: followers of one region for followers of another; and the ban on undoing one."""

from __future__ import annotations

from functools import partial
from typing import Literal

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import Followers, minus
from tkid.games.struggle.rules.cards.card import Card, CardFactory, no_ban
from tkid.games.struggle.rules.moves import Resolution, Swap
from tkid.games.struggle.rules.position import Ban, Position
from tkid.kernel.ladder import WHERE, Bar, Ladder, Shape, Slot
from tkid.rulebook import cites

Delta = tuple[tuple[int, Followers], ...]
"""What a swap changes: (region, change of followers) for its two regions, in order; () where nothing changes."""

Numbers = tuple[int, int]
"""How many followers are given, and how many taken."""
NUMBERS = {0: "nothing", 1: "one", 2: "two"}
Undo = Literal["by everybody", "by its player", "by nobody"]
"""By whom the next action may reverse a swap."""


def swap(factory: CardFactory, name: str, local: str, counts: tuple[Numbers, ...], *, border: bool) -> Card:
    """A swap in tiers of (given, taken) followers, of bordering or of any two regions; `local` is its rule."""
    return swap_in_tiers(factory, name, local, tuple((count,) for count in counts), border=border)


def swap_in_tiers(
    factory: CardFactory,
    name: str,
    local: str,
    tiers: tuple[tuple[Numbers, ...], ...],
    *,
    border: bool,
    undo: Undo = "by its player",
) -> Card:
    """A swap in tiers of alternative (given, taken) numbers; where its reversal is banned next, local rule `undo` says so."""
    rule, banned = factory.ids(local), undo != "by everybody"
    reversal = factory.ids(f"{local}.undo") if banned else ""
    bar = undoing(name, reversal, undo) if banned else None
    ladder = _ladder(factory, name, local, tiers, border=border, bar=bar)
    pair_first = any(given > taken for tier in tiers for given, taken in tier)
    canonical = partial(_in_order, pair_first=pair_first)
    return Card(
        name,
        rule,
        "swap",
        ladder,
        canonical=canonical,
        ban=partial(ban, name) if banned else no_ban,
        undo=reversal,
        binds_all=undo == "by nobody",
    )


def colour_swap(
    factory: CardFactory, name: str, local: str, faction: int, tiers: tuple[tuple[Numbers, ...], ...], *, border: bool
) -> Card:
    """Followers of a faction for followers of others, in tiers of alternative (given, taken) numbers."""
    board, rule = factory.board, factory.ids(local)
    own = factory.ids(f"{local}.{board.factions[faction].name.lower()}")
    on_side = f"stand on the {board.factions[faction].name} side of the swap"
    sides = (
        c.colour(board, own, faction, on_side),
        c.other_colours(board, own, faction, "stand on the other side of the swap"),
    )
    ladder = _ladder(factory, name, local, tiers, border=border, sides=sides)

    def own_side_first(_: Position, resolution: Resolution) -> Resolution:
        """The faction's side comes first."""
        if not isinstance(resolution, Swap):
            return resolution
        first, second = (sum(group) == group[faction] for group in (resolution.give, resolution.take))
        return resolution.flipped() if second and not first else resolution

    return Card(name, rule, "swap", ladder, canonical=own_side_first)


def _ladder(
    factory: CardFactory,
    name: str,
    local: str,
    tiers: tuple[tuple[Numbers, ...], ...],
    *,
    border: bool,
    sides: tuple[c.Taken, ...] = (),
    bar: Bar[Position, Swap] | None = None,
) -> Ladder[Position, Resolution]:
    """The ladder of a swap in tiers of alternative (given, taken) numbers; each side under its condition."""
    board, ids = factory.board, factory.ids
    number = ids(f"{local}.number")
    printed = f"{name} swaps {', or else '.join(_label(count) for tier in tiers for count in tier)}"
    unresolved = c.unresolved(board, ids("action.resolved"))
    place = c.bordering(board, ids(f"{local}.border")) if border else c.another(board, ids(f"{local}.another"))

    def followers(slot: str, index: int, size: int) -> Slot[Followers, Followers]:
        conditions = (
            *sides[index : index + 1],
            c.number(board, number, size, printed),
            c.available(board, ids("action.region"), WHERE),
        )
        return c.inside_slot(slot, board, index, size, conditions)

    def swapping(count: Numbers) -> Shape[Position, Swap]:
        given, taken = count
        slots = (
            c.region_slot("left", board, (unresolved,)),
            c.region_slot("right", board, (unresolved, place), in_order=not sides and given == taken),
            followers("give", 0, given),
            followers("take", 1, taken),
        )
        return Shape(number, _label(count), Swap, slots, ground=c.discs, bar=bar)

    return factory.ladder(ids(local), tuple(tuple(map(swapping, tier)) for tier in tiers))


def _label(count: Numbers) -> str:
    return f"{NUMBERS[count[0]]} for {NUMBERS[count[1]]}"


def _in_order(_: Position, resolution: Resolution, *, pair_first: bool) -> Resolution:
    """The side with fewer followers comes first, or that with more; of equal ones that of the region first on the list."""
    if not isinstance(resolution, Swap):
        return resolution
    left, right = sum(resolution.give), sum(resolution.take)
    flip = (left < right) if pair_first and left != right else left > right
    flip = flip or (left == right and resolution.left > resolution.right)
    return resolution.flipped() if flip else resolution


def delta(resolution: Swap) -> Delta:
    """What a swap changes."""
    change = minus(resolution.take, resolution.give)
    if not any(change):
        return ()
    return tuple(sorted(((resolution.left, change), (resolution.right, tuple([-n for n in change])))))


def ban(card: str, resolution: Resolution, seat: int) -> Ban | None:
    """The ban on undoing that a swap leaves behind: none where it changed nothing."""
    changed = delta(resolution) if isinstance(resolution, Swap) else ()
    return Ban(card, seat, changed) if changed else None


@cites("ruling.undo")
def undoing(card: str, rule: str, undo: Undo) -> Bar[Position, Swap]:
    """A swap may not be exactly reversed by the next action, at least not by another player."""
    anybody = undo == "by nobody"

    def active(position: Position) -> bool:
        banned = position.banned
        return banned is not None and banned.card == card and (anybody or banned.by != position.to_act)

    def touches(position: Position, regions: tuple[int, ...]) -> bool:
        banned = position.banned
        return banned is not None and {region for region, _ in banned.delta} == set(regions)

    def strikes(position: Position, resolution: Swap) -> bool:
        banned = position.banned
        assert banned is not None
        reversed_delta = tuple((region, tuple([-n for n in change])) for region, change in banned.delta)
        return delta(resolution) == reversed_delta

    def says(position: Position, _: Swap) -> str:
        banned = position.banned
        assert banned is not None
        whose = "this player" if banned.by == position.to_act else "another player"
        return f"this would undo the {card} that {whose} has just taken"

    return Bar(rule, active, touches, strikes, says)
