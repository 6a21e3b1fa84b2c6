"""Cards that move or swap followers or region cards."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any, Literal

from attrs import evolve

from tkid.games.struggle.rules import card as c
from tkid.games.struggle.rules import moves
from tkid.games.struggle.rules.board import OPEN, Ban, Followers, Position
from tkid.games.struggle.rules.card import Card, CardFactory, Tiers, make_rewriter
from tkid.kernel.ladder import Bar, Condition, Part, Shape, Slot
from tkid.rulebook import cites

Numbers = tuple[int, int]
"""Number of followers given, and number of followers taken."""
Steps = tuple[tuple[Numbers, ...], ...]
"""The tiers of a swap, best first, each with alternative numbers."""
NUMBERS = {0: "nothing", 1: "one", 2: "two"}
Undo = Literal["by everybody", "by its player", "by nobody"]
"""Players whose next action may reverse a swap."""


def make_swap_card(
    factory: CardFactory, name: str, local: str, steps: Steps, *, border: bool, undo: Undo = "by its player"
) -> Card:
    """Make a card that swaps followers of two (bordering) regions; the local rule `undo` says if its reversal is banned next."""
    pair_first = any(given > taken for step in steps for given, taken in step)
    canonical = make_rewriter(moves.Swap, partial(_order_swap, pair_first=pair_first))
    if undo == "by everybody":
        tiers = _make_swap_tiers(factory, name, local, steps, border=border)
        return factory.make_card(name, local, "swap", tiers, canonical=canonical)
    rule = factory.ids(f"{local}.undo")
    tiers = _make_swap_tiers(factory, name, local, steps, border=border, bar=forbid_undoing(name, rule, undo))
    card = factory.make_card(name, local, "swap", tiers, canonical=canonical)
    return evolve(card, ban=partial(find_swap_ban, name), undo=rule, binds_all=undo == "by nobody")


def make_faction_swap_card(
    factory: CardFactory, name: str, local: str, faction: int, steps: Steps, *, border: bool
) -> Card:
    board = factory.board
    own = f"{local}.{board.factions[faction].name.lower()}"
    on_side = f"may be on the {board.factions[faction].name} side of the swap"
    sides = (
        factory.require_faction(own, faction, on_side),
        factory.require_other_factions(own, faction, "may be on the other side of the swap"),
    )

    def own_side_first(_: Position, swap: moves.Swap) -> moves.Swap:
        """Put the faction's side first."""
        first, second = (sum(group) == group[faction] for group in (swap.give, swap.take))
        return swap.flip() if second and not first else swap

    tiers = _make_swap_tiers(factory, name, local, steps, border=border, sides=sides)
    card = factory.make_card(name, local, "swap", tiers, canonical=make_rewriter(moves.Swap, own_side_first))
    return evolve(card, faction=faction)


def _make_swap_tiers(
    factory: CardFactory,
    name: str,
    local: str,
    steps: Steps,
    *,
    border: bool,
    sides: tuple[c.Taken, ...] = (),
    bar: Bar[Position, moves.Swap] | None = None,
) -> Tiers:
    number = f"{local}.number"
    printed = f"{name} swaps {', or else '.join(_label_swap(numbers) for step in steps for numbers in step)}"
    place = factory.require_border(f"{local}.border") if border else factory.require_another_region(f"{local}.another")

    def swapping(numbers: Numbers) -> Shape[Position, moves.Swap]:
        given, taken = numbers
        slots = (
            factory.make_open_region_slot("left"),
            factory.make_open_region_slot("right", place, in_order=not sides and given == taken),
            factory.make_followers_slot("give", 0, given, *sides[:1], factory.require_size(number, given, printed)),
            factory.make_followers_slot("take", 1, taken, *sides[1:], factory.require_size(number, taken, printed)),
        )
        return Shape(factory.ids(number), _label_swap(numbers), moves.Swap, slots, ground=c.discs, bar=bar)

    return tuple(tuple(map(swapping, step)) for step in steps)


def _label_swap(numbers: Numbers) -> str:
    given, taken = numbers
    return f"{NUMBERS[given]} for {NUMBERS[taken]}"


