"""Moves: one decision each; and the resolutions of action cards, each with the followers that it transfers.

A resolution states its transfers once, in the order in which they are carried out and written; `of` is the way back.
What a move changes, shows, offers to click and is in JSON follows from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from attrs import frozen

from tkid.games.struggle.rules.board import Followers, groups, tally
from tkid.games.struggle.rules.transfers import COURT, SUPPLY, Flow, NoSuchResolutionError, Transfer, as_region
from tkid.kernel.ladder import Nothing


@frozen
class Pass:
    """Take no action this turn."""


@frozen(cache_hash=True)
class Place:
    """Followers from the supply into one region."""

    group: Followers
    region: int

    def transfers(self) -> tuple[Transfer, ...]:
        """Those who are placed."""
        return (Transfer(self.group, SUPPLY, self.region),)

    @classmethod
    def of(cls, flow: Flow) -> Place:
        """From the supply into one region."""
        ((group, _, target),) = flow.only(1)
        return cls(group, as_region(target))


@frozen(cache_hash=True)
class Apart:
    """Followers from the supply into two regions, to each its own group; `left` comes first in the order of the list."""

    left: int
    right: int
    groups: tuple[Followers, Followers]

    def transfers(self) -> tuple[Transfer, ...]:
        """Those who are placed in the one region, then in the other."""
        first, second = self.groups
        return Transfer(first, SUPPLY, self.left), Transfer(second, SUPPLY, self.right)

    @classmethod
    def of(cls, flow: Flow) -> Place | Apart:
        """From the supply into two regions, or all into one."""
        (first, _, left), *rest = flow.only(1, 2)
        if not rest:
            return Place.of(flow)
        ((second, _, right),) = rest
        return cls(as_region(left), as_region(right), (first, second))


@frozen(cache_hash=True)
class Spread:
    """One follower of each faction from the supply: for each faction its region, None where none is placed."""

    regions: tuple[int | None, ...]

    def transfers(self) -> tuple[Transfer, ...]:
        """Those who are placed, one by one."""
        kinds = len(self.regions)
        return tuple(
            [
                Transfer(groups(1, kinds)[faction], SUPPLY, target)
                for faction, target in enumerate(self.regions)
                if target is not None
            ]
        )

    @classmethod
    def of(cls, flow: Flow) -> Spread:
        """From the supply, each faction's follower into its region."""
        regions: list[int | None] = [None] * len(flow.none)
        for group, _, target in flow.transfers:
            for faction, number in enumerate(group):
                if number:
                    regions[faction] = as_region(target)
        return cls(tuple(regions))


@frozen(cache_hash=True)
class Exchange:
    """Two region cards change places; the negotiation disc goes on the card of region `disc` (None: no disc)."""

    first: int
    second: int
    disc: int | None

    def transfers(self) -> tuple[Transfer, ...]:
        """None: it is cards that change places."""
        return ()


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

    def transfers(self) -> tuple[Transfer, ...]:
        """Those who are given, and those who are taken for them."""
        return Transfer(self.give, self.left, self.right), Transfer(self.take, self.right, self.left)

    @classmethod
    def of(cls, flow: Flow) -> Swap:
        """There and back between two regions; with a single transfer, for nothing."""
        (give, left, right), *back = flow.only(1, 2)
        return cls(as_region(left), as_region(right), give, back[0].group if back else flow.none)


@frozen(cache_hash=True)
class Shift:
    """Followers moved from one region to another."""

    group: Followers
    origin: int
    target: int

    def transfers(self) -> tuple[Transfer, ...]:
        """Those who are moved."""
        return (Transfer(self.group, self.origin, self.target),)

    @classmethod
    def of(cls, flow: Flow) -> Shift:
        """From one region to another."""
        ((group, origin, target),) = flow.only(1)
        return cls(group, as_region(origin), as_region(target))


@frozen(cache_hash=True)
class PlaceReturn:
    """In one region, followers placed from the supply, then followers returned to it."""

    region: int
    placed: Followers
    returned: Followers

    def transfers(self) -> tuple[Transfer, ...]:
        """Those who are placed, then those who are returned."""
        return Transfer(self.placed, SUPPLY, self.region), Transfer(self.returned, self.region, SUPPLY)

    @classmethod
    def of(cls, flow: Flow) -> PlaceReturn:
        """From the supply into a region, and from there back."""
        place, placed, _ = flow.landing()
        return cls(place, placed, flow.between(place, SUPPLY))


