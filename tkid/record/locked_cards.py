"""The mathematics of locked cards: keys, shuffles, proofs, escrow.

A point is its 32 bytes, a scalar 32 bytes in little-endian order. Whatever comes from outside is checked by `point` and `scalar`.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from hashlib import sha512
from itertools import count
from textwrap import wrap
from types import ModuleType

from attrs import frozen

from tkid.kernel.chance import Chance

try:
    from nacl import bindings
except ImportError:  # the extra is not installed
    bindings = None  # type: ignore[assignment]

Point = bytes
Scalar = bytes
SIZE = 32
ORDER = 2**252 + 27742317777372353535851937790883648493
FIELD = 2**255 - 19


class MissingLibraryError(ImportError):
    """PyNaCl is not installed, without which no card can be locked."""

    def __init__(self) -> None:
        super().__init__("Secret hands without a dealer need another package: pip install 'tkid[secret]'")


class InvalidError(ValueError):
    """Bytes that are no point, no scalar, or not what they should be: why, as the end of a sentence."""


def require() -> None:
    """Raise MissingLibraryError if no card can be locked."""
    if bindings is None:
        raise MissingLibraryError


def _sodium() -> ModuleType:
    """Return the functions of libsodium. Raises MissingLibraryError."""
    require()
    return bindings


# -- what comes from outside ------------------------------------------------------------------------------


def point(data: bytes) -> Point:
    """Return a valid point of the subgroup, not the neutral element. Raises InvalidError."""
    if len(data) != SIZE or not _sodium().crypto_core_ed25519_is_valid_point(data) or not _canonical(data):
        raise InvalidError("is not a point of the group")
    return data


def read_scalar(data: bytes) -> Scalar:
    """A scalar from 1 to the order less 1. Raises InvalidError."""
    if len(data) != SIZE or not 0 < int.from_bytes(data, "little") < ORDER:
        raise InvalidError("is not a number from 1 to the order of the group")
    return data


def _canonical(data: bytes) -> bool:
    """Return True if the y of an encoding is written in the only valid way."""
    return int.from_bytes(data, "little") & ((1 << 255) - 1) < FIELD


# -- calculating ------------------------------------------------------------------------------------------


def times(number: Scalar, of: Point) -> Point:
    """Multiply a point. Raises InvalidError if it is no point, or the result is the neutral element."""
    return _calculated(lambda: _sodium().crypto_scalarmult_ed25519_noclamp(number, of))


def times_base(number: Scalar) -> Point:
    """Multiply the base point. Raises InvalidError for 0."""
    return _calculated(lambda: _sodium().crypto_scalarmult_ed25519_base_noclamp(number))


def minus(left: Point, right: Point) -> Point:
    """Subtract the right point from the left. Raises InvalidError."""
    return _calculated(lambda: _sodium().crypto_core_ed25519_sub(left, right))


def _calculated(result: Callable[[], bytes]) -> bytes:
    try:
        return result()
    except (RuntimeError, ValueError, TypeError):
        raise InvalidError("is not a point of the group") from None


def number(value: int) -> Scalar:
    """Return a number as a scalar, modulo the order; 1 instead of 0."""
    return ((value % ORDER) or 1).to_bytes(SIZE, "little")


def invert_scalar(of: Scalar) -> Scalar:
    """The scalar that multiplies with another to 1."""
    return pow(int.from_bytes(of, "little"), -1, ORDER).to_bytes(SIZE, "little")


def product(left: Scalar, right: Scalar) -> Scalar:
    """Multiply two scalars."""
    return (int.from_bytes(left, "little") * int.from_bytes(right, "little") % ORDER).to_bytes(SIZE, "little")


def total(left: Scalar, right: Scalar) -> Scalar:
    """Add two scalars."""
    return ((int.from_bytes(left, "little") + int.from_bytes(right, "little")) % ORDER).to_bytes(SIZE, "little")


def lifted(encoding: bytes) -> Point | None:
    """Return 8 times the point of the curve that bytes encode; None if they encode none, or the result is neutral."""
    if not _canonical(encoding):
        return None
    try:
        for _ in range(3):
            encoding = _sodium().crypto_core_ed25519_add(encoding, encoding)
    except (RuntimeError, ValueError):
        return None
    return encoding if _sodium().crypto_core_ed25519_is_valid_point(encoding) else None


# -- sealing ----------------------------------------------------------------------------------------------


def box_keys(secret: bytes) -> tuple[bytes, bytes]:
    """Derive the public and the private key of a secret of 32 bytes. Anybody can seal bytes to the public key."""
    public, private = _sodium().crypto_box_seed_keypair(secret)
    return public, private


def boxed(data: bytes, public: bytes) -> bytes:
    """Seal bytes so that only the owner of a public key can read them. Raises InvalidError if the key is invalid."""
    return _calculated(lambda: _sodium().crypto_box_seal(data, public))


def unboxed(box: bytes, secret: bytes) -> bytes:
    """Open bytes that are sealed to the key of a secret. Raises InvalidError if that fails."""
    sodium = _sodium()
    from nacl.exceptions import CryptoError  # noqa: PLC0415 - it is there if libsodium is

    try:
        data: bytes = sodium.crypto_box_seal_open(box, *box_keys(secret))
    except CryptoError:
        raise InvalidError("cannot be opened") from None
    return data


# -- in a text --------------------------------------------------------------------------------------------


def written(data: bytes) -> str:
    """Encode bytes in base64, without `=` at the end."""
    return b64encode(data).decode("ascii").rstrip("=")


def read(text: str, size: int) -> bytes:
    """Decode a text in base64 that must have `size` bytes. Raises InvalidError."""
    try:
        data = b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidError(f"is not {size} bytes in base64") from None
    if len(data) != size or written(data) != text:
        raise InvalidError(f"is not {size} bytes in base64")
    return data


PREFIX = "tkid deal 1"
SHORT = 32
LENGTH = 8
"""Bytes of the length of a part."""
Part = bytes | str | int


def digest(domain: str, *parts: Part) -> bytes:
    """Compute the 64 bytes of a hash: `hash` in the page."""
    framed = (part if isinstance(part, bytes) else str(part).encode() for part in (f"{PREFIX} {domain}", *parts))
    return sha512(b"".join(len(part).to_bytes(LENGTH, "big") + part for part in framed)).digest()


def short(domain: str, *parts: Part) -> bytes:
    """Compute the first 32 bytes of a hash."""
    return digest(domain, *parts)[:SHORT]


def derive_scalar(domain: str, *parts: Part) -> Scalar:
    """Derive a scalar from a hash."""
    return number(int.from_bytes(digest(domain, *parts), "little"))


def order(size: int, domain: str, *parts: Part) -> tuple[int, ...]:
    """Derive an order of the numbers from 0 from a hash."""
    return tuple(Chance(short(domain, *parts)).shuffle(range(size)))


@lru_cache(16)
def card_points(terms: bytes, cards: tuple[str, ...]) -> tuple[Point, ...]:
    """Compute the points of a deck of cards by printed name: the deck before any lock."""
    seen: Counter[str] = Counter()
    points = []
    for name in cards:
        seen[name] += 1
        tries = (lifted(short("card", terms, name, seen[name], counter)) for counter in count())
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
        return derive_scalar("key", *self._all)

    @cached_property
    def public(self) -> Point:
        """The public key."""
        return times_base(self.key)

    @property
    def order(self) -> tuple[int, ...]:
        """The order into which the deck is shuffled."""
        return order(len(self.deck), "shuffle", *self._all)

    @property
    def nonce(self) -> bytes:
        """The player's contribution to the open part of the deal."""
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
        """Derive the scalar and the order of a round of the proof."""
        return (
            derive_scalar("proof scalar", *self._all, number),
            order(len(self.deck), "proof shuffle", *self._all, number),
        )

    def blind_unlock(self, place: int, of: Point) -> Scalar:
        """Derive the scalar of the proof that a place is unlocked."""
        return derive_scalar("unlock", self.terms, self.name, self.seed, place, self.public, of)


