"""Moves: one decision each; and the resolutions of action cards, each with what it does to a position."""

from __future__ import annotations

from attrs import frozen

from tkid.games.struggle.rules.board import Followers
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
class Apart:
    """Followers from the supply into two regions, to each its own group; `left` comes first in the order of the list."""

    left: int
    right: int
    groups: tuple[Followers, Followers]


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


@frozen(cache_hash=True)
class Shift:
    """Followers moved from one region to another."""

    group: Followers
    origin: int
    target: int


@frozen(cache_hash=True)
class PlaceReturn:
    """In one region, followers placed from the supply, then followers returned to it."""

    region: int
    placed: Followers
    returned: Followers


@frozen(cache_hash=True)
class ReturnPlace:
    """In one region, followers returned to the supply, then followers placed from it.

    `returned` are factions, one for each follower in the order in which they are returned and written.
    """

    region: int
    returned: tuple[int, ...]
    placed: Followers


@frozen(cache_hash=True)
class PlaceSwap:
    """In one region, followers placed from the supply, then followers `give` of it for followers `take` of another.

    `other` is that other region, None where nobody is swapped.
    """

    region: int
    placed: Followers
    other: int | None
    give: Followers
    take: Followers


@frozen(cache_hash=True)
class PlaceMove:
    """In one region, followers placed from the supply, then followers of it moved to other regions.

    `moved` are the groups that go, each with its target, in the order of the board's regions.
    """

    region: int
    placed: Followers
    moved: tuple[tuple[Followers, int], ...]


@frozen(cache_hash=True)
class CourtSwap:
    """Followers `give` of the player's own court for followers `take` of a region."""

    region: int
    give: Followers
    take: Followers


@frozen(cache_hash=True)
class Copy:
    """The card on top of another seat's discard pile, resolved as if it had been played."""

    seat: int
    card: str
    resolution: Resolution


Resolution = (
    Place
    | Apart
    | Spread
    | Exchange
    | Swap
    | Shift
    | PlaceReturn
    | ReturnPlace
    | PlaceSwap
    | PlaceMove
    | CourtSwap
    | Copy
    | Nothing
)


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
    """No follower is summoned: no region holds any, or nobody is wanted where that is free."""


@frozen
class Reveal:
    """Name the faction as whose follower a card counts that is revealed at the end."""

    card: str
    faction: int


Move = Pass | Play | Summon | NoSummon | Reveal
