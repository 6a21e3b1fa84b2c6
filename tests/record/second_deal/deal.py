"""Cards, keys, locks and their proofs, as the page describes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Protocol, TypeVar

from .curve import (
    BASE_TABLE,
    L,
    Point,
    RefusedError,
    Table,
    add,
    decode,
    decode_any,
    decode_scalar,
    encode,
    encode_all,
    encode_scalar,
    is_neutral,
    multiply,
    negate,
)
from .hashes import hash_of, order, scalar, short

ROUNDS = 128

CUNNING = [
    "Spy", "Ambush", "March", "Plot", "Aid", "Influence", "Dispute", "Edict", "Resist", "Quell", "Suppress", "Muster",
]  # fmt: skip
DIGEST = [
    "Spy", "Surprise Attack", "Military March", "Assassination", "Aid", "Influence", "Clash", "Decree", "Opposition",
    "Suppression", "Repression", "Gathering", "Conquest", "Swift Strike", "Invasion", "Reinforcement", "Attack", "Command",
    "Betrayal",
]  # fmt: skip
PACK = [
    *["Goblin 0"] * 4,
    *[f"Goblin {rank}" for rank in range(10)],
    *[f"Knight {rank}" for rank in range(2, 10)],
    *[f"{faction} {rank}" for faction in ("Dwarf", "Undead", "Doppelganger") for rank in range(10)],
]
DECKS = {"second-edition-advanced": CUNNING, "digest-advanced": DIGEST, "claim": PACK}
HANDS = {"second-edition-advanced": 3, "digest-advanced": 3, "claim": 13}

Answer = tuple[int, tuple[int, ...]]
Element_co = TypeVar("Element_co", covariant=True)
"""An element of a group: a point, or whatever a test has in its place."""


class Multiples(Protocol[Element_co]):
    """An element that can be multiplied."""

    def times(self, scalar: int) -> Element_co:
        """A multiple of the element."""


@dataclass(frozen=True)
class Proof:
    """The challenge of 16 bytes and an answer for each round."""

    challenge: bytes
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Unlock:
    """A lock that is taken off: who, the place from 0, the point that is left, and the proof."""

    name: str
    place: int
    point: bytes
    e: int
    z: int


@dataclass(frozen=True)
class Owner:
    """What a player shows before locking: the name, two commitments, and the public key."""

    name: str
    commitment: bytes
    nonce_commitment: bytes
    public: bytes


@dataclass(frozen=True)
class Player:
    """What follows from a seed and the deck that the player gets."""

    terms: bytes
    name: str
    seed: bytes
    deck: tuple[bytes, ...]

    @property
    def parts(self) -> tuple[bytes, str, bytes]:
        """The parts of every hash of this seed."""
        return self.terms, self.name, self.seed

    @property
    def key(self) -> int:
        """The key, k."""
        return scalar("key", *self.parts, b"".join(self.deck))

    @property
    def order(self) -> tuple[int, ...]:
        """The order of the cards, π."""
        return order(len(self.deck), "shuffle", *self.parts, b"".join(self.deck))

    @property
    def nonce(self) -> bytes:
        """The nonce for the open part."""
        return short("nonce", *self.parts)

    def owner(self) -> Owner:
        """What this player shows before locking."""
        nonce = short("nonce commitment", self.terms, self.name, self.nonce)
        return Owner(self.name, short("commitment", *self.parts), nonce, encode(BASE_TABLE.times(self.key)))

    def round(self, number: int) -> Answer:
        """The scalar t and the order sigma of a round."""
        parts = (*self.parts, b"".join(self.deck), number)
        return scalar("proof scalar", *parts), order(len(self.deck), "proof shuffle", *parts)

    def lock(self) -> tuple[tuple[bytes, ...], Proof]:
        """The locked deck and its proof."""
        tables = [table_of(point) for point in self.deck]
        locked = tuple(encode_all([tables[number].times(self.key) for number in self.order]))
        rounds = [self.round(number) for number in range(ROUNDS)]
        shown = [shown_by(each, BASE_TABLE, tables) for each in rounds]
        challenge = challenge_of(self.terms, self.owner(), self.deck, locked, shown)
        answers = [
            answered(each, self.key, self.order) if bit_of(challenge, number) else each
            for number, each in enumerate(rounds)
        ]
        return locked, Proof(challenge, tuple(answers))

    def unlock(self, place: int, point: bytes) -> Unlock:
        """Take this player's lock off a point, with its proof."""
        key, start = self.key, decode(point)
        left = multiply(pow(key, -1, L), start)
        public, shown = encode(BASE_TABLE.times(key)), encode(left)
        w = scalar("unlock", *self.parts, place, public, point)
        first, second = encode_all([BASE_TABLE.times(w), multiply(w, left)])
        e = scalar("unlock challenge", self.terms, self.name, place, public, point, shown, first, second)
        return Unlock(self.name, place, shown, e, (w + e * key) % L)


