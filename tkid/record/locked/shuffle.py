"""Locking and shuffling a deck, with a proof that it is the deck before it, locked with one key (Sako and Kilian's cut and choose)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from tkid.record.locked import group
from tkid.record.locked.group import InvalidError, Point, Scalar
from tkid.record.locked.schedule import Secrets, digest

ROUNDS = 128
CHALLENGE = ROUNDS // 8
Deck = tuple[Point, ...]
Answer = tuple[Scalar, tuple[int, ...]]
"""What answers a round: a scalar and an order."""


@frozen
class Key:
    """What a player shows before the deck: the commitments to seed and nonce, and the public key."""

    commitment: bytes
    nonce_commitment: bytes
    public: Point


@frozen
class Locking:
    """What a proof is about: a player locks a deck with a key, in a deal with these terms."""

    terms: bytes
    name: str
    key: Key
    before: Deck
    after: Deck

    def challenge(self, shown: bytes) -> bytes:
        """The challenge to what the rounds of the proof show."""
        decks = b"".join(self.before), b"".join(self.after)
        keys = self.key.commitment, self.key.nonce_commitment, self.key.public
        return digest("challenge", self.terms, self.name, *keys, *decks, shown)[:CHALLENGE]


@frozen
class Proof:
    """The proof of a locked deck: the challenge, and an answer for each round."""

    challenge: bytes
    answers: tuple[Answer, ...]


def key_of(secrets: Secrets) -> Key:
    """What a player's seed shows."""
    return Key(secrets.commitment, secrets.nonce_commitment, secrets.public)


def locked(secrets: Secrets, deck: Deck) -> Deck:
    """A deck, shuffled and locked."""
    key = secrets.key
    return tuple(group.times(key, deck[place]) for place in secrets.order)


def proven(secrets: Secrets, before: Deck, after: Deck) -> Proof:
    """The proof that a player has locked a deck."""
    blinds = [secrets.blind(number) for number in range(ROUNDS)]
    shown = b"".join(_round(scalar, order, None, before) for scalar, order in blinds)
    challenge = Locking(secrets.terms, secrets.name, key_of(secrets), before, after).challenge(shown)
    inverse, place_of = group.inverse(secrets.key), {number: at for at, number in enumerate(secrets.order)}
    answers = [
        (group.product(scalar, inverse), tuple(place_of[number] for number in order)) if bit else (scalar, order)
        for bit, (scalar, order) in zip(_bits(challenge), blinds, strict=True)
    ]
    return Proof(challenge, tuple(answers))


def verify(locking: Locking, proof: Proof) -> None:
    """Check the proof that the deck after it is the deck before it, locked with the key. Raises InvalidError."""
    public, before, after = locking.key.public, locking.before, locking.after
    if len(after) != len(before) or len(proof.answers) != ROUNDS:
        raise InvalidError("has another number of cards or rounds")
    for each in (public, *after):
        group.point(each)
    numbers = list(range(len(before)))
    shown = b""
    for bit, (scalar, order) in zip(_bits(proof.challenge), proof.answers, strict=True):
        group.scalar(scalar)
        if sorted(order) != numbers:
            raise InvalidError("has an order that is none")
        shown += _round(scalar, order, *((public, after) if bit else (None, before)))
    if locking.challenge(shown) != proof.challenge:
        raise InvalidError("does not prove that the deck was locked and shuffled")


def _round(scalar: Scalar, order: Sequence[int], base: Point | None, deck: Deck) -> bytes:
    """What a round shows: a base (None: the base point) and a deck in an order, multiplied."""
    first = group.times_base(scalar) if base is None else group.times(scalar, base)
    return b"".join([first, *(group.times(scalar, deck[place]) for place in order)])


def _bits(challenge: bytes) -> Iterator[int]:
    return (challenge[number // 8] >> number % 8 & 1 for number in range(ROUNDS))
