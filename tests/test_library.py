"""`import tkid` gives programs what they need: names, a game in three lines, and errors that say what to do."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

import tkid
from tests.shared.schemas import faults
from tests.shared.tables import each_row
from tkid.kernel.game import IllegalMoveError
from tkid.record.json.positions import find_game_json, list_replay_lines, position_json, read_position_json
from tkid.record.play.replay import Replay, append
from tkid.rulebook.rulesets import ruleset

STUB = Path(tkid.__file__).with_suffix(".pyi")
GAME = tkid.new_game(seed=7)


def test_the_names_are_those_of_the_stub() -> None:
    imported = [each for each in ast.parse(STUB.read_text("utf-8")).body if isinstance(each, ast.ImportFrom)]
    assert {each.names[0].name: each.module for each in imported} == tkid.PLACES
    for name in tkid.PLACES:
        assert getattr(tkid, name).__name__ == name
        assert name in dir(tkid)


def test_a_name_is_loaded_when_it_is_used() -> None:
    code = "import sys, tkid; print(sorted(name for name in sys.modules if name in ('attrs', 'lark', 'typer')))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(AttributeError, match="module 'tkid' has no attribute 'nothing'"):
        _ = tkid.nothing  # type: ignore[attr-defined] # this is what is tried


def play_random(code: str, players: int, seed: int) -> Replay:
    """A game of random turns, played with nothing but `import tkid`."""
    chance, played = Random(seed), tkid.new_game(code, players, seed=seed)
    game = played.record.game
    while played.position.to_act is not None:
        position, turn = played.position, list[object]()
        while not turn or game.turn_continues(position):
            turn.append(chance.choice(game.legal(position)))
            position, _ = game.play(position, turn[-1])
        assert turn[0] in tkid.legal(played)
        played = tkid.play(played, turn)
    return played


@each_row("code", [ruleset.code for ruleset in tkid.rulesets()])
def test_a_whole_game_is_played_and_read_again(code: str) -> None:
    players = min(ruleset(code).game().parties)
    played = play_random(code, players, seed=3)
    assert not tkid.legal(played)
    read = tkid.read_record(tkid.write_record(played.record, played).encode())
    assert read.record is not None
    again = tkid.replay(read.record)
    assert again.problems == []
    assert again.position == played.position


@each_row("code", [ruleset.code for ruleset in tkid.rulesets()])
def test_every_legal_turn_can_be_played(code: str) -> None:
    played = tkid.new_game(code, min(ruleset(code).game().parties), seed=5)
    turns = list(islice(tkid.legal_turns(played), 300))
    assert len(set(turns)) == len(turns) > 1
    for turn in turns[::50]:
        assert tkid.play(played, turn).last.moves == turn
    assert list(tkid.legal_turns(play_random("claim", 2, 1))) == []


def test_a_seed_deals_the_same_game_again() -> None:
    assert tkid.new_game(seed=7).position == GAME.position
    assert tkid.new_game(seed=8).position != GAME.position
    assert tkid.new_game().position != tkid.new_game().position
    assert GAME.record.game.start(2, seed=7) == GAME.record.game.start(players=2, seed=7)


def test_a_game_has_the_start_player_and_the_rulings_that_were_chosen() -> None:
    game = tkid.new_game(players=["Ann", "Bob"], seed=3, first="Bob", rulings=["second.ruling.final-tie last-card"])
    assert (game.position.to_act, game.record.names) == (1, ("Ann", "Bob"))
    assert "Ruling: second.ruling.final-tie last-card" in tkid.write_record(game.record, game)
    with pytest.raises(tkid.NewGameError, match="Cal"):
        tkid.new_game(players=["Ann", "Bob"], first="Cal")


def test_a_position_is_a_typed_value() -> None:
    """The checker of types knows its fields: no part of this function is ignored."""
    position = GAME.position
    assert isinstance(position, tkid.Position)
    assert sum(map(sum, (*position.regions, *position.courts, position.supply))) == 48
    assert len(position.hands[0]) == 8
    assert position.track[0] == position.contested
    view = GAME.record.game.view(position, 0)
    assert isinstance(view, tkid.View)


WRONG: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "a short name": (lambda: tkid.new_game(players=["A", "B"]), ValueError, "`A` would be read as Assemble"),
    "too many players": (lambda: tkid.new_game(players=9), ValueError, "the game is for 2, 3 or 4 players"),
    "no players": (lambda: tkid.new_game(players=0), ValueError, "The seats are missing"),
    "a single name": (lambda: tkid.new_game(players="Ann"), TypeError, r"such as \['Ann', 'Bob'\]"),
    "no such ruleset": (lambda: tkid.new_game("third"), ValueError, "Known are: second-edition"),
    "no deal": (lambda: GAME.record.game.start(2), ValueError, "give a `seed`"),
    "another deal": (lambda: GAME.record.game.start(2, "deal"), ValueError, "'deal' is no deal"),
    "no table": (lambda: GAME.record.game.start("Ann", seed=1), TypeError, "'Ann' is no table"),  # type: ignore[arg-type] # this is what is tried
    "too many seats": (lambda: GAME.record.game.start(5, seed=1), ValueError, "not for 5"),
    "no such region": (lambda: tkid.play(GAME, "Scottish Support SS Wales"), tkid.TurnError, "`Wales` is not a region"),
    "half a turn": (lambda: tkid.play(GAME, [tkid.legal(GAME)[5]]), ValueError, "You must summon a follower"),
    "a move": (lambda: tkid.play(GAME, tkid.legal(GAME)[5]), TypeError, "or the moves of `tkid.legal_turns`"),
    "a record": (lambda: tkid.play(GAME.record, "Pass"), TypeError, r"`tkid.replay\(record\)` makes one"),  # type: ignore[arg-type] # this is what is tried
    "no such seat": (lambda: tkid.draw(GAME, seat=7), ValueError, "there is no seat 7"),
    "a list of texts": (lambda: tkid.play(GAME, ["pass"]), TypeError, "is no turn"),
    "an empty turn": (lambda: tkid.play(GAME, ""), tkid.TurnError, "This part is empty"),
    "no moves": (lambda: tkid.play(GAME, []), tkid.TurnError, "This part is empty"),
    "a slip": (lambda: tkid.play(GAME, "manouvre"), ValueError, "Did you mean Manoeuvre?"),
    "no such moment": (lambda: tkid.draw(GAME, 3), IndexError, "no moment 3; they are 0 to 0"),
}


@each_row("name", WRONG)
def test_an_error_says_what_to_do(name: str) -> None:
    call, error, text = WRONG[name]
    with pytest.raises(error, match=text):
        call()


def test_an_error_in_a_turn_has_its_problems() -> None:
    with pytest.raises(tkid.TurnError) as caught:
        tkid.play(GAME, "Scottish Support SS Wales")
    assert [problem.rule for problem in caught.value.problems] == ["notation.region"]
    assert not issubclass(tkid.TurnError, IllegalMoveError)


@each_row(
    "wrong",
    [
        {"ruleset": tkid.rulesets()[0]},
        {"players": {"Ann", "Bob"}},
        {"first": 0},
        {"first": 1},
        {"seed": 7.0},
        {"seed": "7"},
    ],
)
def test_a_new_game_of_another_type_is_a_type_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"is not|cannot be interpreted as an integer"):
        tkid.new_game(**wrong)


def test_a_value_of_another_kind_is_a_type_error() -> None:
    uses: list[tuple[Callable[[Any], object], object]] = [
        (tkid.legal, GAME.record), (tkid.draw, GAME.position), (tkid.replay, GAME), (tkid.write_record, GAME),
    ]  # fmt: skip
    for use, wrong in uses:
        with pytest.raises(TypeError, match=rf"{type(wrong).__name__} is not a"):
            use(wrong)
    with pytest.raises(TypeError, match=r"Record is not a game played through; `tkid\.replay\(record\)` makes one"):
        append(GAME.record, "Pass")  # type: ignore[arg-type] # this is what is tried


def list_spoilt(move: Any) -> Iterator[Any]:
    """The same move with one of its numbers in turn from the end, or too large; and of a card that there isn't."""
    for attribute in attrs.fields(type(move)):
        value = getattr(move, attribute.name)
        if attrs.has(type(value)):
            spoilt: Iterable[Any] = list_spoilt(value)
        elif isinstance(value, int):
            spoilt = (-1, 99)
        elif attribute.name == "regions":
            spoilt = ((-1, *value[1:]), (99, *value[1:]), value[1:])
        elif attribute.name in {"give", "take", "group", "placed"}:
            spoilt = (value[1:], (*value, 1))
        else:
            spoilt = ("Foo",) if attribute.name == "card" else ()
        yield from (attrs.evolve(move, **{attribute.name: each}) for each in spoilt)


