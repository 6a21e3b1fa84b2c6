"""What shows that words were meant as an order: the thresholds, all in one place, and what is like what.

Players write sentences beside their orders, and the words of orders are words of every day. So a first word alone
shows nothing: something else of an order has to be there, or hardly another word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches

LONGEST_LOOK = 300
"""Characters of a line that are looked at."""
LIKE, LIKE_ALONE = 0.75, 0.8
"""How like a name (0 to 1) a word has to be to be taken for it with an error; and where nothing else of an order is there."""
SHORTEST_LIKE, SHORTEST_LIKE_ALONE = 4, 7
"""Letters of a word that need only be like a name, or has one slip; and where nothing else of an order is there."""
SHORTEST_SLIP, SHORTEST_START, SHORTEST_BEHIND = 2, 5, 4
"""Letters of a word of which another is a slip; of the start of a card that stands alone; of a turn behind a colon."""
MOST_OF_A_PASS, MOST_OF_A_PAIR, MOST_OF_A_WISH, MOST_OF_A_LABEL, MOST_OF_A_REST = 5, 2, 6, 4, 4
"""Words of a line that begins with `pass`; of one with a first word alone; of one with another word; before a colon; of the
rest of an order, with an error in it."""
SOON = 3
"""So many words behind a card's name there is something else of a turn."""

WORD = re.compile(r"[^\W\d_]+")
POLITE = frozenset(["again", "me", "now", "once", "please", "pls", "then"])
"""Words that may stand behind an order of one word without making a sentence of it."""


def words_of(text: str) -> list[str]:
    """The words of a plain text, in small letters."""
    return WORD.findall(text.casefold())


def is_like(word: str, names: Sequence[str], cutoff: float = LIKE) -> bool:
    """Whether a word is like one of some names."""
    return bool(get_close_matches(word, names, 1, cutoff))


def is_slip(typed: str, word: str) -> bool:
    """Whether a text is a word with one letter too many, too few, wrong, or two in the wrong order."""
    if abs(len(typed) - len(word)) > 1 or typed == word or len(word) < SHORTEST_SLIP:
        return False
    if len(typed) == len(word):
        wrong = [index for index in range(len(word)) if typed[index] != word[index]]
        swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and typed[wrong[0]] == word[wrong[1]]
        return len(wrong) == 1 or (swapped and typed[wrong[1]] == word[wrong[0]])
    longer, shorter = (typed, word) if len(typed) > len(word) else (word, typed)
    return any(longer[:index] + longer[index + 1 :] == shorter for index in range(len(longer)))


def is_short_pass(words: Sequence[str], prose: Collection[str]) -> bool:
    """Whether a few words that begin with `pass` were meant as one: no word of `prose` follows."""
    return len(words) == 1 or (len(words) <= MOST_OF_A_PASS and words[1] not in prose)
