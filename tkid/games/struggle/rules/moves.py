"""Moves, the followers they transfer, and their notation.

A resolution states its transfers once, in the order in which they are carried out and written; `from_flow` is the way back.
Changes, texts, clicks and JSON of a move follow from them.

The notation has a table of its own and does not follow from the transfers. It writes `S Moray <> E Devon` and
`Devon place SS return W`: each form names a region once, has its own words, and keeps the order in which followers
are returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from attrs import frozen

from tkid.games.struggle.rules.board import (
    Board,
    Followers,
    Position,
    add_followers,
    count_followers,
    list_groups,
    replace_item,
    subtract_followers,
)
from tkid.kernel.ladder import Nothing
from tkid.kernel.pickling import Portable, pickle_call
from tkid.kernel.values import derive
from tkid.rulebook import cites

SUPPLY = -1
"""The supply, where a region could be."""
COURT = -2
"""The court of the player who moves, where a region could be."""
Where = int
"""A region, SUPPLY or COURT. As indices, the last two count from the end, so that they can follow the regions."""


class Transfer(NamedTuple):
    """Followers who move from one place to another: how many of each faction. A place is a region, SUPPLY or COURT."""

    group: Followers
    origin: Where
    target: Where

    def __reduce__(self) -> tuple[Any, ...]:
        return pickle_call(Transfer, *self)

    @property
    def ends(self) -> tuple[Where, Where]:
        return self.origin, self.target

    @property
    def between_regions(self) -> bool:
        return self.origin >= 0 and self.target >= 0


class NoSuchResolutionError(ValueError):
    """There is no resolution of the form that moves followers in this way."""


@frozen
class Flow(Portable):
    """The sum of transfers by origin and target; the order of transfers makes no difference. `none` is an empty group."""

    groups: Mapping[tuple[Where, Where], Followers]
    none: Followers

    @classmethod
    def from_transfers(cls, transfers: Iterable[Transfer], kinds: int) -> Flow:
        none = (0,) * kinds
        groups: dict[tuple[Where, Where], Followers] = {}
        for each in transfers:
            groups[each.ends] = add_followers(groups.get(each.ends, none), each.group)
        return cls({ends: group for ends, group in groups.items() if any(group)}, none)

    @property
    def transfers(self) -> tuple[Transfer, ...]:
        return tuple(Transfer(group, *ends) for ends, group in self.groups.items())

    def require_count(self, *counts: int) -> tuple[Transfer, ...]:
        """Return the transfers. Raises NoSuchResolutionError unless their number is one of the counts."""
        if len(self.groups) not in counts:
            raise NoSuchResolutionError
        return self.transfers

    def get_group(self, origin: Where, target: Where) -> Followers:
        return self.groups.get((origin, target), self.none)

    def split_landing(self) -> tuple[int, Followers, tuple[Transfer, ...]]:
        """Return the region first entered or left, its followers, the rest. Raises NoSuchResolutionError."""
        for _, origin, target in self.transfers[:1]:
            place = require_region(target if origin == SUPPLY else origin)
            others = tuple(each for each in self.transfers if each.ends != (SUPPLY, place))
            return place, self.get_group(SUPPLY, place), others
        raise NoSuchResolutionError


def require_region(where: Where) -> int:
    """Return the place if it is a region. Raises NoSuchResolutionError otherwise."""
    if where < 0:
        raise NoSuchResolutionError
    return where


@frozen
class Pass(Portable):
    """Take no action this turn."""


@frozen(cache_hash=True)
class Place(Portable):
    """Followers from the supply into one region."""

    group: Followers
    region: int

    def list_transfers(self) -> tuple[Transfer, ...]:
        return (Transfer(self.group, SUPPLY, self.region),)

    @classmethod
    def from_flow(cls, flow: Flow) -> Place:
        ((group, _, target),) = flow.require_count(1)
        return cls(group, require_region(target))


@frozen(cache_hash=True)
class Apart(Portable):
    """Followers from the supply into two regions, to each its own group; `left` comes first in the order of the list."""

    left: int
    right: int
    groups: tuple[Followers, Followers]

    def list_transfers(self) -> tuple[Transfer, ...]:
        first, second = self.groups
        return Transfer(first, SUPPLY, self.left), Transfer(second, SUPPLY, self.right)

    @classmethod
    def from_flow(cls, flow: Flow) -> Place | Apart:
        """Read followers placed from the supply in two regions, or all in one."""
        (first, _, left), *rest = flow.require_count(1, 2)
        if not rest:
            return Place.from_flow(flow)
        ((second, _, right),) = rest
        return cls(require_region(left), require_region(right), (first, second))


@frozen(cache_hash=True)
class Spread(Portable):
    """One follower of each faction from the supply: for each faction its region, None where none is placed."""

    regions: tuple[int | None, ...]

    def list_transfers(self) -> tuple[Transfer, ...]:
        placed = zip(list_groups(1, len(self.regions)), self.regions, strict=True)
        return tuple([Transfer(one, SUPPLY, target) for one, target in placed if target is not None])

    @classmethod
    def from_flow(cls, flow: Flow) -> Spread:
        regions: list[int | None] = [None] * len(flow.none)
        for group, _, target in flow.transfers:
            for faction, number in enumerate(group):
                if number:
                    regions[faction] = require_region(target)
        return cls(tuple(regions))


@frozen(cache_hash=True)
class Exchange(Portable):
    """Two region cards change places; the negotiation disc goes on the card of region `disc` (None: no disc)."""

    first: int
    second: int
    disc: int | None

    def list_transfers(self) -> tuple[Transfer, ...]:
        """Return no transfer: only cards change places."""
        return ()


@frozen(cache_hash=True)
class Swap(Portable):
    """Followers `give` of region `left` for followers `take` of region `right`."""

    left: int
    right: int
    give: Followers
    take: Followers

    def flip(self) -> Swap:
        return Swap(self.right, self.left, self.take, self.give)

    def list_transfers(self) -> tuple[Transfer, ...]:
        return Transfer(self.give, self.left, self.right), Transfer(self.take, self.right, self.left)

    @classmethod
    def from_flow(cls, flow: Flow) -> Swap:
        """Read followers who go there and back between two regions; a single transfer is a swap for nothing."""
        (give, left, right), *back = flow.require_count(1, 2)
        return cls(require_region(left), require_region(right), give, back[0].group if back else flow.none)


@frozen(cache_hash=True)
class Shift(Portable):
    """Followers moved from one region to another."""

    group: Followers
    origin: int
    target: int

    def list_transfers(self) -> tuple[Transfer, ...]:
        return (Transfer(self.group, self.origin, self.target),)

    @classmethod
    def from_flow(cls, flow: Flow) -> Shift:
        ((group, origin, target),) = flow.require_count(1)
        return cls(group, require_region(origin), require_region(target))


@frozen(cache_hash=True)
class PlaceReturn(Portable):
    """In one region, followers placed from the supply, then followers returned to it."""

    region: int
    placed: Followers
    returned: Followers

    def list_transfers(self) -> tuple[Transfer, ...]:
        return Transfer(self.placed, SUPPLY, self.region), Transfer(self.returned, self.region, SUPPLY)

    @classmethod
    def from_flow(cls, flow: Flow) -> PlaceReturn:
        place, placed, _ = flow.split_landing()
        return cls(place, placed, flow.get_group(place, SUPPLY))


@frozen(cache_hash=True)
class ReturnPlace(Portable):
    """Followers returned from a region, as factions in the order of writing, then followers placed there."""

    region: int
    returned: tuple[int, ...]
    placed: Followers

    def list_transfers(self) -> tuple[Transfer, ...]:
        returned = count_followers(self.returned, len(self.placed))
        return Transfer(returned, self.region, SUPPLY), Transfer(self.placed, SUPPLY, self.region)

    @classmethod
    def from_flow(cls, flow: Flow) -> ReturnPlace:
        """Read followers returned from a region, in the order of the factions, and followers placed there."""
        place, placed, _ = flow.split_landing()
        returned = flow.get_group(place, SUPPLY)
        return cls(place, tuple(faction for faction, n in enumerate(returned) for _ in range(n)), placed)


@frozen(cache_hash=True)
class PlaceSwap(Portable):
    """Followers placed in a region, then some of it given for some of `other`, which is None without a swap."""

    region: int
    placed: Followers
    other: int | None
    give: Followers
    take: Followers

    def list_transfers(self) -> tuple[Transfer, ...]:
        landed = Transfer(self.placed, SUPPLY, self.region)
        if self.other is None:
            return (landed,)
        return landed, Transfer(self.give, self.region, self.other), Transfer(self.take, self.other, self.region)

    @classmethod
    def from_flow(cls, flow: Flow) -> PlaceSwap:
        place, placed, others = flow.split_landing()
        if not others:
            return cls(place, placed, None, flow.none, flow.none)
        origin, target = others[0].ends
        other = require_region(target if origin == place else origin)
        return cls(place, placed, other, flow.get_group(place, other), flow.get_group(other, place))


@frozen(cache_hash=True)
class PlaceMove(Portable):
    """Followers placed in a region, then groups of it moved, each with its target in the order of the board."""

    region: int
    placed: Followers
    moved: tuple[tuple[Followers, int], ...]

    def list_transfers(self) -> tuple[Transfer, ...]:
        moved = (Transfer(group, self.region, target) for group, target in self.moved)
        return Transfer(self.placed, SUPPLY, self.region), *moved

    @classmethod
    def from_flow(cls, flow: Flow) -> PlaceMove:
        place, placed, others = flow.split_landing()
        moved = sorted(((group, require_region(target)) for group, _, target in others), key=lambda going: going[1])
        return cls(place, placed, tuple(moved))


@frozen(cache_hash=True)
class CourtSwap(Portable):
    """Followers `give` of the player's own court for followers `take` of a region."""

    region: int
    give: Followers
    take: Followers

    def list_transfers(self) -> tuple[Transfer, ...]:
        return Transfer(self.give, COURT, self.region), Transfer(self.take, self.region, COURT)

    @classmethod
    def from_flow(cls, flow: Flow) -> CourtSwap:
        give, take = sorted(flow.require_count(2), key=lambda transfer: transfer.origin)
        return cls(require_region(give.target), give.group, take.group)


