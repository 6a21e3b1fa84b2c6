"""Whether a line that cannot be read was surely meant as an order: it is complained about, any other is a remark.

Players write sentences beside their orders, and the words of orders are words of every day. So a first word alone
shows nothing: something else of an order has to be there, a region, an arrow, a colon with a turn behind it.
"""

from __future__ import annotations

import re

from tkid.notation.people import ANY_WORDS, EVERY_WORDS, EVERYBODY, People, single
from tkid.notation.plugin import TurnReader
from tkid.orders.simple import FIRST_WORDS, QUESTIONS, TOPICS

WORD = re.compile(r"[^\W\d_]+")
LONGEST_LOOK = 300
"""Characters of a line that are looked at."""

MOST_OF_A_PASS, MOST_OF_A_PAIR, MOST_OF_A_WISH, MOST_OF_A_LABEL = 5, 2, 6, 4
"""Words of a line that begins with `pass`; of one with a first word alone; of one with another word; before a colon."""
SHORTEST_SLIP = 4
"""Letters of a word with one slip."""
POLITE = frozenset(["again", "me", "now", "once", "please", "pls", "then"])
"""Words that may stand behind an order of one word without making a sentence of it."""
WISHED = {
    "cancel": frozenset(
        ["all", "away", "everything", "order", "orders", "plan", "plans", "standing", "conditional", "number"]
    ),
    "undo": frozenset(["yes", "no", "agreed", "agree", "refuse", "refused", "turn"]),
    "notify": frozenset(["every", "each", "all", "my", "turn", "turns", "picture", "pictures"]),
    "away": frozenset(["from", "until", "till", "next", "on", "for"]),
    "resign": frozenset[str](),
}
"""Words that show that the first word of a line is an order."""
SAID = re.compile(r"(?:say|tell|press)\b\W{1,3}(?P<to>to\b)?\s*(?P<whom>[^:]{0,40}):", re.IGNORECASE)
SAID_TO = re.compile(r"(?:say|tell|press)\s+to\s+(?P<whom>.+)", re.IGNORECASE)
DAY = re.compile(r"\b\d{4}\b|\d[./-]\d")
RULE_ID = re.compile(r"\S+\s+\w+\.\w")


