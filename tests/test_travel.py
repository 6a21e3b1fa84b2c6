"""What the library returns and raises can be pickled and copied: it works in another process as it works here."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from enum import EnumType
from functools import cache, partial
from importlib import import_module
from io import BytesIO
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import cloudpickle
import pytest
from attrs import evolve

import tkid
from tkid.bots.player import EngineError
from tkid.bots.plugin import judge as find_judge
from tkid.bots.roster import player
from tkid.games.struggle.rules.moves import Play, Spread
from tkid.kernel import pickling
from tkid.kernel.game import AnyGame, IllegalMoveError
from tkid.library import TurnError
from tkid.notation.position_errors import PositionError
from tkid.notation.positions import read_position, write_position
from tkid.record.format.new_game import NewGameError, new_record
from tkid.record.format.reader import read_record
from tkid.record.format.turn_rows import reader
from tkid.record.json.conformance import SuiteError, read_answers
from tkid.record.json.objects import JsonError
from tkid.record.json.positions import position_json, read_position_json
from tkid.record.play.replay import replay
from tkid.record.play.validation import judge
from tkid.rulebook import UnknownRuleError, all_rules, rule
from tkid.rulebook.citations import UnknownVersionError, find_rule_as_of
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


class Unpickler(pickle.Unpickler):
    """Notes the classes of the package, and those among them that were pickled with its version."""

    def __init__(self, data: bytes) -> None:
        super().__init__(BytesIO(data))
        self.found: set[Any] = set()
        self.bound: set[Any] = set()

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name)
        if found is pickling.check_version:
            return self.bind
        if module.startswith("tkid.") and not issubclass(type(found), EnumType):
            self.found.add(found)
        return found

    def bind(self, _: str, find: Any) -> Any:
        self.bound.add(find)
        return find


def check_bound(value: object) -> None:
    """Each class and function of the package is pickled with its version. The members of an enumeration check their names."""
    unpickler = Unpickler(pickle.dumps(value))
    unpickler.load()
    assert unpickler.found == unpickler.bound & unpickler.found


def check_equal(value: object) -> None:
    for make_copy in COPIES:
        assert make_copy(value) == value
    check_bound(value)


@cache
def play_some(code: str, players: int) -> tuple[list[object], AnyGame, Any]:
    """Values of a game that has begun: deal, positions, views, moves, events, legal sets; the game, and its last position."""
    game = ruleset(code).game()
    table = game.table(tuple(f"Player {seat}" for seat in range(players)))
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


def play_to_end(code: str, players: int) -> Iterator[object]:
    """The events of the rest of the game, and its result."""
    _, game, position = play_some(code, players)
    while legal := game.legal(position):
        position, events = game.play(position, legal[len(legal) // 2])
        yield from events
    yield game.result(position)


def list_tables() -> Iterator[tuple[str, int]]:
    for code in CODES:
        for players in ruleset(code).game().parties:
            yield code, players


@pytest.mark.parametrize(("code", "players"), list(list_tables()))
def test_games_and_what_they_return(code: str, players: int) -> None:
    values, game, position = play_some(code, players)
    for value in (*values, *play_to_end(code, players), ruleset(code), read_position(write_position(game, position))):
        check_equal(value)
    assert travel(game) is game
    assert travel(game.legal)(position) == game.legal(position)


@pytest.mark.parametrize("code", CODES)
def test_what_works_on_a_game(code: str) -> None:
    _, game, position = play_some(code, 2)
    turns = reader(game, ("Ann", "Bob"))
    for make_copy in COPIES:
        assert make_copy(turns).turn("Pass") == turns.turn("Pass")
        assert make_copy(find_judge(game)).values(position) == find_judge(game).values(position)
    made = [player(game, name) for name in ("random", "greedy", "search")]
    for each in (turns, find_judge(game), game.words, *made):
        check_equal(each)
        assert len({each, travel(each)}) == 1
    assert len({*made}) == len(made)


@pytest.mark.parametrize("code", CODES)
def test_what_a_player_remembers_stays_behind(code: str) -> None:
    """Its repr and its pickle are as short after a turn as before."""
    _, game, position = play_some(code, 2)
    for name in ("greedy", "search"):
        used = player(game, name)
        if position.to_act is not None:
            used.choose(game.view(position, position.to_act), 50)
        assert (repr(used), travel(used)) == (repr(player(game, name)), used)
        assert len(pickle.dumps(used)) == len(pickle.dumps(player(game, name)))
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
    check_equal(judge(read))


def test_rules_and_answers() -> None:
    check_equal(tuple(all_rules()))
    check_equal(ask("who wins a tie in a region?"))
    check_equal(replay(new_record("claim", ["Ann", "Bob"], b"x" * 32)))


def find_illegal_move() -> tuple[AnyGame, Any, Play]:
    values, game, position = play_some("second-edition", 2)
    return game, position, next(value for value in values if isinstance(value, Play))


BEGUN = tkid.new_game(seed=1)
POSITION = position_json(BEGUN.record.game, BEGUN.position)
WRONG: tuple[Any, ...] = (2.5, [None], {"x": []})
WRITTEN = write_position(BEGUN.record.game, BEGUN.position)
WRONG_JSON: tuple[Any, ...] = (
    *(None, [], {}, {"ruleset": "second-edition"}, {"ruleset": "no-such-ruleset"}),
    *({**POSITION, key: wrong} for key in POSITION for wrong in WRONG),
)
FAILING: dict[type[Exception], tuple[Callable[[], object], ...]] = {
    IllegalMoveError: (lambda: find_illegal_move()[0].play(*find_illegal_move()[1:]),),
    EngineError: (
        lambda: player(BEGUN.record.game, "cmd:no-such-program").choose(BEGUN.record.game.view(BEGUN.position, 0), 1),
    ),
    UnknownOptionError: (
        lambda: ruleset("second-edition").game({ruleset("second-edition").switches[0]: "no such option"}),
    ),
    UnknownRulingError: (lambda: ruleset("second-edition").game({"no.such.ruling": "x"}),),
    NewGameError: (
        lambda: new_record("second-edition", ["Ann", "Ann"], b"x" * 32),
        lambda: new_record("no-such-ruleset", ["Ann", "Bob"], b"x" * 32),
        lambda: tkid.new_game("claim", 5),
        lambda: tkid.new_game(rulings=["no.such.ruling x"]),
    ),
    TurnError: (lambda: tkid.play(BEGUN, "Assemble"), lambda: tkid.play(BEGUN, "what?!"), lambda: tkid.play(BEGUN, "")),
    PositionError: tuple(
        partial(read_position, text)
        for text in (
            "",
            "nonsense",
            "second-edition nonsense",
            "claim",
            WRITTEN[:40],
            f"{WRITTEN} more",
            WRITTEN.replace("Assemble", "Nothing"),
        )
    ),
    JsonError: tuple(partial(read_position_json, data) for data in WRONG_JSON),
    SuiteError: (lambda: read_answers(["not JSON"], "answers"),),
    UnknownRuleError: (lambda: rule("no.such.rule"),),
    UnknownVersionError: (lambda: find_rule_as_of("second.turn.pass", "1999.1"),),
    UnknownRulesetError: (lambda: ruleset("no-such-ruleset"),),
}
"""What raises each error of the library."""


def catch_errors(kind: type[Exception]) -> Iterator[Exception]:
    for fail in FAILING[kind]:
        try:
            fail()
        except kind as error:
            yield error


def check_errors_with_their_tracebacks() -> None:
    """As Dask pickles errors: with the errors behind them."""
    pickling_support = import_module("tblib.pickling_support")
    for kind in FAILING:
        for error in catch_errors(kind):
            pickling_support.install(error)
            again = travel(error)
            assert (type(again), str(again)) == (kind, str(error))


@pytest.mark.parametrize("kind", FAILING)
def test_errors(kind: type[Exception]) -> None:
    errors = list(catch_errors(kind))
    assert len(errors) == len(FAILING[kind])
    for error in errors:
        again = travel(error)
        assert type(again) is type(error) is kind
        assert (str(again), repr(again.__dict__)) == (str(error), repr(error.__dict__))
        check_bound(error)


def test_errors_with_their_tracebacks() -> None:
    pytest.importorskip("tblib", reason="tblib comes with distributed")
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        pool.submit(check_errors_with_their_tracebacks).result()


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


def list_kinds() -> Iterator[tuple[str, object]]:
    """A value of each kind that the library returns or raises."""
    for code in CODES:
        values, game, _ = play_some(code, 2)
        yield from ((type(value).__name__, value) for value in (*values, *play_to_end(code, 2), game) if value != ())
    yield from ((kind.__name__, error) for kind in FAILING for error in catch_errors(kind))
    yield from (("Problem", problem) for error in catch_errors(TurnError) for problem in vars(error)["problems"])
    yield from (
        ("Record", BEGUN.record),
        ("Replay", BEGUN),
        ("Answer", ask("who wins a tie?")),
        ("Rule", next(iter(all_rules()))),
    )


def test_another_version() -> None:
    version = tkid.__version__.encode()
    for name, value in list_kinds():
        pickled = pickle.dumps(value)
        assert pickled.count(version) == 1, name
        other = pickled.replace(version, b"0.0.9".rjust(len(version), b"0"))
        with pytest.raises(ValueError, match=r"pickled by tkid 0\.0\.9, and this is tkid"):
            pickle.loads(other)  # noqa: S301 - our own
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).code)"
    data = pickle.dumps(BEGUN.record.game)
    there = subprocess.run([sys.executable, "-c", code], input=data, capture_output=True, check=True)
    assert there.stdout.decode().strip() == "second-edition"


def test_small_values_stay_small() -> None:
    """A move costs little more than its attributes: the version and the class are once in a pickle."""
    moves = [Play("Assemble", Spread((seat, 1, 2))) for seat in range(1000)]
    plain = [("Assemble", ((seat, 1, 2),)) for seat in range(1000)]
    assert len(pickle.dumps(moves)) < len(pickle.dumps(plain)) + 10 * len(moves)
