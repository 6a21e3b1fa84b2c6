"""The cryptography of locked cards: keys, shuffles, proofs, escrow."""

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
        super().__init__(
            "Secret hands without a dealer need another package: run pip install '.[secret]' in a copy of the source."
        )


class InvalidError(ValueError):
    """Bytes that are no point, no scalar, or not what they should be: why, as the end of a sentence."""


def require() -> None:
    """Raise MissingLibraryError if no card can be locked."""
    if bindings is None:
        raise MissingLibraryError


def _load_sodium() -> ModuleType:
    require()
    return bindings


def check_point(data: bytes) -> Point:
    """Return a valid point of the subgroup, not the neutral element. Raises InvalidError."""
    if len(data) != SIZE or not _load_sodium().crypto_core_ed25519_is_valid_point(data) or not _is_canonical(data):
        raise InvalidError("is not a point of the group")
    return data


def read_scalar(data: bytes) -> Scalar:
    """Check that a scalar is from 1 to the order less 1, and return it. Raises InvalidError."""
    if len(data) != SIZE or not 0 < int.from_bytes(data, "little") < ORDER:
        raise InvalidError("is not a number from 1 to the order of the group")
    return data


def _is_canonical(data: bytes) -> bool:
    """Return True if the y of an encoding is written in the only valid way."""
    return int.from_bytes(data, "little") & ((1 << 255) - 1) < FIELD


def multiply_point(number: Scalar, of: Point) -> Point:
    """Multiply a point. Raises InvalidError if it is no point, or the result is the neutral element."""
    return _run_checked(lambda: _load_sodium().crypto_scalarmult_ed25519_noclamp(number, of))


def multiply_base(number: Scalar) -> Point:
    """Multiply the base point. Raises InvalidError for 0."""
    return _run_checked(lambda: _load_sodium().crypto_scalarmult_ed25519_base_noclamp(number))


def subtract_points(left: Point, right: Point) -> Point:
    """Subtract the right point from the left. Raises InvalidError."""
    return _run_checked(lambda: _load_sodium().crypto_core_ed25519_sub(left, right))


def _run_checked(result: Callable[[], bytes]) -> bytes:
    try:
        return result()
    except (RuntimeError, ValueError, TypeError):
        raise InvalidError("is not a point of the group") from None


def make_scalar(value: int) -> Scalar:
    """Return a number as a scalar, modulo the order; 1 instead of 0."""
    return ((value % ORDER) or 1).to_bytes(SIZE, "little")


def invert_scalar(of: Scalar) -> Scalar:
    return pow(int.from_bytes(of, "little"), -1, ORDER).to_bytes(SIZE, "little")


def multiply_scalars(left: Scalar, right: Scalar) -> Scalar:
    return (int.from_bytes(left, "little") * int.from_bytes(right, "little") % ORDER).to_bytes(SIZE, "little")


def add_scalars(left: Scalar, right: Scalar) -> Scalar:
    return ((int.from_bytes(left, "little") + int.from_bytes(right, "little")) % ORDER).to_bytes(SIZE, "little")


def find_curve_point(encoding: bytes) -> Point | None:
    """Return 8 times the point of the curve that bytes encode; None if they encode none, or the result is neutral."""
    if not _is_canonical(encoding):
        return None
    try:
        for _ in range(3):
            encoding = _load_sodium().crypto_core_ed25519_add(encoding, encoding)
    except (RuntimeError, ValueError):
        return None
    return encoding if _load_sodium().crypto_core_ed25519_is_valid_point(encoding) else None


def derive_box_keys(secret: bytes) -> tuple[bytes, bytes]:
    """Derive the public and the private key of a secret of 32 bytes. Anybody can seal bytes to the public key."""
    public, private = _load_sodium().crypto_box_seed_keypair(secret)
    return public, private


def seal_bytes(data: bytes, public: bytes) -> bytes:
    """Seal bytes so that only the owner of a public key can read them. Raises InvalidError if the key is invalid."""
    return _run_checked(lambda: _load_sodium().crypto_box_seal(data, public))


def open_box(box: bytes, secret: bytes) -> bytes:
    """Open bytes that are sealed to the key of a secret. Raises InvalidError if that fails."""
    sodium = _load_sodium()
    from nacl.exceptions import CryptoError  # noqa: PLC0415 - it is there if libsodium is

    try:
        data: bytes = sodium.crypto_box_seal_open(box, *derive_box_keys(secret))
    except CryptoError:
        raise InvalidError("cannot be opened") from None
    return data


def encode_base64(data: bytes) -> str:
    """Encode bytes in base64, without `=` at the end."""
    return b64encode(data).decode("ascii").rstrip("=")