@pytest.mark.parametrize("code", [each.code for each in tkid.rulesets()])
def test_no_move_beyond_the_board_is_legal(code: str) -> None:
    """An index from the end is none, so a search that found nothing plays nothing; what is said has a rule."""
    game, chance, tried = ruleset(code).game(), Random(3), 0
    position = game.start(players=2, seed=3)
    while position.to_act is not None:
        legal = game.legal(position)
        for move in chance.sample(legal, min(5, len(legal))):
            for spoilt in list_spoilt(move):
                tried += 1
                assert spoilt not in legal, spoilt
                assert game.check(position, spoilt)[0].rule, spoilt
                with pytest.raises(IllegalMoveError):
                    game.play(position, spoilt)
        position, _ = game.play(position, chance.choice(legal))
    assert tried > 30


def test_values_show_themselves() -> None:
    played = tkid.play(tkid.new_game(players=["Ann", "Bob"], seed=7, title="winter"), "Pass")
    assert repr(played.record) == "<Record winter: second-edition, Ann, Bob, 1 turn>"
    assert repr(played) == "<Replay winter: second-edition, Ann, Bob, 1 turn, Ann to act>"
    moves = tkid.legal(GAME)
    assert repr(moves).startswith(f"<{len(moves)} legal moves: Pass(), Play(card='Scottish Support'")
    assert repr(moves).endswith(", …>")
    assert repr(tkid.legal(play_random("claim", 2, 1))) == "<0 legal moves: >"
    for each in tkid.rulesets():
        assert re.fullmatch(rf"<Game {each.code}(, [a-z.-]+=[a-z-]+)*>", repr(each.game()))
    over = play_random("second-edition", 2, 1)
    assert repr(over).endswith(f", {over.position.ending}>")


