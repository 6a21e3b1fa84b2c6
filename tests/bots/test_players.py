"""Every player plays every ruleset, knows no more than its view, and plays the same everywhere."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import product
from math import fsum
from operator import add
from random import Random
from typing import Any

import pytest

from tests.games.claim.shared import twin
from tests.shared.tables import sample
from tests.shared.twins import redealt
from tkid.bots.plugin import find_judge
from tkid.bots.roster import PLAYERS, find_player
from tkid.games.struggle.bots.outlook import estimate_region
from tkid.kernel.game import AnyGame, Table
from tkid.rulebook.rulesets import ruleset, rulesets

SEED = 20261123
TABLES = [(each.code, number) for each in rulesets() for number in each.game().parties]


def dealt(game: AnyGame, number: int, entropy: bytes) -> Any:
    """The first position of a game."""
    return game.start(game.seat_players(tuple("abcd"[:number])), game.deal(number, entropy))


def game_of(code: str, number: int, name: str, thought: int, most: int) -> list[str]:
    """The first turns of a game that one player plays for all, as text."""
    game = ruleset(code).game()
    told: list[str] = []
    position, chosen = dealt(game, number, Random(SEED).randbytes(32)), find_player(game, name)
    while position.to_act is not None and len(told) < most:
        turn = chosen.choose(game.view(position, position.to_act), thought)
        told.append(game.words.write_turn(turn))
        for move in turn:
            position, _ = game.play(position, move)
    return told


@pytest.mark.parametrize(("table", "name"), sample(product(TABLES, PLAYERS), 5))
def test_every_player_plays_every_ruleset(table: tuple[str, int], name: str) -> None:
    """Every turn is legal to the engine, which `play` asks. Each player and each table is in `make test`."""
    code, number = table
    assert game_of(code, number, name, 12, 400)


@pytest.mark.parametrize("code", ["second-edition", "claim"])
def test_what_no_game_has_is_told_as_that(code: str) -> None:
    """Another number of players, a seat that there is not, text in place of a move, and a player who is asked for nothing."""
    game = ruleset(code).game()
    with pytest.raises(ValueError, match="the game is for 2"):
        game.seat_players(("Ann",))
    with pytest.raises(ValueError, match="the game is for 2"):
        game.deal(7, bytes(32))
    with pytest.raises(TypeError, match="'Ann' is one text"):
        game.seat_players("Ann")
    alone = Table(("Ann",), ((0,),))
    with pytest.raises(ValueError, match="the deal is for 2 players, and 1 sit at the table"):
        game.start(alone, game.deal(2, bytes(32)))
    position = dealt(game, 2, bytes(32))
    with pytest.raises(ValueError, match="there is no seat 5; the seats are 0, 1"):
        game.view(position, 5)
    with pytest.raises(TypeError, match="is text, and no move"):
        game.play(position, "Pass")
    with pytest.raises(TypeError, match="a whole turn, and no move"):
        game.play(position, (game.legal(position)[0],))
    with pytest.raises(TypeError, match="this is no view"):
        find_player(game, "greedy").choose(position, 10)
    assert position.to_act is not None
    own, other, spectator = (game.view(position, seat) for seat in (position.to_act, 1 - position.to_act, None))
    for name in PLAYERS:
        chosen = find_player(game, name)
        for wrong, thought, most in ((other, 10, 1), (spectator, 10, 1), (own, 0, 1)):
            with pytest.raises(ValueError, match=r"is not to act|one position at least"):
                chosen.list_best_turns(wrong, thought, most)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("code", ["second-edition-advanced", "claim"])
def test_what_a_seat_may_not_know_changes_no_turn(code: str, name: str) -> None:
    """Two positions that look alike to the seat to act get the same turn: at the start, later, and near the end."""
    compared = 0
    for moment, position in enumerate(through_a_game(code)):
        game, seat = ruleset(code).game(), position.to_act
        other = unlike(code, position, seat, Random(f"{SEED} {moment}"))
        if other is None:
            continue
        compared += 1
        assert other != position
        assert game.view(other, seat) == game.view(position, seat)
        chosen = find_player(game, name)
        turns = [chosen.choose(game.view(each, seat), 60) for each in (position, other)]
        assert turns[0] == turns[1], (SEED, moment)
    assert compared >= 4, SEED


def through_a_game(code: str) -> Iterator[Any]:
    """Positions of a game by lot where a turn is due: the first, and some of those that follow."""
    game, rng = ruleset(code).game(), Random(f"{SEED} {code}")
    position, turns = dealt(game, 2, rng.randbytes(32)), 0
    while position.to_act is not None:
        if not game.turn_continues(position):
            if turns % 3 == 0:
                yield position
            turns += 1
        legal = game.legal(position)
        position, _ = game.apply(position, legal[rng.randrange(len(legal))])


def unlike(code: str, position: Any, seat: int, rng: Random) -> Any:
    """A position with other hidden cards that looks the same to a seat; None where everything is known."""
    if code != "claim":
        return redealt(rng, position, seat)
    found = twin(rng, position, seat)
    return None if found == position else found


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


@pytest.mark.parametrize(("code", "number"), sample(TABLES, 4))
def test_no_value_depends_on_how_a_python_sums_floats(code: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`sum` rounds otherwise from Python 3.12 on: with one that rounds once every value has the same digits."""

    def values() -> list[tuple[float, ...]]:
        estimate_region.cache_clear()
        game = ruleset(code).game()
        known, position = find_judge(game), dealt(game, number, Random(SEED).randbytes(32))
        found: list[tuple[float, ...]] = []
        while position.to_act is not None and len(found) < 400:
            listed = known.rank_turns(position, 20)
            found += [known.estimate_chances(after) for _, after in listed]
            position = listed[-1][1]
        return found

    before = values()
    monkeypatch.setattr(builtins, "sum", rounded_once)
    assert values() == before
    assert len(before) > 20


def rounded_once(numbers: Iterable[Any], start: Any = 0) -> Any:
    """A sum, of floats the nearest there is."""
    given = [start, *numbers]
    return fsum(given) if any(isinstance(each, float) for each in given) else reduce(add, given)


def test_a_player_that_there_is_not_is_named_with_those_there_are() -> None:
    with pytest.raises(LookupError, match="no player 'merlin'; known are random, greedy, search"):
        find_player(ruleset("second-edition").game(), "merlin")
