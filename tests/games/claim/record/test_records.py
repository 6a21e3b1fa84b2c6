"""Whole records of Claim: recorded games, files of players, the program's commands, and files that are wrong."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli import tkid
from tests.games.claim.shared import PLAYERS
from tests.makers.claim_games import HERE, random_record
from tests.oracle import claim as oracle
from tests.shared.examples import examples
from tkid.games.claim.rules import Position
from tkid.kernel.game import HIDDEN
from tkid.notation.positions import read_position, write_position
from tkid.record.format.reader import read_record
from tkid.record.json.positions import position_json, read_position_json
from tkid.record.play.replay import Replay, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record

GAMES = sorted(HERE.glob("*.tkid"))
every_game = pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
seats = st.sampled_from((0, 1, None))


def played_through(text: bytes) -> Replay:
    """The replay of a record, which has no problem."""
    found = read_record(text)
    assert found.problems == ()
    assert found.record is not None
    played = replay(found.record)
    assert played.problems == []
    return played


@every_game
def test_the_oracle_allows_every_card_and_comes_to_the_same_end(path: Path) -> None:
    """As far as a file knows the hands."""
    played = played_through(path.read_bytes())
    for before, after in pairwise(played.moments):
        position = before.position
        assert isinstance(position, Position)
        (move,) = after.moves
        seat = position.to_act
        assert seat is not None
        if HIDDEN not in position.hands[seat]:
            hand = map(oracle.card, position.hands[seat])
            led = oracle.card(position.led) if position.led else None
            assert oracle.card(move.card) in oracle.playable(hand, led)
    position = played.position
    assert isinstance(position, Position)
    winner = oracle.winner([list(map(oracle.card, pile)) for pile in position.scores])
    assert position.winners == (() if winner is None else (winner,))


def test_there_is_a_recorded_game_for_each_way_to_end() -> None:
    assert {played_through(path.read_bytes()).position.ending for path in GAMES} == {"votes", "drawn"}


@pytest.mark.slow
@given(st.integers(0, 10_000), seats)
@examples(6)
def test_a_record_is_the_same_in_every_file_as_far_as_its_reader_may_know(seed: int, seat: int | None) -> None:
    played = random_record(seed)
    text = write_record(played.record, played).encode()
    again = played_through(text)
    assert again.position == played.position
    assert again.value == played.value
    known = hide_secrets(again, seat)
    file = write_record(known.record, known)
    own = played_through(file.encode())
    assert write_record(own.record, own) == file
    for whole, mine in zip(again.moments, own.moments, strict=True):
        view = own.record.game.view
        assert view(mine.position, seat) == view(whole.position, seat)
        line = write_position(own.record.game, mine.position)
        assert read_position(line)[1] == mine.position
        assert read_position_json(position_json(own.record.game, mine.position))[1] == mine.position


def test_the_file_of_a_player_holds_what_the_player_drew_and_nothing_of_the_others() -> None:
    whole = (HERE / "whole-game-for-2.tkid").read_text("utf-8")
    ann = (HERE / "whole-game-for-2-as-ann-has-it.tkid").read_text("utf-8")
    public = (HERE / "whole-game-for-2-as-anybody-may.tkid").read_text("utf-8")
    assert "-- Ann draws " in whole
    assert "-- Bob draws " in whole
    assert "-- Ann draws " in ann
    assert "-- Bob draws " not in ann
    assert " draws " not in public
    assert "entropy" not in ann + public


# -- the program ------------------------------------------------------------------------------------------


def test_a_game_from_the_deal_to_the_proof(tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    entropy = Random(5).randbytes(32).hex()
    made = tkid("new", str(file), *PLAYERS, "--ruleset", "claim", "--entropy", entropy)
    assert made.exit_code == 0, made.output
    record = played_through(file.read_bytes()).record
    leads = record.start().to_act
    assert leads is not None
    first = record.names[leads]
    shown = tkid("show", str(file), "--seat", first).output
    assert f"{first} to lead: " in shown
    legal = tkid("legal", str(file)).output.splitlines()
    assert legal[0] == f"{first} may lead:"
    assert tkid("play", str(file), legal[1].strip()).exit_code == 0
    wrong = tkid("play", str(file), "Gobln 3")
    assert wrong.exit_code == 1
    assert "has no Goblin 3" in wrong.output
    assert "[claim.recruit.reveal]" not in wrong.output
    proof = tkid("verify", str(file))
    assert "The deck: dealt from the entropy." in proof.output, proof.output
    assert tkid("check", str(file)).exit_code == 0


def test_hands_are_opened(tmp_path: Path) -> None:
    whole = random_record(3)
    for seat, name in enumerate(PLAYERS):
        own = hide_secrets(whole, seat)
        (tmp_path / f"{name}.tkid").write_text(write_record(own.record, own), "utf-8")
    opened = tkid("open", str(tmp_path / "Ann.tkid"), str(tmp_path / "Bob.tkid"))
    assert "opened Bob" in opened.output, opened.output
    known = played_through((tmp_path / "Ann.tkid").read_bytes()).record.deal
    assert known is not None
    assert known.hands == whole.record.start().hands
    assert tkid("check", str(tmp_path / "Ann.tkid")).exit_code == 0


def test_a_ruling_is_chosen_in_no_file_of_claim() -> None:
    text = GAMES[0].read_text("utf-8").replace("\n\nSetup", "\nRuling: claim.ruling.shuffle no\n\nSetup", 1)
    (problem,) = read_record(text.encode()).problems
    assert (problem.rule, problem.hint) == ("record.ruling", "This ruleset has none: leave the line out.")


def test_programs_ask_in_json() -> None:
    played = played_through((HERE / "whole-game-for-2.tkid").read_bytes())
    game, moment = played.record.game, played.moments[9]
    asked = json.dumps({"position": position_json(game, moment.position)})
    answer = json.loads(tkid("legal", "--jsonl", stdin=asked.encode()).output)
    assert answer == {
        "pass": False,
        "cards": {game.words.write_move(move): [""] for move in game.legal(moment.position)},
    }
    over = json.dumps({"position": position_json(game, played.position)})
    result = json.loads(tkid("result", "--jsonl", stdin=over.encode()).output)
    assert (result["ending"], len(result["chain"])) == ("votes", 6)
    wrong = json.dumps({"position": position_json(game, moment.position) | {"deck": ["Goblin 5", "Goblin 12"]}})
    assert "Goblin 12 is not a card" in tkid("legal", "--jsonl", stdin=wrong.encode()).output


# -- wrong files ------------------------------------------------------------------------------------------


@given(st.data())
@examples(25)
def test_a_mangled_record_is_told_of_and_never_breaks_the_program(data: st.DataObject) -> None:
    """Lines that are left out, doubled or exchanged, anywhere behind the header."""
    path = data.draw(st.sampled_from(GAMES))
    lines = path.read_text("utf-8").splitlines()
    first = lines.index("Setup") + 1
    for _ in range(data.draw(st.integers(1, 3))):
        at, other = (data.draw(st.integers(first, len(lines) - 1)) for _ in range(2))
        match data.draw(st.sampled_from(("drop", "double", "exchange", "other card"))):
            case "drop":
                del lines[at]
            case "double":
                lines.insert(at, lines[other])
            case "exchange":
                lines[at], lines[other] = lines[other], lines[at]
            case _:
                lines[at] = lines[at].replace("Goblin", "Knight").replace("Undead", "Dwarf")
    found = read_record("\n".join(lines).encode())
    if found.record is not None:
        played = replay(found.record)
        for problem in (*found.problems, *played.problems):
            assert problem.message
            assert problem.rule
        for seat in (0, 1, None):
            hide_secrets(played, seat)
