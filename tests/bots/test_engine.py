"""Other people's programs: the protocol from both sides, the examples of its page, and what a program may do wrong."""

from __future__ import annotations

import io
import json
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tests.shared.schemas import faults
from tests.shared.tables import each_row
from tkid.bots import engine, roster
from tkid.bots.engine import Engine, Server
from tkid.bots.player import EngineError
from tkid.bots.roster import HouseEngine, find_player
from tkid.kernel.game import AnyGame
from tkid.record.json.positions import position_json
from tkid.rulebook.rulesets import ruleset, rulesets

PAGE = (Path(__file__).parents[2] / "docs" / "engine-protocol.md").read_text("utf-8")
BASIC = ruleset("second-edition").game()
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
TALK = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if kind == "hello":
        print('{"type": "hello", "protocol": 1, "name": "test", "legal": true}', flush=True)
    elif kind == "view":
        view = message
    elif kind == "go":
        %s
"""


def begin(game: AnyGame, players: int = 2) -> Any:
    return game.start(game.seat_players(tuple("abcd"[:players])), game.deal(players, bytes([7] * 32)))


def view_of(game: AnyGame, position: Any) -> Any:
    return game.view(position, position.to_act)


def command(script: Path) -> str:
    return shlex.join([sys.executable, str(script)])


@pytest.fixture
def open_engine(tmp_path: Path) -> Iterator[Any]:
    """Make an engine of what a program does when it has to choose a turn, or of a whole program."""
    made: list[Engine] = []

    def make(does: str, game: AnyGame = BASIC, seconds: float = 20, *, whole: bool = False) -> Engine:
        script = tmp_path / f"engine{len(made)}.py"
        script.write_text(does if whole else TALK % does.replace("\n", "\n        "), "utf-8")
        made.append(Engine(game, command(script), seconds=seconds))
        return made[-1]

    yield make
    for each in made:
        each.close()


def play_out(game: AnyGame, chooser: Any, players: int) -> Any:
    """Play a game against random turns; the players see views only."""
    position, other = begin(game, players), find_player(game, "random")
    while (seat := position.to_act) is not None:
        for move in (other if seat % 2 else chooser).choose(game.view(position, seat), 8):
            position, _ = game.play(position, move)
    return position


@pytest.mark.parametrize("code", [entry.code for entry in rulesets()])
def test_a_program_plays_every_ruleset_with_its_list_of_legal_moves(open_engine: Any, code: str) -> None:
    """One that gives a move at a time, and one that gives whole turns."""
    game = ruleset(code).game()
    chooser = open_engine(
        "moves = view['legal']\n"
        "turn = moves[len(view['position']['hands'][view['seat']]) * 7 % len(moves)]\n"
        "print(json.dumps({'type': 'best', 'turns': [{'turn': turn}]}), flush=True)",
        game,
    )
    assert play_out(game, chooser, min(game.parties)).ending
    served = Engine(game, f"{command(Path(sys.argv[0]))}")
    served.command = shlex.join([sys.executable, "-m", "tkid", "engine", "--player", "random"])
    assert play_out(game, served, max(game.parties)).ending
    served.close()


@pytest.mark.parametrize(("language", "suffix", "runs"), [("python", "py", sys.executable), ("js", "mjs", "node")])
def test_the_examples_play_a_game(tmp_path: Path, language: str, suffix: str, runs: str) -> None:
    if shutil.which(runs) is None:
        pytest.skip(f"{runs} is not installed")
    (code,) = (text for kind, text in BLOCK.findall(PAGE) if kind == language)
    assert len(code.splitlines()) <= 35
    (tmp_path / f"collector.{suffix}").write_text(code, "utf-8")
    example = Engine(BASIC, f"{shlex.quote(runs)} collector.{suffix}", tmp_path)
    assert play_out(BASIC, example, 2).ending
    example.close()


def test_the_messages_of_the_page_fit_the_schema() -> None:
    position = json.dumps(position_json(BASIC, begin(BASIC)))
    shown = [line for kind, text in BLOCK.findall(PAGE) if kind == "json" for line in text.splitlines()]
    messages = [json.loads(line.replace("{…}", position)) for line in shown]
    assert {"hello", "view", "go", "info", "best", "stop", "error", "quit"} == {each["type"] for each in messages}
    assert not [fault for each in messages for fault in faults("engine", each)]


def test_each_turn_of_the_page_is_legal(open_engine: Any) -> None:
    for line in (line for kind, text in BLOCK.findall(PAGE) if kind == "json" for line in text.splitlines()):
        if '"best"' in line and 'Devon"}' not in line:
            (choice, *_) = open_engine(f"print({line!r}, flush=True)").list_best_turns(
                view_of(BASIC, begin(BASIC)), 1, 1
            )
            assert choice.turn


def converse(*messages: dict[str, Any], name: str = "greedy") -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = []
    lines = b"".join(json.dumps(message).encode() + b"\n" for message in messages)
    Server(name, 40, find_player, said.append).serve(io.BytesIO(lines))
    return said


def look(position: Any, game: AnyGame = BASIC) -> dict[str, Any]:
    return {"type": "view", "seat": position.to_act, "position": position_json(game, position)}


HELLO = {"type": "hello", "protocol": [1, 2]}


def test_our_players_play_the_same_turn_by_the_protocol() -> None:
    for code, name in (("second-edition", "search"), ("second-edition-advanced", "greedy"), ("claim", "search")):
        game = ruleset(code).game()
        position = begin(game)
        served = Engine(game, shlex.join([sys.executable, "-m", "tkid", "engine", "--player", name]))
        view = view_of(game, position)
        assert served.choose(view, 150) == find_player(game, name).choose(view, 150)
        values = [round(choice.value, 4) for choice in find_player(game, name).list_best_turns(view, 150, 3)]
        assert [choice.value for choice in served.list_best_turns(view, 150, 3)] == values
        served.close()


def test_a_server_speaks_by_the_schema_and_forgets_nothing() -> None:
    position = begin(BASIC)
    said = converse(HELLO, look(position), {"type": "go", "positions": 300, "most": 3}, {"type": "go", "positions": 5})
    assert [each["type"] for each in said] == ["hello", "info", "info", "best", "best"]
    assert not [fault for each in said for fault in faults("engine", each)]
    assert len(said[3]["turns"]) == 3


@each_row(
    "message, why",
    [
        ({"type": "hello", "protocol": [7]}, "write the versions that you speak, [1] for tkid, not [7]"),
        ({"type": "hello", "protocol": [1], "player": "cmd:sh"}, "is not one of random, greedy, search"),
        ({"type": "view", "seat": 0, "position": {"ruleset": "chess"}}, "position.regions"),
        ({"type": "view", "seat": 5, "position": position_json(BASIC, begin(BASIC))}, "5 is not a seat"),
        ({"type": "go"}, "needs a `view`"),
        ({"no": "type"}, "with a `type`"),
    ],
)
def test_a_server_explains_what_is_wrong_and_goes_on(message: dict[str, Any], why: str) -> None:
    position = begin(BASIC)
    said = converse(message, look(position), {"type": "go", "positions": 0}, {"type": "go", "positions": 5})
    assert [each["type"] for each in said] == ["error", "error", "best"]
    assert why in said[0]["message"]
    assert "from 1 to" in said[1]["message"]


def test_a_server_never_uses_more_than_a_view() -> None:
    """Hands of others in a position that somebody sends are not looked at."""
    game = ruleset("second-edition-advanced").game()
    position = begin(game)
    whole = converse(look(position, game), {"type": "go", "positions": 40})
    seen = converse(look(view_of(game, position).shown, game), {"type": "go", "positions": 40})
    assert whole == seen


def test_a_server_stops_at_once() -> None:
    """`stop` ends a search that would take minutes, and so does the end of its seconds."""

    class Slow(io.BytesIO):
        """A stream that pauses before its last line."""

        def readline(self, size: int | None = -1) -> bytes:
            line = super().readline(size)
            if b"stop" in line:
                sleep(0.3)
            return line

    position = begin(BASIC)
    for go in ({"type": "go", "positions": 1_000_000}, {"type": "go", "positions": 1_000_000, "seconds": 0.2}):
        lines = [look(position), go] + [{"type": "stop"}] * ("seconds" not in go)
        said: list[dict[str, Any]] = []
        began = monotonic()
        stream = Slow(b"".join(json.dumps(message).encode() + b"\n" for message in lines))
        Server("search", 40, find_player, said.append).serve(stream)
        assert monotonic() - began < 20
        assert said[-1]["type"] == "best"


@each_row(
    "does, why",
    [
        ("sys.exit(3)", "it ended, or closed its standard output, without a `best`"),
        ("print('I pass', flush=True)", 'it wrote "I pass", which isn\'t a JSON object'),
        ("print('[1]', flush=True)", "isn't a JSON object"),
        ("print('[' * 100000, flush=True)", "isn't a JSON object"),
        ("sys.stdout.write('x' * 5_000_000); sys.stdout.flush()", "a line of more than 1,000,000 bytes"),
        ('print(\'{"type": "best"}\', flush=True)', "`turns` is a list such as"),
        ("print(json.dumps({'type': 'best', 'turns': [{}]}), flush=True)", "this is no turn"),
        ("print(json.dumps({'type': 'best', 'turns': [{'turn': 'Poss'}]}), flush=True)", "tkid can't read `Poss`"),
        ("print(json.dumps({'type': 'best', 'turns': [{'turn': ''}]}), flush=True)", "tkid can't read ``"),
        (
            "print(json.dumps({'type': 'best', 'turns': [{'turn': 'Negotiate Moray <> Moray'}]}), flush=True)",
            "`Negotiate Moray <> Moray` is illegal: ",
        ),
        (
            "print(json.dumps({'type': 'best', 'turns': [{'moves': [{'move': 'pass'}] * 2}]}), flush=True)",
            "more moves than a turn",
        ),
        (
            "print(json.dumps({'type': 'best', 'turns': [{'moves': [{'move': 'hop'}]}]}), flush=True)",
            "'hop' is not one",
        ),
        (
            "print(json.dumps({'type': 'best', 'turns': [{'turn': 'Pass', 'value': 7}]}), flush=True)",
            "a value is a number from 0 to 1, not 7",
        ),
        ('print(\'{"type": "error", "message": "too hard"}\', flush=True)', 'it reports an error: "too hard"'),
    ],
)
def test_a_program_that_does_wrong_is_named_with_the_reason(open_engine: Any, does: str, why: str) -> None:
    wrong = open_engine(does)
    view = view_of(BASIC, begin(BASIC))
    for _ in range(2):  # it is started again, and fails again
        with pytest.raises(EngineError) as found:
            wrong.choose(view, 10)
        assert str(found.value).startswith(f"cmd:{wrong.command}: ")
        assert why in str(found.value)


def test_a_program_that_hangs_is_stopped_and_ended(open_engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all that it has started; also one that chatters without end, or reads nothing."""
    monkeypatch.setattr(engine, "GRACE", 0.3)
    chatter = 'while True: print(\'{"type": "info"}\', flush=True)'
    for does in ("import time; time.sleep(60)", chatter):
        began = monotonic()
        with pytest.raises(EngineError, match="no `best` in time"):
            open_engine(does, seconds=1).choose(view_of(BASIC, begin(BASIC)), 10)
        assert monotonic() - began < 15
    deaf = open_engine("import time\ntime.sleep(60)", seconds=0.5, whole=True)
    with pytest.raises(EngineError, match="no `hello` in time"):
        deaf.choose(view_of(BASIC, begin(BASIC)), 10)