@pytest.mark.parametrize("code", [each.code for each in tkid.rulesets()])
def test_the_moves_of_a_replay_lead_to_its_positions(code: str) -> None:
    """Each line has the moves of its turn as the questions of the conformance suite have them."""
    played = play_random(code, 2, 5)
    start, *lines = list_replay_lines(played, legal=False)
    game, position = read_position_json(start["position"])
    form = find_game_json(game.name)
    for line in lines:
        assert faults("replay", line) == []
        for value in line["moves"]:
            position, _ = game.play(position, form.read_move(game, position, json.loads(json.dumps(value))))
        assert position_json(game, position) == line["position"]
    assert len({value["move"] for line in lines for value in line["moves"]}) > (code != "claim")


def test_moments_say_where_they_are() -> None:
    played = tkid.play(tkid.new_game(players=["Ann", "Bob"], seed=7), "Pass")
    assert repr(played.moments) == f"[<Moment before the first turn>, <Moment after '{played.last.line}'>]"
    assert played.last.line.endswith(" Pass")


@pytest.mark.parametrize("code", [each.code for each in tkid.rulesets()])
def test_a_notebook_shows_positions_and_views_as_tables(code: str) -> None:
    """Every attribute is a row, and a view has the hidden cards and nothing behind them."""
    played = tkid.new_game(code, seed=7)
    position, game = played.position, played.record.game
    shown: Any = position
    for attribute in attrs.fields(type(shown)):
        assert f"<th>{attribute.name}</th>" in shown._repr_html_()
    for seat in (None, 0, 1):
        view: Any = game.view(position, seat)
        assert view._repr_html_().endswith(view.shown._repr_html_())
        assert ("a spectator" if seat is None else f"seat {seat} sees") in view._repr_html_()


def test_a_notebook_draws_what_a_spectator_may_see() -> None:
    played = tkid.new_game("second-edition-advanced", players=["Ann", "Bob"], seed=7)
    assert played._repr_svg_() == played.record._repr_svg_() == tkid.draw(played)
    assert tkid.draw(played).startswith("<svg")
    assert tkid.draw(played) != tkid.draw(played, seat=0)
