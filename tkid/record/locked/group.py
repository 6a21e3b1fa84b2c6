"""All that libsodium does: points and scalars of the subgroup of prime order of edwards25519, and sealed boxes.

A point is its 32 bytes, a scalar 32 bytes in little-endian order. Whatever comes from outside is checked by `point` and `scalar`.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable
from types import ModuleType

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
    """The functions of libsodium. Raises MissingLibraryError."""
    require()
    return bindings


# -- what comes from outside ------------------------------------------------------------------------------


def point(data: bytes) -> Point:
    """A valid point of the subgroup, not the neutral element. Raises InvalidError."""
    if len(data) != SIZE or not _sodium().crypto_core_ed25519_is_valid_point(data) or not _canonical(data):
        raise InvalidError("is not a point of the group")
    return data


def scalar(data: bytes) -> Scalar:
    """A scalar from 1 to the order less 1. Raises InvalidError."""
    if len(data) != SIZE or not 0 < int.from_bytes(data, "little") < ORDER:
        raise InvalidError("is not a number from 1 to the order of the group")
    return data


def _canonical(data: bytes) -> bool:
    """Whether the y of an encoding is written in the only way."""
    return int.from_bytes(data, "little") & ((1 << 255) - 1) < FIELD


# -- calculating ------------------------------------------------------------------------------------------


def times(number: Scalar, of: Point) -> Point:
    """A point multiplied. Raises InvalidError where the point is none, or the neutral element would come out."""
    return _calculated(lambda: _sodium().crypto_scalarmult_ed25519_noclamp(number, of))


def times_base(number: Scalar) -> Point:
    """The base point multiplied. Raises InvalidError for 0."""
    return _calculated(lambda: _sodium().crypto_scalarmult_ed25519_base_noclamp(number))


def minus(left: Point, right: Point) -> Point:
    """A point less another. Raises InvalidError."""
    return _calculated(lambda: _sodium().crypto_core_ed25519_sub(left, right))


def _calculated(result: Callable[[], bytes]) -> bytes:
    try:
        return result()
    except (RuntimeError, ValueError, TypeError):
        raise InvalidError("is not a point of the group") from None


def number(value: int) -> Scalar:
    """A number as a scalar, modulo the order; 1 in place of 0."""
    return ((value % ORDER) or 1).to_bytes(SIZE, "little")


def inverse(of: Scalar) -> Scalar:
    """The scalar that multiplies with another to 1."""
    return pow(int.from_bytes(of, "little"), -1, ORDER).to_bytes(SIZE, "little")


def product(left: Scalar, right: Scalar) -> Scalar:
    """The product of two scalars."""
    return (int.from_bytes(left, "little") * int.from_bytes(right, "little") % ORDER).to_bytes(SIZE, "little")


def total(left: Scalar, right: Scalar) -> Scalar:
    """The sum of two scalars."""
    return ((int.from_bytes(left, "little") + int.from_bytes(right, "little")) % ORDER).to_bytes(SIZE, "little")


def lifted(encoding: bytes) -> Point | None:
    """The point of the curve that bytes encode, multiplied by 8; None where they encode none, or 8 times it is neutral."""
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
    """The public and the private key of a secret of 32 bytes, to which anybody can seal bytes."""
    public, private = _sodium().crypto_box_seed_keypair(secret)
    return public, private


def boxed(data: bytes, public: bytes) -> bytes:
    """Bytes that only the owner of a public key can read. Raises InvalidError if it is none."""
    return _calculated(lambda: _sodium().crypto_box_seal(data, public))


def unboxed(box: bytes, secret: bytes) -> bytes:
    """The bytes that are sealed to the key of a secret. Raises InvalidError if there are none."""
    sodium = _sodium()
    from nacl.exceptions import CryptoError  # noqa: PLC0415 - it is there if libsodium is

    try:
        data: bytes = sodium.crypto_box_seal_open(box, *box_keys(secret))
    except CryptoError:
        raise InvalidError("cannot be opened") from None
    return data


# -- in a text --------------------------------------------------------------------------------------------


def written(data: bytes) -> str:
    """Bytes in base64, without `=` at the end."""
    return b64encode(data).decode("ascii").rstrip("=")


def read(text: str, size: int) -> bytes:
    """The bytes of a text in base64, of which there have to be so many. Raises InvalidError."""
    try:
        data = b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidError(f"is not {size} bytes in base64") from None
    if len(data) != size or written(data) != text:
        raise InvalidError(f"is not {size} bytes in base64")
    return data
