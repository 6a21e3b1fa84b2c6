"""Normalize typed text (dashes, spaces, accents), and write numbers and nouns."""

from __future__ import annotations

from unicodedata import normalize

NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def spell_number(count: int) -> str:
    """Return a number in words, where people write it so: `two`."""
    return NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else str(count)


def capitalize_text(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def count_noun(count: int, noun: str, none: str = "0") -> str:
    """Return a number with its noun: `1 turn`, `2 turns`; `none` is the word for 0."""
    return f"{count or none} {noun}{'s' * (count != 1)}"


def count_noun_in_words(count: int, noun: str) -> str:
    """Return a number with its noun, small numbers as words: `one day`, `no turns`, `20 hours`."""
    return f"{spell_number(count)} {noun}{'s' * (count != 1)}"


SAME_WIDTH = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u202f\u3000\t\r\n", " "),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u00b4", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", " "),
        "\uff1b": ";",
        "\uff0c": ",",
        "\uff1a": ":",
    }
)
REPLACED = frozenset(map(chr, SAME_WIDTH))
ARROWS = {"↔": "<>", "⇄": "<>", "⇆": "<>", "⟷": "<>", "→": ">", "⇒": ">", "⟶": ">"}


def make_plain(text: str) -> str:
    """Return the text in plain characters; each keeps its column."""
    if (text.isascii() and text.isprintable()) or REPLACED.isdisjoint(text):
        return text
    return text.translate(SAME_WIDTH)


def compose_accents(text: str) -> str:
    """Return a text with each accent in one character with its letter (NFC), as two keyboards may write it in two ways."""
    return text if text.isascii() else normalize("NFC", text)


def fold_name(text: str) -> str:
    """Return a name for comparing: capitals, and how accents are written, make no difference."""
    return compose_accents(compose_accents(text).casefold())


def measure_name(name: str, text: str) -> int | None:
    """Return how many characters at the beginning of a text spell a name, None where it does not begin with it."""
    ends = range(len(compose_accents(name)), min(len(text), len(normalize("NFD", name))) + 1)
    return next((end for end in ends if fold_name(text[:end]) == fold_name(name)), None)


def expand_arrows(text: str) -> tuple[str, list[int]]:
    """Return the text with arrows of one character written out, and for each of its columns the original one."""
    if not any(arrow in text for arrow in ARROWS):
        return text, list(range(len(text) + 1))
    out, columns = "", []
    for column, character in enumerate(text):
        written = ARROWS.get(character, character)
        out += written
        columns += [column] * len(written)
    return out, [*columns, len(text)]


def single_space(text: str) -> str:
    """Return the text in plain characters with single spaces, for comparing."""
    return " ".join(make_plain(text).split())


STROKED = str.maketrans("łŁđĐ", "lLdD")


def drop_accents(text: str) -> str:
    """Return a text in plain characters, its letters without accents and strokes; each keeps its column."""
    if text.isascii():
        return text
    return "".join(normalize("NFKD", c)[0] if c.isalpha() else c for c in text.translate(STROKED))


def make_storable(text: str) -> str:
    """Return a text as every file and database takes it: without NUL and halves of characters."""
    return text.replace("\0", "?").encode("utf-8", "replace").decode()