def test_a_program_may_answer_when_it_is_told_to_stop(open_engine: Any) -> None:
    does = 'message = json.loads(sys.stdin.readline())\nif message[\'type\'] == \'stop\':\n    print(\'{"type": "best", "turns": [{"turn": "Pass"}]}\', flush=True)'
    patient = open_engine(does, seconds=0.5)
    (turn,) = {BASIC.words.write_turn(patient.choose(view_of(BASIC, begin(BASIC)), 10))}
    assert turn == "Pass"


@each_row(
    "words, why",
    [
        ("./there-is-none --fast", "it can't be started: No such file"),
        ("", "the command is empty"),
        ("'open", "it can't be started: No closing quotation"),
        ("echo $HOME", 'it wrote "$HOME"'),  # no shell
    ],
)
def test_a_command_that_does_not_start_is_explained(words: str, why: str) -> None:
    with pytest.raises(EngineError) as found:
        Engine(BASIC, words).choose(view_of(BASIC, begin(BASIC)), 10)
    assert why in str(found.value)


def test_a_program_of_another_version_is_refused(open_engine: Any) -> None:
    newer = open_engine('print(\'{"type": "hello", "protocol": 2}\', flush=True)', whole=True)
    with pytest.raises(EngineError, match="it speaks version 2 of the protocol, and tkid 1"):
        newer.choose(view_of(BASIC, begin(BASIC)), 10)


