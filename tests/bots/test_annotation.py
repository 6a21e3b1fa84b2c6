"""What is written of a game: what is certain stays certain, and whoever gives a win away is told of the turn that wins."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from attrs import evolve, frozen

from tests.shared.puzzles import FOLDER, read
from tests.shared.tables import each_row
from tkid.bots.annotation import COSTLY, INSTEAD, MISSED, TURNING, annotate_record
from tkid.bots.player import Choice, apply_turn
from tkid.bots.plugin import find_judge
from tkid.bots.roster import find_player
from tkid.kernel.game import AnyView
from tkid.record.format.model import Record
from tkid.record.format.new_game import new_record
from tkid.record.play.replay import Replay, append, replay
from tkid.rulebook.rulesets import ruleset

THOUGHT, LITTLE = 300, 40
"""How many positions are looked at; with few of them, an end is proven only a turn later."""
SOLVED = ("01", "14", "24", "30", "34", "43", "45")
"""Puzzles whose solution is seen through at once: both games, two players, three, and teams."""


def judged(game: Replay, thought: int = THOUGHT) -> Record:
    """The record of a game with what a search thinks of it."""
    rules = game.record.game
    return annotate_record(game, find_player(rules, "search"), find_judge(rules), thought)


def comments_of(record: Record) -> list[str]:
    """The comments before all turns."""
    return [comment for turn in record.turns for comment in turn.comments]


def values_of(record: Record) -> list[str]:
    """The value after each turn."""
    return [note for turn in record.turns for note in turn.notes]


def puzzle(number: str) -> tuple[Replay, dict[str, Any]]:
    """A puzzle, and what is known of it."""
    return read(FOLDER / f"{number}.tkid"), json.loads((FOLDER / f"{number}.json").read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("number", SOLVED)
def test_what_is_certain_stays_certain_until_the_end(number: str) -> None:
    """After the turn that wins a puzzle every turn has the same value, whoever plays it, and nothing is held against it."""
    solution = read(FOLDER / f"{number}-solution.tkid")
    record = judged(solution)
    winner = solution.record.names[min(solution.position.winners)]
    assert values_of(record) == [f"value: {winner} wins, proven"] * len(record.turns)
    assert not [comment for comment in comments_of(record) if comment.startswith((MISSED, TURNING))]


@pytest.mark.slow
@each_row(
    "number, players, after",
    [
        ("01", 2, "value: Bob wins, proven"),
        ("38", 2, "value: drawn, proven"),
        ("15", 3, "value: Cat wins, proven"),
        ("27", 4, "value: Bob wins, proven"),
        ("45", 2, "value: Bob wins, proven"),
    ],
)
def test_a_win_that_is_given_away_is_missed(number: str, players: int, after: str) -> None:
    """Also where it takes three to say what comes then: the win is not certain any more."""
    task, told = puzzle(number)
    (wrong, answer), *_ = [each for each in told["answers"].items() if each[1]]
    game = append(task, wrong)
    record = judged(append(game, answer.partition(" ")[2]))
    assert len(record.names) == players
    missed, instead = [each for each in record.turns[0].comments if each.startswith((MISSED, INSTEAD))]
    assert missed.startswith(f"{MISSED} {record.names[record.turns[0].seat]} had a sure win with a turn that ")
    assert instead.removeprefix(INSTEAD).strip() in told["right"]
    assert record.turns[0].notes == (after,)


@pytest.mark.slow
def test_a_turn_that_is_proven_to_win_is_no_mistake() -> None:
    """Before it the search does not see that it wins, and likes another one better by far."""
    solution = read(FOLDER / "28-solution.tkid")
    rules, start, after = solution.record.game, solution.moments[0].position, solution.moments[1].position
    assert start.to_act is not None
    (liked,) = find_player(rules, "search").list_best_turns(rules.view(start, start.to_act), LITTLE, 1)
    before, now = (
        find_judge(rules).estimate_chances(each)[start.to_act] for each in (apply_turn(rules, start, liked.turn), after)
    )
    assert before - now > COSTLY, "it is not an example any more"
    record = judged(solution, LITTLE)
    assert set(values_of(record)) == {"value: Bob wins, proven"}
    assert not [comment for comment in comments_of(record) if comment.startswith((MISSED, TURNING))]


def test_a_turn_that_is_the_only_one_changes_no_estimate() -> None:
    """Whoever has no card left passes: the value before it is that after it, proven or not."""
    solution = read(FOLDER / "03-solution.tkid")
    rules = solution.record.game
    forced = [index for index in range(1, 9) if len(rules.legal(solution.moments[index].position)) == 1]
    values = values_of(annotate_record(solution, find_player(rules, "greedy"), find_judge(rules), THOUGHT))
    assert len(forced) == 4
    assert [values[index] for index in forced] == [values[index - 1] for index in forced]
    assert any("proven" not in value for value in values)


def test_a_pass_that_looks_best_changes_no_estimate() -> None:
    """Unless it ends with a struggle, or what it keeps is proven."""
    game = ruleset("second-edition").game()
    at, greedy = replay(new_record("second-edition", ["Ann", "Bob"], bytes(32))), find_player(game, "greedy")
    while at.position.to_act is not None:
        at = append(at, greedy.choose(game.view(at.position, at.position.to_act), THOUGHT))
    moments: Any = [moment.position for moment in at.moments]
    passed = [i for i, (before, after) in enumerate(pairwise(moments)) if i and after.passes == before.passes + 1]
    values = [turn.notes for turn in annotate_record(at, greedy, find_judge(game), THOUGHT).turns]
    assert len(passed) >= 3
    assert [values[index] for index in passed] == [values[index - 1] for index in passed]
    assert len(set(values)) > len(values) / 2


@frozen
class Confident:
    """A player who lists every turn with the same chance, whoever is to act."""

    game: Any
    chance: float

    def list_best_turns(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        """The turns of the greedy player, with that chance."""
        found = find_player(self.game, "greedy").list_best_turns(view, thought, most)
        return tuple(evolve(each, value=self.chance) for each in found)

    def choose(self, view: AnyView, thought: int) -> Any:
        """The first of them."""
        return self.list_best_turns(view, thought, 1)[0].turn


@each_row("chance, printed", [(0.5, True), (0.6, True), (0.64, False), (0.9, False)])
def test_an_estimate_that_the_next_player_contradicts_is_not_printed(chance: float, printed: bool) -> None:  # noqa: FBT001 - a row
    """Both think that they win with this chance: one of them is wrong."""
    game = ruleset("second-edition").game()
    at, greedy = replay(new_record("second-edition", ["Ann", "Bob"], bytes(32))), find_player(game, "greedy")
    for _ in range(6):
        at = append(at, greedy.choose(game.view(at.position, at.position.to_act), THOUGHT))
    values = values_of(annotate_record(at, Confident(game, chance), find_judge(game), THOUGHT))
    assert len(values) == (6 if printed else 0)


@frozen
class Dreamer:
    """A search that thinks, in the place of one seat, that all turns but a pass win."""

    game: Any
    seat: int

    def list_best_turns(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        """Its turns, and what it thinks of them."""
        found = find_player(self.game, "search").list_best_turns(view, thought, most)
        if view.seat != self.seat:
            return found
        dreamt = [evolve(each, value=float(self.game.words.write_turn(each.turn) != "Pass")) for each in found]
        return tuple(sorted(dreamt, key=lambda each: -each.value))

    def choose(self, view: AnyView, thought: int) -> Any:
        """The first of them."""
        return self.list_best_turns(view, thought, 1)[0].turn


@pytest.mark.slow
def test_who_has_lost_for_certain_makes_no_mistake() -> None:
    """With three a player may not see that it has lost, and that no other turn would have been better."""
    game, _ = puzzle("15")
    for _ in range(3):
        game = append(game, "Pass")
    rules = game.record.game
    won, *_, dreamt = annotate_record(game, Dreamer(rules, 2), find_judge(rules), THOUGHT).turns
    assert dreamt.seat == 2
    assert won.notes == dreamt.notes == ("value: Ann wins, proven",)
    assert not dreamt.comments