@frozen(cache_hash=True)
class Copy(Portable):
    """The card on top of another seat's discard pile, resolved as if it had been played."""

    seat: int
    card: str
    resolution: Resolution

    def list_transfers(self) -> tuple[Transfer, ...]:
        return list_transfers(self.resolution)


Resolution = (
    Place | Apart | Spread | Exchange | Swap | Shift | PlaceReturn | ReturnPlace | PlaceSwap | PlaceMove | CourtSwap
    | Copy | Nothing
)  # fmt: skip

FORMS: Mapping[str, Callable[[Flow], Resolution]] = {
    "place": Place.from_flow,
    "apart": Apart.from_flow,
    "spread": Spread.from_flow,
    "swap": Swap.from_flow,
    "shift": Shift.from_flow,
    "place_return": PlaceReturn.from_flow,
    "return_place": ReturnPlace.from_flow,
    "place_swap": PlaceSwap.from_flow,
    "place_move": PlaceMove.from_flow,
    "court_swap": CourtSwap.from_flow,
}
"""For each form of cards that move followers, the function that makes a resolution of a flow."""


def list_transfers(resolution: Resolution) -> tuple[Transfer, ...]:
    """List the followers that a resolution moves.

    Args:
        resolution: what a card does, or the card that it copies.

    Returns:
        The movements in their order. A group of followers may be empty.
    """
    return () if isinstance(resolution, Nothing) else resolution.list_transfers()


