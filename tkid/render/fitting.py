"""How much room a line of drawn text takes, and text cut or broken to fit: estimates that hold for any usual font."""

from __future__ import annotations

import unicodedata

from tkid.render.lines import columns

ELLIPSIS = "\u2026"
NARROW, USUAL, WIDE, BROAD = 0.42, 0.64, 0.8, 1.05
"""Widths of characters as parts of the size of the font: slim ones, most, capital letters, and the widest."""
SLIM = frozenset("fijlrtI .,:;'!|()[]-")
BROADEST = frozenset("mwMW@%&")
BOLD = 1.12
"""How much wider bold text is."""


def extent(words: str, size: float, *, bold: bool = False) -> float:
    """At most so wide is a line of text in a font of this size."""
    return size * (BOLD if bold else 1) * sum(map(_width, words))


def _width(character: str) -> float:
    if character in SLIM:
        return NARROW
    if character in BROADEST or (taken := columns(character)) > 1:
        return BROAD
    return USUAL * taken if not character.isupper() else WIDE


def cut(words: str, room: float, size: float, *, bold: bool = False) -> str:
    """A line of text, cut with an ellipsis where it is wider than the room for it."""
    if extent(words, size, bold=bold) <= room:
        return words
    left = room - extent(ELLIPSIS, size, bold=bold)
    kept = words
    while kept and (extent(kept, size, bold=bold) > left or unicodedata.combining(words[len(kept)])):
        kept = kept[:-1]
    return kept.rstrip() + ELLIPSIS


def broken(words: str, room: float, size: float, most: int) -> list[str]:
    """Text broken at its blanks into lines that fit the room, `most` of them; what is over is cut off."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and (len(lines) == most or extent(longer, size) <= room):
            lines[-1] = longer
        else:
            lines.append(word)
    return [cut(line, room, size) for line in lines]
