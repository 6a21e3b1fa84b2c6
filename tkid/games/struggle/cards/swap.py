"""Swaps: followers of one region for followers of another; and the ban on undoing one."""

from __future__ import annotations

from functools import partial

from tkid.games.struggle import conditions as c
from tkid.games.struggle.board import Followers, minus
from tkid.games.struggle.cards.card import Card, Press
from tkid.games.struggle.moves import Resolution, Swap
from tkid.games.struggle.position import Ban, Position
from tkid.kernel.ladder import Bar, Shape, Slot
from tkid.rulebook import cites

Delta = tuple[tuple[int, Followers], ...]
"""What a swap changes: (region, change of followers) for its two regions, in order; () where nothing changes."""

NUMBERS = {1: "one", 2: "two"}


def swap(press: Press, name: str, local: str, counts: tuple[tuple[int, int], ...], *, border: bool) -> Card:
    """A swap in tiers of (given, taken) followers, of bordering or of any two regions; `local` is its rule."""
    board, ids = press.board, press.ids
    rule, number, reversal = ids(local), ids(f"{local}.number"), ids(f"{local}.undo")
    unresolved = c.unresolved(board, ids("action.resolved"))
    place = c.bordering(board, ids(f"{local}.border")) if border else c.another(board, ids(f"{local}.another"))
    labels = {count: f"{NUMBERS[count[0]]} for {NUMBERS[count[1]]}" for count in counts}
    printed = f"{name} swaps {', or else '.join(labels.values())}"

    def followers(slot: str, size: int, index: int) -> Slot[Followers, Followers]:
        conditions = (c.number(board, number, size, printed), c.available(board, ids("action.region"), "the region"))
        return c.group_slot(slot, board, c.contents(index), size, conditions)

    def swapping(given: int, taken: int) -> Shape[Position, Swap]:
        slots = (
            c.region_slot("left", board, (unresolved,)),
            c.region_slot("right", board, (unresolved, place), in_order=given == taken),
            followers("give", given, 0),
            followers("take", taken, 1),
        )
        return Shape(number, labels[given, taken], Swap, slots, ground=c.discs, bar=undoing(name, reversal))

    ladder = press.ladder(rule, tuple((swapping(*count),) for count in counts))
    return Card(name, rule, "swap", ladder, canonical=_fewer_first, ban=partial(ban, name), undo=reversal)


def _fewer_first(_: Position, resolution: Resolution) -> Resolution:
    """The side with fewer followers stands first; of equal ones that of the region first on the list."""
    if not isinstance(resolution, Swap):
        return resolution
    left, right = sum(resolution.give), sum(resolution.take)
    flip = left > right or (left == right and resolution.left > resolution.right)
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
def undoing(card: str, rule: str) -> Bar[Position, Swap]:
    """Another player's swap may not be exactly reversed by the next action."""

    def active(position: Position) -> bool:
        banned = position.banned
        return banned is not None and banned.card == card and banned.by != position.to_act

    def touches(position: Position, regions: tuple[int, ...]) -> bool:
        banned = position.banned
        return banned is not None and {region for region, _ in banned.delta} == set(regions)

    def strikes(position: Position, resolution: Swap) -> bool:
        banned = position.banned
        assert banned is not None
        reversed_delta = tuple((region, tuple([-n for n in change])) for region, change in banned.delta)
        return delta(resolution) == reversed_delta

    return Bar(
        rule, active, touches, strikes, lambda *_: f"this would undo the {card} that another player has just taken"
    )
