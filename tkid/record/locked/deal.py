"""A locked deal as far as it has come: its value, how players take part in it, and what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Literal, TypeVar

from attrs import evolve, frozen

from tkid.record.fairplay.draw import terms as draw_terms
from tkid.record.format.model import Record
from tkid.record.locked import group, schedule, shuffle, unlock
from tkid.record.locked.group import Point
from tkid.record.locked.plugin import Deck, locked_plugin
from tkid.record.locked.schedule import Secrets
from tkid.record.locked.shuffle import Key, Proof
from tkid.record.locked.unlock import Unlock
from tkid.rulebook import cites

T = TypeVar("T")

FORMAT = "1"
FIRST = f"Tkid-Deal: {FORMAT}"
SEED = 32
"""Bytes of a seed."""


@frozen(slots=False)
class LockedDeal:
    """A deal as far as it has come; by seat, None for what is missing yet.

    Attributes:
        head: A record that has nothing but its header.
        keys: Commitments and public keys.
        decks: The deck as each seat has locked it.
        proofs: The proofs of these.
        nonces: What each seat adds to the open part.
        unlocks: The locks that were taken off, in their order.
        seeds: What each seat has opened at the end.
    """

    head: Record
    keys: tuple[Key | None, ...]
    decks: tuple[shuffle.Deck | None, ...]
    proofs: tuple[Proof | None, ...]
    nonces: tuple[bytes | None, ...]
    unlocks: tuple[Unlock, ...]
    seeds: tuple[bytes | None, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The players in turn order."""
        return self.head.names

    @cached_property
    def terms(self) -> bytes:
        """The hash of the header, which is part of all that is hashed in this deal."""
        return schedule.digest("terms", "".join(f"{line}\n" for line in header(self.head)))

    @cached_property
    def deck(self) -> Deck:
        """The secret deck of the game."""
        return locked_plugin(self.head.game).deck(self.head.game, len(self.names))

    @cached_property
    def cards(self) -> Mapping[Point, str]:
        """The cards by their points."""
        return dict(zip(schedule.card_points(self.terms, self.deck.cards), self.deck.cards, strict=True))

    @property
    def locked(self) -> bool:
        """Whether everybody has locked the deck."""
        return None not in self.decks

    @property
    def open_seeds(self) -> dict[int, bytes]:
        """The seeds that were opened, by seat."""
        return {seat: seed for seat, seed in enumerate(self.seeds) if seed is not None}

    @cached_property
    def _now(self) -> Mapping[int, tuple[Point, tuple[int, ...]]]:
        last = self.decks[-1] or ()
        now: dict[int, tuple[Point, tuple[int, ...]]] = {place: (each, ()) for place, each in enumerate(last)}
        for each in self.unlocks:
            if each.place in now:
                now[each.place] = each.point, (*now[each.place][1], each.seat)
        return now

    def point_at(self, place: int) -> Point:
        """The point that a place has now."""
        return self._now[place][0]

    def unlockers(self, place: int) -> tuple[int, ...]:
        """The seats that have unlocked a place, in their order."""
        return self._now[place][1] if place in self._now else ()

    def secrets(self, seat: int, seed: bytes) -> Secrets:
        """What follows from the seed of a seat, which has a deck to lock."""
        deck = self.before(seat)
        assert deck is not None
        return Secrets(self.terms, self.names[seat], seed, deck)

    def before(self, seat: int) -> shuffle.Deck | None:
        """The deck that a seat has to lock; None before the seat in front of it has locked."""
        return self.decks[seat - 1] if seat else schedule.card_points(self.terms, self.deck.cards)


def header(head: Record) -> tuple[str, ...]:
    """The header of a deal as lines."""
    return FIRST, *draw_terms(head)[1:]


# -- taking part ------------------------------------------------------------------------------------------


def begin(head: Record) -> LockedDeal:
    """A deal in which nobody has done anything."""
    nobody = (None,) * len(head.names)
    return LockedDeal(head, nobody, nobody, nobody, nobody, (), nobody)


def contribute(deal: LockedDeal, seat: int, seed: bytes) -> LockedDeal:
    """The deal with everything that a seat can add now: its lock, and when all have locked, nonce and unlocks."""
    before = deal.before(seat)
    if before is None:
        return deal
    secrets = deal.secrets(seat, seed)
    if deal.decks[seat] is None:
        after = shuffle.locked(secrets, before)
        deal = evolve(
            deal,
            keys=with_value(deal.keys, seat, shuffle.key_of(secrets)),
            decks=with_value(deal.decks, seat, after),
            proofs=with_value(deal.proofs, seat, shuffle.proven(secrets, before, after)),
        )
    if not deal.locked:
        return deal
    deal = evolve(deal, nonces=with_value(deal.nonces, seat, secrets.nonce))
    for place, owed in sorted(_due(deal)):
        if next(iter(owed), None) == seat:
            deal = unlocked(deal, seat, seed, place)
    return deal


