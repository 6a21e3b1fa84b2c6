"""Decide whether a line was meant as an order.

Players write sentences beside their orders, and the words of orders are words of every day. So a first word alone
shows nothing: something else of an order has to be there, or hardly another word.

`may_be_order` looks at the first words only, so that few lines are read. `is_meant` judges a line that cannot be read: if it
surely was meant as an order, its sender hears what is wrong; any other line is a remark. Both use the thresholds
below, and the signs of each game.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from tkid.notation.names import ANY_WORDS, EVERY_WORDS, EVERYBODY, People, simplify_name
from tkid.notation.plugin import TurnReader
from tkid.notation.text import compose_accents, make_plain
from tkid.orders.forms import WORD, is_like_name, is_single_slip, split_small_words
from tkid.orders.order_kinds import FIRST_WORDS, list_rows
from tkid.orders.order_values import Ask, Order, OrderLanguage, Turn

MAX_LOOKED_AT = 300
"""Maximum number of characters of a line that are looked at."""
SHORTEST_LIKE, SHORTEST_LIKE_ALONE = 4, 7
"""Letters of a word that need only be like a name, or has one slip; and where nothing else of an order is there."""
SHORTEST_START, SHORTEST_BEHIND = 5, 4
"""Letters of the start of a card that stands alone; of a turn behind a colon."""
MOST_OF_A_PASS, MOST_OF_A_PAIR, MOST_OF_A_WISH, MOST_OF_A_LABEL, MOST_OF_A_REST = 5, 2, 6, 4, 4
"""Words of a line that begins with `pass`; of one with a first word alone; of one with another word; before a colon; of the
rest of an order, with an error in it."""
MAX_WORDS_BEHIND_CARD = 3
"""Maximum number of words behind a card's name before something else of a turn."""


def is_short_pass(words: Sequence[str], prose: Collection[str]) -> bool:
    """Return True if a few words that begin with `pass` were meant as one: no word of `prose` follows."""
    return len(words) == 1 or (len(words) <= MOST_OF_A_PASS and words[1] not in prose)


NOT_TAKEN = {"when": "if", "whenever": "if", "unless": "if", "quit": "resign", "surrender": "resign", "stop": "cancel"}
"""Words that people may use and that could be misread: the reply names the order that was meant, and does not carry it out."""
MISPLACED = {"else": "if", "otherwise": "if", "then": "turn"}
"""Words that only continue a plan, and the words that are missing before them."""
OTHERS = (*NOT_TAKEN, *MISPLACED, "always", "keep", "no")
"""First words that belong to no order but are known."""
MAX_REMEMBERED_LINES = 1000
"""Maximum number of remembered lines."""
SAID = re.compile(r"(?:say|tell|press)\b\W{1,3}(?P<to>to\b)?\s*(?P<whom>[^:]{0,40}):", re.IGNORECASE)
SAID_TO = re.compile(r"(?:say|tell|press)\s+to\s+(?P<whom>.+)", re.IGNORECASE)
DAY = re.compile(r"\b\d{4}\b|\d[./-]\d")


