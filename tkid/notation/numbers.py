"""Numbers as people write them in a sentence, and what is counted behind them."""

from __future__ import annotations

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number(count: int) -> str:
    """A number in words, where people write it so: `two`."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def counted(count: int, noun: str, none: str = "0") -> str:
    """A number and what is counted: `1 turn`, `2 turns`; `none` is what stands for 0."""
    return f"{count or none} {noun}{'s' * (count != 1)}"


def counted_in_words(count: int, noun: str) -> str:
    """A number and what is counted, small numbers as words: `one day`, `no turns`, `20 hours`."""
    return f"{number(count)} {noun}{'s' * (count != 1)}"
