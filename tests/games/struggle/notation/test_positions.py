"""The position in one line, and the position in JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.struggle.shared.family import board
from tests.shared.examples import examples
from tests.shared.strategies import GAME, positions, start
from tests.shared.tables import each_row
from tkid.games.struggle.rules.board import Position
from tkid.notation.positions import PositionError, read_position, write_position
from tkid.record.json.objects import JsonError
from tkid.record.json.positions import legal_lines, position_json, read_position_json, result_json

BANNED = "banned Manoeuvre by 2: MOR +S, DEV -S"


@pytest.mark.slow
@given(positions())
@examples(150)
def test_written_and_read_back(position: Position) -> None:
    text = write_position(GAME, position)
    assert read_position(text)[1] == position
    assert read_position(text.lower().replace(" ", "  "))[1] == position
    written = json.loads(json.dumps(position_json(GAME, position)))
    assert read_position_json(written)[1] == position
    assert write_position(GAME, read_position_json(written)[1]) == text


def test_a_short_line_is_enough() -> None:
    _, found = read_position("second-edition; mor ssw, ess =e, dev =unstable; 2 hand man; to play 2")
    position = board(found)
    assert position.regions[0] == (2, 1, 0)
    assert (position.discs[6], position.discs[7]) == (2, -2)
    assert position.hands == ((), ("Manoeuvre",))
    assert position.track == (6, 7, 0, 1, 2, 3, 4, 5)


@each_row(
    ("text", "col", "says"),
    [
        ("second-edtion; MOR S", 1, "Did you mean second-edition?"),
        ("second-edition; MOR SX", 21, "X is not a faction's letter"),
        ("second-edition; MOO S", 17, "`MOO` is not a region"),
        ("second-edition; track MOR MOR", 1, "Moray is there twice"),
        ("second-edition; MOR S,, ", 23, "`,` does not belong here"),
        ("second-edition; 1 hand Assmble", 24, "`Assmble` is not a card"),
        ("second-edition; MOR =Q", 22, "`Q` is not a disc"),
        ("second-edition; to dance 1", 20, "`dance` is not a decision"),
        ("second-edition; to play 7", 1, "there is no seat 6"),
        ("second-edition; 9 court S", 1, "9 seats"),
        ("second-edition; passes 5", 1, "passes: 5"),
        ("second-edition; MOR S; mor =E", 24, "MOR is stated twice"),
        ("second-edition; 1 court S; 1 court W", 28, "appears twice"),
        ("second-edition; passes 1; passes 0", 34, "appears twice"),
        ("second-edition; to play 1; to play 1", 31, "appears twice"),
        (f"second-edition; {BANNED}; {BANNED}", 76, "appears twice"),
        ("second-edition; supply", 23, "the position is not complete"),
        ("nonsense", 1, "there is no ruleset"),
        ("", 1, "the position is not complete"),
    ],
)
def test_what_is_said_of_a_wrong_line(text: str, col: int, says: str) -> None:
    with pytest.raises(PositionError) as error:
        read_position(text)
    assert error.value.problems[0].col == col
    assert says in " ".join(problem.message for problem in error.value.problems)


@pytest.mark.slow
@given(st.text(max_size=80))
@examples(300)
def test_any_text_is_a_position_or_a_problem(text: str) -> None:
    for line in (text, f"second-edition; {text}"):
        try:
            read_position(line)
        except PositionError as error:
            assert error.problems  # noqa: PT017 - both outcomes are fine, an empty one is not


def _changed(**changes: Any) -> dict[str, Any]:
    return position_json(GAME, start(2, b"json")) | changes


@each_row(
    ("value", "says"),
    [
        ([], "A position is a JSON object"),
        ({}, "'ruleset' is missing"),
        (_changed(ruleset="third-edition"), "there is no ruleset"),
        (_changed(passes=True), "true is not an int"),
        (_changed(passes="1"), '"1" is not an int'),
        (_changed(regions={"MOX": {}}), "MOX is not a region"),
        (_changed(supply={"S": -1}), "-1S is less than none"),
        (_changed(winners=[0]), "winners: the game isn't over, so it has no winners yet"),
        (_changed(supply={"Q": 1}), "Q is not a faction"),
        (_changed(hands=[["Spy"], []]), "Spy is not a card"),
        (_changed(hands=[[]]), "hands: 1 entries for 2 seats"),
        (_changed(courts=[{}] * 5), "5 seats"),
        (_changed(to_act=4), "there is no seat 4"),
        (_changed(to_act=None), "needed exactly if there is a next decision"),
        (_changed(decision="dance"), "dance"),
        (_changed(winners=[7]), "there is no seat 7"),
        (_changed(banned={"card": "Spy", "by": 9, "delta": {}}), "there is no seat 9"),
        (_changed(track=[{"region": "MOR", "face": "down"}]), "has no disc, so it is face up"),
        (_changed(struggles=[{"region": "MOR", "outcome": "S"}]), "not the disc that lies in MOR"),
        (_changed(rulings={"second.ruling.final-tie": "duel"}), "is not a ruling of second-edition"),
    ],
)
def test_what_is_said_of_wrong_json(value: Any, says: str) -> None:
    with pytest.raises(JsonError) as error:
        read_position_json(value)
    assert says in str(error.value)


def test_readings_travel_with_the_position() -> None:
    game, _ = read_position_json(_changed(rulings={"second.ruling.final-tie": "last-card"}))
    assert game.readings["second.ruling.final-tie"] == "last-card"
    assert position_json(game, start(2, b"json"))["rulings"] == {"second.ruling.final-tie": "last-card"}


def test_negotiation_discs_are_written_only_where_they_do_not_follow_from_the_piles() -> None:
    position = start(2, b"json")
    assert "negotiation_discs" not in position_json(GAME, position)
    assert position_json(GAME, position.replace(negotiation_discs=(0, 1)))["negotiation_discs"] == [0, 1]
    played = position.replace(discards=(("Negotiate",), ()), negotiation_discs=(0, 1))
    assert "negotiation_discs" not in position_json(GAME, played)


def test_requests_are_answered() -> None:
    position = _changed()
    answer = legal_lines({"position": position, "card": "Negotiate"})
    assert len(answer["resolutions"]) == 56
    assert set(legal_lines({"position": position})["cards"]) == set(GAME.hands.same)
    summons = legal_lines({"position": position | {"decision": "summon"}})["summons"]
    assert all(len(text.split()) == 2 for text in summons)
    with pytest.raises(JsonError, match="not finished"):
        result_json(*read_position_json(position))
    with pytest.raises(JsonError, match="not a card"):
        legal_lines({"position": position, "card": "Spy"})
