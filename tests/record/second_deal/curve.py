"""The curve edwards25519 (RFC 8032): points in extended coordinates, their bytes, and multiplication by tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
WINDOW, DIGITS = 4, 64

Point = tuple[int, int, int, int]  # X, Y, Z, T: x = X / Z, y = Y / Z, xy = T / Z
Entry = tuple[int, int, int]  # y - x, y + x, 2dxy

NEUTRAL: Point = (0, 1, 1, 0)


class RefusedError(Exception):
    """Bytes that the page refuses, and why."""


def add(a: Point, b: Point) -> Point:
    """The sum of two points."""
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    low, high = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2
    e, f, g, h = (high - low) % P, (d - c) % P, (d + c) % P, (high + low) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(a: Point) -> Point:
    """A point added to itself."""
    x, y, z, _ = a
    xx, yy = x * x, y * y
    h = xx + yy
    e, g = (h - (x + y) ** 2) % P, (xx - yy) % P
    f = (2 * z * z + g) % P
    h %= P
    return e * f % P, g * h % P, f * g % P, e * h % P


def negate(a: Point) -> Point:
    """The point that is added to this one to the neutral element."""
    x, y, z, t = a
    return -x % P, y, z, -t % P


def is_neutral(a: Point) -> bool:
    """Whether a point is the neutral element."""
    return a[0] == 0 and a[1] == a[2]


def inverses(values: Sequence[int]) -> list[int]:
    """The inverses of numbers that are not 0 modulo P, with one division for all of them."""
    products = [1]
    for value in values:
        products.append(products[-1] * value % P)
    rest = pow(products[-1], -1, P)
    result = []
    for value, before in zip(reversed(values), reversed(products[:-1]), strict=True):
        result.append(rest * before % P)
        rest = rest * value % P
    return result[::-1]


def encode_all(points: Sequence[Point]) -> list[bytes]:
    """The 32 bytes of each point (RFC 8032, 5.1.2)."""
    result = []
    for (x, y, _, _), inverse in zip(points, inverses([point[2] for point in points]), strict=True):
        result.append((y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little"))
    return result


def encode(point: Point) -> bytes:
    """The 32 bytes of a point."""
    return encode_all([point])[0]


def decode_any(data: bytes) -> Point:
    """The point of a canonical encoding, in any subgroup. Raises RefusedError for other bytes."""
    if len(data) != 32:
        raise RefusedError(f"a point has 32 bytes, not {len(data)}")
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if y >= P:
        raise RefusedError("the y of the point is not below 2^255 - 19")
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    if x * x % P != square:
        raise RefusedError("the point is not on the curve")
    if x == 0 and sign:
        raise RefusedError("the point has a sign on an x of 0")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def decode(data: bytes) -> Point:
    """A valid point: canonical, in the subgroup of prime order, not neutral. Raises RefusedError."""
    point = decode_any(data)
    if is_neutral(point):
        raise RefusedError("the point is the neutral element")
    if not is_neutral(multiply(L, point)):
        raise RefusedError("the point is not in the subgroup of prime order")
    return point


def decode_scalar(data: bytes) -> int:
    """A valid scalar. Raises RefusedError if it is not from 1 to L - 1."""
    if len(data) != 32:
        raise RefusedError(f"a scalar has 32 bytes, not {len(data)}")
    scalar = int.from_bytes(data, "little")
    if not 0 < scalar < L:
        raise RefusedError("the scalar is not from 1 to L - 1")
    return scalar


def encode_scalar(scalar: int) -> bytes:
    """The 32 bytes of a scalar."""
    return scalar.to_bytes(32, "little")


def digits(scalar: int) -> list[int]:
    """The digits of a scalar in base 16, the lowest first, each from -8 to 7."""
    result = []
    for _ in range(DIGITS):
        digit = (scalar & 15 ^ 8) - 8
        result.append(digit)
        scalar = scalar - digit >> WINDOW
    if scalar:
        raise ValueError("the scalar is too large")
    return result


def multiply(scalar: int, point: Point) -> Point:
    """A multiple of a point that is used once."""
    multiples = [NEUTRAL, point]
    while len(multiples) < 9:
        multiples.append(add(multiples[-1], point))
    result = NEUTRAL
    for digit in reversed(digits(scalar)):
        result = double(double(double(double(result))))
        if digit:
            result = add(result, multiples[digit] if digit > 0 else negate(multiples[-digit]))
    return result


def add_up(points: Iterable[Point]) -> Point:
    """The sum of points."""
    result = NEUTRAL
    for point in points:
        result = add(result, point)
    return result


class Table:
    """The multiples of a point that is used many times: for each digit, 1 to 8 times the point that the digit counts."""

    def __init__(self, point: Point) -> None:
        """Compute all multiples."""
        found: list[Point] = []
        for _ in range(DIGITS):
            row = [point]
            while len(row) < 8:
                row.append(add(row[-1], point))
            found.extend(row)
            point = double(row[-1])
        self.rows: list[list[Entry]] = []
        for point, inverse in zip(found, inverses([each[2] for each in found]), strict=True):
            if not self.rows or len(self.rows[-1]) == 8:
                self.rows.append([])
            x, y = point[0] * inverse % P, point[1] * inverse % P
            self.rows[-1].append((y - x, y + x, 2 * D * x * y % P))

    def times(self, scalar: int) -> Point:
        """A multiple of the point."""
        x, y, z, t = NEUTRAL
        for digit, row in zip(digits(scalar), self.rows, strict=True):
            if not digit:
                continue
            if digit > 0:
                minus, plus, product = row[digit - 1]
            else:
                plus, minus, product = row[-digit - 1]
                product = -product
            low, high, c = (y - x) * minus, (y + x) * plus, t * product % P
            e, f, g, h = (high - low) % P, 2 * z - c, 2 * z + c, (high + low) % P
            x, y, z, t = e * f % P, g * h % P, f * g % P, e * h % P
        return x, y, z, t


BASE: Point = decode_any((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
BASE_TABLE = Table(BASE)
