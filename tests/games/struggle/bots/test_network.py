"""The learned value: recorded numbers, what it may see, whose it is, and how well it knows who wins.

`python -m tests.games.struggle.bots.test_network` writes the recorded values again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from tests.games.struggle.bots.test_judge import mirrored
from tests.shared.tables import each_row, sample
from tkid.bots.player import apply_turn, find_party, find_win_shares
from tkid.bots.plugin import find_judge
from tkid.games.struggle.bots import StruggleJudge, find_struggle_worlds, network
from tkid.games.struggle.bots.network import HALF, LIMIT, UNITS, Learned, Network, list_inputs
from tkid.games.struggle.bots.outlook import find_struggle_weights
from tkid.games.struggle.rules.board import Position
from tkid.notation.positions import read_position, write_position
from tkid.rulebook.rulesets import ruleset

FILES = sorted(Path(network.__file__).with_name(network.FOLDER).glob("*.bin"))
TABLES = [(code, int(players)) for code, _, players in (file.stem.rpartition("-") for file in FILES)]
RECORDED = Path(__file__).parents[4] / "fixtures/bots/values.json"
SEED, WIDTH, BY_LOT = 20261201, 6, 0.25
MAX_BYTES = 200_000


def walk(code: str, players: int, number: int) -> Iterator[Position]:
    """The positions of a game in which a turn is due, and the last; players are greedy, and the lot decides some turns."""
    game: Any = ruleset(code).game()
    chance, known = Random(f"{SEED} {code} {players} {number}"), find_judge(game)
    position = game.start(game.seat_players(tuple("abcd"[:players])), game.deal(players, chance.randbytes(32)))
    while position.to_act is not None:
        if position.decision == "play":
            yield position
        turns = known.rank_turns(game.view(position, position.to_act).shown, WIDTH)
        position = apply_turn(game, position, (chance.choice(turns) if chance.random() < BY_LOT else turns[0])[0])
    yield position


def find(code: str, players: int) -> Learned:
    """The learned value of a game, which it has."""
    found = Learned.find(ruleset(code).game(), players)
    assert found is not None
    return found


def record(code: str, players: int) -> list[list[Any]]:
    """Some positions of a game, each with the value of every party."""
    game: Any = ruleset(code).game()
    positions = list(walk(code, players, 0))[:-1:5]
    return [[write_position(game, position), find(code, players).evaluate(position)] for position in positions]


@each_row("code, players", TABLES)
def test_values_are_the_same_on_every_machine(code: str, players: int) -> None:
    """To the last digit; a change of the weights changes the table."""
    known, rows = find(code, players), json.loads(RECORDED.read_text("utf-8"))[f"{code}-{players}"]
    assert len(rows) >= 4
    for line, values in rows:
        position: Any = read_position(line)[1]
        assert list(known.evaluate(position)) == values
    assert len({tuple(values) for _, values in rows}) == len(rows)


@pytest.mark.parametrize(("code", "players"), sample(TABLES, 4))
def test_lanes_add_up_as_plain_numbers_do(code: str, players: int) -> None:
    known, lot = find(code, players), Random(SEED)
    for position in list(walk(code, players, 1))[:-1:3]:
        for inputs in list_inputs(known.outlook, position, position.seats):
            assert sum(map(abs, inputs)) * LIMIT < HALF
            rows = [[lot.randrange(-LIMIT - 1, LIMIT + 1) for _ in range(UNITS)] for _ in inputs]
            counts = [lot.randrange(-(1 << 15), 1 << 15) for _ in range(UNITS)]
            packed = b"".join(each.to_bytes(1, "little", signed=True) for row in rows for each in row)
            packed += b"".join(each.to_bytes(2, "little", signed=True) for each in counts)
            units = [sum(n * row[unit] for n, row in zip(inputs, rows, strict=True)) for unit in range(UNITS)]
            plain = sum(max(0, unit) * count for unit, count in zip(units, counts, strict=True))
            assert Network.read(packed).estimate(inputs) == plain / network.FINE


@each_row("code, players", TABLES)
def test_every_file_has_a_row_for_each_input(code: str, players: int) -> None:
    known = find(code, players)
    for position in list(walk(code, players, 2))[:-1]:
        assert {len(inputs) for inputs in list_inputs(known.outlook, position, position.seats)} == {
            len(known.network.rows)
        }


def test_the_files_are_small() -> None:
    assert TABLES
    assert sum(file.stat().st_size for file in FILES) <= MAX_BYTES


@each_row("code, players", [each for each in TABLES if each[1] == 2])
def test_players_who_change_seats_change_values(code: str, players: int) -> None:
    known = find(code, players)
    for position in list(walk(code, players, 3))[:-1]:
        assert known.evaluate(mirrored(position)) == known.evaluate(position)[::-1]


@each_row("code, players", [each for each in TABLES if ruleset(each[0]).game().hands.secret])
def test_no_value_looks_at_hidden_cards(code: str, players: int) -> None:
    """Worlds that look alike to who acts have one value."""
    game: Any = ruleset(code).game()
    known, several = find_judge(game), 0
    for position in list(walk(code, players, 4))[:-1:4]:
        view = game.view(position, position.to_act)
        worlds = find_struggle_worlds(game, view, 8, Random(SEED))
        assert {known.estimate_chances(world) for world in worlds} == {known.estimate_chances(view.shown)}
        several += len(set(worlds)) > 1
    assert several >= 3


@pytest.mark.parametrize(("code", "players"), sample(TABLES, 3))
def test_the_learned_value_knows_who_wins(code: str, players: int) -> None:
    """In the second half of games that it hasn't learned from: better than equal chances, and not clearly worse than the evaluation without it."""
    game = ruleset(code).game()
    usual, games = StruggleJudge(game, find_struggle_weights(code, players)), []
    for number in range(20):
        *positions, end = walk(code, players, number)
        won, errors = find_win_shares(game, end), []
        for position in positions[len(positions) // 2 :]:
            party = find_party(game, position)
            said = find(code, players).evaluate(position), usual.estimate_chances(position), [1 / len(won)] * len(won)
            errors.append([(each[party] - won[party]) ** 2 for each in said])
        games.append([fmean(each) for each in zip(*errors, strict=True)])
    learned, _, equal = map(fmean, zip(*games, strict=True))
    worse = [own - before for own, before, _ in games]
    assert learned < equal
    assert fmean(worse) < 2 * stdev(worse) / len(worse) ** 0.5


if __name__ == "__main__":
    rows = {f"{code}-{players}": record(code, players) for code, players in TABLES}
    RECORDED.write_text(f"{json.dumps(rows, indent=1)}\n", "utf-8")
