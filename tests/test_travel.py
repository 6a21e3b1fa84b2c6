"""What the library returns and raises can be pickled and copied: it works in another process as it works here."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import cloudpickle
import pytest
from attrs import evolve

import tkid
from tkid.bots.plugin import find_judge
from tkid.bots.roster import find_player
from tkid.games.struggle.rules.moves import Play
from tkid.kernel.game import AnyGame, IllegalMoveError
from tkid.notation.plugin import find_turn_reader
from tkid.notation.position_errors import PositionError
from tkid.notation.positions import read_position, write_position
from tkid.record.format.new_game import NewGameError, new_record
from tkid.record.format.reader import read_record
from tkid.record.json.objects import JsonError
from tkid.record.json.positions import read_position_json
from tkid.record.play.replay import replay
from tkid.record.play.validation import judge_record
from tkid.rulebook import UnknownRuleError, all_rules, rule
from tkid.rulebook.register import UnknownOptionError
from tkid.rulebook.rulesets import UnknownRulesetError, UnknownRulingError, ruleset, rulesets
from tkid.rulebook.search import ask

CODES = tuple(entry.code for entry in rulesets())
FILES = sorted((Path(__file__).parents[1] / "fixtures").rglob("*.tkid"))


def travel(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own


def travel_far(value: Any) -> Any:
    return pickle.loads(cloudpickle.dumps(value))  # noqa: S301 - our own


COPIES: tuple[Callable[[Any], Any], ...] = (travel, travel_far, copy.deepcopy, copy.copy)


def check_equal(value: object) -> None:
    for make_copy in COPIES:
        assert make_copy(value) == value


@cache
def play_some(code: str, players: int) -> tuple[list[object], AnyGame, Any]:
    """Values of a game that has begun: deal, positions, views, moves, events, legal sets; the game, and its last position."""
    game = ruleset(code).game()
    table = game.seat_players(tuple(f"Player {seat}" for seat in range(players)))
    deal = game.deal(players, b"a game that travels to another p")
    position, random = game.start(table, deal), Random(f"{code} {players}")
    values: list[object] = [table, deal]
    while (legal := game.legal(position)) and len(values) < 60:
        values += [position, game.view(position, 0), game.view(position, None), legal, legal[:3]]
        move = legal[random.randrange(len(legal))]
        values += [move, game.check(position, move)]
        position, events = game.play(position, move)
        values.append(events)
    return values, game, position


def list_tables() -> Iterator[tuple[str, int]]:
    for code in CODES:
        for players in ruleset(code).game().parties:
            yield code, players


@pytest.mark.parametrize(("code", "players"), list(list_tables()))
def test_games_and_what_they_return(code: str, players: int) -> None:
    values, game, position = play_some(code, players)
    for value in (*values, ruleset(code), read_position(write_position(game, position))):
        check_equal(value)
    assert travel(game) is game
    assert travel(game.legal)(position) == game.legal(position)


@pytest.mark.parametrize("code", CODES)
def test_what_works_on_a_game(code: str) -> None:
    _, game, position = play_some(code, 2)
    turns = find_turn_reader(game, ("Ann", "Bob"))
    for make_copy in COPIES:
        assert make_copy(turns).read_turn("Pass") == turns.read_turn("Pass")
        assert make_copy(find_judge(game)).estimate_chances(position) == find_judge(game).estimate_chances(position)
    made = [find_player(game, name) for name in ("random", "greedy", "search")]
    for each in (turns, find_judge(game), game.words, *made):
        check_equal(each)
        assert len({each, travel(each)}) == 1
    assert len({*made}) == len(made)


@pytest.mark.parametrize("code", CODES)
def test_what_a_player_remembers_stays_behind(code: str) -> None:
    """Its repr and its pickle are as short after a turn as before."""
    _, game, position = play_some(code, 2)
    for name in ("greedy", "search"):
        used = find_player(game, name)
        if position.to_act is not None:
            used.choose(game.view(position, position.to_act), 50)
        assert (repr(used), travel(used)) == (repr(find_player(game, name)), used)
        assert len(pickle.dumps(used)) == len(pickle.dumps(find_player(game, name)))
        assert len(repr(used)) < 400


def test_other_readings_stay() -> None:
    for entry in rulesets():
        for switch in entry.switches:
            for option in rule(switch).options:
                game = entry.game({switch: option})
                assert travel(game) is game


def test_a_composed_game_is_refused() -> None:
    game = ruleset("second-edition").game()
    with pytest.raises(pickle.PicklingError, match="not that of the ruleset second-edition"):
        pickle.dumps(evolve(game, own_pile=not game.own_pile))


@pytest.mark.parametrize("file", FILES[:: len(FILES) // 60], ids=lambda file: file.stem)
def test_files(file: Path) -> None:
    read = read_record(file.read_bytes())
    check_equal(read)
    check_equal(judge_record(read))


def test_rules_and_answers() -> None:
    check_equal(tuple(all_rules()))
    check_equal(ask("who wins a tie in a region?"))
    check_equal(replay(new_record("claim", ["Ann", "Bob"], b"x" * 32)))


def list_failing() -> dict[type[Exception], Callable[[], object]]:
    """What raises each error of the library."""
    values, game, position = play_some("second-edition", 2)
    old_move = next(value for value in values if isinstance(value, Play))
    entry = ruleset("second-edition")
    return {
        IllegalMoveError: lambda: game.play(position, old_move),
        UnknownOptionError: lambda: entry.game({entry.switches[0]: "no such option"}),
        UnknownRulingError: lambda: entry.game({"no.such.ruling": "x"}),
        NewGameError: lambda: new_record("second-edition", ["Ann", "Ann"], b"x" * 32),
        PositionError: lambda: read_position("second-edition nonsense"),
        JsonError: lambda: read_position_json({"ruleset": "second-edition"}),
        UnknownRuleError: lambda: rule("no.such.rule"),
        UnknownRulesetError: lambda: ruleset("no-such-ruleset"),
    }


@pytest.mark.parametrize("kind", list_failing())
def test_errors(kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        list_failing()[kind]()
    again = travel(caught.value)
    assert type(again) is type(caught.value) is kind
    assert (str(again), repr(again.__dict__)) == (str(caught.value), repr(caught.value.__dict__))


def finish(code: str) -> tuple[AnyGame, Any]:
    """Play the rest of a game in another process."""
    _, game, position = play_some(code, 2)
    while legal := game.legal(position):
        position, _ = game.play(position, legal[0])
    return game, position


def test_another_process() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for code, (game, position) in zip(CODES, pool.map(finish, CODES), strict=True):
            assert game is ruleset(code).game()
            assert position == finish(code)[1]


def test_another_version() -> None:
    values, game, _ = play_some("second-edition", 2)
    data = {
        name: pickle.dumps(value) for name, value in (("game", game), ("position", values[2]), ("legal", values[5]))
    }
    for name, pickled in data.items():
        version = tkid.__version__.encode()
        assert pickled.count(version) == 1, name
        other = pickled.replace(version, b"0.0.9".rjust(len(version), b"0"))
        with pytest.raises(ValueError, match=r"pickled by tkid 0\.0\.9, and this is tkid"):
            pickle.loads(other)  # noqa: S301 - our own
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).code)"
    there = subprocess.run([sys.executable, "-c", code], input=data["game"], capture_output=True, check=True)
    assert there.stdout.decode().strip() == "second-edition"
