"""Whether a line that cannot be read was surely meant as an order: it is complained about, any other is a remark.

Players write sentences beside their orders, and the words of orders are words of every day. So a first word alone
shows nothing: something else of an order has to be there, a region, an arrow, a colon with a turn behind it.
"""

from __future__ import annotations

import re
from difflib import get_close_matches

from tkid.notation.orders_small import FIRST_WORDS, QUESTIONS, TOPICS
from tkid.notation.people import ANY_WORDS, EVERY_WORDS, EVERYBODY, People, single
from tkid.notation.turns import TurnReader

WORD = re.compile(r"[^\W\d_]+")
ARROWS = ("<>", "<->", "<=>", "->", " > ", "↔", "⇄", "⇆", "⟷", "→", "⇒", "⟶", "; summon", ";summon", "; no summon")
LONGEST_LOOK = 300
"""Characters of a line that are looked at."""

PASSED_ON = frozenset(
    [
        *("a", "an", "that", "the", "these", "those", "my", "your", "her", "him", "his", "its", "it", "our", "us"),
        *("their", "them", "me", "along", "around", "by", "in", "on", "over", "through", "to"),
    ]
)
"""Words behind `pass` that make a sentence of it: `pass the salt`."""
PAUSE = re.compile(r"pass\s*[,.;:!?()–—-]", re.IGNORECASE)
MOST_OF_A_PASS, MOST_OF_A_PAIR, MOST_OF_A_WISH, MOST_OF_A_LABEL = 5, 2, 6, 4
"""Words of a line that begins with `pass`; of one with a first word alone; of one with another word; before a colon."""
SOON = 3
"""So many words behind a card's name there is a region or a follower."""
SHORTEST_START, SHORTEST_SLIP, SHORTEST_LONG = 5, 4, 7
"""Letters of the start of a card that stands alone; of a word with one slip; of one that need only be like a card."""
LIKE_REGION, LIKE_CARD, LIKE_LONG_CARD = 0.75, 0.75, 0.8
"""How like a name (0 to 1) a word has to be to be taken for it with an error."""
POLITE = frozenset(["again", "me", "now", "once", "please", "pls", "then"])
"""Words that may stand behind an order of one word without making a sentence of it."""
WISHED = {
    "cancel": frozenset(
        ["all", "away", "everything", "order", "orders", "plan", "plans", "standing", "conditional", "number"]
    ),
    "undo": frozenset(["yes", "no", "agreed", "agree", "refuse", "refused", "turn"]),
    "notify": frozenset(["every", "each", "all", "my", "turn", "turns", "struggle", "struggles"]),
    "away": frozenset(["from", "until", "till", "next", "on", "for"]),
    "resign": frozenset[str](),
}
"""Words that show that the first word of a line is an order."""
HAPPENS = re.compile(
    r"\b(?:pass(?:es|ed)?|plays|played|acts|acted|contested|unstable|struggle|(?:goes|went|falls|fell)\s+to"
    r"|(?:won|controlled)\s+by)\b",
    re.IGNORECASE,
)
DONE = re.compile(r"\W*(?:(?:then|else)\W+)*(?:stop|ask(?:\s+me)?|pass)(?=\s*(?:\W*$|[;.,()]))", re.IGNORECASE)
"""What a plan does, at the start of what stands behind its colon."""
OTHERWISE = re.compile(r"\b(?:else|otherwise)\b\W*(?:stop|pass|ask|if)\b|(?:\bstop|\bask\s+me)\W*$", re.IGNORECASE)
SAID = re.compile(r"(?:say|tell|press)\b\W{1,3}(?P<to>to\b)?\s*(?P<whom>[^:]{0,40}):", re.IGNORECASE)
SAID_TO = re.compile(r"(?:say|tell|press)\s+to\s+(?P<whom>.+)", re.IGNORECASE)
DAY = re.compile(r"\b\d{4}\b|\d[./-]\d")
RULE_ID = re.compile(r"\S+\s+\w+\.\w")
GIVES_UP = re.compile(
    r"I(?:['’]ll|\s+(?:will|would\s+like\s+to|want\s+to|have\s+to))?\s+(pass|resign)\W*", re.IGNORECASE
)
"""Sentences that name what they ask for; they are answered with how it is written."""


