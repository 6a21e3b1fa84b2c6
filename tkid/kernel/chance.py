"""Chance from entropy: a documented procedure that gives the same draws on every machine.

The stream is SHA-256 of `tkid 1`, the entropy and an eight-byte big-endian counter from 0, block after block.
A number below n takes four bytes at a time, big-endian, and drops those at or above the largest multiple of n
below 2**32; the rest is taken modulo n. A shuffle is Fisher and Yates's, from the last item down.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

PREFIX = b"tkid 1"
SPAN = 1 << 32


class Chance:
    """Draws from some bytes of entropy."""

    def __init__(self, entropy: bytes) -> None:
        self._entropy = entropy
        self._counter = 0
        self._left = b""

    def _read_number(self) -> int:
        if not self._left:
            self._left = sha256(PREFIX + self._entropy + self._counter.to_bytes(8, "big")).digest()
            self._counter += 1
        word, self._left = self._left[:4], self._left[4:]
        return int.from_bytes(word, "big")

    def draw_below(self, n: int) -> int:
        """Return a number from 0 to n-1, each equally likely."""
        limit = SPAN - SPAN % n
        while (word := self._read_number()) >= limit:
            pass
        return word % n

    def shuffle(self, items: Iterable[T]) -> list[T]:
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.draw_below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck
