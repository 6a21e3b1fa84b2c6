"""Reads decisions that are written as the program writes them, without the grammar: most of those in a game file.

A text is guessed at, and the guess is kept if the writer makes the same text of it. So nothing is read here in another way
than by the grammar, and what is not understood here is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from tkid.games.struggle.rules.board import Followers
from tkid.games.struggle.rules.game import PASS, Struggle
from tkid.games.struggle.rules.moves import Exchange, Move, Place, Play, Resolution, Shift, Spread, Summon, Swap
from tkid.kernel.ladder import NOTHING

SUMMON = "summon "
DECISIONS_REMEMBERED = 1 << 16


class ExactReader:
    """Reads the decisions of a game as they are written."""

    def __init__(self, game: Struggle) -> None:
        self.game = game
        self.decision = lru_cache(DECISIONS_REMEMBERED)(self._decision)
        """The move that is written like a text; None where the grammar has to read it."""
        self.regions = {region.name: index for index, region in enumerate(game.board.regions)}
        self.letters = {faction.letter: index for index, faction in enumerate(game.board.factions)}
        names = "|".join(re.escape(name) for name in sorted(game.cards, key=len, reverse=True))
        self.card = re.compile(rf"({names}) ")

    def _decision(self, text: str) -> Move | None:
        try:
            move = self._guess(text)
        except (KeyError, ValueError):
            return None
        return move if move is not None and self.game.words.move(move) == text else None

    def group(self, letters: str) -> Followers:
        """Followers by their letters."""
        return tuple([letters.count(letter) for letter in self.letters])

    def _guess(self, text: str) -> Move | None:
        if text.startswith(SUMMON):
            letter, region = text.removeprefix(SUMMON).split(" ", 1)
            return Summon(self.letters[letter], self.regions[region])
        card = self.card.match(text)
        if card is None:
            return PASS
        rest = text[card.end() :]
        guess = GUESSES.get(self.game.cards[card[1]].form)
        if guess is None:
            return None
        return Play(card[1], NOTHING if rest == "nothing" else guess(self, rest))


def _place(read: ExactReader, text: str) -> Place:
    group, region = text.split(" ", 1)
    return Place(read.group(group), read.regions[region])


def _spread(read: ExactReader, text: str) -> Spread:
    placed: list[int | None] = [None] * len(read.letters)
    for item in text.split(", "):
        letter, region = item.split(" ", 1)
        placed[read.letters[letter]] = read.regions[region]
    return Spread(tuple(placed))


def _exchange(read: ExactReader, text: str) -> Exchange:
    regions, disc = text.split(", ")
    first, second = regions.split(" <> ")
    return Exchange(
        read.regions[first],
        read.regions[second],
        None if disc == "no disc" else read.regions[disc.removeprefix("disc ")],
    )


def _swap(read: ExactReader, text: str) -> Swap:
    (give, left), (take, right) = (side.split(" ", 1) for side in text.split(" <> "))
    return Swap(read.regions[left], read.regions[right], read.group(give), read.group(take))


def _shift(read: ExactReader, text: str) -> Shift:
    group, way = text.split(" ", 1)
    origin, target = way.split(" > ")
    return Shift(read.group(group), read.regions[origin], read.regions[target])


GUESSES: Mapping[str, Callable[[ExactReader, str], Resolution]] = {
    "place": _place,
    "spread": _spread,
    "exchange": _exchange,
    "swap": _swap,
    "shift": _shift,
}
"""What reads the resolutions of a form; the grammar reads the others."""