def unlocked(deal: LockedDeal, seat: int, seed: bytes, place: int) -> LockedDeal:
    """The deal with the lock of a seat taken off a place; as it is where that lock is off already."""
    if seat in deal.unlockers(place):
        return deal
    taken = unlock.unlocked(deal.secrets(seat, seed), seat, place, deal.point_at(place))
    return evolve(deal, unlocks=(*deal.unlocks, taken))


def opened(deal: LockedDeal, seat: int, seed: bytes) -> LockedDeal:
    """The deal with the seed of a seat."""
    return evolve(deal, seeds=with_value(deal.seeds, seat, seed))


def fits(deal: LockedDeal, seat: int, seed: bytes) -> bool:
    """Whether what a seat has in a deal, if anything, was made with a seed."""
    key = deal.keys[seat]
    return key is None or (deal.before(seat) is not None and key == shuffle.key_of(deal.secrets(seat, seed)))


def with_value(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """Values by seat, with another one for a seat."""
    return (*values[:seat], value, *values[seat + 1 :])


# -- how far it has come ----------------------------------------------------------------------------------

What = Literal["lock", "unlock"]
"""What a seat owes at the deal: to lock the deck; or to unlock the others' cards, with the nonce."""


def missing(deal: LockedDeal) -> tuple[tuple[int, What], ...]:
    """Who owes what before the game can be dealt, in the order in which it has to be done."""
    locks = [(seat, _LOCK) for seat, deck in enumerate(deal.decks) if deck is None]
    if locks:
        return tuple(locks)
    owed = {seat for _, seats in _due(deal) for seat in seats} | {s for s, nonce in enumerate(deal.nonces) if not nonce}
    return tuple((seat, _UNLOCK) for seat in _in_order(deal) if seat in owed)


_LOCK: What = "lock"
_UNLOCK: What = "unlock"


def complete(deal: LockedDeal) -> bool:
    """Whether the game can be dealt."""
    return not missing(deal)


def _in_order(deal: LockedDeal) -> tuple[int, ...]:
    """The seats in the order in which they unlock: the last one with its own lock, then the others."""
    last = len(deal.names) - 1
    return (last, *range(last))


def _due(deal: LockedDeal) -> Iterator[tuple[int, list[int]]]:
    """The places that are unlocked at the deal, with the seats that still have to, in their order."""
    order = _in_order(deal)
    places = [(place, owner) for owner, hand in enumerate(deal.deck.hands) for place in hand]
    for place, owner in (*places, *((place, None) for place in deal.deck.shown)):
        yield place, [seat for seat in order if seat != owner and seat not in deal.unlockers(place)]


@cites("record.deal.order")
def before(deal: LockedDeal, seat: int, place: int) -> int | None:
    """Who has to unlock something before a seat unlocks a place; None where nobody has.

    At the deal that is whoever comes before it in the order. What is unlocked later waits for the whole deal.
    """
    awaited = next((seats for due, seats in _due(deal) if due == place and seats), None)
    if awaited is not None and seat in awaited:
        return awaited[0] if awaited[0] != seat else None
    owed = missing(deal)
    return owed[0][0] if owed else None


# -- what it shows ----------------------------------------------------------------------------------------


def deck_id(deal: LockedDeal) -> str:
    """What tells the deck that all have locked from any other, in hex digits; "" before all have locked."""
    return schedule.short("deck", deal.terms, *(deal.decks[-1] or ())).hex() if deal.locked else ""


def entropy(deal: LockedDeal) -> bytes:
    """The entropy of the open part of a complete deal."""
    return schedule.entropy(deal.terms, [nonce or b"" for nonce in deal.nonces])


def card_at(deal: LockedDeal, place: int) -> str | None:
    """The card at a place, if everybody has unlocked it."""
    return deal.cards.get(deal.point_at(place)) if deal.locked else None


def known(deal: LockedDeal, seeds: Mapping[int, bytes] | None = None) -> dict[int, str]:
    """The cards at their places that everybody knows; with seeds, also those that nobody has locked but their seats."""
    if not deal.locked:
        return {}
    keys = {seat: group.inverse(deal.secrets(seat, seed).key) for seat, seed in (seeds or {}).items()}
    found = {}
    for place in range(len(deal.deck.cards)):
        point, locking = deal.point_at(place), set(range(len(deal.names))).difference(deal.unlockers(place))
        if locking <= keys.keys():
            for seat in locking:
                point = group.times(keys[seat], point)
            if point in deal.cards:
                found[place] = deal.cards[point]
    return found
