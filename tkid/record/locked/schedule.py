"""What follows from a seed, and from the terms of a deal: hashes, keys, orders and the points of the cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from hashlib import sha512
from itertools import count

from attrs import frozen

from tkid.kernel.chance import Chance
from tkid.record.locked import group
from tkid.record.locked.group import Point, Scalar

PREFIX = "tkid deal 1"
SHORT = 32
LENGTH = 8
"""Bytes of the length of a part."""
Part = bytes | str | int


def digest(domain: str, *parts: Part) -> bytes:
    """The 64 bytes of a hash: `hash` in the page."""
    framed = (part if isinstance(part, bytes) else str(part).encode() for part in (f"{PREFIX} {domain}", *parts))
    return sha512(b"".join(len(part).to_bytes(LENGTH, "big") + part for part in framed)).digest()


def short(domain: str, *parts: Part) -> bytes:
    """The first 32 bytes of a hash."""
    return digest(domain, *parts)[:SHORT]


def scalar(domain: str, *parts: Part) -> Scalar:
    """A hash as a scalar."""
    return group.number(int.from_bytes(digest(domain, *parts), "little"))


def order(size: int, domain: str, *parts: Part) -> tuple[int, ...]:
    """A hash as an order of the numbers from 0."""
    return tuple(Chance(short(domain, *parts)).shuffled(range(size)))


@lru_cache(16)
def card_points(terms: bytes, cards: tuple[str, ...]) -> tuple[Point, ...]:
    """The points of a deck of cards by printed name: the deck that nobody has locked."""
    seen: Counter[str] = Counter()
    points = []
    for name in cards:
        seen[name] += 1
        tries = (group.lifted(short("card", terms, name, seen[name], counter)) for counter in count())
        points.append(next(point for point in tries if point is not None))
    return tuple(points)


@frozen(slots=False)
class Secrets:
    """All that a player's seed makes in a deal with these terms, where the player gets this deck to lock.

    With another deck, keys and orders are different: whoever could make a player lock two decks alike would learn them.
    """

    terms: bytes
    name: str
    seed: bytes
    deck: tuple[Point, ...]

    @property
    def _all(self) -> tuple[bytes, str, bytes, bytes]:
        return self.terms, self.name, self.seed, b"".join(self.deck)

    @cached_property
    def key(self) -> Scalar:
        """The key that locks."""
        return scalar("key", *self._all)

    @cached_property
    def public(self) -> Point:
        """The public key."""
        return group.times_base(self.key)

    @property
    def order(self) -> tuple[int, ...]:
        """The order into which the deck is shuffled."""
        return order(len(self.deck), "shuffle", *self._all)

    @property
    def nonce(self) -> bytes:
        """What the player adds to the open part of the deal."""
        return short("nonce", self.terms, self.name, self.seed)

    @property
    def commitment(self) -> bytes:
        """The commitment to the seed."""
        return short("commitment", self.terms, self.name, self.seed)

    @property
    def nonce_commitment(self) -> bytes:
        """The commitment to the nonce."""
        return committed_nonce(self.terms, self.name, self.nonce)

    def blind(self, number: int) -> tuple[Scalar, tuple[int, ...]]:
        """The scalar and the order of a round of the proof."""
        return (
            scalar("proof scalar", *self._all, number),
            order(len(self.deck), "proof shuffle", *self._all, number),
        )

    def blind_unlock(self, place: int, of: Point) -> Scalar:
        """The scalar of the proof that a place is unlocked."""
        return scalar("unlock", self.terms, self.name, self.seed, place, self.public, of)


def committed_nonce(terms: bytes, name: str, nonce: bytes) -> bytes:
    """The commitment to a nonce."""
    return short("nonce commitment", terms, name, nonce)


def entropy(terms: bytes, nonces: Sequence[bytes]) -> bytes:
    """The entropy of the open part of the deal."""
    return short("entropy", terms, *nonces)
