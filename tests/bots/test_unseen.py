"""A win that is proven with hidden cards is a win in every world, by decisions that hang on nothing but the view."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, cast

import pytest
from attrs import evolve, frozen

from tests.bots.test_solver import BUDGET, SEED, plain, small
from tkid.bots.player import Turn, apply_turn, find_party, find_win_shares
from tkid.bots.plugin import Judge, find_judge
from tkid.bots.search import ALL, Search
from tkid.bots.solver import Certainty, find_certain_turn
from tkid.kernel.game import AnyGame, View

NAMES = ("left", "right")
THOUGHT = 1_000


@frozen
class Guess:
    """A position of a small game: the other player holds a card, and seat 0 wins if it names the card.

    `told` is what was said in public, `open` whether the card was shown.
    """

    card: str
    to_act: int | None
    told: tuple[str, ...] = ()
    open: bool = False
    winners: tuple[int, ...] = ()
    decision: str | None = "word"
    hands: tuple[tuple[str, ...], ...] = ((), ())
    seats: range = range(2)


@frozen
class Guessing:
    """The small game: `replies` are the words that the other may say for each card, `joker` a word that always wins."""

    replies: dict[str, tuple[str, ...]]
    joker: bool = False

    @property
    def parties(self) -> dict[int, Any]:
        """Everybody plays alone."""
        return {2: ((0,), (1,))}

    def legal(self, position: Guess) -> tuple[str, ...]:
        """The words that may be said."""
        if position.to_act == 1:
            return self.replies[position.card]
        return (*NAMES, "joker") if self.joker else NAMES

    def check(self, position: Guess, word: str) -> tuple[str, ...]:
        """Whether a word may not be said."""
        return () if word in self.legal(position) else ("no such word",)

    def apply(self, position: Guess, word: str) -> tuple[Guess, tuple[()]]:
        """Say a word."""
        after = evolve(position, told=(*position.told, word), to_act=0, open=position.open or word == "show")
        if position.to_act == 0:
            won = word in {position.card, "joker"}
            after = evolve(after, to_act=None, winners=(0,) if won else (1,))
        return after, ()

    def view(self, position: Guess, seat: int) -> View[Any]:
        """Seat 0 does not see the card until it is shown."""
        return View(seat, position if position.open or position.to_act is None else evolve(position, card="?"))

    def turn_continues(self, position: Guess) -> bool:  # noqa: ARG002 - the shape of a game
        """A turn is one word."""
        return False


@frozen
class Nobody:
    """A judge that knows nothing, so that every turn is tried."""

    def rank_turns(self, position: Guess, most: int) -> Sequence[tuple[Turn, Guess]]:  # noqa: ARG002 - the shape of a judge
        """No turn looks good."""
        return ()


def proof(game: Guessing, to_act: int, cards: Sequence[str]) -> Certainty | Turn | bool | None:
    """The turn that is proven for seat 0; if the other acts first, whether the win is."""
    worlds = tuple(Guess(card, to_act) for card in cards)
    known, nobody = cast("AnyGame", game), cast("Judge", Nobody())
    return (
        find_certain_turn(known, nobody, worlds, 99) if to_act == 0 else Certainty(known, nobody, 0, 99).is_win(worlds)
    )


HIDES: dict[str, tuple[str, ...]] = {"left": ("hide",), "right": ("hide",)}
SHOWS: dict[str, tuple[str, ...]] = {"left": ("show",), "right": ("show",)}


def test_a_win_in_each_world_by_other_words_is_no_proof() -> None:
    assert proof(Guessing(HIDES), 0, ["left"]) == ("left",)
    assert proof(Guessing(HIDES), 0, ["right"]) == ("right",)
    assert proof(Guessing(HIDES), 0, NAMES) is None


def test_one_word_that_wins_in_every_world_is_a_proof() -> None:
    assert proof(Guessing(HIDES, joker=True), 0, NAMES) == ("joker",)


def test_what_is_seen_before_the_decision_may_be_used() -> None:
    assert proof(Guessing(SHOWS), 1, NAMES) is True
    assert proof(Guessing(HIDES), 1, NAMES) is False
    assert proof(Guessing({"left": ("show", "hide"), "right": ("show", "hide")}), 1, NAMES) is False


def test_what_could_not_be_said_in_a_world_tells_worlds_apart() -> None:
    assert proof(Guessing({"left": ("hide",), "right": ("show",)}), 1, NAMES) is True


def test_a_budget_that_is_too_small_proves_nothing() -> None:
    worlds = tuple(Guess(card, 0) for card in NAMES)
    joker = cast("AnyGame", Guessing(HIDES, joker=True))
    assert find_certain_turn(joker, cast("Judge", Nobody()), worlds, 5) is None
    assert find_certain_turn(joker, cast("Judge", Nobody()), worlds, 6) == ("joker",)


@pytest.mark.parametrize(("code", "players"), [("second-edition-advanced", 2), ("second-edition", 3)])
def test_with_one_world_it_is_the_same_as_with_open_cards(code: str, players: int) -> None:
    for game, position in small(code, players, 1, 3):
        seat, party = position.to_act, find_party(game, position)
        expected = plain(game, position, party, {}) == 1
        assert Certainty(game, find_judge(game), seat, BUDGET).is_win((position,)) == expected, (SEED, position)


@pytest.mark.slow
def test_what_is_proven_with_hidden_hands_comes_true() -> None:
    """Whoever is told that a turn wins, wins by what the search plays then, whatever the others play and hold."""
    rng, proven = Random(SEED), 0
    for game, begin in small("second-edition-advanced", 2, 2, 40):
        seat, search = begin.to_act, Search(game)
        view = game.view(begin, seat)
        every = find_judge(game).sample_positions(view, ALL, Random(SEED))
        if not 1 < len(every) < ALL or not search.list_best_turns(view, THOUGHT, 1)[0].proven:
            continue
        proven += 1
        for world in every:
            position = world
            while position.to_act is not None:
                if position.to_act == seat:
                    turn: Turn = search.choose(game.view(position, seat), THOUGHT)
                else:
                    legal = game.legal(position)
                    turn = (legal[rng.randrange(len(legal))],)
                position = apply_turn(game, position, turn)
            assert find_win_shares(game, position)[find_party(game, begin)] == 1, (SEED, world)
    assert proven >= 3, SEED
