"""Only valid points and scalars are taken, and base64 in its one form."""

from __future__ import annotations

import pytest

from tests.shared.tables import each_row
from tkid.record import locked_cards
from tkid.record.locked_cards import FIELD, ORDER, InvalidError

SIGN = 1 << 255
BASE = locked_cards.multiply_base(locked_cards.make_scalar(1))
OF_ORDER_8 = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
MIXED = locked_cards._load_sodium().crypto_core_ed25519_add(BASE, OF_ORDER_8)  # noqa: SLF001 - ours refuses to make it


def encoded(number: int) -> bytes:
    """A number as 32 bytes."""
    return number.to_bytes(32, "little")


POINTS = {
    "neutral": encoded(1),
    "neutral with a sign": encoded(1 | SIGN),
    "order 2": encoded(FIELD - 1),
    "order 2 with a sign": encoded((FIELD - 1) | SIGN),
    "order 4": encoded(0),
    "order 4, other sign": encoded(SIGN),
    "order 8": OF_ORDER_8,
    "order 8, other sign": encoded(int.from_bytes(OF_ORDER_8, "little") ^ SIGN),
    "not canonical 0": encoded(FIELD),
    "not canonical 1": encoded(FIELD + 1),
    "not canonical, on the curve": encoded(FIELD + 4),
    "the largest number": encoded(2**256 - 1),
    "another subgroup": MIXED,
    "not on the curve": encoded(2),
    "too short": BASE[:31],
    "too long": BASE + b"\0",
    "empty": b"",
}


@each_row("data", list(POINTS.values()), ids=list(POINTS))
def test_points_that_are_none(data: bytes) -> None:
    with pytest.raises(InvalidError, match="is not a point"):
        locked_cards.check_point(data)


@each_row("data", [encoded(n) for n in (0, ORDER, ORDER + 1, 2 * ORDER, 2**255, 2**256 - 1)] + [b"", b"\1", b"\1" * 33])
def test_scalars_that_are_none(data: bytes) -> None:
    with pytest.raises(InvalidError, match="is not a number"):
        locked_cards.read_scalar(data)


@each_row("number", [1, 2, 8, ORDER - 1])
def test_valid_ones(number: int) -> None:
    data = encoded(number)
    assert locked_cards.read_scalar(data) == data
    assert locked_cards.check_point(locked_cards.multiply_base(data)) == locked_cards.multiply_base(data)
    assert locked_cards.multiply_point(locked_cards.invert_scalar(data), locked_cards.multiply_base(data)) == BASE


@each_row("text", ["AA==", "AB", "AAA", "A", "A A", "AA\n", "-_", "AAAA", ""])
def test_base64_has_one_form(text: str) -> None:
    with pytest.raises(InvalidError, match="base64"):
        locked_cards.decode_base64(text, 1)
    assert locked_cards.decode_base64("AA", 1) == b"\0"


def test_a_point_that_is_lifted_is_in_the_subgroup() -> None:
    assert locked_cards.find_curve_point(MIXED) == locked_cards.multiply_point(locked_cards.make_scalar(8), BASE)
    assert [
        locked_cards.find_curve_point(POINTS[name]) for name in POINTS if name.startswith(("neutral", "order", "not "))
    ] == [None] * 12