PLACES = ("region", "left", "right", "origin", "target", "first", "second", "disc", "other")
"""The attributes of resolutions that are a region, or None."""


@lru_cache(1 << 14)
def fits_board(resolution: Resolution, regions: int, factions: int) -> bool:
    """Return True if a resolution names regions of a board with so many, and counts the followers of so many factions."""
    if isinstance(resolution, Copy):
        return fits_board(resolution.resolution, regions, factions)
    named = [getattr(resolution, name, None) for name in PLACES]
    named += getattr(resolution, "regions", ())
    named += [target for _, target in getattr(resolution, "moved", ())]
    if any(place is not None and not 0 <= place < regions for place in named):
        return False
    try:
        return all(len(group) == factions for group, _, _ in list_transfers(resolution))
    except IndexError:
        return False


def find_resolution(form: str, flow: Flow) -> Resolution:
    """Find the resolution of one of the FORMS that moves followers so. Raises NoSuchResolutionError."""
    resolution = FORMS[form](flow)
    if Flow.from_transfers(list_transfers(resolution), len(flow.none)) != flow:
        raise NoSuchResolutionError
    return resolution


def follow_copy(resolution: Resolution) -> Resolution:
    """Return the resolution itself, or for a copy the copied one."""
    return follow_copy(resolution.resolution) if isinstance(resolution, Copy) else resolution