@frozen(cache_hash=True)
class ReturnPlace:
    """In one region, followers returned to the supply, then followers placed from it.

    `returned` are factions, one for each follower in the order in which they are returned and written.
    """

    region: int
    returned: tuple[int, ...]
    placed: Followers

    def transfers(self) -> tuple[Transfer, ...]:
        """Those who are returned, then those who are placed."""
        returned = tally(self.returned, len(self.placed))
        return Transfer(returned, self.region, SUPPLY), Transfer(self.placed, SUPPLY, self.region)

    @classmethod
    def of(cls, flow: Flow) -> ReturnPlace:
        """From a region to the supply, and from there back; those who return in the order of the factions."""
        place, placed, _ = flow.landing()
        returned = flow.between(place, SUPPLY)
        return cls(place, tuple(faction for faction, n in enumerate(returned) for _ in range(n)), placed)


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

    def transfers(self) -> tuple[Transfer, ...]:
        """Those who are placed, then those who are given, and those who are taken for them."""
        landed = Transfer(self.placed, SUPPLY, self.region)
        if self.other is None:
            return (landed,)
        return landed, Transfer(self.give, self.region, self.other), Transfer(self.take, self.other, self.region)

    @classmethod
    def of(cls, flow: Flow) -> PlaceSwap:
        """From the supply into a region, and there and back between it and another."""
        place, placed, others = flow.landing()
        if not others:
            return cls(place, placed, None, flow.none, flow.none)
        origin, target = others[0].ends
        other = as_region(target if origin == place else origin)
        return cls(place, placed, other, flow.between(place, other), flow.between(other, place))


@frozen(cache_hash=True)
class PlaceMove:
    """In one region, followers placed from the supply, then followers of it moved to other regions.

    `moved` are the groups that go, each with its target, in the order of the board's regions.
    """

    region: int
    placed: Followers
    moved: tuple[tuple[Followers, int], ...]

    def transfers(self) -> tuple[Transfer, ...]:
        """Those who are placed, then those who move on."""
        moved = (Transfer(group, self.region, target) for group, target in self.moved)
        return Transfer(self.placed, SUPPLY, self.region), *moved

    @classmethod
    def of(cls, flow: Flow) -> PlaceMove:
        """From the supply into a region, and from it to others."""
        place, placed, others = flow.landing()
        moved = sorted(((group, as_region(target)) for group, _, target in others), key=lambda going: going[1])
        return cls(place, placed, tuple(moved))


@frozen(cache_hash=True)
class CourtSwap:
    """Followers `give` of the player's own court for followers `take` of a region."""

    region: int
    give: Followers
    take: Followers

    def transfers(self) -> tuple[Transfer, ...]:
        """Those who are given, and those who are taken for them."""
        return Transfer(self.give, COURT, self.region), Transfer(self.take, self.region, COURT)

    @classmethod
    def of(cls, flow: Flow) -> CourtSwap:
        """There and back between the court and a region."""
        give, take = sorted(flow.only(2), key=lambda transfer: transfer.origin)
        return cls(as_region(give.target), give.group, take.group)


@frozen(cache_hash=True)
class Copy:
    """The card on top of another seat's discard pile, resolved as if it had been played."""

    seat: int
    card: str
    resolution: Resolution

    def transfers(self) -> tuple[Transfer, ...]:
        """Those of the copied card."""
        return transfers(self.resolution)


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

FORMS: Mapping[str, Callable[[Flow], Resolution]] = {
    "place": Place.of,
    "apart": Apart.of,
    "spread": Spread.of,
    "swap": Swap.of,
    "shift": Shift.of,
    "place_return": PlaceReturn.of,
    "return_place": ReturnPlace.of,
    "place_swap": PlaceSwap.of,
    "place_move": PlaceMove.of,
    "court_swap": CourtSwap.of,
}
"""The forms of cards that move followers, each with the way back from a flow, if it is one of the form, to a resolution."""


def transfers(resolution: Resolution) -> tuple[Transfer, ...]:
    """The followers that a resolution moves, in order; of a copy, what the copied card moves.

    A transfer may be of nobody, as where a swap takes no follower for one.
    """
    return () if isinstance(resolution, Nothing) else resolution.transfers()


def resolution_of(form: str, flow: Flow) -> Resolution:
    """The resolution of one of the FORMS that moves followers in this way.

    Raises NoSuchResolutionError where there is none.
    """
    resolution = FORMS[form](flow)
    if Flow.of(transfers(resolution), len(flow.none)) != flow:
        raise NoSuchResolutionError
    return resolution


def carried_out(resolution: Resolution) -> Resolution:
    """What is carried out: the resolution itself, or what a copy copies."""
    return carried_out(resolution.resolution) if isinstance(resolution, Copy) else resolution


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