@lru_cache(maxsize=256)
def table_of(point: bytes) -> Table:
    """The multiples of a valid point."""
    return Table(decode(point))


def bit_of(challenge: bytes, number: int) -> int:
    """The bit of a round in the challenge."""
    return challenge[number // 8] >> number % 8 & 1


def answered(blind: Answer, key: int, order: Sequence[int], size: int = L) -> Answer:
    """The answer where the bit is 1, for the scalar and the order of a round, in a group of this size."""
    t, each = blind
    return t * pow(key, -1, size) % size, tuple(order.index(i) for i in each)


def shown_by(answer: Answer, base: Multiples[Element_co], deck: Sequence[Multiples[Element_co]]) -> list[Element_co]:
    """T and R of a round: the base and the deck in an order, multiplied."""
    s, places = answer
    return [base.times(s), *(deck[place].times(s) for place in places)]


def challenge_of(
    terms: bytes, owner: Owner, deck: Sequence[bytes], locked: Sequence[bytes], rounds: Sequence[Sequence[Point]]
) -> bytes:
    """The challenge that is made from the points of all rounds: T and R of each."""
    shown = encode_all([point for points in rounds for point in points])
    parts = owner.commitment, owner.nonce_commitment, owner.public, b"".join(deck), b"".join(locked), b"".join(shown)
    return hash_of("challenge", terms, owner.name, *parts)[:16]


def check_lock(terms: bytes, owner: Owner, deck: Sequence[bytes], locked: Sequence[bytes], proof: Proof) -> None:
    """Check a locked deck. Raises RefusedError."""
    if len(locked) != len(deck):
        raise RefusedError(f"the deck has {len(locked)} points, not {len(deck)}")
    if len(proof.challenge) != 16:
        raise RefusedError(f"the challenge has {len(proof.challenge)} bytes, not 16")
    if len(proof.answers) != ROUNDS:
        raise RefusedError(f"the proof has {len(proof.answers)} rounds, not {ROUNDS}")
    before, after = [[table_of(point) for point in each] for each in (deck, locked)]
    public, rounds = table_of(owner.public), []
    for number, (s, places) in enumerate(proof.answers):
        if not 0 < s < L:
            raise RefusedError(f"the scalar of round {number + 1} is not from 1 to L - 1")
        if sorted(places) != list(range(len(deck))):
            raise RefusedError(f"the order of round {number + 1} does not have each number once")
        base, tables = (public, after) if bit_of(proof.challenge, number) else (BASE_TABLE, before)
        rounds.append(shown_by((s, places), base, tables))
    if challenge_of(terms, owner, deck, locked, rounds) != proof.challenge:
        raise RefusedError(
            "the challenge does not come out again: the deck is not the one before it, locked and shuffled"
        )


def check_unlock(terms: bytes, public: bytes, point: bytes, unlock: Unlock) -> None:
    """Check that an unlock leads from a point to the point that is left. Raises RefusedError."""
    left, start = decode(unlock.point), decode(point)
    for value in (unlock.e, unlock.z):
        decode_scalar(encode_scalar(value))
    first = add(BASE_TABLE.times(unlock.z), negate(table_of(public).times(unlock.e)))
    second = add(multiply(unlock.z, left), negate(multiply(unlock.e, start)))
    parts = public, point, unlock.point, *encode_all([first, second])
    if scalar("unlock challenge", terms, unlock.name, unlock.place, *parts) != unlock.e:
        raise RefusedError("the proof of the unlock does not come out again")


def points_of(terms: bytes, cards: Sequence[str]) -> tuple[bytes, ...]:
    """The points of the cards, before anybody locks them."""
    seen: Counter[str] = Counter()
    found = []
    for card in cards:
        seen[card] += 1
        found.append(point_of(terms, card, seen[card]))
    return tuple(encode_all(found))


def point_of(terms: bytes, card: str, number: int) -> Point:
    """The point of one card."""
    for counter in count():
        try:
            point = multiply(8, decode_any(short("card", terms, card, number, counter)))
        except RefusedError:
            continue
        if not is_neutral(point):
            return point
    raise AssertionError("the counter has no end")


def deal_order(ruleset: str, players: int) -> list[tuple[int, int]]:
    """The unlocks of the deal, in order: seat from 0, place from 0."""
    each = HANDS[ruleset]
    owners: list[int | None] = [place // each for place in range(each * players)]
    if ruleset == "claim":
        owners.append(None)
    seats = [players - 1, *range(players - 1)]
    return [(seat, place) for seat in seats for place, owner in enumerate(owners) if owner != seat]