@frozen(cache_hash=True)
class Play(Portable):
    """Play an action card and resolve it."""

    card: str
    resolution: Resolution


@frozen(cache_hash=True)
class Summon(Portable):
    """Take a follower of a faction from a region to court."""

    faction: int
    region: int


@frozen
class NoSummon(Portable):
    """No follower is summoned: no region has any, or the player declines an optional summons."""


@frozen
class Reveal(Portable):
    """Reveal a card at the end, and name the faction of which it counts as a follower."""

    card: str
    faction: int


Move = Pass | Play | Summon | NoSummon | Reveal


@frozen
class Decided(Portable):
    """A move, and the seat that made it."""

    seat: int
    move: Move


TEXTS_REMEMBERED = 1 << 12


@frozen
class StruggleWords(Portable):
    """A writer of the moves of a board. Resolutions are written without the card's name."""

    board: Board
    write_move: Callable[[Move], str] = derive(lambda self: lru_cache(TEXTS_REMEMBERED)(self._write_move), eq=False)
    """Writes one decision."""
    resolution: Callable[[Any], str] = derive(
        lambda self: lru_cache(TEXTS_REMEMBERED)(self._write_resolution), eq=False
    )
    """Writes a resolution: `SS Lancaster`, `S Moray <> E Devon`, `nothing`."""

    def _write_move(self, move: Move) -> str:
        match move:
            case Pass():
                return "Pass"
            case Play(card, resolution):
                return f"{card} {self.resolution(resolution)}"
            case Summon(faction, region):
                return f"summon {self.write_summon(faction, region)}"
            case NoSummon():
                return "no summon"
            case Reveal(card, faction):
                return f"{card} {self.board.factions[faction].letter}"

    def _write_resolution(self, resolution: Any) -> str:
        if isinstance(resolution, Copy):
            return f"{{{resolution.seat}}}: {resolution.card} {self.resolution(resolution.resolution)}"
        return _WRITTEN[type(resolution)](self.board, resolution)

    def write_summon(self, faction: int, region: int) -> str:
        return f"{self.board.factions[faction].letter} {self.board.name_region(region)}"

    def write_turn(self, moves: Iterable[Move]) -> str:
        return "; ".join(map(self.write_move, moves))


def _write_part(what: str, followers: str) -> str:
    return "" if followers == "-" else f" {what} {followers}"


def _write_return_place(board: Board, done: ReturnPlace) -> str:
    letters = "".join([board.factions[faction].letter for faction in done.returned])
    returned = _write_part("return", letters or "-")
    return board.name_region(done.region) + returned + _write_part("place", board.write_group(done.placed))


