"""Telling at a glance which lines of a mail may be orders, so that only those are read; and which ones were broken."""

from __future__ import annotations

import re
from difflib import get_close_matches

from attrs import field, frozen

from tkid.kernel.game import AnyGame
from tkid.notation.text import plain
from tkid.orders.intent import is_slip
from tkid.orders.reader import MISPLACED, NOT_TAKEN
from tkid.orders.simple import FIRST_WORDS
from tkid.record.play.replay import reader

LONGEST_LINE = 300
"""Characters of a line that are looked at."""
CLOSE = 0.75
SHORTEST_CLOSE = 4
"""Letters of a word that may be a card's name with an error."""
MOST_BEFORE = 4
"""Words before a colon behind which a turn may stand: `My move: Pass`."""
REMEMBERED = 1000
FULL, MOST_FULL = 48, 80
"""Characters of a line that a mail program has broken, at least and at most."""
WRAPPED, NARROW = 70, 58
"""Characters that did not fit with the next word: where lines are put together, and where one is only left alone."""
ENDED = (".", "!", "?", "…", ":", "。", "！", "？", "：", ")")
"""What a sentence ends with."""

WORD = re.compile(r"[^\W\d_]+")
PLAIN_WORDS = re.compile(r"[^\W\d_]+(?:[ .!?,'’-]+[^\W\d_]+)*[ .!?,]*")
GOES_ON = re.compile(r"\W{0,2}(?:(?:and\s+)?then|(?:or\s+)?(?:else|otherwise))\b", re.IGNORECASE)
"""How a line begins that goes on with a plan."""
OPEN = re.compile(r"(?:[:,(>]|\b(?:if|and|or|else|otherwise|then|until))\s*\Z", re.IGNORECASE)
"""How a line ends that needs another one."""
OF_ORDERS = re.compile(r"[;<>↔⇄⇆⟷→⇒⟶]")
"""Signs that stand in orders and hardly in sentences."""


@frozen
class Glance:
    """Looks at the first words of a line: those of orders, and of a game's cards, whole, shortened or with an error."""

    cards: tuple[str, ...]
    starts: tuple[str, ...]
    gives_up: re.Pattern[str]
    _seen: dict[tuple[str, str], bool] = field(factory=dict)

    @classmethod
    def of(cls, game: AnyGame) -> Glance:
        """The glance for a game."""
        turns = reader(game)
        words = {word for beginning in turns.beginnings for word in beginning.split()}
        starts = tuple(words | {"no", *FIRST_WORDS, *OTHERS})
        return cls(tuple(turns.beginnings), starts, turns.orders.gives_up)

    def may_be(self, text: str) -> bool:
        """Whether a line may be an order, or one with an error."""
        text = text[:LONGEST_LINE]
        words = words_of(text)
        if not words:
            return text.strip() == "?"
        first = (words[0], " ".join(words[:2]))
        if first not in self._seen:
            if len(self._seen) > REMEMBERED:
                self._seen.clear()
            self._seen[first] = self._begins(*first)
        return self._seen[first] or self._is_told(text)

    def _begins(self, first: str, two: str) -> bool:
        if any(start.startswith(first) or is_slip(first, start) for start in self.starts):
            return True
        longer = [each for each in (first, two) if len(each) >= SHORTEST_CLOSE]
        return any(get_close_matches(each, self.cards, n=1, cutoff=CLOSE) for each in longer)

    def _is_told(self, text: str) -> bool:
        """Whether an order may stand behind other words."""
        before, _, behind = plain(text).rpartition(":")
        words = words_of(behind)
        if before and len(before.split()) <= MOST_BEFORE and words:
            return any(start.startswith(words[0]) for start in self.starts)
        return self.gives_up.fullmatch(text.strip()) is not None


OTHERS = (*NOT_TAKEN, *MISPLACED, "always", "keep")
"""First words that are no orders' but known."""


def words_of(text: str) -> list[str]:
    """The words of a line, in small letters."""
    return WORD.findall(plain(text[:LONGEST_LINE]).casefold())


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
    return signs or (below[:1].islower() and PLAIN_WORDS.fullmatch(below[:LONGEST_LINE]) is not None)
