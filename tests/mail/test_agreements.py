"""Ends and pauses by agreement: proposed, agreed to by all who still play, refused, withdrawn, lapsed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.mail.hall import ANN, BOB, CAL, DAY, MINUTE, Hall
from tests.shared.tables import each_row
from tkid.mail import game_service
from tkid.mail.blocks import Letter
from tkid.mail.game_clock import read_game_clock
from tkid.record.clock_notes import StandIn

CLOCK = "3 days a turn, no grace, no reminder, then pass, 30 days away"


@each_row(
    ("players", "line", "subject", "first", "winners"),
    [
        (2, "agree draw", "Game over: draw agreed", "The game is over: everybody agreed to a draw.", (0, 1)),
        (3, "agree draw", "Game over: draw agreed", "The game is over: everybody agreed to a draw.", (0, 1, 2)),
        (4, "agree draw", "Game over: draw agreed", "The game is over: everybody agreed to a draw.", (0, 1, 2, 3)),
        (2, "agree abandon", "Game over: abandoned", "The game is over: everybody agreed to abandon the game.", ()),
        (4, "agree abandon", "Game over: abandoned", "The game is over: everybody agreed to abandon the game.", ()),
    ],
)
def test_the_game_ends_when_the_last_one_agrees(
    players: int, line: str, subject: str, first: str, winners: tuple[int, ...]
) -> None:
    hall = Hall.of(players, CLOCK)
    hall.turns("Pass")
    hall.mail(ANN, line)
    others = list(range(1, players))
    assert hall.kinds == {ANN: "note", **dict.fromkeys(others, "news")}
    for seat in others[:-1]:
        assert not hall.at.time.over
        hall.mail(seat, line)
        assert "You agreed. " in hall.says(seat)
    assert not hall.at.time.over
    hall.mail(others[-1], line)
    assert hall.at.time.over
    assert hall.at.to_act is None
    assert hall.at.time.winners == winners
    assert read_game_clock(hall.at.time, hall.now) is None
    assert set(hall.kinds) == set(range(players))
    for seat in hall.at.seats:
        assert hall.subjects[seat] == subject
        assert hall.says(seat).startswith(first)
    hall.mail(BOB, "Pass")
    assert hall.rules == ["post.order.over"]


def test_what_everybody_is_asked() -> None:
    hall = Hall.of(3)
    hall.turns("Pass")
    hall.mail(ANN, "agree draw")
    assert hall.says(ANN).startswith("You proposed a draw. Bob and Cal still have to agree. ---")
    assert hall.says(BOB).startswith("Ann proposes a draw. Do you agree? ---")
    assert "Reply `agree draw` to agree, or `agree no` to refuse." in hall.says(BOB)
    assert "the host opens all hands" in hall.says(BOB)
    assert hall.subjects[CAL] == "Turn 2: Ann proposes a draw"
    hall.mail(BOB, "status")
    assert "Ann proposed a draw. Bob and Cal still have to agree." in hall.says(BOB)


def test_one_no_refuses_and_who_proposed_may_withdraw() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "agree abandon")
    hall.mail(BOB, "agree no")
    assert hall.says(ANN).startswith("Bob does not agree to abandon the game.")
    hall.mail(BOB, "agree no")
    assert hall.rules == ["post.agree.open"]
    hall.mail(ANN, "agree draw")
    hall.mail(ANN, "agree no")
    assert hall.says(BOB).startswith("Ann withdrew the proposal of a draw.")
    hall.mail(BOB, "agree draw")
    assert not hall.at.time.over


@pytest.mark.parametrize("other", ["agree abandon", "Pass"])
def test_a_turn_or_another_proposal_ends_it(other: str) -> None:
    hall = Hall.of(2)
    hall.mail(BOB, "agree draw")
    hall.mail(ANN, other)
    hall.mail(ANN, "agree draw")
    assert not hall.at.time.over
    hall.mail(BOB, "agree draw")
    assert hall.at.time.over


def test_nobody_waits_for_a_bot_or_for_who_has_resigned() -> None:
    hall = Hall.of(3)
    hall.mail(BOB, "resign")
    hall.took(
        game_service.apply_owner_note(
            hall.at, StandIn(CAL, "Merlin", hall.at.round_moment(hall.now), bot=True), hall.now
        )
    )
    hall.mail(ANN, "agree draw")
    assert hall.at.time.early
    assert hall.at.time.early.seats == (ANN,)
    assert hall.at.time.winners == (ANN, CAL)


def test_who_resigns_is_not_asked_any_more() -> None:
    hall = Hall.of(3)
    hall.mail(ANN, "agree draw")
    hall.mail(BOB, "agree draw")
    hall.mail(CAL, "resign")
    assert hall.at.time.winners == (ANN, BOB)
    assert hall.subjects == dict.fromkeys((ANN, BOB, CAL), "Game over: draw agreed")


def test_prose_ends_no_game() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "agree draw")
    for line in ("I agree to the draw", "agree to the draw", "Agreed!", "I agree, draw it is", "yes"):
        hall.mail(BOB, line)
        assert not hall.at.time.over, line


def test_a_pause_stops_every_clock_until_its_day() -> None:
    hall = Hall.of(2, CLOCK)
    until = (hall.now + 10 * DAY).date()
    hall.mail(ANN, f"pause until {until}")
    assert hall.subjects[BOB] == "Turn 1: Ann proposes a pause"
    hall.now += timedelta(hours=30)
    hall.mail(BOB, f"pause until {until}")
    before = read_game_clock(hall.at.time, hall.now)
    assert before is not None
    assert before.left == timedelta(hours=42) - 2 * MINUTE
    assert before.still_until is not None
    assert before.still_until.date() == until
    assert hall.says(ANN).startswith("Everybody agreed to pause. No clock runs until ")
    hall.turns("Pass")
    after = read_game_clock(hall.at.time, hall.now)
    assert after is not None
    assert after.left == 3 * DAY
    assert after.still_until == before.still_until
    hall.mail(BOB, f"pause until {hall.now.date()}")
    assert hall.rules == ["post.pause.date"]


def test_what_ended_cannot_be_taken_back() -> None:
    hall = Hall.of(2)
    hall.turns("Pass")
    hall.mail(BOB, "undo?")
    hall.mail(ANN, "agree draw")
    hall.mail(BOB, "agree draw")
    for order in ("undo yes", "undo?", "agree no"):
        hall.mail(ANN, order)
        assert hall.rules == ["post.order.over"], order
    assert hall.at.time.over


# -- a plain answer to the letter that asks -----------------------------------------------------------------

PROPOSALS = {
    "undo?": ("Turn 1 is taken back. Everybody agreed.", "Turn 1 is kept: you did not agree to take it back."),
    "agree draw": ("The game is over: ", "The game continues: you did not agree."),
    "agree abandon": ("The game is over: ", "The game continues: you did not agree."),
    "pause until 2026-12-20": ("Everybody agreed to pause.", "The game continues: you did not agree."),
}
"""What is proposed, and how the answers to a yes and a no begin."""


def proposed(order: str) -> tuple[Hall, Letter]:
    """Ann has passed, and proposes something to Bob; the letter that asks him."""
    hall = Hall.of()
    hall.turns("Pass")
    hall.mail(ANN, order)
    return hall, hall.last(BOB)


@each_row("order", list(PROPOSALS))
def test_a_yes_or_no_to_the_letter_that_asks_is_an_answer(order: str) -> None:
    """Cites: post.answer.open."""
    for answer, begins in zip(("yes", "no"), PROPOSALS[order], strict=True):
        hall, letter = proposed(order)
        hall.mail(BOB, answer=answer, answering=letter)
        assert hall.says(BOB).startswith(begins), hall.says(BOB)
        assert hall.at.memory.find_proposal("undo") is None
        assert hall.at.memory.find_proposal("agree") is None


@each_row("order", list(PROPOSALS))
def test_a_yes_with_a_doubt_is_asked_about(order: str) -> None:
    hall, letter = proposed(order)
    before = hall.at.record_text
    hall.mail(
        BOB,
        answer="yes",
        answering=letter,
        own=("Yes", "but let me sleep on it first."),
        remark="but let me sleep on it first.",
    )
    assert hall.at.record_text == before
    assert hall.at.memory.proposals


def test_a_yes_to_another_letter_is_asked_back_and_the_answer_asks() -> None:
    hall = Hall.of()
    hall.turns("Pass")
    turn_letter = hall.last(BOB)
    hall.mail(ANN, "agree draw")
    hall.mail(BOB, answer="yes", answering=turn_letter)
    assert hall.says(BOB).startswith("Nothing has changed yet: another player is waiting for your answer.")
    hall.mail(BOB, answer="yes")
    assert hall.at.time.over


def test_a_yes_to_two_questions_is_asked_back() -> None:
    hall, letter = proposed("undo?")
    hall.mail(ANN, "agree draw")
    for answering in (letter, hall.last(BOB)):
        hall.mail(BOB, answer="yes", answering=answering)
        assert not hall.at.time.over
        assert hall.at.memory.find_proposal("undo") is not None


def test_an_old_yes_does_not_accept_another_proposal() -> None:
    hall, letter = proposed("agree draw")
    hall.mail(BOB, "agree no")
    hall.mail(ANN, "undo?")
    hall.mail(BOB, answer="yes", answering=letter)
    assert hall.at.memory.find_proposal("undo") is not None
    assert not hall.at.time.over
