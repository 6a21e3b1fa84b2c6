"""The readers never drop a repeated word or sign of a turn."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared.lines import random_line
from tkid.kernel.game import fill_names
from tkid.notation.free_text import Understanding, understand_turn
from tkid.record.format.reader import read_record
from tkid.record.play.validation import judge_record
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import ruleset

PART = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|\d+|<>|[^\s\w]")
CODES = ("second-edition", "second-edition-advanced", "first-edition", "digest-advanced")


@given(code=st.sampled_from(CODES), seed=st.integers(0, 5), data=st.data())
def test_no_part_of_a_turn_is_dropped(code: str, seed: int, data: st.DataObject) -> None:
    """Cites: notation.form."""
    line = random_line(ruleset(code), Random(seed), 3, 0.2)
    step = data.draw(st.sampled_from(line.steps))
    text = fill_names(line.game.words.write_turn(step.moves), line.names)
    part = data.draw(st.sampled_from([*PART.finditer(text)]))
    twice = f"{text[: part.end()]} {part[0]}{text[part.end() :]}"
    assert understand_turn(line.game, line.names, step.before, text).certain
    found = understand_turn(line.game, line.names, step.before, twice)
    is_sign = not any(map(str.isalnum, part[0]))  # a sign that is there twice says nothing else, but is asked about
    assert found.turn != text or (is_sign and not found.certain), twice


@given(code=st.sampled_from((*CODES[:2], "digest")), seed=st.integers(0, 3), data=st.data())
def test_no_part_of_a_file_is_dropped(code: str, seed: int, data: st.DataObject) -> None:
    """A file with a part twice is wrong, or says something else; cites: notation.form."""
    text = write_record(random_line(ruleset(code), Random(seed), 2, 0.2).cut(4).record())
    part = data.draw(st.sampled_from([*PART.finditer(text)]))
    read = read_record(f"{text[: part.end()]} {part[0]}{text[part.end() :]}".encode())
    problems, _ = judge_record(read)
    assert problems or (read.record is not None and write_record(read.record) != text), part


def understand(text: str) -> Understanding:
    """Understand a text in the first position of a game."""
    line = random_line(ruleset("second-edition"), Random(1), 2, 0.2)
    return understand_turn(line.game, line.names, line.steps[0].before, text)


def legal_turn() -> str:
    """The first turn of that game: a card that places, and a summons."""
    line = random_line(ruleset("second-edition"), Random(1), 2, 0.2)
    game, position = line.game, line.steps[0].before
    for move in game.legal(position):
        text = fill_names(game.words.write_turn((move,)), line.names)
        if " Support " in text:
            after, _ = game.apply(position, move)
            return f"{text}; {game.words.write_turn((next(iter(game.legal(after))),))}"
    raise AssertionError


@pytest.mark.parametrize(
    ("typed", "twice", "message"),
    [
        (r"summon (\w) ", r"summon \1\1 ", "You summon one follower, not "),
        (r"; summon", "; please summon summon", "`summon` appears twice here"),
        (r"$", r" please, then I go", ""),
        (r"^(\w+ Support)", r"I play \1 \1 on", "appears twice here"),
    ],
)
def test_words_that_appear_twice_are_asked_about(typed: str, twice: str, message: str) -> None:
    """The turn without them is offered, but no more than that; cites: notation.form."""
    turn = legal_turn()
    found = understand(re.sub(typed, twice, turn))
    if message:
        assert found.turn == ""
        assert turn in found.choices
        assert any(message.partition("{")[0] in problem.message for problem in found.problems), found.problems
    else:
        assert turn in {found.turn, *found.choices}


@pytest.mark.parametrize("joint", [" and ", ", ", " + "])
@pytest.mark.parametrize("code", ["second-edition", "first-edition"])
def test_a_second_follower_behind_summon_is_no_follower_of_the_card(code: str, joint: str) -> None:
    """The reason is the second summons, at its place, and not a number of followers that the card does not move."""
    line = random_line(ruleset(code), Random(1), 2, 0.2)
    game, position = line.game, line.steps[0].before
    moves = [(move, fill_names(game.words.write_turn((move,)), line.names)) for move in game.legal(position)]
    move, text = next((move, text) for move, text in moves if re.match(r"(?:Manoeuvre|Ambassador) \w .* <> ", text))
    after, _ = game.apply(position, move)
    summons = [game.words.write_turn((each,)).removeprefix("summon ") for each in game.legal(after)][:2]
    found = understand_turn(game, line.names, position, f"{text}; summon {joint.join(summons)}")
    assert found.turn == ""
    problem = found.problems[0]
    assert (problem.message, problem.rule) == ("You summon only one follower", game.summons.due)
    assert problem.col > len(text)