def committed_nonce(terms: bytes, name: str, nonce: bytes) -> bytes:
    """Compute the commitment to a nonce."""
    return short("nonce commitment", terms, name, nonce)


def entropy(terms: bytes, nonces: Sequence[bytes]) -> bytes:
    """Compute the entropy of the open part of the deal."""
    return short("entropy", terms, *nonces)


ROUNDS = 128
CHALLENGE = ROUNDS // 8
Deck = tuple[Point, ...]
Answer = tuple[Scalar, tuple[int, ...]]
"""The answer to a round: a scalar and an order."""


@frozen
class Key:
    """A player's commitments to seed and nonce, and the public key, shown before the deck."""

    commitment: bytes
    nonce_commitment: bytes
    public: Point


@frozen
class Locking:
    """The statement of a proof: a player locks a deck with a key, in a deal with these terms."""

    terms: bytes
    name: str
    key: Key
    before: Deck
    after: Deck

    def challenge(self, shown: bytes) -> bytes:
        """Compute the challenge to the decks shown in the rounds of the proof."""
        decks = b"".join(self.before), b"".join(self.after)
        keys = self.key.commitment, self.key.nonce_commitment, self.key.public
        return digest("challenge", self.terms, self.name, *keys, *decks, shown)[:CHALLENGE]


