"""Hashes, scalars and orders: everything that is made from bytes and their domain."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256, sha512
from itertools import count

from .curve import L

Part = bytes | str | int


def hash_of(domain: str, *parts: Part) -> bytes:
    """64 bytes: the text of the domain and the parts, each with its length before it."""
    state = sha512()
    for part in (f"tkid deal 1 {domain}", *parts):
        data = part if isinstance(part, bytes) else str(part).encode()
        state.update(len(data).to_bytes(8, "big") + data)
    return state.digest()


def short(domain: str, *parts: Part) -> bytes:
    """The first 32 bytes of a hash."""
    return hash_of(domain, *parts)[:32]


def scalar(domain: str, *parts: Part) -> int:
    """A hash as a scalar, never 0."""
    return int.from_bytes(hash_of(domain, *parts), "little") % L or 1


def order(n: int, domain: str, *parts: Part) -> tuple[int, ...]:
    """The numbers below n, shuffled."""
    stream = numbers(short(domain, *parts))
    items = list(range(n))
    for place in range(n - 1, 0, -1):
        other = below(stream, place + 1)
        items[place], items[other] = items[other], items[place]
    return tuple(items)


def numbers(seed: bytes) -> Iterator[int]:
    """The stream of a seed: numbers of four bytes."""
    for block in count():
        data = sha256(b"tkid 1" + seed + block.to_bytes(8, "big")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(data[start : start + 4], "big")


def below(stream: Iterator[int], n: int) -> int:
    """The next draw below n."""
    limit = 2**32 - 2**32 % n
    return next(number for number in stream if number < limit) % n
