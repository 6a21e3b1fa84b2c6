"""A game as small numbered choices, for programs that learn.

`Manoeuvre S Moray <> E Devon` is five choices: the card, whom to take, from where, for whom, from where. The legal moves
alone decide what may be chosen next; `Match` chooses a word by itself if it is the only possible one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from math import prod
from random import Random
from typing import Any

from attrs import define, field, frozen

from tkid.bots.plugin import find_judge
from tkid.kernel.game import HIDDEN, AnyGame, AnyView, Position, make_entropy
from tkid.kernel.pickling import pickle_call
from tkid.kernel.plugins import find_plugin
from tkid.rulebook.rulesets import ruleset

Block = Sequence[Any]
"""Numbers, or rows of numbers that are all of one length."""


@frozen
class Layout:
    """The layout of an observation's `size` numbers: named blocks in order, each with its shape, row by row."""

    blocks: Mapping[str, tuple[int, ...]]
    size: int = field(init=False)

    @size.default
    def _(self) -> int:
        return sum(map(prod, self.blocks.values()))

    def join_values(self, values: Mapping[str, Block]) -> list[float]:
        """Return all numbers in one row. Raises ValueError if a block is missing or has another size."""
        numbers: list[float] = []
        for name, shape in self.blocks.items():
            row = values[name] if len(shape) == 1 else [*chain.from_iterable(values[name])]
            if len(row) != prod(shape):
                raise ValueError(f"{name} has {len(row)} numbers, not {prod(shape)}")
            numbers.extend(row)
        return numbers


class AdaptersPlugin:
    """A game for programs that learn. Without a game's own, a decision is a card, and only the hands are seen."""

    def list_words(self, game: Any, players: int) -> tuple[str, ...]:
        """Return all words that decisions are made of, including names; a choice is the index of a word."""
        return tuple(game.cards)

    def observe(self, game: Any, view: AnyView) -> Mapping[str, Block]:
        """Return the numbers of each block for a seat's view; seats count from the viewer on."""
        return {"hands": self.count_cards(game, view, view.shown.hands)}

    def divide_moves(self, legal: Any) -> Iterator[Sequence[Any]]:
        """Divide the legal moves into groups; those of a group begin with the same word."""
        return ([move] for move in legal)

    def count_cards(self, game: Any, view: AnyView, piles: Sequence[Sequence[str]]) -> Block:
        """Count the cards of each kind, hidden ones last, in the pile of each seat from the viewer on."""
        own = view.seat or 0
        return [[pile.count(kind) for kind in (*game.cards, HIDDEN)] for pile in (*piles[own:], *piles[:own])]


@cache
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
    split_move: Callable[[Any], tuple[int, ...]] = field(init=False)
    """Divide a move into the indices of its words."""

    @words.default
    def _(self) -> tuple[str, ...]:
        return find_adapters_plugin(self.game).list_words(self.game, self.players)

    @split_move.default
    def _(self) -> Callable[[Any], tuple[int, ...]]:
        names = sorted((each for each in self.words if not re.fullmatch(MARKS, each)), key=len, reverse=True)
        word = re.compile("|".join([*map(re.escape, names), MARKS]))
        number = {each: index for index, each in enumerate(self.words)}

        def split_move(move: Any) -> tuple[int, ...]:
            found = word.findall(self.game.words.write_move(move))
            return tuple([number[each] for each in found if each not in SILENT])

        return lru_cache(1 << 16)(split_move)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a call: a copy is the same vocabulary, also in another process."""
        return pickle_call(make_vocabulary, self.game.code, self.players)


@cache
def make_vocabulary(code: str, players: int) -> Vocabulary:
    """Return the words of a ruleset for a number of players. Raises LookupError if it isn't for so many."""
    game = ruleset(code).game()
    if players not in game.parties:
        raise LookupError(f"{code} is for {', '.join(map(str, game.parties))} players, not {players}")
    return Vocabulary(game, players)


Rows = Sequence[tuple[tuple[int, ...], Any]]
"""The words of some moves, and the moves."""