def _write_place_swap(board: Board, done: PlaceSwap) -> str:
    landed = board.name_region(done.region) + _write_part("place", board.write_group(done.placed))
    if done.other is None:
        return landed
    return f"{landed} swap {board.write_group(done.give)} <> {board.write_group(done.take)} {board.name_region(done.other)}"


def _write_place_move(board: Board, done: PlaceMove) -> str:
    moved = ", ".join(f"{board.write_group(some)} > {board.name_region(target)}" for some, target in done.moved)
    return (
        board.name_region(done.region)
        + _write_part("place", board.write_group(done.placed))
        + _write_part("move", moved or "-")
    )


_WRITTEN: Mapping[type, Callable[[Board, Any], str]] = {
    Nothing: lambda *_: "nothing",
    Place: lambda b, it: f"{b.write_group(it.group)} {b.name_region(it.region)}",
    Apart: lambda b, it: f"{b.write_group(it.groups[0])} {b.name_region(it.left)}, {b.write_group(it.groups[1])} {b.name_region(it.right)}",
    PlaceReturn: lambda b, it: b.name_region(it.region) + _write_part("place", b.write_group(it.placed)) + _write_part("return", b.write_group(it.returned)),
    ReturnPlace: _write_return_place,
    Spread: lambda b, it: ", ".join(f"{f.letter} {b.name_region(at)}" for f, at in zip(b.factions, it.regions, strict=True) if at is not None),
    Exchange: lambda b, it: f"{b.name_region(it.first)} <> {b.name_region(it.second)}, {'no disc' if it.disc is None else f'disc {b.name_region(it.disc)}'}",
    Swap: lambda b, it: f"{b.write_group(it.give)} {b.name_region(it.left)} <> {b.write_group(it.take)} {b.name_region(it.right)}",
    Shift: lambda b, it: f"{b.write_group(it.group)} {b.name_region(it.origin)} > {b.name_region(it.target)}",
    PlaceSwap: _write_place_swap,
    PlaceMove: _write_place_move,
    CourtSwap: lambda b, it: f"{b.write_group(it.give)} <> {b.write_group(it.take)} {b.name_region(it.region)}",
}  # fmt: skip


Changes = dict[str, Any]
"""Attributes of a position with their new values."""
BALANCES_REMEMBERED = 1 << 12


@lru_cache(BALANCES_REMEMBERED)
def compute_balance(resolution: Resolution) -> tuple[tuple[Where, Followers], ...]:
    """Compute by how many followers each place grows or shrinks that a resolution touches."""
    growth: dict[Where, Followers] = {}
    for group, origin, target in list_transfers(resolution):
        none = (0,) * len(group)
        growth[origin] = subtract_followers(growth.get(origin, none), group)
        growth[target] = add_followers(growth.get(target, none), group)
    return tuple(growth.items())


@cites("partial.nothing")
def find_changes(position: Position, resolution: Resolution) -> Changes:
    done = follow_copy(resolution) if isinstance(resolution, Copy) else resolution
    if isinstance(done, Exchange):
        return _exchange_cards(position, done)
    if isinstance(done, Nothing):
        return {}
    seat = position.actor
    court = position.courts[seat]
    places = [*position.regions, court, position.supply]
    for place, growth in compute_balance(done):
        places[place] = add_followers(places[place], growth)
    changed: Changes = {"regions": tuple(places[:COURT]), "supply": places[SUPPLY]}
    if places[COURT] is not court:
        changed["courts"] = replace_item(position.courts, seat, places[COURT])
    return changed


def _exchange_cards(position: Position, exchange: Exchange) -> Changes:
    instead = {exchange.first: exchange.second, exchange.second: exchange.first}
    changed: Changes = {"track": tuple([instead.get(region, region) for region in position.track])}
    if exchange.disc is not None:
        discs = list(position.negotiation_discs)
        discs[position.actor] -= 1
        changed |= {"negotiated": position.negotiated | {exchange.disc}, "negotiation_discs": tuple(discs)}
    return changed