def _order_swap(_: Position, swap: moves.Swap, *, pair_first: bool) -> moves.Swap:
    """Put the side with fewer followers first, or with `pair_first` with more; if equal, by the list."""
    left, right = sum(swap.give), sum(swap.take)
    flip = (left < right) if pair_first and left != right else left > right
    return swap.flip() if flip or (left == right and swap.left > swap.right) else swap


@lru_cache(moves.BALANCES_REMEMBERED)
def find_delta(swap: moves.Swap) -> tuple[tuple[int, Followers], ...]:
    """List the regions that a swap changes, in order, each with the change."""
    return tuple(sorted((region, change) for region, change in moves.compute_balance(swap) if any(change)))


def find_swap_ban(card: str, resolution: moves.Resolution, seat: int) -> Ban | None:
    """Return the ban on undoing that a swap leaves behind, or None if it changed nothing."""
    changed = find_delta(resolution) if isinstance(resolution, moves.Swap) else ()
    return Ban(card, seat, changed) if changed else None


@cites("ruling.undo")
def forbid_undoing(card: str, rule: str, undo: Undo) -> Bar[Position, moves.Swap]:
    """Forbid that the next action exactly reverses a swap, at least for other players."""

    def active(position: Position) -> bool:
        banned = position.banned
        return banned is not None and banned.card == card and (undo == "by nobody" or banned.by != position.to_act)

    def touched(position: Position) -> tuple[tuple[int, int], ...]:
        if position.banned is None:
            return ()
        (one, _), (other, _) = position.banned.delta
        return (one, other), (other, one)

    def strikes(position: Position, swap: moves.Swap) -> bool:
        back = moves.Swap(swap.left, swap.right, give=swap.take, take=swap.give)
        return position.banned is not None and find_delta(back) == position.banned.delta

    def says(position: Position, _: moves.Swap) -> str:
        own = position.banned is not None and position.banned.by == position.to_act
        return f"this would undo the {card} that {'this' if own else 'another'} player has just taken"

    return Bar(rule, active, touched, strikes, says)


Ground = tuple[tuple[int, ...], tuple[int, ...], frozenset[int], bool]
"""Track, discs, negotiated, and whether the player has a disc left."""
RegionCards = tuple[tuple[int, ...], tuple[int, ...], frozenset[int], int | None]
"""The region cards as a slot sees them: track, discs, negotiated, and the card already chosen."""
FromTrack = Condition[RegionCards, int]
Chosen = tuple[int, int, bool]
"""Two chosen cards, and whether the player has a disc left, on which the place of the disc depends."""
OnCard = Condition[Chosen, int | None]
"""A condition on the card that the disc goes on; None for no disc."""


def make_negotiate_card(factory: CardFactory, name: str, local: str = "card.negotiate") -> Card:
    """Make a card that swaps two face-up region cards without a disc; a player without discs only swaps."""
    ids, region, printed = factory.ids, factory.board.name_region, factory.board.terms.negotiation
    some = OnCard(
        ids(f"{local}.disc"), lambda _, disc: disc is not None, lambda *_: f"a {printed} goes on one of the two cards"
    )
    on_one = OnCard(
        ids(f"{local}.disc"),
        lambda chosen, disc: disc is None or disc in chosen[:2],
        lambda chosen, disc: (
            f"the {printed} goes on {region(chosen[0])} or {region(chosen[1])}, not on {region(disc or 0)}"
        ),
    )
    left = OnCard(
        ids(f"{local}.disc-left"),
        lambda chosen, disc: chosen[2] or disc is None,
        lambda *_: f"your {printed} is already on the board: write `no disc`",
    )
    text = f"no {factory.board.terms.disc} is placed here"
    none = OnCard(ids(f"{local}.disc-left"), lambda _, disc: disc is None, lambda *_: text)

    cards = _make_card_slots(factory, local)

    def find_ground(position: Position) -> Ground:
        left = position.negotiation_discs[position.actor] > 0
        return position.track, position.discs, position.negotiated, left

    def exchanging(label: str, *disc: OnCard) -> Shape[Position, moves.Exchange]:
        slots: tuple[Slot[Any, Any], ...] = (
            *cards,
            Slot("disc", _get_chosen, lambda chosen: (*chosen[:2], None), disc, bound=True),
        )
        return Shape(ids(local), label, moves.Exchange, slots, ground=find_ground)

    tiers = ((exchanging("with the disc", some, on_one, left),), (exchanging("without a disc", none),))
    return factory.make_card(name, local, "exchange", tiers, canonical=make_rewriter(moves.Exchange, _order_by_track))


