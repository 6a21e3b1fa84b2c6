"""Numbers in words, as people write them in a sentence."""

from __future__ import annotations

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number(count: int) -> str:
    """A number in words, where people write it so: `two`."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)
