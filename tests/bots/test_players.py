"""Every player plays every ruleset, knows no more than its view, and plays the same everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random
from typing import Any

import pytest

from tkid.bots.roster import PLAYERS, player
from tkid.kernel.game import AnyGame
from tkid.rulebook.rulesets import ruleset, rulesets

SEED = 20261123
TABLES = [(each.code, number) for each in rulesets() for number in each.game().parties]


def dealt(game: AnyGame, number: int, entropy: bytes) -> Any:
    """The first position of a game."""
    return game.start(game.table(tuple("abcd"[:number])), game.deal(number, entropy))


def game_of(code: str, number: int, name: str, thought: int, most: int) -> list[str]:
    """The first turns of a game that one player plays for all, as text."""
    game = ruleset(code).game()
    told: list[str] = []
    position, chosen = dealt(game, number, Random(SEED).randbytes(32)), player(game, name)
    while position.to_act is not None and len(told) < most:
        turn = chosen.choose(game.view(position, position.to_act), thought)
        told.append(game.words.turn(turn))
        for move in turn:
            position, _ = game.play(position, move)
    return told


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize(("code", "number"), TABLES)
def test_every_player_plays_every_ruleset(code: str, number: int, name: str) -> None:
    """Every turn is legal to the engine, which `play` asks."""
    assert game_of(code, number, name, 12, 400)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("code", ["second-edition-advanced", "claim"])
def test_what_a_seat_may_not_know_changes_no_turn(code: str, name: str) -> None:
    """Two deals that look alike to a seat get the same turn, also when a few turns have been played."""
    game = ruleset(code).game()
    chosen = player(game, name)
    first, second = (dealt(game, 2, bytes([number]) * 32) for number in (1, 2))
    other = (
        first.but(hands=(first.hands[0], second.hands[1]), to_act=0)
        if code != "claim"
        else first.but(hands=(first.hands[0], _swapped(first)[0]), deck=_swapped(first)[1], leader=0)
    )
    mine = first.but(to_act=0) if code != "claim" else first.but(leader=0)
    assert mine != other
    assert game.view(mine, 0) == game.view(other, 0)
    assert chosen.choose(game.view(mine, 0), 60) == chosen.choose(game.view(other, 0), 60)


def _swapped(position: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The other's hand and the deck, with one card of each changed for the other."""
    hand, deck = position.hands[1], position.deck
    return (deck[0], *hand[1:]), (hand[0], *deck[1:])


@pytest.mark.parametrize(("code", "number"), [("second-edition-advanced", 3), ("claim", 2)])
def test_the_same_game_gives_the_same_turns_in_every_process(code: str, number: int) -> None:
    """Whatever Python's hashes of strings are."""
    told = game_of(code, number, "search", 16, 4)
    call = (
        f"from tests.bots.test_players import game_of; print(*game_of({code!r}, {number}, 'search', 16, 4), sep='\\n')"
    )
    hashed = {**os.environ, "PYTHONHASHSEED": "1"}
    run = subprocess.run([sys.executable, "-c", call], env=hashed, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == told


def test_a_player_that_there_is_not_is_named_with_those_there_are() -> None:
    with pytest.raises(LookupError, match="no player 'merlin'; known are random, greedy, search"):
        player(ruleset("second-edition").game(), "merlin")
