"""The signs of a turn or a plan of the game: what shows that a line was meant as one, although it cannot be read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tkid.games.struggle.notation.turn_reader import TurnReader
from tkid.games.struggle.rules.game import PASS
from tkid.notation.people import People
from tkid.notation.turns import ReadTurn
from tkid.orders import thresholds
from tkid.orders.thresholds import POLITE, WORD, is_like, is_short_pass, is_slip, words_of
from tkid.rulebook import cites

ARROWS = ("<>", "<->", "<=>", "->", " > ", "↔", "⇄", "⇆", "⟷", "→", "⇒", "⟶", "; summon", ";summon", "; no summon")
PASSED_ON = frozenset({
    "a", "an", "that", "the", "these", "those", "my", "your", "her", "him", "his", "its", "it", "our", "us", "their", "them",
    "me", "along", "around", "by", "in", "on", "over", "through", "to",
})  # fmt: skip
"""Words behind `pass` that make a sentence of it: `pass the salt`."""
PAUSE = re.compile(r"pass\s*[,.;:!?()–—-]", re.IGNORECASE)
WHOLE_PASS = len("pass")
"""Letters of a pass that passes at once, where it stands in a mail; a shorter one may be somebody's initials."""
HAPPENS = (
    r"\b(?:pass(?:es|ed)?|plays|played|acts|acted|contested|unstable|struggle|(?:goes|went|falls|fell)\s+to"
    r"|(?:won|controlled)\s+by|{lost})\b"
)
DONE = re.compile(r"\W*(?:(?:then|else)\W+)*(?:stop|ask(?:\s+me)?|pass)(?=\s*(?:\W*$|[;.,()]))", re.IGNORECASE)
"""What a plan does, at the start of what stands behind its colon."""
OTHERWISE = re.compile(r"\b(?:else|otherwise)\b\W*(?:stop|pass|ask|if)\b|(?:\bstop|\bask\s+me)\W*$", re.IGNORECASE)


class StruggleSigns:
    """What shows turns and plans of a game with these players."""

    signs: Sequence[str] = ARROWS
    done, otherwise = DONE, OTHERWISE

    def __init__(self, turns: TurnReader, people: People) -> None:
        board = turns.game.board
        self.people = people
        self.happens = re.compile(HAPPENS.format(lost=board.terms.lost), re.IGNORECASE)
        own = [name.casefold() for name in turns.game.cards]
        absent = [name.casefold() for name in turns.game.absent]
        self.own, self.cards = frozenset(own), frozenset([*own, *absent])
        self.beginnings: Sequence[str] = (*own, *absent, "pass", "summon")
        self.starts = tuple({word for name in own for word in name.split()})
        self.known: Sequence[str] = tuple(word.casefold() for region in board.regions for word in region.name.split())
        self.codes = frozenset(region.code.casefold() for region in board.regions)
        self.letters = frozenset(faction.letter for faction in board.factions)

    def goes_on(self, words: Sequence[str]) -> bool:
        """Whether a line begins like a summons."""
        return words[:1] in (["summon"], ["summons"]) or words == ["no", "summon"]

    @cites("notation.free.short-pass")
    def is_written_out(self, read: ReadTurn, letters: int) -> bool:
        """Whether a turn is surely one: a pass is written out."""
        return read.moves != (PASS,) or letters >= WHOLE_PASS

    def is_standing(self, words: Sequence[str]) -> bool:
        """Whether a line that begins like a standing order was meant as one."""
        most = thresholds.MOST_OF_A_WISH if words[0].startswith("pass") else thresholds.MOST_OF_A_PAIR
        return len(words) <= most

    def is_turn(self, text: str) -> bool:
        """Whether a line was meant as a turn.

        It begins with `pass`, and what follows makes no sentence of it; or with a card, whole, shortened or with an
        error, and shows a sign of a turn: an arrow, a summons, a region, followers, or hardly another word.
        """
        words = words_of(text)
        signs = any(sign in text.casefold() for sign in ARROWS)
        if not words:
            return False
        if words[0] == "pass":
            return signs or PAUSE.match(text.lstrip()) is not None or is_short_pass(words, PASSED_ON)
        groups = any(set(word) <= self.letters for word in WORD.findall(text)[1:])
        place = not {*self.known}.isdisjoint(words[1:]) or (groups and not self.codes.isdisjoint(words[1:]))
        if words[0] in {"summon", "summons"} or words[:2] == ["no", "summon"]:
            small = any({*word.upper()} <= self.letters for word in words[1:])
            short = small and len(words) <= thresholds.MOST_OF_A_PASS
            return signs or place or groups or short or words[-1].startswith("summon")
        if words[0] in self.cards or " ".join(words[:2]) in self.cards:
            return signs or self._is_played(text, words[1 if words[0] in self.cards else 2 :])
        if any(start.startswith(words[0]) for start in self.starts):
            return signs or (place and groups) or (len(words) == 1 and len(words[0]) >= thresholds.SHORTEST_START)
        return self._is_like_card(words, signs=signs or place)

    def _is_played(self, text: str, rest: list[str]) -> bool:
        """Whether what stands behind a card's name soon names followers, a region or, for Spy, a player."""
        soon = rest[: thresholds.SOON]
        groups = any({*word} <= self.letters for word in WORD.findall(text)[1 : thresholds.SOON + 1])
        named = text.lower().lstrip().startswith("spy") and bool(rest) and self.people.seat(rest[0]) is not None
        coded = sum(word in self.codes for word in soon) > 1 or (len(rest) == 1 and rest[0] in self.codes)
        return not rest or groups or named or coded or any(map(self._is_like_region, soon))

    def _is_like_region(self, word: str) -> bool:
        return len(word) >= thresholds.SHORTEST_LIKE and is_like(word, self.known)

    def _is_like_card(self, words: list[str], *, signs: bool) -> bool:
        """Whether a line begins with a card's name, or a pass, with an error in it."""
        names = [*(self.cards if signs else self.own), "pass", "summon"]
        firsts = [first for first in (words[0], " ".join(words[:2])) if len(first) >= thresholds.SHORTEST_LIKE]
        if signs:
            return any(is_like(first, names) for first in firsts)
        if len(words) > thresholds.MOST_OF_A_PAIR or not firsts:
            return False
        whole = " ".join(words[:1] if words[-1] in POLITE else words)
        long = len(whole) >= thresholds.SHORTEST_LIKE_ALONE and is_like(whole, names, thresholds.LIKE_ALONE)
        return long or any(is_slip(whole, name) for name in names)
