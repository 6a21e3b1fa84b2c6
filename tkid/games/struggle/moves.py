"""Moves: one decision each; and the resolutions of action cards, each with what it does to a position."""

from __future__ import annotations

from attrs import frozen

from tkid.games.struggle.board import Followers
from tkid.kernel.ladder import Nothing


@frozen
class Pass:
    """Take no action this turn."""


@frozen(cache_hash=True)
class Place:
    """Followers from the supply into one region."""

    group: Followers
    region: int


@frozen(cache_hash=True)
class Spread:
    """One follower of each faction from the supply: for each faction its region, None where none is placed."""

    regions: tuple[int | None, ...]


@frozen(cache_hash=True)
class Exchange:
    """Two region cards change places; the negotiation disc goes on the card of region `disc` (None: no disc)."""

    first: int
    second: int
    disc: int | None


@frozen(cache_hash=True)
class Swap:
    """Followers `give` of region `left` for followers `take` of region `right`."""

    left: int
    right: int
    give: Followers
    take: Followers

    def flipped(self) -> Swap:
        """The same swap told from the other side."""
        return Swap(self.right, self.left, self.take, self.give)


Resolution = Place | Spread | Exchange | Swap | Nothing


@frozen(cache_hash=True)
class Play:
    """Play an action card and resolve it."""

    card: str
    resolution: Resolution


@frozen(cache_hash=True)
class Summon:
    """Take a follower of a faction from a region to court."""

    faction: int
    region: int


@frozen
class NoSummon:
    """No follower is summoned, as no region holds any."""


Move = Pass | Play | Summon | NoSummon
