"""A line of a mail as it was meant: without what mail programs put around it and keyboards make of its signs."""

from __future__ import annotations

import re

from tkid.notation.text import plain
from tkid.orders import thresholds

AROUND = " \t*_`/\"'«»“”„‘’「」『』"
"""What mail programs and people put around a line: bold and italics in plain text, quotation marks."""
BULLETS = ("- ", "* ", "• ", "· ", "– ")
UNSEEN = str.maketrans(
    dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f", "")
    | dict.fromkeys("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", "")
)
"""What cannot be seen and is never part of a name: joiners, soft hyphens, directions of writing."""
SIGNS_UNSEEN = frozenset(map(chr, UNSEEN))
ENDS_UNSEEN = "".join(SIGNS_UNSEEN)
WIDE: dict[int, str] = {wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)}
TYPED = WIDE | str.maketrans(
    {
        **dict.fromkeys("⇔\uf0f3", "<>"),
        **dict.fromkeys("》〉➡\uf0e0\uf0e8", ">"),
        **dict.fromkeys("《〈", "<"),
        **dict.fromkeys("*`\ufe0e\ufe0f", ""),
        "_": " ",
        "、": ",",
        "。": ".",
        "œ": "oe",
        "Œ": "OE",
    }
)
"""What keyboards and mail programs make of the signs of a turn.

East Asian keyboards type wide forms, and brackets for `<>`; French ones join `oe`; telephones show arrows in colour;
`*`, `_` and the backtick stand for bold, italics and code.
"""
ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&amp;", "&"))
"""What some programs write into plain text."""
LETTERS_FOR_ARROWS = ((" ó ", " <> "), (" à ", " > "), (" è ", " > "))
"""Outlook makes an arrow of a symbol font out of `<=>`, `-->` and `==>`, and sends its letter in that font."""
def seen(text: str) -> str:
    """A line without what cannot be seen in it."""
    return text if text.isascii() or SIGNS_UNSEEN.isdisjoint(text) else text.translate(UNSEEN)


def bare(text: str) -> str:
    """A line without what mail programs put around it: bullets, stars, quotation marks; `Pass,` as `Pass`."""
    text = plain_ends(seen(text)).replace("；", ";")
    for bullet in BULLETS:
        text = text.removeprefix(bullet)
    text = text.strip(AROUND)
    word = text.rstrip(",;: ")
    return word if word.isalpha() else text


def spoken(text: str) -> str:
    """A line of words to players: only what stands around the whole of it is left out."""
    text = plain_ends(text).strip(ENDS_UNSEEN)
    for bullet in BULLETS:
        text = text.removeprefix(bullet)
    inner = text.lstrip(AROUND)
    return inner if inner == text else inner.rstrip(AROUND)


def meant(text: str) -> str:
    """A bare line with the signs of a turn in place of what keyboards and mail programs make of them."""
    for entity, sign in ENTITIES:
        text = text.replace(entity, sign)
    return bare(text.translate(TYPED))


def lettered(text: str) -> str:
    """A bare line with arrows in place of single letters; as these are words too, it counts only where it is a turn."""
    for letter, arrow in LETTERS_FOR_ARROWS:
        text = text.replace(letter, arrow)
    return bare(text)


def words_of(text: str) -> list[str]:
    """The words of a line, in small letters."""
    return thresholds.words_of(plain(text[: thresholds.LONGEST_LOOK]))


def plain_ends(text: str) -> str:
    """A line without any kind of space at its ends, columns between them kept."""
    spaces = plain(text)
    return text[len(spaces) - len(spaces.lstrip()) : len(spaces.rstrip())]