@frozen
class Proof:
    """The proof of a locked deck: the challenge, and an answer for each round."""

    challenge: bytes
    answers: tuple[Answer, ...]


def key_of(secrets: Secrets) -> Key:
    """Return the key that a player's seed shows."""
    return Key(secrets.commitment, secrets.nonce_commitment, secrets.public)


def locked(secrets: Secrets, deck: Deck) -> Deck:
    """Shuffle and lock a deck."""
    key = secrets.key
    return tuple(times(key, deck[place]) for place in secrets.order)


def proven(secrets: Secrets, before: Deck, after: Deck) -> Proof:
    """Return the proof that a player has locked a deck."""
    blinds = [secrets.blind(number) for number in range(ROUNDS)]
    shown = b"".join(_round(scalar, order, None, before) for scalar, order in blinds)
    challenge = Locking(secrets.terms, secrets.name, key_of(secrets), before, after).challenge(shown)
    inverse, place_of = invert_scalar(secrets.key), {number: at for at, number in enumerate(secrets.order)}
    answers = [
        (product(scalar, inverse), tuple(place_of[number] for number in order)) if bit else (scalar, order)
        for bit, (scalar, order) in zip(_bits(challenge), blinds, strict=True)
    ]
    return Proof(challenge, tuple(answers))


def verify_shuffle(locking: Locking, proof: Proof) -> None:
    """Check the proof that the deck after it is the deck before it, locked with the key. Raises InvalidError."""
    public, before, after = locking.key.public, locking.before, locking.after
    if len(after) != len(before) or len(proof.answers) != ROUNDS:
        raise InvalidError("has another number of cards or rounds")
    for each in (public, *after):
        point(each)
    numbers = list(range(len(before)))
    shown = b""
    for bit, (scalar, order) in zip(_bits(proof.challenge), proof.answers, strict=True):
        read_scalar(scalar)
        if sorted(order) != numbers:
            raise InvalidError("has an order that is none")
        shown += _round(scalar, order, *((public, after) if bit else (None, before)))
    if locking.challenge(shown) != proof.challenge:
        raise InvalidError("does not prove that the deck was locked and shuffled")