class Sense:
    """Judges the lines of a game with these players."""

    def __init__(self, turns: TurnReader, people: People) -> None:
        board = turns.game.board
        self.turns, self.people = turns, people
        self.cards = frozenset(name.casefold() for name in (*turns.game.cards, *turns.game.absent))
        self.own = frozenset(name.casefold() for name in turns.game.cards)
        self.starts = tuple({word for card in turns.game.cards for word in card.casefold().split()})
        self.regions = tuple(word.casefold() for region in board.regions for word in region.name.split())
        self.codes = frozenset(region.code.casefold() for region in board.regions)
        self.letters = frozenset(faction.letter for faction in board.factions)

    def surely(self, kind: str, text: str) -> bool:  # noqa: PLR0911 - one for each kind
        """Whether a line of a kind that cannot be read was meant as an order."""
        text = text[:LONGEST_LOOK]
        words = _words(text)
        if not words:
            return False
        if kind == "turn":
            return self.is_turn(text)
        if kind == "plan":
            return self._is_plan(text)
        if kind == "standing":
            return (words[0].startswith("pass") and len(words) <= MOST_OF_A_WISH) or len(words) <= MOST_OF_A_PAIR
        if kind == "say":
            return self._is_said(text)
        if kind == "draft":
            rest = text[len("draft") :].lstrip(" :")
            return not rest or len(words) <= MOST_OF_A_PAIR or self.is_turn(rest) or self._is_plan(rest)
        if kind == "away" and DAY.search(text):
            return True
        if kind in WISHED:
            return len(words) <= MOST_OF_A_PAIR or (
                len(words) <= MOST_OF_A_WISH and (not WISHED[kind].isdisjoint(words) or any(map(str.isdigit, text)))
            )
        if kind in QUESTIONS.values():
            return self._is_question(kind, words, text)
        return self._is_slip(words, text) or bool(self.behind(text) or GIVES_UP.fullmatch(text.strip()))

    # -- turns --------------------------------------------------------------------------------------------

    def is_turn(self, text: str) -> bool:
        """Whether a line was meant as a turn.

        It begins with `pass`, and what follows makes no sentence of it; or with a card, whole, shortened or with an
        error, and shows a sign of a turn: an arrow, a summons, a region, followers, or hardly another word.
        """
        words = _words(text)
        signs = any(sign in text.casefold() for sign in ARROWS)
        if not words:
            return False
        if words[0] == "pass":
            return self._is_pass(text, words, signs=signs)
        groups = any(set(word) <= self.letters for word in WORD.findall(text)[1:])
        place = not {*self.regions}.isdisjoint(words[1:]) or (groups and not self.codes.isdisjoint(words[1:]))
        if words[0] in {"summon", "summons"} or words[:2] == ["no", "summon"]:
            short = len(words) <= MOST_OF_A_PASS and any({*word.upper()} <= self.letters for word in words[1:])
            return signs or place or groups or short or words[-1].startswith("summon")
        if words[0] in self.cards or " ".join(words[:2]) in self.cards:
            return signs or self._is_played(text, words[1 if words[0] in self.cards else 2 :])
        if any(start.startswith(words[0]) for start in self.starts):
            return signs or (place and groups) or (len(words) == 1 and len(words[0]) >= SHORTEST_START)
        return self._is_like_card(words, signs=signs or place)

    def _is_played(self, text: str, rest: list[str]) -> bool:
        """Whether what stands behind a card's name soon names followers, a region or, for Spy, a player."""
        soon = rest[:SOON]
        groups = any({*word} <= self.letters for word in WORD.findall(text)[1 : SOON + 1])
        named = text.lower().lstrip().startswith("spy") and bool(rest) and self.people.seat(rest[0]) is not None
        coded = sum(word in self.codes for word in soon) > 1 or (len(rest) == 1 and rest[0] in self.codes)
        return not rest or groups or named or coded or any(map(self._is_like_region, soon))

    def _is_pass(self, text: str, words: list[str], *, signs: bool) -> bool:
        if len(words) == 1 or signs or PAUSE.match(text.lstrip()):
            return True
        return len(words) <= MOST_OF_A_PASS and words[1] not in PASSED_ON

    def _is_like_region(self, word: str) -> bool:
        return len(word) >= SHORTEST_SLIP and bool(get_close_matches(word, self.regions, 1, LIKE_REGION))

    def _is_like_card(self, words: list[str], *, signs: bool) -> bool:
        """Whether a line begins with a card's name, or a pass, with an error in it."""
        names = [*(self.cards if signs else self.own), "pass", "summon"]
        firsts = [first for first in (words[0], " ".join(words[:2])) if len(first) >= SHORTEST_SLIP]
        if signs:
            return any(get_close_matches(first, names, 1, LIKE_CARD) for first in firsts)
        if len(words) > MOST_OF_A_PAIR or not firsts:
            return False
        whole = " ".join(words[:1] if words[-1] in POLITE else words)
        long = len(whole) >= SHORTEST_LONG and get_close_matches(whole, names, 1, LIKE_LONG_CARD)
        return bool(long) or any(is_slip(whole, name) for name in names)

    # -- plans and words ----------------------------------------------------------------------------------

    def _is_plan(self, text: str) -> bool:
        """Whether a line was meant as a plan: something happens and something is done about it, or it shows an arrow."""
        inner = text.lstrip(" (")
        if inner != text.lstrip():
            return bool(DONE.match(inner)) or self.is_turn(inner) or self._is_plan(inner)
        if any(sign in text.casefold() for sign in ARROWS):
            return True
        before, colon, behind = text.partition(":")
        if colon and (HAPPENS.search(before) or self._is_done(behind)):
            return True
        if HAPPENS.search(text) and OTHERWISE.search(text):
            return True
        words = _words(text)
        if words[:1] == ["if"]:
            return len(words) <= MOST_OF_A_PASS and bool(HAPPENS.search(text)) and self._is_known(text)
        first = re.split(r"[;,.\s]+then\b", text, maxsplit=1, flags=re.IGNORECASE)[0]
        return first != text and (bool(DONE.match(first)) or self.is_turn(first) or words[:1] == ["stop"])

    def _is_done(self, text: str) -> bool:
        """Whether a text begins with something that a plan does."""
        words = WORD.findall(text)[:2]
        named = any(isinstance(self.turns.cards.find(" ".join(words[:count])), str) for count in (1, 2) if words)
        plan = text.strip(" (").casefold().startswith("if ")
        short = named and len(_words(text)) <= MOST_OF_A_PAIR
        return bool(DONE.match(text)) or plan or short or self.is_turn(text.strip())

    def _is_known(self, text: str) -> bool:
        """Whether the word behind the first is a player, some player, or a region."""
        words = re.findall(r"[^\W_]+", text)[1:3]
        known = {
            *ANY_WORDS,
            *EVERY_WORDS,
            *self.regions,
            *(word for n in self.people.names for word in single(n).split()),
        }
        return any(word.casefold() in known or self.people.seat(word) is not None for word in words[:1])

    def _is_said(self, text: str) -> bool:
        """Whether a line was meant as words to players: a colon shows it, or whom they are for."""
        found = SAID.match(text)
        if found:
            short = len(_words(found["whom"])) <= MOST_OF_A_LABEL and not text.casefold().startswith("press")
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
        return kind == "help" and len(rest) == 1 and any(is_slip(rest[0], topic) for topic in TOPICS)

    def _is_slip(self, words: list[str], text: str) -> bool:
        """Whether a line begins with a slip of the first word of an order, or with half a plan, and goes on like one."""
        rest = text.lstrip()[len(words[0]) :]
        if words[0] in {"stop", "quit", "surrender"}:
            return len(words) == 1
        if words[0] in {"when", "whenever", "unless"}:
            return ":" in text and self._is_plan(f"if{rest}")
        if words[0] in {"else", "otherwise", "then"}:
            return self._is_done(rest)
        if self.is_turn(text):
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
        return kind in WISHED and len(words) <= MOST_OF_A_WISH and not WISHED[kind].isdisjoint(words[1:])

    def behind(self, text: str) -> str:
        """The turn behind a few words and a colon, as in `My move: Pass`; "" where there is none."""
        before, colon, behind = text.rpartition(":")
        turn = behind.strip(" *_`\"'")
        few = colon and 0 < len(before.split()) <= MOST_OF_A_LABEL and len(turn) > MOST_OF_A_LABEL - 1
        if not few or not self.is_turn(turn):
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


def _words(text: str) -> list[str]:
    return WORD.findall(text.casefold())
