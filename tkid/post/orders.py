"""Finding the order in a mail: which line asks for a turn, and what the other lines are.

A mail of ours is answered, so its marker line decides: where it stands bare, reading stops; what is quoted is
skipped. A line is an order if it reads as a turn, or if it begins like one and fails; never is one guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from attrs import define, field, frozen

from tkid.games.struggle.game import PASS, Struggle
from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import plain, single_spaced
from tkid.notation.turns import ReadTurn
from tkid.post.marker import is_marker, is_ours, read_id, read_marker
from tkid.post.model import IDS, Intake, Line, Marker, Orders
from tkid.post.spelling import bare, lettered, meant, plain_ends
from tkid.rulebook import cites

LONGEST_LINE = 300
MOST_LINES = 1000
"""Own lines that are looked at; a person writes fewer."""
MOST_READINGS = 200
"""Lines that are tried as a turn: reading one that fails takes milliseconds."""
MOST_JOINED = 3
MOST_SUMMONING = 4
"""Words of a line that may be a summons with an error in it; a longer one is a sentence."""
MOST_OF_A_NAME = 5
"""Words of a line that begins with a card's name and may be a broken order; a longer one without a sign is a sentence."""
SHORTEST_PASS = 3
LONG_LINE = IDS("long-line")

WORD = re.compile(r"[^\W\d_]+")
SUMMONS = re.compile(r"\W{0,3}(?:no )?summon", re.IGNORECASE)
SIGNS = ("<>", "<->", "<=>", "->", " > ", "↔", "⇄", "⇆", "⟷", "→", "⇒", "⟶", "; summon", ";summon", "; no summon")
SIGNATURES = {"--", "-- "}
CLOSE = 0.75


@frozen
class Eye:
    """Tells at a glance whether a line may be a turn. `read` reads a turn, as `TurnReader.turn` does."""

    read: Callable[[str], ReadTurn]
    cards: tuple[str, ...]
    regions: frozenset[str]
    letters: frozenset[str]
    starts: tuple[str, ...]

    @classmethod
    def of(cls, game: Struggle, read: Callable[[str], ReadTurn]) -> Eye:
        """The eye for a game."""
        cards = (*(name.casefold() for name in game.cards), "pass", "summon")
        words = {word for region in game.board.regions for word in (region.code, *region.name.split())}
        starts = tuple({word for card in cards for word in card.split()} | {"no"})
        letters = frozenset(faction.letter.casefold() for faction in game.board.factions)
        return cls(read, cards, frozenset(map(str.casefold, words)), letters, starts)

    def may_be(self, text: str) -> bool:
        """Whether a line's first word begins like a card's, or is close to one: only then is it read."""
        words = _words(text)
        return bool(words) and (any(start.startswith(words[0]) for start in self.starts) or self._is_close(words))

    def understands(self, text: str) -> bool:
        """Whether a line reads as a turn. A pass is written out, so that initials under a mail are none."""
        if len(text) > LONGEST_LINE or not text:
            return False
        turn = self.read(text)
        return not turn.problems and not (turn.moves == (PASS,) and len("".join(_words(text))) < SHORTEST_PASS)

    def tries(self, text: str) -> bool:
        """Whether a line that does not read as a turn was clearly meant as one.

        It begins with `pass`; or with a whole name of a card, and is not a longer sentence without a sign of a
        turn, an arrow, a summons, a region (some names are words of every day); or with the start of a name, or
        something close to one, and then shows such a sign, with followers, or hardly another word.
        """
        words = _words(text)
        if not words:
            return False
        signs = any(sign in text.casefold() for sign in SIGNS)
        place = not self.regions.isdisjoint(words[1:])
        if words[0] in self.cards or " ".join(words[:2]) in self.cards:
            return signs or place or words[0] == "pass" or len(words) <= MOST_OF_A_NAME
        if any(start.startswith(words[0]) for start in self.starts):
            group = any(set(word) <= self.letters for word in words[1:])
            return signs or (place and group) or (len(words) == 1 and len(words[0]) > 2)
        return self._is_close(words) and (signs or place or len(words) <= 2)

    def _is_close(self, words: list[str]) -> bool:
        firsts = [first for first in (words[0], " ".join(words[:2])) if len(first) > 3]
        return any(get_close_matches(first, self.cards, n=1, cutoff=CLOSE) for first in firsts)


def _words(text: str) -> list[str]:
    return WORD.findall(plain(text[:LONGEST_LINE]).casefold())