def decode_base64(text: str, size: int) -> bytes:
    """Decode a text in base64 that must have `size` bytes. Raises InvalidError."""
    try:
        data = b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidError(f"is not {size} bytes in base64") from None
    if len(data) != size or encode_base64(data) != text:
        raise InvalidError(f"is not {size} bytes in base64")
    return data


PREFIX = "tkid deal 1"
SHORT = 32
LENGTH = 8
"""Bytes of the length of a part."""
Part = bytes | str | int


def compute_domain_hash(domain: str, *parts: Part) -> bytes:
    """Compute the 64 bytes of a hash: `hash` in the page."""
    framed = (part if isinstance(part, bytes) else str(part).encode() for part in (f"{PREFIX} {domain}", *parts))
    return sha512(b"".join(len(part).to_bytes(LENGTH, "big") + part for part in framed)).digest()


def compute_short_hash(domain: str, *parts: Part) -> bytes:
    return compute_domain_hash(domain, *parts)[:SHORT]


def derive_scalar(domain: str, *parts: Part) -> Scalar:
    return make_scalar(int.from_bytes(compute_domain_hash(domain, *parts), "little"))


def derive_order(size: int, domain: str, *parts: Part) -> tuple[int, ...]:
    """Derive an order of the numbers from 0 from a hash."""
    return tuple(Chance(compute_short_hash(domain, *parts)).shuffle(range(size)))


@lru_cache(16)
def compute_card_points(terms: bytes, cards: tuple[str, ...]) -> tuple[Point, ...]:
    """Compute the points of a deck of cards by printed name: the deck before any lock."""
    seen: Counter[str] = Counter()
    points = []
    for name in cards:
        seen[name] += 1
        tries = (find_curve_point(compute_short_hash("card", terms, name, seen[name], counter)) for counter in count())
        points.append(next(point for point in tries if point is not None))
    return tuple(points)


@frozen(slots=False)
class Secrets:
    """All that a seed makes for this deck and terms: two decks locked alike would reveal keys and orders."""

    terms: bytes
    name: str
    seed: bytes
    deck: tuple[Point, ...]

    @property
    def _all(self) -> tuple[bytes, str, bytes, bytes]:
        return self.terms, self.name, self.seed, b"".join(self.deck)

    @cached_property
    def key(self) -> Scalar:
        return derive_scalar("key", *self._all)

    @cached_property
    def public(self) -> Point:
        return multiply_base(self.key)

    @property
    def order(self) -> tuple[int, ...]:
        return derive_order(len(self.deck), "shuffle", *self._all)

    @property
    def nonce(self) -> bytes:
        """The player's contribution to the open part of the deal."""
        return compute_short_hash("nonce", self.terms, self.name, self.seed)

    @property
    def commitment(self) -> bytes:
        return compute_short_hash("commitment", self.terms, self.name, self.seed)

    @property
    def nonce_commitment(self) -> bytes:
        return compute_nonce_commitment(self.terms, self.name, self.nonce)

    def derive_blind(self, number: int) -> tuple[Scalar, tuple[int, ...]]:
        """Derive the scalar and the order of a round of the proof."""
        return (
            derive_scalar("proof scalar", *self._all, number),
            derive_order(len(self.deck), "proof shuffle", *self._all, number),
        )

    def derive_unlock_blind(self, place: int, of: Point) -> Scalar:
        return derive_scalar("unlock", self.terms, self.name, self.seed, place, self.public, of)


def compute_nonce_commitment(terms: bytes, name: str, nonce: bytes) -> bytes:
    return compute_short_hash("nonce commitment", terms, name, nonce)


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

    def compute_challenge(self, shown: bytes) -> bytes:
        decks = b"".join(self.before), b"".join(self.after)
        keys = self.key.commitment, self.key.nonce_commitment, self.key.public
        return compute_domain_hash("challenge", self.terms, self.name, *keys, *decks, shown)[:CHALLENGE]


@frozen
class Proof:
    """The proof of a locked deck: the challenge, and an answer for each round."""

    challenge: bytes
    answers: tuple[Answer, ...]


def make_lock_key(secrets: Secrets) -> Key:
    return Key(secrets.commitment, secrets.nonce_commitment, secrets.public)


def lock_deck(secrets: Secrets, deck: Deck) -> Deck:
    key = secrets.key
    return tuple(multiply_point(key, deck[place]) for place in secrets.order)


def prove_shuffle(secrets: Secrets, before: Deck, after: Deck) -> Proof:
    blinds = [secrets.derive_blind(number) for number in range(ROUNDS)]
    shown = b"".join(_compute_round(scalar, order, None, before) for scalar, order in blinds)
    challenge = Locking(secrets.terms, secrets.name, make_lock_key(secrets), before, after).compute_challenge(shown)
    inverse, place_of = invert_scalar(secrets.key), {number: at for at, number in enumerate(secrets.order)}
    answers = [
        (multiply_scalars(scalar, inverse), tuple(place_of[number] for number in order)) if bit else (scalar, order)
        for bit, (scalar, order) in zip(_list_bits(challenge), blinds, strict=True)
    ]
    return Proof(challenge, tuple(answers))


