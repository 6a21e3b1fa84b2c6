"""Reads one line as an order to the club: a value, a problem with place, rule and way out, or None for a line that is none."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tkid.club.door.model import ClubOrder
from tkid.club.door.orders import KINDS, ClubOrderKind
from tkid.club.door.readers import problem
from tkid.kernel.problems import Fix, Kind, Problem, Scope
from tkid.notation.text import plain
from tkid.notation.turns import WrongError
from tkid.orders.thresholds import LIKE_ALONE, is_like, is_slip, words_of
from tkid.rulebook import cites

LONGEST = 400
"""Characters of a line that can be an order to the club."""
MOST_OF_AN_ORDER = 4
"""Words of a line that begins with a slip of an order and is no sentence, for each order of one word."""
LONG = 6
"""Letters of a word in an order of several words for which a word that is much like it may stand."""
ENDS = " \t.!;,"
WORD = re.compile(r"[^\W\d_]+")
PROSE = frozenset([
    "am", "are", "be", "can", "cannot", "could", "did", "do", "does", "fail", "failed", "fails", "had", "has", "have", "he",
    "her", "him", "his", "i", "if", "is", "it", "its", "me", "mine", "my", "our", "she", "should", "so", "that", "their", "them", "they", "this",
    "us", "was", "we", "were", "what", "when", "who", "why", "will", "would", "you", "your", "yours",
])  # fmt: skip
"""Words of sentences: a short line that begins like an order of one word and has one of them was meant for people."""


@cites("club.order")
def read(line: str) -> ClubOrder | Problem | None:
    """What a line asks of the club.

    Args:
        line: the line, without what mail programs put around it.

    Returns:
        The order; what is wrong with a line that was surely meant as one, columns from 1; None for any other line.
    """
    if not 0 < len(line) <= LONGEST:
        return None
    text = plain(line).rstrip(ENDS)
    kind = find_kind(text)
    if kind is None:
        return _slip(text)
    try:
        return kind.read(text)
    except WrongError as wrong:
        return wrong.problems[0] if _is_meant(kind, text) else None


def find_kind(text: str) -> ClubOrderKind | None:
    """Return the kind of orders that a text begins like; None where it begins like none."""
    return next((kind for kind in KINDS if kind.begins.match(plain(text))), None)


def _is_meant(kind: ClubOrderKind, text: str) -> bool:
    """Whether a line that begins like an order of a kind and cannot be read was meant as one."""
    if kind.shown_by.search(text) is not None:
        return True
    is_sentence = " " not in kind.name and not PROSE.isdisjoint(words_of(text))
    return len(text.split()) <= kind.most and not is_sentence


def _slip(text: str) -> Problem | None:
    """The problem with a line that is an order but for slips in its first words; None for any other line."""
    for kind in KINDS:
        names = kind.name.split()
        if len(text.split()) > MOST_OF_AN_ORDER + 2 * (len(names) - 1) and "@" not in text:
            continue
        typed = list(WORD.finditer(text))[: len(names)]
        wrong = [each for each, name in zip(typed, names, strict=False) if each[0].casefold() != name]
        is_near = all(
            _is_near(each[0].casefold(), name, names) for each, name in zip(typed, names, strict=False) if each in wrong
        )
        if len(typed) < len(names) or typed[0].start() or not wrong or not is_near:
            continue
        mended = f"{kind.name}{text[typed[-1].end() :]}"
        meant = read(mended) if kind.begins.match(mended) else None
        if isinstance(meant, ClubOrder) or ("@" in text and meant is not None):
            message, hint = f"No order begins with `{text[: wrong[-1].end()]}`", f"Did you mean `{mended}`?"
            found = problem(message, hint, wrong[0].start(), len(wrong[0][0]), Kind.NAME)
            return Problem(
                *(found.kind, found.rule, found.message, 1, found.col, found.length, hint, (Fix(mended, Scope.LINE),))
            )
    return None


def _is_near(typed: str, name: str, names: Sequence[str]) -> bool:
    """Whether a word may stand for one of an order's: with a slip, or much like a long one that is not alone."""
    return is_slip(typed, name) or (len(names) > 1 and len(name) >= LONG and is_like(typed, [name], LIKE_ALONE))