@define
class _Finder:
    """Reads down the lines of one mail."""

    eye: Eye
    lines: Sequence[Line]
    at: int = 0
    own: int = 0
    readings: int = 0
    signed: bool = False
    quoting: bool = False
    orders: list[str] = field(factory=list)
    remark: list[str] = field(factory=list)
    marker: Marker | None = None

    def run(self) -> None:
        """Read down to a bare marker or heading of ours, or to the end."""
        while self.at < len(self.lines) and self.own < MOST_LINES:
            line = self.lines[self.at]
            if self.marker is None and is_marker(line.text):
                self.marker = read_marker(self.lines, self.at)
            if line.quoted:
                self._leave()
                self.signed = False
            elif is_ours(line.text):
                self._leave()
                return
            elif line.text in SIGNATURES:
                self.signed = True
            elif not self.signed and line.text.strip():
                self.own += 1
                self.quoting = False
                self._own(line.text)
                continue
            self.at += 1

    def _leave(self) -> None:
        """At the first line of a quotation: what introduces it is no remark."""
        if not self.quoting:
            self.remark = without_introduction(self.remark)
        self.quoting = True

    def _own(self, line: str) -> None:
        """Take a line of the sender's: an order with the lines that belong to it, or a remark."""
        self.at += 1
        tried = ("", 0)
        for spelled in self._spellings(line):
            text = spelled(line)
            if self.readings >= MOST_READINGS or not self.eye.may_be(text):
                continue
            self.readings += 1
            order, following = self._whole(text, spelled)
            if self.eye.understands(order):
                return self._take(order, following)
            if spelled is not lettered:
                tried = (order, following)
        if self.eye.tries(tried[0]):
            return self._take(*tried)
        if stripped := plain_ends(line):
            self.remark.append(stripped)
        return None

    def _spellings(self, line: str) -> list[Callable[[str], str]]:
        """The ways to spell a line: as it is typed, and others where they make a difference to it or the next ones."""
        following = (following.text for following in self.lines[self.at : self.at + MOST_JOINED])
        window = [text[:LONGEST_LINE] for text in (line, *following)]
        others = (each for each in (meant, lettered) if any(each(text) != bare(text) for text in window))
        return [bare, *others] if len(line) <= LONGEST_LINE else [bare]

    def _take(self, order: str, following: int) -> None:
        self.orders.append(order)
        self.at = following

    def _whole(self, text: str, spelled: Callable[[str], str]) -> tuple[str, int]:
        """A turn with what a mail program has broken off, and the index of the line after it."""
        text, at = self._mended(text, spelled)
        for _ in range(MOST_JOINED - 1):
            following = at
            while following < len(self.lines) and self._is_blank(following) and following < at + 2:
                following += 1
            if following >= len(self.lines) or not self._is_own(following):
                break
            joined = self._join(text, spelled(self.lines[following].text), adjacent=following == at)
            if not joined:
                break
            text, at = joined, following + 1
        return text, at

    def _mended(self, text: str, spelled: Callable[[str], str]) -> tuple[str, int]:
        """A line with as few of the next ones as make it a turn; alone where none do."""
        joined, at = text, self.at
        for _ in range(MOST_JOINED):
            if self.eye.understands(joined):
                return joined, at
            if at >= len(self.lines) or not self._is_own(at):
                break
            joined, at = f"{joined} {spelled(self.lines[at].text)}", at + 1
        return text, self.at

    def _join(self, text: str, more: str, *, adjacent: bool) -> str:
        """A turn with the line that continues it, "" where it does not."""
        if SUMMONS.match(more) and (self.eye.understands(more.lstrip("; ")) or len(_words(more)) <= MOST_SUMMONING):
            return f"{text} {more}" if text.endswith(";") else f"{text}; {more.lstrip('; ')}"
        joined = f"{text} {more}"
        goes_on = text.endswith(";") or (text.endswith(",") and adjacent and self.eye.tries(joined))
        return joined if goes_on else ""

    def _is_blank(self, at: int) -> bool:
        line = self.lines[at]
        return not line.quoted and not line.text.strip()

    def _is_own(self, at: int) -> bool:
        line = self.lines[at]
        return not (line.quoted or self._is_blank(at) or is_ours(line.text) or line.text in SIGNATURES)


def without_introduction(remark: list[str]) -> list[str]:
    """A remark without the lines that a mail program puts before a quotation (`On … wrote:`, `From: …`)."""
    kept = list(remark)
    if kept and kept[-1].endswith((":", "：")):
        kept.pop()
        if kept and "@" not in remark[-1] and any(sign in kept[-1] for sign in "<@") and len(kept[-1]) > 20:
            kept.pop()
        return kept
    header = len(kept)
    while header and ":" in kept[header - 1][:20]:
        header -= 1
    if len(kept) - header >= 3:
        kept = kept[:header]
    while kept and (kept[-1].startswith("---") or not any(c.isalnum() for c in kept[-1])):
        kept.pop()
    return kept


@cites("mail.order", "mail.remark")
def find_orders(mail: Intake, game: Struggle, read: Callable[[str], ReadTurn]) -> Orders:
    """What a mail asks for."""
    finder = _Finder(Eye.of(game, read), mail.lines)
    finder.run()
    marker = finder.marker or next((found for found in map(read_id, mail.parents[:1]) if found), None)
    first, *others = finder.orders or [""]
    others = [other for other in others if single_spaced(other).casefold() != single_spaced(first).casefold()]
    problems = (_too_long(first),) if len(first) > LONGEST_LINE else ()
    return Orders(first, problems, tuple(others), tuple(finder.remark), marker)


def _too_long(order: str) -> Problem:
    told = f"This line has {len(order)} characters; a turn has at most {LONGEST_LINE}"
    return Problem(Kind.SYNTAX, LONG_LINE, told, col=LONGEST_LINE + 1, length=1, hint="Put the turn on its own line.")
