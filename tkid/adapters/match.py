"""A game that is played word by word, as both libraries ask for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from tkid.adapters.choices import MOST_WORDS, Choosing, Vocabulary
from tkid.adapters.plugin import Layout, adapters_plugin
from tkid.kernel.game import AnyGame

PREFIX = "chosen"
"""The block with the words chosen so far in the present decision: a row for each, with a 1 for its word."""
TURN = "to_act"
"""The block that says who decides: the viewer, the next seat, and so on."""


def layout_of(game: AnyGame, vocabulary: Vocabulary) -> Layout:
    """The blocks of an observation: those of the game, who decides, and what was chosen so far."""
    players = vocabulary.players
    blocks = adapters_plugin(game).layout(game, players).blocks
    return Layout({**blocks, TURN: (players,), PREFIX: (MOST_WORDS, len(vocabulary.words))})


@define
class Match:
    """A game that goes on.

    Attributes:
        vocabulary: The words of its decisions.
        position: The position before the decision that is being made.
        choosing: That decision.
        told: The decisions so far, in words, seats as `{0}`.
    """

    vocabulary: Vocabulary
    position: Any
    choosing: Choosing = field(init=False)
    told: list[str] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.choosing = Choosing.at(self.vocabulary, self.position)

    @classmethod
    def dealt(cls, vocabulary: Vocabulary, entropy: bytes) -> Match:
        """A new game, dealt from 32 bytes as every game is."""
        game, players = vocabulary.game, vocabulary.players
        table = game.table(tuple(f"player {number}" for number in range(1, players + 1)))
        return cls(vocabulary, game.start(table, game.deal(players, entropy)))

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.vocabulary.game

    @property
    def to_act(self) -> int | None:
        """The seat that chooses next; None when the game is over."""
        seat: int | None = self.position.to_act
        return seat

    @property
    def legal(self) -> tuple[int, ...]:
        """The words that may be chosen."""
        return self.choosing.options

    def choose(self, word: int) -> None:
        """Choose a word; with the last one the decision is carried out. Raises ValueError for a word that is not legal."""
        self.choosing = self.choosing.choose(word)
        move = self.choosing.move
        if move is not None:
            self.told.append(self.game.words.move(move))
            self.position, _ = self.game.apply(self.position, move)
            self.choosing = Choosing.at(self.vocabulary, self.position)

    def payoffs(self) -> list[float]:
        """What each seat has won, 0 in all: the winners share one stake from every seat; nothing while the game goes on."""
        winners, seats = self.position.winners, self.position.seats
        if self.to_act is not None or not winners:
            return [0.0 for _ in seats]
        return [len(seats) / len(winners) - 1 if seat in winners else -1.0 for seat in seats]

    def observe(self, seat: int) -> Mapping[str, Sequence[float]]:
        """The numbers of each block as a seat sees them: only what its view shows."""
        players, words = self.vocabulary.players, len(self.vocabulary.words)
        seen = dict(adapters_plugin(self.game).observe(self.game, self.game.view(self.position, seat)))
        chosen = [0.0] * (MOST_WORDS * words)
        for row, word in enumerate(self.choosing.chosen):
            chosen[row * words + word] = 1.0
        turn = [float(self.to_act is not None and (self.to_act - seat) % players == place) for place in range(players)]
        return {**seen, TURN: turn, PREFIX: chosen}