def test_a_program_gets_a_view_without_hidden_cards_and_names(open_engine: Any, tmp_path: Path) -> None:
    game = ruleset("second-edition-advanced").game()
    heard = tmp_path / "heard.json"
    does = f'json.dump(view, open({str(heard)!r}, \'w\'))\nprint(\'{{"type": "best", "turns": [{{"turn": "Pass"}}]}}\', flush=True)'
    position = game.start(game.seat_players(("Annabel", "Bobby")), game.deal(2, bytes([7] * 32)))
    open_engine(does, game).choose(view_of(game, position), 10)
    view = json.loads(heard.read_text("utf-8"))
    assert set(view["position"]["hands"][1 - view["seat"]]) == {"?"}
    assert "Annabel" not in json.dumps(view)
    assert not faults("engine", view)


def test_a_house_never_fails(open_engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the owner's program fails, `search` plays, the reason is noted, and the program rests."""
    view = view_of(BASIC, begin(BASIC))
    expected = find_player(BASIC, "search").choose(view, 300)
    bad, good = (
        open_engine("sys.exit(3)"),
        open_engine('print(\'{"type": "best", "turns": [{"turn": "Pass"}]}\', flush=True)'),
    )
    assert HouseEngine().choose(BASIC, view) == expected, "no program is named"
    house = HouseEngine(bad.command)
    assert house.choose(BASIC, view) == expected
    assert "without a `best`" in house.failures[0]
    house.command = good.command
    assert house.choose(BASIC, view) == expected, "it rests"
    monkeypatch.setattr(roster, "REST", 0)
    house.rest_end = 0.0
    assert BASIC.words.write_turn(house.choose(BASIC, view)) == "Pass"
    assert len(house.failures) == 1