def verify_shuffle(locking: Locking, proof: Proof) -> None:
    """Check the proof that the deck after it is the deck before it, locked with the key. Raises InvalidError."""
    public, before, after = locking.key.public, locking.before, locking.after
    if len(after) != len(before) or len(proof.answers) != ROUNDS:
        raise InvalidError("has another number of cards or rounds")
    for each in (public, *after):
        check_point(each)
    numbers = list(range(len(before)))
    shown = b""
    for bit, (scalar, order) in zip(_list_bits(proof.challenge), proof.answers, strict=True):
        read_scalar(scalar)
        if sorted(order) != numbers:
            raise InvalidError("has an order that is not one")
        shown += _compute_round(scalar, order, *((public, after) if bit else (None, before)))
    if locking.compute_challenge(shown) != proof.challenge:
        raise InvalidError("does not prove that the deck was locked and shuffled")


def _compute_round(scalar: Scalar, order: Sequence[int], base: Point | None, deck: Deck) -> bytes:
    """Return a base (None: the base point) and a deck in an order, multiplied."""
    first = multiply_base(scalar) if base is None else multiply_point(scalar, base)
    return b"".join([first, *(multiply_point(scalar, deck[place]) for place in order)])


def _list_bits(challenge: bytes) -> Iterator[int]:
    return (challenge[number // 8] >> number % 8 & 1 for number in range(ROUNDS))


FIRST = "Tkid-Escrow: 1"
PLAYER, KEY, CHECK = "Player", "For", "Check"
CHECKED = 4
"""Bytes of the check in a key."""
WIDTH = 64
AROUND = "> \t"
"""Signs that mail programs put around lines."""


def write_public_key(secret: bytes) -> str:
    """Write the public key of a friend's secret as a word to hand out, with a check against truncation."""
    public, _ = derive_box_keys(secret)
    return _write_key(public)


def seal_text(text: str, player: str, key: str) -> str:
    """Seal a text of a player to a public key. Raises InvalidError if the key is invalid."""
    box = encode_base64(seal_bytes(text.encode(), _read_public_key(key)))
    lines = (
        f"{PLAYER}: {player}",
        f"{KEY}: {key}",
        *wrap(box, WIDTH),
        f"{CHECK}: {_compute_seal_check(player, key, box)}",
    )
    return "".join(f"{line}\n" for line in (FIRST, *lines))


def open_sealed_text(letter: str, secret: bytes) -> str:
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
    if fields.get(CHECK) != _compute_seal_check(player, key, box):
        raise InvalidError("does not have the whole sealed text, or it was changed")
    if key != write_public_key(secret):
        raise InvalidError("is sealed to another key")
    try:
        return open_box(decode_base64(box, len(box) * 3 // 4), secret).decode()
    except UnicodeDecodeError:
        raise InvalidError("has no text in it") from None


def _write_key(public: bytes) -> str:
    return encode_base64(public + compute_domain_hash("escrow key", public)[:CHECKED])


def _read_public_key(key: str) -> bytes:
    public = decode_base64(key, SIZE + CHECKED)[:SIZE]
    if _write_key(public) != key:
        raise InvalidError("is not a whole key")
    return public


def _compute_seal_check(*parts: str) -> str:
    return compute_domain_hash("escrow", *parts).hex()[:6]


@frozen
class Unlock:
    """A lock that a seat took off a place: the point that is left, and the proof."""

    seat: int
    place: int
    point: Point
    e: Scalar
    z: Scalar


def unlock_point(secrets: Secrets, seat: int, place: int, of: Point) -> Unlock:
    """Take a player's lock off a place, whose point is now `of`."""
    key, w = secrets.key, secrets.derive_unlock_blind(place, of)
    left = multiply_point(invert_scalar(key), of)
    shown = secrets.public, of, left, multiply_base(w), multiply_point(w, left)
    e = derive_scalar("unlock challenge", secrets.terms, secrets.name, place, *shown)
    return Unlock(seat, place, left, e, add_scalars(w, multiply_scalars(e, key)))


def verify_unlock(terms: bytes, name: str, public: Point, of: Point, unlock: Unlock) -> None:
    """Check that a player's lock was taken off the point `of`. Raises InvalidError."""
    left = check_point(unlock.point)
    e, z = read_scalar(unlock.e), read_scalar(unlock.z)
    base = subtract_points(multiply_base(z), multiply_point(e, public))
    other = subtract_points(multiply_point(z, left), multiply_point(e, of))
    if derive_scalar("unlock challenge", terms, name, unlock.place, public, of, left, base, other) != e:
        raise InvalidError("does not prove that this is the card without the lock")