class IntentDetector:
    """Judges which lines of a game with these players were meant as orders."""

    def __init__(self, turns: TurnReader, people: People, language: OrderLanguage) -> None:
        self.turns, self.people, self.language = turns, people, language
        self.signs = language.find_signs(turns, people)
        self.rows = list_rows(language)
        words = {word for beginning in self.signs.beginnings for word in beginning.split()}
        self.starts = tuple(words | {*FIRST_WORDS, *OTHERS})
        self._begins = lru_cache(MAX_REMEMBERED_LINES)(self._is_begun_like_order)

    # -- at a glance --------------------------------------------------------------------------------------

    def may_be_order(self, text: str) -> bool:
        """Return True if a line may be an order, or one with an error: by its first words, or as an order behind other words."""
        text = text[:MAX_LOOKED_AT]
        words = split_small_words(make_plain(text))
        if not words:
            return text.strip() == "?"
        return self._begins(words[0], " ".join(words[:2])) or self._is_ended_like_order(text)

    def _is_begun_like_order(self, first: str, two: str) -> bool:
        if any(start.startswith(first) or is_single_slip(first, start) for start in self.starts):
            return True
        long = (words for words in (first, two) if len(words) >= SHORTEST_LIKE)
        return any(is_like_name(words, self.signs.beginnings) for words in long)

    def _is_ended_like_order(self, text: str) -> bool:
        """Return True if an order may stand behind other words."""
        before, _, behind = make_plain(text).rpartition(":")
        words = split_small_words(behind)
        if before and len(before.split()) <= MOST_OF_A_LABEL and words:
            return any(start.startswith(words[0]) for start in self.starts)
        return self.language.gives_up.fullmatch(text.strip()) is not None

    # -- what was read, and what could not be -------------------------------------------------------------

    def is_order(self, order: Order | None, words: Sequence[str]) -> bool:
        """Return True if the reading of a line with these words is an order; a turn is written out, as initials are none."""
        if isinstance(order, Turn):
            return self.signs.is_written_out(order.read, len("".join(words)))
        return order is not None

    def is_rest_of_order(self, words: Sequence[str]) -> bool:
        """Return True if a line that continues an order above is so short that it is no sentence, although it has an error."""
        return len(words) <= MOST_OF_A_REST

    def is_meant(self, kind: str, text: str) -> bool:  # noqa: PLR0911 - one for each kind
        """Return True if a line of a kind that cannot be read was surely meant as an order."""
        text = text[:MAX_LOOKED_AT]
        words = split_small_words(text)
        if not words:
            return False
        if kind == "turn":
            return self.signs.is_turn(text)
        if kind == "plan":
            return self._is_plan(text)
        if kind == "standing":
            return self.signs.is_standing(words)
        if kind == "say":
            return self._is_said(text)
        if kind == "draft":
            rest = text[len("draft") :].lstrip(" :")
            short = not rest or len(words) <= MOST_OF_A_PAIR
            return short or self.signs.is_turn(rest) or self._is_plan(rest)
        if kind == "away" and DAY.search(text):
            return True
        if kind:
            return self.rows[kind].was_meant(text)
        return self._is_slip(words, text) or bool(
            self.find_turn_behind_colon(text) or self.language.gives_up.fullmatch(text.strip())
        )

    # -- plans and words ----------------------------------------------------------------------------------

    def _is_plan(self, text: str) -> bool:
        """Return True if a line was meant as a plan: something happens and a turn follows, or it shows an arrow."""
        inner = text.lstrip(" (")
        if inner != text.lstrip(" "):
            return self._is_step(inner) or self._is_plan(inner)
        if any(sign in text.casefold() for sign in self.signs.signs):
            return True
        before, colon, behind = text.partition(":")
        if colon and (self.signs.happens.search(before) or self._is_done(behind)):
            return True
        happens = self.signs.happens.search(text) is not None
        if happens and self.signs.otherwise.search(text):
            return True
        words = split_small_words(text)
        if words[:1] == ["if"]:
            return happens and len(words) <= MOST_OF_A_PASS and self._is_known(text)
        first = re.split(r"[;,.\s]+then\b", text, maxsplit=1, flags=re.IGNORECASE)[0]
        return first != text and (self._is_step(first) or words[:1] == ["stop"])

    def _is_step(self, text: str) -> bool:
        """Return True if a text begins with a step of a plan, or was meant as a turn."""
        return self.signs.done.match(text) is not None or self.signs.is_turn(text)

    def _is_done(self, text: str) -> bool:
        """Return True if a text begins with the action of a plan."""
        words = WORD.findall(text)[:2]
        named = any(isinstance(self.turns.cards.find(" ".join(words[:count])), str) for count in (1, 2) if words)
        plan = text.strip(" (").casefold().startswith("if ")
        short = named and len(split_small_words(text)) <= MOST_OF_A_PAIR
        return bool(self.signs.done.match(text)) or plan or short or self.signs.is_turn(text.strip())

    def _is_known(self, text: str) -> bool:
        """Return True if the word behind the first is a player, some player, or a region."""
        names = {word for name in self.people.names for word in simplify_name(name).split()}
        known = names.union(ANY_WORDS, EVERY_WORDS, self.signs.known)
        second = re.findall(r"[^\W_]+", compose_accents(text))[1:2]
        return any(word.casefold() in known or self.people.find_seat(word) is not None for word in second)

    def _is_said(self, text: str) -> bool:
        """Return True if a line was meant as words to players: a colon or its addressee shows it."""
        colon = SAID.match(text)
        if colon:
            short = len(split_small_words(colon["whom"])) <= MOST_OF_A_LABEL and not text.casefold().startswith("press")
            return bool(colon["to"]) or short
        to = SAID_TO.match(text)
        return to is not None and any(
            simplify_name(to["whom"]).startswith(simplify_name(name)) for name in (*self.people.names, *EVERYBODY)
        )

    # -- small orders and slips ---------------------------------------------------------------------------

    def _is_slip(self, words: list[str], text: str) -> bool:
        """Return True if a line begins with a slip of the first word of an order, or with half a plan, and continues like one."""
        rest = text.lstrip()[len(words[0]) :]
        if words[0] in NOT_TAKEN:
            if NOT_TAKEN[words[0]] != "if":
                return len(words) == 1
            return ":" in text and self._is_plan(f"if{rest}")
        if words[0] in MISPLACED:
            return self._is_done(rest)
        if self.signs.is_turn(text):
            return True
        slips = ((first, kind) for first, kind in FIRST_WORDS.items() if is_single_slip(words[0], first))
        return any(self._is_continued(kind, first, words, rest) for first, kind in slips)

    def _is_continued(self, kind: str, first: str, words: list[str], rest: str) -> bool:
        """Return True if a line whose first word is a slip continues like an order of the kind."""
        if kind in {"plan", "say", "draft"}:
            return bool(rest.strip()) and self.is_meant(kind, first + rest)
        if len(words) == 1:
            return len(words[0]) >= SHORTEST_LIKE
        return (
            self.rows[kind].order is not Ask
            and len(words) <= MOST_OF_A_WISH
            and bool(self.rows[kind].signs.search(rest))
        )

    def find_turn_behind_colon(self, text: str) -> str:
        """Return the turn behind a few words and a colon, as in `My move: Pass`, or ""."""
        before, colon, behind = text.rpartition(":")
        turn = behind.strip(" *_`\"'")
        few = colon and 0 < len(before.split()) <= MOST_OF_A_LABEL and len(turn) >= SHORTEST_BEHIND
        if not few or not self.signs.is_turn(turn):
            return ""
        read = self.turns.turn(turn)
        return "" if read.problems else turn
