"""The recorded games and positions: every way to end, each with the position it must reach; counts and perft."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.endings_of import LAST_STRUGGLE, way
from tests.games.struggle.test_cards_oracle import BORDERS, HOMES
from tests.make_games import FOLDER, stem, told
from tests.make_positions import FILE, counted, perft
from tests.oracle import cards as oracle
from tests.oracle import endings
from tests.strategies import GAME
from tkid.notation.positions import read_position
from tkid.record.json import position_json, read_position_json
from tkid.record.read import read_record
from tkid.record.replay import replay
from tkid.record.write import write_record

GAMES = sorted(FOLDER.glob("*/*.tkid"))
LINES = FILE.read_text("utf-8").splitlines()


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_recorded_game_reaches_its_position(path: Path) -> None:
    text = path.read_text("utf-8")
    found = read_record(text.encode())
    assert found.problems == ()
    assert found.record is not None
    played = replay(found.record)
    assert played.problems == []
    assert write_record(found.record, played) == text, "the fixture is canonical"
    written = json.loads(path.with_suffix(".json").read_text("utf-8"))
    _, position = read_position_json(written)
    assert played.position == position
    game = found.record.game
    assert position_json(game, position) == written
    assert (position.ending, frozenset(position.winners)) == endings.result(written, game.readings)
    if path.stem == LAST_STRUGGLE:
        assert (position.ending, len(position.struggles)) == ("invasion", 8)
    elif not path.stem.startswith("whole-game"):
        assert stem(way(game, position)) == path.stem


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_how_a_recorded_game_was_decided(path: Path) -> None:
    assert told(path) == path.with_suffix(".why").read_text("utf-8")


@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
def test_a_position_has_its_counts(line: str) -> None:
    text, counts, rows = line.split("\t")
    game, position = read_position(text)
    assert counted(game, position) == counts
    assert perft(game, position) == int(rows)
    written = position_json(game, position)
    for count in counts.split(", "):
        what, _, number = count.rpartition(" ")
        if what == "summon":
            assert max(1, len(oracle.summons(written))) == int(number)
        elif what != "Pass":
            assert len(oracle.resolutions(written, what, BORDERS, HOMES)) == int(number)


def test_the_positions_are_of_every_kind() -> None:
    positions = [read_position(line.partition("\t")[0])[1] for line in LINES]
    assert {p.decision for p in positions} == {"play", "summon"}
    assert any(p.banned and p.decision == "play" and p.banned.by != p.to_act for p in positions)
    assert Counter(len(p.courts) for p in positions).keys() == {2, 3, 4}
    assert GAME.code == "second-edition"