class Meaning:
    """Judges the lines of a game with these players: what was surely meant as an order."""

    def __init__(self, turns: TurnReader, people: People) -> None:
        self.turns, self.people, self.orders = turns, people, turns.orders
        self.sense = turns.orders.sense(turns, people)
        self.wished = {**WISHED, "notify": WISHED["notify"] | {self.orders.level, self.orders.level.removesuffix("s")}}

    def surely(self, kind: str, text: str) -> bool:  # noqa: PLR0911 - one for each kind
        """Whether a line of a kind that cannot be read was meant as an order."""
        text = text[:LONGEST_LOOK]
        words = words_of(text)
        if not words:
            return False
        if kind == "turn":
            return self.sense.is_turn(text)
        if kind == "plan":
            return self._is_plan(text)
        if kind == "standing":
            return self.sense.is_standing(words)
        if kind == "say":
            return self._is_said(text)
        if kind == "draft":
            rest = text[len("draft") :].lstrip(" :")
            return not rest or len(words) <= MOST_OF_A_PAIR or self.sense.is_turn(rest) or self._is_plan(rest)
        if kind == "away" and DAY.search(text):
            return True
        if kind in self.wished:
            return len(words) <= MOST_OF_A_PAIR or (
                len(words) <= MOST_OF_A_WISH
                and (not self.wished[kind].isdisjoint(words) or any(map(str.isdigit, text)))
            )
        if kind in QUESTIONS.values():
            return self._is_question(kind, words, text)
        return self._is_slip(words, text) or bool(self.behind(text) or self.orders.gives_up.fullmatch(text.strip()))

    # -- plans and words ----------------------------------------------------------------------------------

    def _is_plan(self, text: str) -> bool:
        """Whether a line was meant as a plan: something happens and something is done about it, or it shows an arrow."""
        inner = text.lstrip(" (")
        if inner != text.lstrip(" "):
            return bool(self.sense.done.match(inner)) or self.sense.is_turn(inner) or self._is_plan(inner)
        if any(sign in text.casefold() for sign in self.sense.signs):
            return True
        before, colon, behind = text.partition(":")
        if colon and (self.sense.happens.search(before) or self._is_done(behind)):
            return True
        if self.sense.happens.search(text) and self.sense.otherwise.search(text):
            return True
        words = words_of(text)
        if words[:1] == ["if"]:
            return len(words) <= MOST_OF_A_PASS and bool(self.sense.happens.search(text)) and self._is_known(text)
        first = re.split(r"[;,.\s]+then\b", text, maxsplit=1, flags=re.IGNORECASE)[0]
        return first != text and (
            bool(self.sense.done.match(first)) or self.sense.is_turn(first) or words[:1] == ["stop"]
        )

    def _is_done(self, text: str) -> bool:
        """Whether a text begins with something that a plan does."""
        words = WORD.findall(text)[:2]
        named = any(isinstance(self.turns.cards.find(" ".join(words[:count])), str) for count in (1, 2) if words)
        plan = text.strip(" (").casefold().startswith("if ")
        short = named and len(words_of(text)) <= MOST_OF_A_PAIR
        return bool(self.sense.done.match(text)) or plan or short or self.sense.is_turn(text.strip())

    def _is_known(self, text: str) -> bool:
        """Whether the word behind the first is a player, some player, or a region."""
        words = re.findall(r"[^\W_]+", text)[1:3]
        known = {
            *ANY_WORDS,
            *EVERY_WORDS,
            *self.sense.known,
            *(word for n in self.people.names for word in single(n).split()),
        }
        return any(word.casefold() in known or self.people.seat(word) is not None for word in words[:1])

    def _is_said(self, text: str) -> bool:
        """Whether a line was meant as words to players: a colon shows it, or whom they are for."""
        found = SAID.match(text)
        if found:
            short = len(words_of(found["whom"])) <= MOST_OF_A_LABEL and not text.casefold().startswith("press")
            return bool(found["to"]) or short
        to = SAID_TO.match(text)
        return to is not None and any(
            single(to["whom"]).startswith(single(name)) for name in (*self.people.names, *EVERYBODY)
        )

    # -- small orders and slips ---------------------------------------------------------------------------

    def _is_question(self, kind: str, words: list[str], text: str) -> bool:
        rest = words[1:]
        if all(word in POLITE for word in rest):
            return True
        if kind == "legal":
            return len(words) <= MOST_OF_A_PAIR
        if kind == "rules":
            return bool(RULE_ID.match(text)) or len(words) <= MOST_OF_A_PAIR
        return (
            kind == "help"
            and len(rest) == 1
            and any(is_slip(rest[0], topic) for topic in (*TOPICS, *self.orders.topics))
        )

    def _is_slip(self, words: list[str], text: str) -> bool:
        """Whether a line begins with a slip of the first word of an order, or with half a plan, and goes on like one."""
        rest = text.lstrip()[len(words[0]) :]
        if words[0] in {"stop", "quit", "surrender"}:
            return len(words) == 1
        if words[0] in {"when", "whenever", "unless"}:
            return ":" in text and self._is_plan(f"if{rest}")
        if words[0] in {"else", "otherwise", "then"}:
            return self._is_done(rest)
        if self.sense.is_turn(text):
            return True
        for first, kind in FIRST_WORDS.items():
            if is_slip(words[0], first) and self._goes_on(kind, first, words, rest):
                return True
        return False

    def _goes_on(self, kind: str, first: str, words: list[str], rest: str) -> bool:
        """Whether a line whose first word is a slip goes on like an order of the kind."""
        if kind in {"plan", "say", "draft"}:
            return bool(rest.strip()) and self.surely(kind, first + rest)
        if len(words) == 1:
            return len(words[0]) >= SHORTEST_SLIP
        return kind in self.wished and len(words) <= MOST_OF_A_WISH and not self.wished[kind].isdisjoint(words[1:])

    def behind(self, text: str) -> str:
        """The turn behind a few words and a colon, as in `My move: Pass`; "" where there is none."""
        before, colon, behind = text.rpartition(":")
        turn = behind.strip(" *_`\"'")
        few = colon and 0 < len(before.split()) <= MOST_OF_A_LABEL and len(turn) > MOST_OF_A_LABEL - 1
        if not few or not self.sense.is_turn(turn):
            return ""
        read = self.turns.turn(turn)
        return "" if read.problems else turn


def is_slip(typed: str, word: str) -> bool:
    """Whether a text is a word with one letter too many, too few, wrong, or two in the wrong order."""
    if abs(len(typed) - len(word)) > 1 or typed == word or len(word) < MOST_OF_A_PAIR:
        return False
    if len(typed) == len(word):
        wrong = [at for at in range(len(word)) if typed[at] != word[at]]
        swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and typed[wrong[0]] == word[wrong[1]]
        return len(wrong) == 1 or (swapped and typed[wrong[1]] == word[wrong[0]])
    longer, shorter = (typed, word) if len(typed) > len(word) else (word, typed)
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return WORD.findall(text.casefold())
