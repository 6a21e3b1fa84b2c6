"""Records that begin with a position: what contradicts itself is a problem, what a game can reach is none."""

from __future__ import annotations

from random import Random

import pytest

from tests.shared.strategies import GAMES, NAMES, random_game
from tests.shared.tables import each_row
from tkid.kernel.problems import Kind
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.reader import read_record
from tkid.record.json.positions import position_json

SECOND = "MOR =S, STR =S, LAN =S, NOR =S, GWY =W, WAR =W, ESS {}, DEV {}; supply 4S 4W 4E; track MOR STR LAN NOR GWY WAR ESS DEV"
COURTS = "1 court SS; 1 hand {}; 1 acted 3; 2 court SW; 2 hand {}; 2 acted 4"
OVER = f"{SECOND.format('=E', '=E')}; {COURTS.format('Assemble', 'Assemble')}"
OPEN = f"{SECOND.format('E', 'E')}; {COURTS.format('Assemble', 'Assemble')}"
FRANCE = f"{SECOND.format('=unstable', 'E')}; {COURTS.format('Assemble', 'Assemble')}".replace(
    "MOR =S", "MOR =unstable"
)
FRANCE = FRANCE.replace("STR =S", "STR =unstable")
SAXONS = (
    "CAL =unstable, DIN =unstable, EBO =unstable, DVA =unstable, RAT S, CAE W, LON R, AQU S; supply 9S 9W 9R; "
    "track CAL DIN EBO DVA RAT CAE LON AQU; 1 court SW; 1 hand Crown; 2 court SWR; 2 hand Crown"
)
TIE = f"{SECOND.format('=E', '=E')}; 1 court SW; 1 hand Assemble; 1 acted 3; 2 court SW; 2 hand Assemble; 2 acted 4"
BLACK = (
    "CAL =S, DIN =M, EBO S, DVA S, RAT S, CAE W, LON R, AQU S; supply 9S 9W 9R 6M; "
    "track CAL DIN EBO DVA RAT CAE LON AQU; 1 court SSW; 1 hand Crown; 2 court SW; 2 hand Crown"
)

CONTRADICTIONS = {
    "the wrong winner": ("second-edition", f"{OVER}; ended coronation 2", "ended coronation 1"),
    "two winners of one": ("second-edition", f"{OVER}; ended coronation 1 2", "ended coronation 1"),
    "no winner": ("second-edition", f"{OVER}; ended coronation", "ended coronation 1"),
    "all resolved and to play": ("second-edition", f"{OVER}; to play 2", "ended coronation 1"),
    "all resolved and to summon": ("second-edition", f"{OVER}; to summon 2", "ended coronation 1"),
    "three instability discs and to play": ("second-edition", f"{FRANCE}; to play 1", "ended invasion 2"),
    "the wrong winner of an invasion": ("second-edition", f"{FRANCE}; ended invasion 1", "ended invasion 2"),
    "all hands empty and to play": (
        "second-edition",
        f"{SECOND.format('E', 'E')}; {COURTS.format('-', '-')}; to play 1",
        "ended coronation 1",
    ),
    "four Saxon tokens and to play": ("first-edition", f"{SAXONS}; to play 1", "ended invasion 2"),
    "Mordred has won and to play": ("first-edition-mordred", f"{BLACK}; to play 2", "ended mordred 1"),
    "the winner of another reading": ("second-edition", f"{TIE}; ended coronation 1", "ended coronation 1 2"),
    "Plot is asked for though the game goes on": (
        "second-edition-advanced",
        f"{SECOND.format('E', 'E')}; {COURTS.format('Plot', 'Aid')}; to plot 1",
        "to play 1",
    ),
    "Plot is asked for though it decides nothing": (
        "second-edition-advanced",
        f"{SECOND.format('=E', '=E')}; 1 court SSSS; 1 hand Plot; 2 court W; 2 hand Aid; to plot 1",
        "ended coronation 1",
    ),
    "resolved after the end": (
        "second-edition",
        f"{FRANCE.replace('ESS =unstable', 'ESS =E').replace('LAN =S', 'LAN =unstable')}; ended invasion 2",
        "ended invasion 2",
    ),
}


def record(code: str, position: str, *, rulings: str = "", seats: int = 2) -> bytes:
    """A record that begins with a position."""
    names = "".join(f"Seat: {name}\n" for name in NAMES[:seats])
    return f"Tkid-Record: 1\nRuleset: {code}\n{names}{rulings}Position: {code}; {position}\n\nTurns\n".encode()


@each_row("name", CONTRADICTIONS)
def test_what_contradicts_itself_is_a_problem(name: str) -> None:
    code, position, follows = CONTRADICTIONS[name]
    found = read_record(record(code, position))
    (problem,) = found.problems
    assert (problem.rule, problem.kind) == ("record.position", Kind.ILLEGAL)
    line = found_line(record(code, position), problem.line)
    assert line[problem.col - 1 :][: problem.length] == position.rpartition("; ")[2]
    assert follows in problem.hint


@each_row("name", CONTRADICTIONS)
def test_the_way_out_is_none(name: str) -> None:
    """With what the message proposes nothing is wrong any more."""
    code, position, _ = CONTRADICTIONS[name]
    (problem,) = read_record(record(code, position)).problems
    if problem.fixes:
        mended = f"{position.rpartition('; ')[0]}; {problem.fixes[0].text}"
    else:
        mended = problem.hint.partition(": ")[2].partition("; ")[2]
    assert mended != position
    assert not read_record(record(code, mended)).problems


def found_line(data: bytes, number: int) -> str:
    """A line of a file by its number."""
    return data.decode().splitlines()[number - 1]


def test_a_reading_may_have_another_winner() -> None:
    """The position is judged as the record reads the rules."""
    rulings = "Ruling: second.ruling.final-tie last-card\n"
    assert not read_record(record("second-edition", f"{TIE}; ended coronation 1", rulings=rulings)).problems
    assert read_record(record("second-edition", f"{TIE}; ended coronation 1 2", rulings=rulings)).problems


def test_a_position_without_the_clause_is_to_play() -> None:
    (problem,) = read_record(record("second-edition", OVER)).problems
    assert "`to play 1` contradicts the rest" in problem.message
    assert "ended coronation 1" in problem.hint


CLAIM = (
    "to play 1",
    "ended votes 1",
    "1 hand G1; 2 hand K2; ended votes 1",
    "1 score G5 G6 K2 K3 D1; ended votes 2",
    "1 score G5 K2 D1 U1; ended drawn",
    "1 hand G1; 2 hand K2; 1 score G5 K2 D1; ended drawn",
)


@each_row("position", CLAIM)
def test_claim_refuses_the_same(position: str) -> None:
    """In Claim an ending and its winners follow from the cards: what is stated otherwise is no position at all."""
    problems = read_record(record("claim", position)).problems
    assert problems
    assert {problem.rule for problem in problems} == {"notation.position"}


@pytest.mark.slow
@each_row("name", GAMES)
def test_every_position_of_a_game_is_settled(name: str) -> None:
    """Between turns and within them, as they are and as every seat knows them."""
    game, rng = GAMES[name], Random(f"settled {name}")
    plugin = find_record_plugin(game)
    for players in (2, 3, 4):
        for passing in (0.1, 0.6, 0.95):
            for position, _, _ in random_game(rng, players, passing, game):
                assert plugin.compute_decision(game, position) == position
                for seat in (None, *position.seats):
                    shown = game.view(position, seat).shown
                    assert plugin.compute_decision(game, shown) == shown, position_json(game, position)
