"""A decision as a row of small choices: the words of its text in the notation, one after the other.

`Manoeuvre S Moray <> E Devon` is five choices: the card, whom to take, from where, for whom, from where. What may be
chosen next follows from the legal moves alone; a word that is the only one possible is chosen without asking.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from attrs import define, evolve, field, frozen

from tkid.adapters.plugin import adapters_plugin
from tkid.kernel.game import AnyGame, Position
from tkid.rulebook.rulesets import ruleset

MARKS = r"\{\d+\}|[^\W\d_]+|-"
"""Words that are no names: seats, groups of followers, small words, and the sign for nobody."""
SILENT = frozenset({"summon"})
"""Words that are left out, because they never make a difference."""
MOST_WORDS = 12
"""No decision has more choices."""


@frozen(eq=False)
class Vocabulary:
    """The words of a game for a number of players, and how a move is divided into them."""

    game: AnyGame
    players: int
    words: tuple[str, ...] = field(init=False)
    split: Any = field(init=False)

    @words.default
    def _(self) -> tuple[str, ...]:
        return adapters_plugin(self.game).words(self.game, self.players)

    @split.default
    def _(self) -> Any:
        names = sorted(adapters_plugin(self.game).names(self.game), key=len, reverse=True)
        word = re.compile("|".join([*map(re.escape, names), MARKS]))
        number = {each: index for index, each in enumerate(self.words)}

        def divided(text: str) -> tuple[int, ...]:
            return tuple([number[each] for each in word.findall(text) if each not in SILENT])

        return lru_cache(1 << 16)(divided)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is the same vocabulary, also in another process."""
        return vocabulary, (self.game.code, self.players)

    def of(self, move: Any) -> tuple[int, ...]:
        """A move as the indices of its words."""
        divided: tuple[int, ...] = self.split(self.game.words.move(move))
        return divided


@cache
def vocabulary(code: str, players: int) -> Vocabulary:
    """The words of a ruleset for a number of players. Raises LookupError for a ruleset or a number that there is none of."""
    game = ruleset(code).game()
    if players not in game.parties:
        raise LookupError(f"{code} is for {', '.join(map(str, game.parties))} players, not {players}")
    return Vocabulary(game, players)


@define
class Choosing:
    """A decision on its way: the words chosen so far, and the legal moves that begin with them.

    Attributes:
        chosen: The indices of the words chosen.
        left: What remains possible: the words of each move, and the move.
    """

    chosen: tuple[int, ...]
    left: Sequence[tuple[tuple[int, ...], Any]]

    @classmethod
    def at(cls, vocabulary: Vocabulary, position: Position) -> Choosing:
        """The beginning of a decision."""
        return cls((), [(vocabulary.of(move), move) for move in vocabulary.game.legal(position)])

    @property
    def options(self) -> tuple[int, ...]:
        """The words that may be chosen next, in the order of the vocabulary; () where the decision is made."""
        place = len(self.chosen)
        return tuple(sorted({words[place] for words, _ in self.left if len(words) > place}))

    @property
    def move(self) -> Any | None:
        """The move, once all its words are chosen."""
        whole = [move for words, move in self.left if words == self.chosen]
        return whole[0] if whole and not self.options else None

    def choose(self, word: int) -> Choosing:
        """The decision with one word more, and those after it that are the only ones possible.

        Raises:
            ValueError: no legal move goes on with this word.
        """
        if word not in self.options:
            raise ValueError(f"the word {word} cannot be chosen here")
        place = len(self.chosen)
        further = [(words, move) for words, move in self.left if words[place : place + 1] == (word,)]
        after = evolve(self, chosen=(*self.chosen, word), left=further)
        options = after.options
        return after.choose(options[0]) if len(options) == 1 else after
