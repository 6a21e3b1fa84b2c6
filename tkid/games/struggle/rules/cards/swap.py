"""Swaps: followers of one region for followers of another; and the ban on undoing one."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Literal

from attrs import evolve

from tkid.games.struggle.rules import conditions as c
from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.cards.card import Card, CardFactory, Tiers, rewriting
from tkid.games.struggle.rules.effects import BALANCES_REMEMBERED, balance
from tkid.games.struggle.rules.moves import Resolution, Swap
from tkid.games.struggle.rules.position import Ban, Position
from tkid.kernel.ladder import Bar, Shape
from tkid.rulebook import cites

Numbers = tuple[int, int]
"""How many followers are given, and how many taken."""
Steps = tuple[tuple[Numbers, ...], ...]
"""The tiers of a swap, best first, each with alternative numbers."""
NUMBERS = {0: "nothing", 1: "one", 2: "two"}
Undo = Literal["by everybody", "by its player", "by nobody"]
"""By whom the next action may reverse a swap."""


def swap(
    factory: CardFactory, name: str, local: str, steps: Steps, *, border: bool, undo: Undo = "by its player"
) -> Card:
    """A swap of bordering or of any two regions; where its reversal is banned next, local rule `undo` says so."""
    pair_first = any(given > taken for step in steps for given, taken in step)
    canonical = rewriting(Swap, partial(_in_order, pair_first=pair_first))
    if undo == "by everybody":
        return factory.card(
            name, local, "swap", _tiers(factory, name, local, steps, border=border), canonical=canonical
        )
    rule = factory.ids(f"{local}.undo")
    tiers = _tiers(factory, name, local, steps, border=border, bar=undoing(name, rule, undo))
    card = factory.card(name, local, "swap", tiers, canonical=canonical)
    return evolve(card, ban=partial(ban, name), undo=rule, binds_all=undo == "by nobody")


def colour_swap(factory: CardFactory, name: str, local: str, faction: int, steps: Steps, *, border: bool) -> Card:
    """Followers of a faction for followers of others."""
    board = factory.board
    own = factory.ids(f"{local}.{board.factions[faction].name.lower()}")
    on_side = f"may be on the {board.factions[faction].name} side of the swap"
    sides = (
        c.colour(board, own, faction, on_side),
        c.other_colours(board, own, faction, "may be on the other side of the swap"),
    )

    def own_side_first(_: Position, swap: Swap) -> Swap:
        """The faction's side comes first."""
        first, second = (sum(group) == group[faction] for group in (swap.give, swap.take))
        return swap.flipped() if second and not first else swap

    tiers = _tiers(factory, name, local, steps, border=border, sides=sides)
    card = factory.card(name, local, "swap", tiers, canonical=rewriting(Swap, own_side_first))
    return evolve(card, faction=faction)


def _tiers(
    factory: CardFactory,
    name: str,
    local: str,
    steps: Steps,
    *,
    border: bool,
    sides: tuple[c.Taken, ...] = (),
    bar: Bar[Position, Swap] | None = None,
) -> Tiers:
    """The tiers of a swap; each side under its condition."""
    board, ids = factory.board, factory.ids
    number = ids(f"{local}.number")
    printed = f"{name} swaps {', or else '.join(_label(numbers) for step in steps for numbers in step)}"
    place = c.bordering(board, ids(f"{local}.border")) if border else c.another(board, ids(f"{local}.another"))

    def swapping(numbers: Numbers) -> Shape[Position, Swap]:
        given, taken = numbers
        slots = (
            factory.region("left"),
            factory.region("right", place, in_order=not sides and given == taken),
            factory.inside("give", 0, given, *sides[:1], c.number(board, number, given, printed)),
            factory.inside("take", 1, taken, *sides[1:], c.number(board, number, taken, printed)),
        )
        return Shape(number, _label(numbers), Swap, slots, ground=c.discs, bar=bar)

    return tuple(tuple(map(swapping, step)) for step in steps)


def _label(numbers: Numbers) -> str:
    given, taken = numbers
    return f"{NUMBERS[given]} for {NUMBERS[taken]}"


def _in_order(_: Position, swap: Swap, *, pair_first: bool) -> Swap:
    """The side with fewer followers comes first, or that with more; of equal ones that of the region first on the list."""
    left, right = sum(swap.give), sum(swap.take)
    flip = (left < right) if pair_first and left != right else left > right
    return swap.flipped() if flip or (left == right and swap.left > swap.right) else swap


@lru_cache(BALANCES_REMEMBERED)
def delta(swap: Swap) -> tuple[tuple[int, Followers], ...]:
    """The regions that a swap changes, in order, each with the change."""
    return tuple(sorted((region, change) for region, change in balance(swap) if any(change)))


def ban(card: str, resolution: Resolution, seat: int) -> Ban | None:
    """The ban on undoing that a swap leaves behind: none where it changed nothing."""
    changed = delta(resolution) if isinstance(resolution, Swap) else ()
    return Ban(card, seat, changed) if changed else None


@cites("ruling.undo")
def undoing(card: str, rule: str, undo: Undo) -> Bar[Position, Swap]:
    """A swap may not be exactly reversed by the next action, at least not by another player."""

    def active(position: Position) -> bool:
        banned = position.banned
        return banned is not None and banned.card == card and (undo == "by nobody" or banned.by != position.to_act)

    def touched(position: Position) -> tuple[tuple[int, int], ...]:
        if position.banned is None:
            return ()
        (one, _), (other, _) = position.banned.delta
        return (one, other), (other, one)

    def strikes(position: Position, swap: Swap) -> bool:
        back = Swap(swap.left, swap.right, give=swap.take, take=swap.give)
        return position.banned is not None and delta(back) == position.banned.delta

    def says(position: Position, _: Swap) -> str:
        own = position.banned is not None and position.banned.by == position.to_act
        return f"this would undo the {card} that {'this' if own else 'another'} player has just taken"

    return Bar(rule, active, touched, strikes, says)
