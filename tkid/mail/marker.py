"""The marker line that our mails begin with, and the Message-IDs that say the same: written and recognised."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tkid.mail.model import Line, Marker
from tkid.notation.text import single_spaced
from tkid.rulebook import cites

PHRASE = "write your order above this line"
REPLY = "Reply above this line."
LONGEST_TITLE = 15
"""So that the marker fits in 78 columns."""
LONGEST_ALT, MOST_ALT = 4000, 100
"""Characters of the words for a picture at most, and lines that they may have been broken into."""
CONTINUED = 3
"""Over how many lines a mail program may have broken the marker."""
TURN = re.compile(r"turn (\d{1,9}), #([0-9a-f]{6})\b(?:, key ([a-z2-7]{12})\b)?")
ID = re.compile(r"<tkid\.(turn|again|note|news|words)\.(\d{1,9})\.([0-9a-f]{6})\.[0-9a-f]+@")

WHAT_HAPPENED = "WHAT HAPPENED"
POSITION = "THE POSITION"
ANSWERS = "WHAT YOU MAY ANSWER"
PLANS = "YOUR PLANS"
HEADINGS = frozenset({WHAT_HAPPENED, POSITION, ANSWERS, PLANS})
"""Headings of our mails: one that stands bare in a reply tells that a quoted mail of ours has begun."""
IN_WORDS, SO_FAR = "The position in words:", "End of the position."
"""What the words begin and end with that stand for a picture, so that they are known again in a reply."""


def in_words(description: str) -> str:
    """The words that stand for a picture, on one line."""
    return f"{IN_WORDS} {' '.join(description.split())} {SO_FAR}"


def marker_line(marker: Marker) -> str:
    """The marker as a line. With a key the game's name is left out: the line is full."""
    if marker.key:
        return f"--- {PHRASE} (turn {marker.turn}, #{marker.after}, key {marker.key}) ---"
    title = short_title(marker.title)
    return f"--- {PHRASE} ({f'{title}, ' if title else ''}turn {marker.turn}, #{marker.after}) ---"


def reply_line(title: str, turn: int) -> str:
    """The line of our mails above which answers stand; `turn` is 0 for none."""
    parts = filter(None, (short_title(title), f"turn {turn}" if turn else ""))
    return f"--- {REPLY} {', '.join(parts)}".rstrip() + " ---"


def reference(marker: Marker) -> str:
    """The line that a host knows its own mail by: the game, the turn, the hash, and the key where there is one."""
    return " ".join(filter(None, ("Ref", short_title(marker.title), str(marker.turn), marker.after, marker.key)))


def message_id(kind: str, turn: int, after: str, digest: str, domain: str) -> str:
    """The Message-ID of a letter."""
    return f"<tkid.{kind}.{turn}.{after}.{digest}@{domain}>"


def short_title(title: str, longest: int = LONGEST_TITLE) -> str:
    """A game's name, cut where it is longer than the marker has room for."""
    return title if len(title) <= longest else title[: longest - 1].rstrip() + "…"


def is_ours(text: str) -> bool:
    """Whether a line is the marker, a heading or what stands for a picture: nothing of the sender's follows it."""
    return is_marker(text) or text.strip() in HEADINGS or begins_picture(text)


def begins_picture(text: str) -> bool:
    """Whether the words for a picture begin in a line, as mail programs write them: `[image: The position in words: …`."""
    return IN_WORDS in single_spaced(text[:400])


def after_picture(lines: Sequence[Line], begin: int) -> int:
    """The index of the line behind the words for a picture that begin on a line.

    A mail program may have broken them without marking the rest as quoted too; an empty line or a quoted one ends them.
    """
    before, most = "", min(len(lines), begin + MOST_ALT)
    for index in range(begin, most):
        text = lines[index].text[:LONGEST_ALT]
        if index > begin and (lines[index].quoted or not text.strip()):
            return index
        if SO_FAR in single_spaced(f"{before[-len(SO_FAR) :]} {text}"):
            return index + 1
        before = text
    return most


@cites("mail.marker")
def is_marker(text: str) -> bool:
    """Whether a line is the marker, or the first part of one that was broken."""
    return PHRASE in single_spaced(text[:400]).casefold()


def read_marker(lines: Sequence[Line], begin: int) -> Marker | None:
    """What the marker says that begins on a line; None where that cannot be read any more."""
    text = single_spaced(" ".join(line.text.strip().lstrip("> ")[:200] for line in lines[begin : begin + CONTINUED]))
    turn = TURN.search(text)
    if turn is None:
        return None
    before = text[: turn.start()]
    return Marker(int(turn[1]), turn[2], before[before.rfind("(") + 1 :].strip(" ,"), turn[3] or "")


def read_id(message_id: str) -> Marker | None:
    """What one of our Message-IDs says, if it is one."""
    parts = ID.match(message_id)
    return Marker(int(parts[2]), parts[3]) if parts else None
