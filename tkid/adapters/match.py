"""A game as small numbered choices, for programs that learn.

`Manoeuvre S Moray <> E Devon` is five choices: the card, whom to take, from where, for whom, from where. What may be
chosen next follows from the legal moves alone; a word that is the only one possible is chosen without asking.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import prod
from typing import Any

from attrs import define, evolve, field, frozen

from tkid.kernel.game import HIDDEN, AnyGame, AnyView, Position
from tkid.kernel.plugins import find_plugin
from tkid.rulebook.rulesets import ruleset


@frozen
class Layout:
    """The layout of an observation's `size` numbers: named blocks in order, each with its shape, row by row."""

    blocks: Mapping[str, tuple[int, ...]]
    size: int = field(init=False)

    @size.default
    def _(self) -> int:
        return sum(map(prod, self.blocks.values()))

    def join_values(self, values: Mapping[str, Sequence[float]]) -> list[float]:
        """Return all numbers in one row. Raises ValueError if a block is missing or has another size."""
        numbers: list[float] = []
        for name, shape in self.blocks.items():
            if len(values[name]) != prod(shape):
                raise ValueError(f"{name} has {len(values[name])} numbers, not {prod(shape)}")
            numbers.extend(values[name])
        return numbers


class AdaptersPlugin:
    """A game for programs that learn. Without a game's own, a decision is a card, and only the hands are seen."""

    def list_words(self, game: Any, players: int) -> tuple[str, ...]:
        """Return all words that decisions are made of, including names; a choice is the index of a word."""
        return tuple(game.cards)

    def make_layout(self, game: Any, players: int) -> Layout:
        """Return the blocks of an observation."""
        return Layout({"hands": (players, len(game.cards) + 1)})

    def observe(self, game: Any, view: AnyView) -> Mapping[str, Sequence[float]]:
        """Return the numbers of each block for a seat's view; seats count from the viewer on."""
        return {"hands": self.count_cards(game, view, view.shown.hands)}

    def count_cards(self, game: Any, view: AnyView, piles: Sequence[Sequence[str]]) -> list[float]:
        """Count the cards of each kind, hidden ones last, in the pile of each seat from the viewer on."""
        own = view.seat or 0
        return [float(pile.count(kind)) for pile in (*piles[own:], *piles[:own]) for kind in (*game.cards, HIDDEN)]


def find_adapters_plugin(game: AnyGame) -> AdaptersPlugin:
    return find_plugin(game.name, "adapters", AdaptersPlugin)


MARKS = r"\{\d+\}|[^\W\d_]+|-"
"""Words that are no names: seats, groups of followers, small words, and the sign for nobody."""
SILENT = frozenset({"summon"})
"""Words that are left out, because they never make a difference."""
MOST_WORDS = 12
"""Maximum number of choices in a decision."""


@frozen(eq=False)
class Vocabulary:
    """The words of a game for a number of players, and how a move is divided into them."""

    game: AnyGame
    players: int
    words: tuple[str, ...] = field(init=False)
    split: Any = field(init=False)

    @words.default
    def _(self) -> tuple[str, ...]:
        return find_adapters_plugin(self.game).list_words(self.game, self.players)

    @split.default
    def _(self) -> Any:
        names = sorted((each for each in self.words if not re.fullmatch(MARKS, each)), key=len, reverse=True)
        word = re.compile("|".join([*map(re.escape, names), MARKS]))
        number = {each: index for index, each in enumerate(self.words)}

        def divided(text: str) -> tuple[int, ...]:
            return tuple([number[each] for each in word.findall(text) if each not in SILENT])

        return lru_cache(1 << 16)(divided)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a call: a copy is the same vocabulary, also in another process."""
        return make_vocabulary, (self.game.code, self.players)

    def split_move(self, move: Any) -> tuple[int, ...]:
        divided: tuple[int, ...] = self.split(self.game.words.write_move(move))
        return divided


@cache
def make_vocabulary(code: str, players: int) -> Vocabulary:
    """Return the words of a ruleset for a number of players. Raises LookupError if it isn't for so many."""
    game = ruleset(code).game()
    if players not in game.parties:
        raise LookupError(f"{code} is for {', '.join(map(str, game.parties))} players, not {players}")
    return Vocabulary(game, players)


