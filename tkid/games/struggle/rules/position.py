"""A position: everything there is to know about a game at one moment, as a small value."""

from __future__ import annotations

from typing import Literal, TypeVar

from attrs import field, frozen

from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Followers
from tkid.kernel import game as kernel
from tkid.kernel.values import Changeable

HIDDEN = kernel.HIDDEN
"""Placeholder for a card that is hidden from the viewer."""
T = TypeVar("T")
Decision = Literal["play", "summon", "plot"]
"""The next decision."""


@frozen
class Ban:
    """A swap whose exact reversal is forbidden next to everybody but the seat that made it.

    `delta` is what the swap changed: (region, change of followers) for each of the two regions.
    """

    card: str
    by: int
    delta: tuple[tuple[int, Followers], ...]


@frozen
class Position(Changeable):
    """A moment of a game. Regions, factions and seats are indices; per-seat tuples are in turn order.

    `discs` holds for each region OPEN, UNSTABLE or a faction; `track` the regions' cards by space (face down
    where the region has a disc); `negotiated` the regions whose card carries a negotiation disc;
    `struggles` the resolved regions in the order resolved. `last_acted` is the number of the turn in which
    a seat last played an action card, `emptied` that in which its hand ran out. `turn` counts the turns so
    far; two positions that differ only in it are equal. `plot` is the faction that the owner of a revealed Plot
    has named. `starter` is the seat that started the power struggle to come, None where that makes no difference
    to the next one. In a position as one seat may know it, hidden cards in hands and discard piles are HIDDEN.
    """

    regions: tuple[Followers, ...]
    discs: tuple[int, ...]
    supply: Followers
    track: tuple[int, ...]
    negotiated: frozenset[int]
    struggles: tuple[int, ...]
    courts: tuple[Followers, ...]
    hands: tuple[tuple[str, ...], ...]
    discards: tuple[tuple[str, ...], ...]
    negotiation_discs: tuple[int, ...]
    last_acted: tuple[int | None, ...]
    emptied: tuple[int | None, ...]
    passes: int
    banned: Ban | None
    decision: Decision | None
    to_act: int | None
    ending: str | None = None
    winners: tuple[int, ...] = ()
    plot: int | None = None
    starter: int | None = None
    turn: int = field(default=0, eq=False)

    @property
    def contested(self) -> int | None:
        """The region of the next power struggle: the face-up card on the lowest space."""
        return next((region for region in self.track if self.discs[region] == OPEN), None)

    @property
    def unstable(self) -> int:
        """How many instability discs are on the board."""
        return self.discs.count(UNSTABLE)

    @property
    def seats(self) -> range:
        """The seats at the table."""
        return range(len(self.courts))


def put(items: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """A tuple with one of its items replaced."""
    changed = list(items)
    changed[index] = value
    return tuple(changed)