def _make_card_slots(factory: CardFactory, local: str) -> tuple[Slot[RegionCards, int], ...]:
    ids, name, printed = factory.ids, factory.board.name_region, factory.board.terms.negotiation
    conditions = (
        FromTrack(
            ids(f"{local}.face-up"),
            lambda lying, region: lying[1][region] == OPEN,
            lambda _, region: f"the card of {name(region)} is face down",
        ),
        FromTrack(
            ids(f"{local}.no-disc"),
            lambda lying, region: region not in lying[2],
            lambda _, region: f"the card of {name(region)} has a {printed} on it",
        ),
        FromTrack(
            ids(f"{local}.two-cards"),
            lambda lying, region: region != lying[3],
            lambda _, region: f"{name(region)} is named twice: choose two different cards",
        ),
    )
    return tuple(
        Slot(slot, _get_region_cards, _list_later_cards, conditions, bound=True, remembered=False)
        for slot in ("first", "second")
    )


def _get_region_cards(ground: Ground, bound: tuple[int, ...]) -> RegionCards:
    return (*ground[:3], bound[-1] if bound else None)


def _list_later_cards(lying: RegionCards) -> tuple[int, ...]:
    """List the cards to choose from: all of the track, or those behind the one already chosen."""
    track, *_, first = lying
    return track if first is None else track[track.index(first) + 1 :]


def _get_chosen(ground: Ground, bound: tuple[int, ...]) -> Chosen:
    first, second = bound
    return first, second, ground[3]


def _order_by_track(position: Position, exchange: moves.Exchange) -> moves.Exchange:
    index = position.track.index
    in_order = index(exchange.first) <= index(exchange.second)
    return exchange if in_order else moves.Exchange(exchange.second, exchange.first, exchange.disc)


SIZES = {2: "two followers to a bordering region", 1: "one follower to a bordering region"}


def make_march_card(factory: CardFactory, name: str) -> Card:
    """Make a card that moves two followers together into a bordering open region, or else one."""
    two = "card.march.two"
    bordering = factory.require_border("card.march.border")
    printed = f"{name} moves two followers, or one if two can move nowhere"

    def moving(size: int) -> Shape[Position, moves.Shift]:
        slots = (
            factory.make_open_region_slot("origin"),
            factory.make_open_region_slot("target", bordering),
            factory.make_followers_slot("group", 0, size, factory.require_size(two, size, printed)),
        )
        return Shape(
            factory.ids(two),
            SIZES[size],
            moves.Shift,
            slots,
            ground=c.discs,
            make=lambda origin, target, group: moves.Shift(group, origin, target),
        )

    return factory.make_card(name, "card.march", "shift", tuple((moving(size),) for size in SIZES))


def make_court_swap_card(factory: CardFactory, name: str, local: str) -> Card:
    """Make a card that swaps one follower at court for one of any open region, even of the same faction."""
    number = factory.require_size(f"{local}.number", 1, f"{name} swaps one follower for one")
    available = factory.require_available(local, "the court")
    own_court = Part[Position, Followers](lambda position: (position.courts[position.actor],))
    slots = (
        factory.make_open_region_slot("region"),
        factory.make_group_slot("give", own_court, 1, (number, available)),
        factory.make_followers_slot("take", 0, 1, number),
    )
    rule = factory.ids(f"{local}.number")
    swapping = Shape[Position, moves.CourtSwap](rule, "one for one", moves.CourtSwap, slots, ground=c.discs)
    return factory.make_card(name, local, "court_swap", ((swapping,),))
