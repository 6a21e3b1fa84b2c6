"""Players as orders name them: by name, capitals aside, or by the number of the seat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal
from unicodedata import normalize

from attrs import field, frozen

from tkid.notation.text import folded, plain
from tkid.notation.vocabulary import Vocabulary, listed

Who = int | Literal["anyone", "everyone"]
"""A seat, any other player, or all of them."""
ANYONE: Literal["anyone"] = "anyone"
EVERYONE: Literal["everyone"] = "everyone"
MASK = "\ue000"
"""Stands for each character of a name while a line is taken apart."""
ANY_WORDS = frozenset({
    "anyone", "anybody", "someone", "somebody", "anyone else", "anybody else", "someone else", "somebody else",
    "any player", "any other player", "another player",
})  # fmt: skip
EVERY_WORDS = frozenset({
    "everyone", "everybody", "everyone else", "everybody else", "all", "all others", "all players", "every player",
    "all other players", "every other player",
})  # fmt: skip
EVERYBODY = frozenset({"all", "everyone", "everybody"})
"""To whom words may go besides a player."""
RESERVED = frozenset({
    "if", "then", "else", "otherwise", "and", "or", "is", "was", "has", "becomes", "gets", "goes", "went", "falls", "fell",
    "turns", "to", "pass", "passes", "passed", "passing", "play", "plays", "played", "act", "acts", "acted", "takes", "stop",
    "ask", "until", "till", "anyone", "anybody", "someone", "somebody", "everyone", "everybody", "any", "every", "all", "no",
    "not", "nobody", "i", "me",
})  # fmt: skip
"""Words that mean something in a condition. A player whose name holds one is written by number there."""
NUMBER = re.compile(r"(?:(?:seat|player)\s*)?#?\s*([0-9]{1,2})", re.IGNORECASE)


def single(text: str) -> str:
    """A name for comparing: plain characters, small letters, single spaces."""
    return " ".join(folded(plain(text)).split())


@frozen
class People:
    """The players of a game, by name in turn order; `reserved` are words that mean something in a condition."""

    names: tuple[str, ...]
    reserved: frozenset[str] = RESERVED
    _seats: dict[str, int] = field(init=False)
    _pattern: re.Pattern[str] | None = field(init=False)

    @_seats.default
    def _(self) -> dict[str, int]:
        return {single(name): seat for seat, name in enumerate(self.names)}

    @_pattern.default
    def _(self) -> re.Pattern[str] | None:
        names = sorted((name for name in self.names if not self.is_reserved(name)), key=len, reverse=True)
        forms = dict.fromkeys(normalize(form, plain(name)) for name in names for form in ("NFC", "NFD"))
        written = (r"\s+".join(map(re.escape, name.split())) for name in forms)
        either = "|".join(f"(?:{name})" for name in written if name)
        return re.compile(rf"(?<!\w)(?:{either})(?![\w\u0300-\u036f])", re.IGNORECASE) if either else None

    def masked(self, text: str) -> str:
        """A plain text in which every name is a single word of the same width; the longest name that fits."""
        return self._pattern.sub(lambda name: MASK * len(name[0]), text) if self._pattern else text

    def seat(self, typed: str) -> int | None:
        """The seat of a name or a number."""
        seat = self._seats.get(single(typed))
        if seat is not None:
            return seat
        number = NUMBER.fullmatch(plain(typed).strip())
        return int(number[1]) - 1 if number and 0 < int(number[1]) <= len(self.names) else None

    def who(self, typed: str) -> Who | None:
        """The player or players that a condition is about."""
        text = single(typed)
        if text in ANY_WORDS:
            return ANYONE
        return EVERYONE if text in EVERY_WORDS else self.seat(typed)

    def written(self, who: Who) -> str:
        """A player as an order names one: a name that cannot be misread, else the number of the seat."""
        if isinstance(who, str):
            return who
        name = self.names[who]
        return str(who + 1) if self.is_reserved(name) or self.seat(name) != who else name

    def is_reserved(self, name: str) -> bool:
        """Whether a name holds a word that means something in a condition, or nothing that could be read at all."""
        words = single(name).split()
        return not words or any(word.strip(".,'\"!?()") in self.reserved for word in words)

    def hint(self, typed: str) -> str:
        """The way out where nobody has a name that was typed."""
        name = Vocabulary(dict.fromkeys(self.names), {}).find(plain(typed))
        if isinstance(name, str):
            return f"Did you mean {name}?"
        known = listed(f"{name} ({seat})" for seat, name in enumerate(self.names, 1))
        return name.hint() or f"The players are {known}. Write a name or a number."


def people(names: Sequence[str], reserved: Iterable[str] = ()) -> People:
    """The players of these names; `reserved` are further words, of the game's own conditions."""
    return People(tuple(names), RESERVED.union(reserved))
