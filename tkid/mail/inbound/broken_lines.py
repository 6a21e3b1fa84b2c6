"""Lines that a mail program has broken, and how a line ends or begins that belongs together with another."""

from __future__ import annotations

import re

from tkid.notation.text import plain
from tkid.orders.thresholds import LONGEST_LOOK

FULL, MOST_FULL = 48, 80
"""Characters of a line that a mail program has broken, at least and at most."""
WRAPPED, NARROW = 70, 58
"""Characters that did not fit with the next word: where lines are put together, and where one is only left alone."""
ENDED = (".", "!", "?", "…", ":", "。", "！", "？", "：", ")")
"""What a sentence ends with."""

PLAIN_WORDS = re.compile(r"[^\W\d_]+(?:[ .!?,'’-]+[^\W\d_]+)*[ .!?,]*")
GOES_ON = re.compile(r"\W{0,2}(?:(?:and\s+)?then|(?:or\s+)?(?:else|otherwise))\b", re.IGNORECASE)
"""How a line begins that goes on with a plan."""
OPEN = re.compile(r"(?:[:,(>]|\b(?:if|and|or|else|otherwise|then|until))\s*\Z", re.IGNORECASE)
"""How a line ends that needs another one."""
OF_ORDERS = re.compile(r"[;<>↔⇄⇆⟷→⇒⟶]")
"""Signs that stand in orders and hardly in sentences."""


def was_broken(above: str, below: str, width: int = WRAPPED) -> bool:
    """Whether a mail program may have broken a line between these two: the upper one is full."""
    above, below = plain(above).rstrip(), plain(below).lstrip()
    next_word = below.split(" ", 1)[0]
    return FULL <= len(above) <= MOST_FULL and len(above) + 1 + len(next_word) > width


def ends_sentence(line: str) -> bool:
    """Whether a line ends with what a sentence, or a greeting, ends with."""
    return plain(line).rstrip().endswith((*ENDED, ","))


def runs_on(above: str, below: str) -> bool:
    """Whether a line is surely the rest of the sentence above: that line is full and not ended, and words or signs follow.

    Such a line is never an order, whatever it says: the last word of `… I fear I shall have to / resign` is not.
    """
    below = plain(below).strip()
    if not was_broken(above, below, NARROW) or plain(above).rstrip().endswith(ENDED):
        return False
    signs = not any(map(str.isalnum, below))
    return signs or (below[:1].islower() and PLAIN_WORDS.fullmatch(below[:LONGEST_LOOK]) is not None)