def _round(scalar: Scalar, order: Sequence[int], base: Point | None, deck: Deck) -> bytes:
    """Return a base (None: the base point) and a deck in an order, multiplied."""
    first = times_base(scalar) if base is None else times(scalar, base)
    return b"".join([first, *(times(scalar, deck[place]) for place in order)])


def _bits(challenge: bytes) -> Iterator[int]:
    return (challenge[number // 8] >> number % 8 & 1 for number in range(ROUNDS))


FIRST = "Tkid-Escrow: 1"
PLAYER, KEY, CHECK = "Player", "For", "Check"
CHECKED = 4
"""Bytes of the check in a key."""
WIDTH = 64
AROUND = "> \t"
"""What mail programs put around lines."""


def public_key(secret: bytes) -> str:
    """Write the public key of a friend's secret as a word to hand out, with a check against truncation."""
    public, _ = box_keys(secret)
    return _word(public)


def sealed(text: str, player: str, key: str) -> str:
    """Seal a text of a player to a public key. Raises InvalidError if the key is invalid."""
    box = written(boxed(text.encode(), _public(key)))
    lines = f"{PLAYER}: {player}", f"{KEY}: {key}", *wrap(box, WIDTH), f"{CHECK}: {_check(player, key, box)}"
    return "".join(f"{line}\n" for line in (FIRST, *lines))


def unsealed(letter: str, secret: bytes) -> str:
    """Open the sealed text in a letter. Raises InvalidError, with the reason, if it cannot be opened."""
    lines = [line.strip(AROUND) for line in letter.splitlines()]
    if FIRST not in lines:
        raise InvalidError(f"has no sealed seed: no line `{FIRST}`")
    fields, box = dict[str, str](), ""
    for line in lines[lines.index(FIRST) + 1 :]:
        label, is_field, value = line.partition(": ")
        if is_field:
            fields[label] = value
        else:
            box += line
        if label == CHECK:
            break
    player, key = fields.get(PLAYER, ""), fields.get(KEY, "")
    if fields.get(CHECK) != _check(player, key, box):
        raise InvalidError("does not have the whole sealed text, or it was changed")
    if key != public_key(secret):
        raise InvalidError("is sealed to another key")
    try:
        return unboxed(read(box, len(box) * 3 // 4), secret).decode()
    except UnicodeDecodeError:
        raise InvalidError("has no text in it") from None


def _word(public: bytes) -> str:
    return written(public + digest("escrow key", public)[:CHECKED])


def _public(key: str) -> bytes:
    """Read a public key from its word. Raises InvalidError."""
    public = read(key, SIZE + CHECKED)[:SIZE]
    if _word(public) != key:
        raise InvalidError("is not a whole key")
    return public


def _check(*parts: str) -> str:
    return digest("escrow", *parts).hex()[:6]


@frozen
class Unlock:
    """A lock that a seat took off a place: the point that is left, and the proof."""

    seat: int
    place: int
    point: Point
    e: Scalar
    z: Scalar


def unlocked(secrets: Secrets, seat: int, place: int, of: Point) -> Unlock:
    """Take a player's lock off a place, whose point is now `of`."""
    key, w = secrets.key, secrets.blind_unlock(place, of)
    left = times(invert_scalar(key), of)
    shown = secrets.public, of, left, times_base(w), times(w, left)
    e = derive_scalar("unlock challenge", secrets.terms, secrets.name, place, *shown)
    return Unlock(seat, place, left, e, total(w, product(e, key)))


def verify_unlock(terms: bytes, name: str, public: Point, of: Point, unlock: Unlock) -> None:
    """Check that a player's lock was taken off the point `of`. Raises InvalidError."""
    left = point(unlock.point)
    e, z = read_scalar(unlock.e), read_scalar(unlock.z)
    base = minus(times_base(z), times(e, public))
    other = minus(times(z, left), times(e, of))
    if derive_scalar("unlock challenge", terms, name, unlock.place, public, of, left, base, other) != e:
        raise InvalidError("does not prove that this is the card without the lock")