@frozen
class Choosing:
    """A decision on its way: the indices of the words chosen, and what may be chosen next, in the order of the vocabulary.

    `left` are the moves that remain possible, with their words. Before the first word it is empty: only the moves that begin with it
    are divided into words.
    """

    vocabulary: Vocabulary
    chosen: tuple[int, ...]
    left: Rows
    options: tuple[int, ...]
    beginning: Mapping[int, list[Sequence[Any]]] = {}

    @classmethod
    def begin_decision(cls, vocabulary: Vocabulary, position: Position) -> Choosing:
        beginning: dict[int, list[Sequence[Any]]] = {}
        for moves in find_adapters_plugin(vocabulary.game).divide_moves(vocabulary.game.legal(position)):
            if moves:
                beginning.setdefault(vocabulary.split_move(moves[0])[0], []).append(moves)
        return cls(vocabulary, (), (), tuple(sorted(beginning)), beginning)

    @property
    def move(self) -> Any | None:
        return self.left[0][1] if self.left and not self.options else None

    def choose(self, word: int) -> Choosing:
        """Choose one more word, and those after it that are the only ones possible. Raises ValueError if none is."""
        if word not in self.options:
            raise ValueError(f"the word {word} cannot be chosen here")
        split = self.vocabulary.split_move
        if self.chosen:
            place = len(self.chosen)
            left: Rows = [row for row in self.left if row[0][place] == word]
        else:
            left = [(split(move), move) for moves in self.beginning[word] for move in moves]
        chosen = (*self.chosen, word)
        options = _list_next(left, len(chosen))
        while len(options) == 1:
            chosen = (*chosen, *options)
            options = _list_next(left, len(chosen))
        return Choosing(self.vocabulary, chosen, left, options)


def _list_next(left: Rows, place: int) -> tuple[int, ...]:
    return tuple(sorted({words[place] for words, _ in left if len(words) > place}))


PREFIX = "chosen"
"""The block with the words chosen so far in the present decision: a row for each, with a 1 for its word."""
TURN = "to_act"
"""The block that says who decides: the viewer, the next seat, and so on."""


@define
class Match:
    """A game that goes on: the position before the present decision, and those so far in words, seats as `{0}`."""

    vocabulary: Vocabulary
    position: Any
    told: list[str] = field(factory=list)
    choosing: Choosing = field()

    @choosing.default
    def _(self) -> Choosing:
        return Choosing.begin_decision(self.vocabulary, self.position)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy without the moves that are still possible: they are found again."""
        return pickle_call(restore_match, self.vocabulary, self.position, tuple(self.told), self.choosing.chosen)

    def __deepcopy__(self, _: dict[int, Any]) -> Match:
        return Match(self.vocabulary, self.position, [*self.told], self.choosing)

    def draw_match(self, seat: int, lot: Random) -> Match:
        """Return a match as it may be for all that a seat knows: cards that it can't see are drawn at random."""
        (position, *_) = find_judge(self.game).sample_positions(self.game.view(self.position, seat), 1, lot)
        return restore_match(self.vocabulary, position, self.told, self.choosing.chosen)

    @classmethod
    def deal_game(cls, vocabulary: Vocabulary, entropy: bytes) -> Match:
        game, players = vocabulary.game, vocabulary.players
        table = game.seat_players(tuple(f"player {number}" for number in range(1, players + 1)))
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

    def observe(self, seat: int) -> Mapping[str, Block]:
        """Return the numbers of each block as a seat sees them: those of the game, who decides, and the words chosen so far."""
        players = self.vocabulary.players
        seen = find_adapters_plugin(self.game).observe(self.game, self.game.view(self.position, seat))
        chosen = [[0.0] * len(self.vocabulary.words) for _ in range(MOST_WORDS)]
        for row, word in zip(chosen, self.choosing.chosen, strict=False):
            row[word] = 1.0
        turn = [float(self.to_act is not None and (self.to_act - seat) % players == place) for place in range(players)]
        return {**seen, TURN: turn, PREFIX: chosen}


def make_full_layout(vocabulary: Vocabulary) -> Layout:
    """Return the layout of all observations, which is that of the first one after any deal."""
    blocks = Match.deal_game(vocabulary, make_entropy(0)).observe(0).items()
    return Layout(
        {name: (len(block), *([len(block[0])] if isinstance(block[0], Sequence) else [])) for name, block in blocks}
    )


def restore_match(vocabulary: Vocabulary, position: Any, told: Iterable[str], chosen: Sequence[int]) -> Match:
    """Return the match at a position, after some decisions and, in the present one, some words."""
    match = Match(vocabulary, position, list(told))
    while len(match.choosing.chosen) < len(chosen):
        match.choosing = match.choosing.choose(chosen[len(match.choosing.chosen)])
    return match
