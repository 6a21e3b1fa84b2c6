"""What two of three players hold together: every mail, and their own seeds. They take all their own locks off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from tests.record.second_deal.curve import L, decode, encode_all, multiply
from tests.record.second_deal.deal import HANDS, Player
from tests.record.second_deal.text import Deal, parse

TEXT = (Path(__file__).parents[3] / "fixtures" / "deals" / "three.deal").read_bytes()
SEATS = (0, 1, 2)


@cache
def whole() -> Deal:
    """The deal of three in the fixtures: everybody has played the first card of their hand, and the seeds are open."""
    return parse(TEXT)


def before_the_end() -> Deal:
    """This deal before the seeds are opened."""
    return replace(whole(), seeds=[])


def dealt() -> Deal:
    """This deal before the first card is played."""
    return replace(before_the_end(), unlocks=whole().unlocks[: -len(SEATS)])


@dataclass(frozen=True)
class Held:
    """What all players but the third hold. Nothing here is made with the third player's seed.

    A *slot* is a place in the deck as the third player has locked it, and a card is its number in the deck.
    """

    deal: Deal
    third: int
    seeds: Mapping[int, bytes]

    @cached_property
    def players(self) -> dict[int, Player]:
        """The colluders."""
        return {seat: player_of(self.deal, seat, seed) for seat, seed in self.seeds.items()}

    @property
    def hand(self) -> tuple[int, ...]:
        """The places of the third player's hand."""
        each = HANDS[self.deal.ruleset]
        return tuple(range(self.third * each, (self.third + 1) * each))

    @property
    def front(self) -> int:
        """The locks that were on the deck when the third player got it, as one."""
        return product(player.key for seat, player in self.players.items() if seat < self.third)

    def slot(self, place: int) -> int:
        """The slot of a place, by the orders of those who locked later."""
        for seat in range(len(self.deal.names) - 1, self.third, -1):
            place = self.players[seat].order[place]
        return place

    @cached_property
    def points(self) -> tuple[bytes, ...]:
        """The third player's deck by slot, with no lock but the third's on it."""
        return tuple(divided(self.deal.decks[self.third], self.front))

    def locks_on(self, place: int) -> int:
        """The locks of the colluders that a place still has, as one."""
        off = {unlock.name for unlock in self.deal.unlocks if unlock.place == place}
        return product(player.key for player in self.players.values() if player.name not in off)

    def without_locks(self, place: int) -> bytes:
        """The point of a place when the colluders have taken all their locks off."""
        return divided([self.deal.point_at(place)], self.locks_on(place))[0]

    def opened(self, place: int) -> bool:
        """Whether the third player has unlocked a place."""
        name = self.deal.names[self.third]
        return any((unlock.name, unlock.place) == (name, place) for unlock in self.deal.unlocks)

    @cached_property
    def shown(self) -> dict[int, int]:
        """The cards that the colluders know, by slot."""
        places = [place for place in range(len(self.deal.cards)) if self.opened(place)]
        return {self.slot(place): self.deal.start.index(self.without_locks(place)) for place in places}

    @property
    def hidden(self) -> tuple[int, ...]:
        """The slots of the other cards."""
        return tuple(slot for slot in range(len(self.deal.cards)) if slot not in self.shown)


@cache
def held(third: int) -> Held:
    """What the others hold of the deal in the fixtures, when everybody has played a card."""
    return Held(before_the_end(), third, seeds_without(third))


def seeds_without(third: int) -> dict[int, bytes]:
    """The seeds of the deal in the fixtures, without the third player's."""
    return {seat: seed for seat, seed in enumerate(whole().seeds) if seat != third}


def player_of(deal: Deal, seat: int, seed: bytes) -> Player:
    """A player of a deal."""
    return Player(deal.terms, deal.names[seat], seed, deal.decks[seat - 1] if seat else deal.start)


def product(keys: Iterable[int]) -> int:
    """Keys as one."""
    found = 1
    for key in keys:
        found = found * key % L
    return found


def times(points: Iterable[bytes], scalar: int) -> list[bytes]:
    """Points multiplied."""
    return encode_all([multiply(scalar % L, decode(point)) for point in points])


def divided(points: Iterable[bytes], key: int) -> list[bytes]:
    """Points without a lock."""
    return times(points, pow(key, -1, L))
