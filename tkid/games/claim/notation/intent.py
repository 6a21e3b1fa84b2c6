"""The signs of a turn or a plan of the game: what shows that a line was meant as one, although it cannot be read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tkid.games.claim.notation import cards
from tkid.games.claim.notation.turn_reader import VERBS
from tkid.notation.turns import ReadTurn
from tkid.orders import thresholds
from tkid.orders.thresholds import POLITE, is_like, is_short_pass, words_of

CARD = re.compile(r"([^\W\d_]+)[\s-]*(\d+|[a-z]+)?", re.IGNORECASE)
NUMBERS = frozenset(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
PASSED_ON = frozenset(
    ["the", "a", "an", "my", "your", "it", "this", "that", "on", "by", "me", "along", "through", "to"]
)
"""Words behind `pass` that make a sentence of it: `pass the salt`."""
CHOICES = ("lowest", "highest", "forced", "until", "always")
LETTER_AND_VALUE = 2
"""Characters of a card in its shortest form."""
HAPPENS = re.compile(r"\b(?:led|leads?|prize|phase)\b", re.IGNORECASE)
DONE = re.compile(
    r"\W*(?:(?:then|else)\W+)*(?:(?:stop|ask(?:\s+me)?)(?=\s*(?:\W*$|[;.,()]))|(?:play|lead)\s+(?:my|what)\b)",
    re.IGNORECASE,
)
"""What a plan does, at the start of what stands behind its colon."""
OTHERWISE = re.compile(r"\b(?:else|otherwise)\b\W*(?:stop|ask|if)\b|(?:\bstop|\bask\s+me)\W*$", re.IGNORECASE)


class ClaimSigns:
    """What shows turns and plans of a game; players are not named."""

    signs: Sequence[str] = ()
    known: Sequence[str] = ("led", "lead", "nothing", "anything", "prize", "phase", "the", "a", "an")
    happens, done, otherwise = HAPPENS, DONE, OTHERWISE
    names = tuple(name.casefold() for name in cards.LETTERS)
    beginnings: Sequence[str] = tuple(
        word.casefold() for word in (*cards.LETTERS, *cards.LETTERS.values(), *VERBS, "pass")
    )

    def goes_on(self, words: Sequence[str]) -> bool:  # noqa: ARG002 - one card is a whole turn
        """Whether a line is the rest of a turn that began above: none is."""
        return False

    def is_written_out(self, read: ReadTurn, letters: int) -> bool:
        """Whether a turn is surely one: of `U 2`, which may be somebody's `you too`, that is not sure."""
        ((_, length),) = read.decisions[0].parts.values()
        return letters > 1 or length == LETTER_AND_VALUE

    def is_standing(self, words: Sequence[str]) -> bool:
        """Whether a line that begins like a standing order was meant as one: it says which card, or is short."""
        if words[0] == "if":
            return True
        chooses = any(is_like(word, CHOICES) for word in words[1:])
        return (chooses and len(words) <= 2 * thresholds.MOST_OF_A_WISH) or len(words) <= thresholds.MOST_OF_A_PAIR + 1

    def is_turn(self, text: str) -> bool:
        """Whether a line was meant as a turn.

        It is a card, perhaps with an error, and what follows makes no sentence of it; or a faction alone; or a pass.
        """
        words = words_of(text)
        if not words:
            return False
        if words[0] in {"pass", "passes"}:
            return is_short_pass(words, PASSED_ON)
        bare = re.sub(rf"^\W*(?:{'|'.join(VERBS)})\s+", "", text, flags=re.IGNORECASE)
        found = CARD.match(bare.lstrip(" \t*_`\"'"))
        if found is None:
            return words[0] in VERBS and len(words) == 1
        faction, value = found[1], found[2] or ""
        rest = words_of(bare)[1 + (not value.isdecimal() and bool(value)) :]
        if value.isdecimal():
            return self._is_like_faction(faction) and self._ends(bare, rest)
        if value.casefold() in NUMBERS:
            return self._is_like_faction(faction) and not set(rest) - POLITE
        alone = not value or value.casefold() in POLITE
        return alone and not rest and faction.casefold() in {*self.names, *(f"{name}s" for name in self.names)}

    def _ends(self, text: str, rest: Sequence[str]) -> bool:
        """Whether nothing but a polite word, or another card, stands behind a card."""
        another = len(re.findall(r"\d", text)) > 1 and len(rest) <= thresholds.MOST_OF_A_PASS
        return another or not set(rest) - POLITE

    def _is_like_faction(self, word: str) -> bool:
        if isinstance(cards.NAMES.find(word), str):
            return True
        return len(word) >= thresholds.SHORTEST_LIKE and is_like(word.casefold(), self.names)