@define
class Choosing:
    """A decision on its way: the indices of the words chosen, and the words and moves that remain possible."""

    chosen: tuple[int, ...]
    left: Sequence[tuple[tuple[int, ...], Any]]

    @classmethod
    def begin_decision(cls, vocabulary: Vocabulary, position: Position) -> Choosing:
        return cls((), [(vocabulary.split_move(move), move) for move in vocabulary.game.legal(position)])

    @property
    def options(self) -> tuple[int, ...]:
        """The words that may be chosen next, in the order of the vocabulary; () where the decision is made."""
        place = len(self.chosen)
        return tuple(sorted({words[place] for words, _ in self.left if len(words) > place}))

    @property
    def move(self) -> Any | None:
        whole = [move for words, move in self.left if words == self.chosen]
        return whole[0] if whole and not self.options else None

    def choose(self, word: int) -> Choosing:
        """Choose one more word, and those after it that are the only ones possible. Raises ValueError if none is."""
        if word not in self.options:
            raise ValueError(f"the word {word} cannot be chosen here")
        place = len(self.chosen)
        further = [(words, move) for words, move in self.left if words[place : place + 1] == (word,)]
        after = evolve(self, chosen=(*self.chosen, word), left=further)
        options = after.options
        return after.choose(options[0]) if len(options) == 1 else after


PREFIX = "chosen"
"""The block with the words chosen so far in the present decision: a row for each, with a 1 for its word."""
TURN = "to_act"
"""The block that says who decides: the viewer, the next seat, and so on."""


def make_full_layout(game: AnyGame, vocabulary: Vocabulary) -> Layout:
    """Return the blocks of an observation: those of the game, who decides, and the words chosen so far."""
    players = vocabulary.players
    blocks = find_adapters_plugin(game).make_layout(game, players).blocks
    return Layout({**blocks, TURN: (players,), PREFIX: (MOST_WORDS, len(vocabulary.words))})


@define
class Match:
    """A game that goes on: the position before the present decision, and those so far in words, seats as `{0}`."""

    vocabulary: Vocabulary
    position: Any
    choosing: Choosing = field(init=False)
    told: list[str] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.choosing = Choosing.begin_decision(self.vocabulary, self.position)

    @classmethod
    def deal_game(cls, vocabulary: Vocabulary, entropy: bytes) -> Match:
        game, players = vocabulary.game, vocabulary.players
        table = game.table(tuple(f"player {number}" for number in range(1, players + 1)))
        return cls(vocabulary, game.start(table, game.deal(players, entropy)))

    @property
    def game(self) -> AnyGame:
        return self.vocabulary.game

    @property
    def to_act(self) -> int | None:
        """The seat that chooses next; None when the game is over."""
        seat: int | None = self.position.to_act
        return seat

    @property
    def legal(self) -> tuple[int, ...]:
        return self.choosing.options

    def choose(self, word: int) -> None:
        """Choose a word; with the last one the decision is carried out. Raises ValueError for a word that is not legal."""
        self.choosing = self.choosing.choose(word)
        move = self.choosing.move
        if move is not None:
            self.told.append(self.game.words.write_move(move))
            self.position, _ = self.game.apply(self.position, move)
            self.choosing = Choosing.begin_decision(self.vocabulary, self.position)

    def compute_payoffs(self) -> list[float]:
        """Return each seat's win, 0 in all (winners share one stake from each); nothing while the game goes on."""
        winners, seats = self.position.winners, self.position.seats
        if self.to_act is not None or not winners:
            return [0.0 for _ in seats]
        return [len(seats) / len(winners) - 1 if seat in winners else -1.0 for seat in seats]

    def observe(self, seat: int) -> Mapping[str, Sequence[float]]:
        """Return the numbers of each block as a seat sees them: only what its view shows."""
        players, words = self.vocabulary.players, len(self.vocabulary.words)
        seen = dict(find_adapters_plugin(self.game).observe(self.game, self.game.view(self.position, seat)))
        chosen = [0.0] * (MOST_WORDS * words)
        for row, word in enumerate(self.choosing.chosen):
            chosen[row * words + word] = 1.0
        turn = [float(self.to_act is not None and (self.to_act - seat) % players == place) for place in range(players)]
        return {**seen, TURN: turn, PREFIX: chosen}
