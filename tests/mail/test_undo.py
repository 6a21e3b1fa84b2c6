"""Turns taken back: asked for, agreed to by all, refused, withdrawn, lapsed."""

from __future__ import annotations

import pytest

from tests.games.struggle.shared.family import board
from tests.mail.hall import ANN, BOB, CAL, DAY, DEE, HOUR, Hall
from tkid.mail import game_service
from tkid.mail.marker import ANSWERS
from tkid.record.clock_notes import StandIn

ASSEMBLE = "Assemble S Gwynedd, W Moray, E Moray; summon S Gwynedd"


def standing(hall: Hall) -> list[int]:
    """The numbers of the turns that stand."""
    return [turn.number for turn in hall.at.record.turns if not turn.undone]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_have_to_agree(players: int) -> None:
    hall = Hall.of(players)
    hall.turns(ASSEMBLE)
    before = hall.at.replay.moments[0].position
    hall.mail(ANN, "undo?")
    others = list(range(1, players))
    assert hall.kinds == {ANN: "note", **dict.fromkeys(others, "news")}
    for seat in others:
        assert hall.says(seat).startswith("Ann would like to take back turn 1. Do you allow it? ---")
        assert "Reply `undo yes`, and Ann plays again." in hall.says(seat)
        assert "If you agree, the record keeps the turn and marks it as taken back." in hall.says(seat)
        assert "THE TURN 1 Ann played Assemble, put a Scottish follower into Gwynedd" in hall.says(seat)
        assert hall.subjects[seat] == "Turn 1: Ann asks to take it back"
        assert len(hall.told(seat).rstrip("\n").split("\n")) <= 24
    for seat in others[:-1]:
        hall.mail(seat, "undo yes")
        assert standing(hall) == [1]
        assert hall.says(seat).startswith("You agreed. ")
        assert " still ha" in hall.says(seat)
        assert hall.says(ANN).startswith(f"{hall.at.names[seat]} agrees to take back turn 1. ")
    hall.mail(others[-1], "undo yes")
    assert standing(hall) == []
    assert hall.kinds[ANN] == "turn"
    assert hall.says(ANN).startswith("Turn 1 is taken back. Everybody agreed. Your turn")
    assert ANSWERS in hall.told(ANN)
    assert board(hall.at.replay.position).regions == board(before).regions
    names = ", ".join(hall.at.names)
    assert f"{{undone: {names} agreed at" in hall.at.record_text
    hall.turns("Pass")
    assert standing(hall) == [2]


def test_one_no_refuses_and_who_asked_may_withdraw() -> None:
    hall = Hall.of(3)
    hall.turns("Pass")
    hall.mail(ANN, "undo?")
    hall.mail(CAL, "undo no")
    assert hall.kinds == {CAL: "note", ANN: "news", BOB: "news"}
    assert hall.says(ANN).startswith("Turn 1 is kept: Cal does not agree to take it back. ---")
    assert hall.subjects[ANN] == "Turn 1: it is kept"
    hall.mail(BOB, "undo yes")
    assert hall.rules == ["post.undo.open"]
    hall.mail(BOB, "undo?")
    hall.mail(BOB, "undo no")
    assert hall.says(ANN).startswith("Turn 1 is kept: Bob withdrew the request. ---")
    assert hall.says(BOB).startswith("Turn 1 is kept: you withdrew your request. ---")
    assert standing(hall) == [1]


def test_asking_twice_tells_nobody_twice() -> None:
    hall = Hall.of(3)
    hall.turns("Pass")
    hall.mail(ANN, "undo?")
    hall.mail(ANN, "undo?", "undo yes")
    assert hall.kinds == {ANN: "note"}
    assert "You have agreed already. Bob and Cal still have to agree." in hall.says(ANN)
    hall.mail(BOB, "undo?")
    assert hall.says(BOB).startswith("You agreed. Cal still has to agree. ---")


@pytest.mark.parametrize("turn", ["Pass", "pass always"])
def test_a_turn_that_is_played_ends_the_matter_also_one_of_a_plan(turn: str) -> None:
    hall = Hall.of(3)
    hall.turns("Pass")
    hall.mail(ANN, "undo?")
    hall.mail(BOB, turn)
    hall.mail(CAL, "undo yes")
    assert hall.rules == ["post.undo.open"]
    assert standing(hall) == [1, 2]


def test_a_pass_of_the_clock_ends_the_matter_and_may_be_taken_back() -> None:
    hall = Hall.of(2, "1 day a turn, no reminder, then pass")
    hall.turns("Pass")
    hall.mail(ANN, "undo?")
    hall.until_due()
    hall.mail(BOB, "undo yes")
    assert hall.rules == ["post.undo.open"]
    hall.mail(BOB, "undo?")
    hall.mail(ANN, "undo yes")
    assert standing(hall) == [1]
    assert hall.kinds == {ANN: "note", BOB: "turn"}


def test_there_is_a_turn_to_be_taken_back() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "undo?")
    assert hall.rules == ["post.undo.turn"]
    hall.turns("Pass")
    for _ in range(2):
        hall.mail(ANN, "undo?")
        hall.mail(BOB, "undo yes")
    assert hall.rules == ["post.undo.open"]
    assert standing(hall) == []


def test_passes_that_nobody_decided_on_go_with_the_turn() -> None:
    hall = Hall.of(3)
    hall.mail(BOB, "resign")
    hall.turns(ASSEMBLE)
    assert hall.at.awaited == CAL
    hall.mail(ANN, "undo?")
    assert "1 Ann played Assemble" in hall.says(CAL)
    hall.mail(CAL, "undo yes")
    assert standing(hall) == []
    assert hall.at.awaited == ANN


def test_who_resigns_agrees() -> None:
    hall = Hall.of(3)
    hall.turns("Pass", "Pass")
    hall.mail(ANN, "undo?")
    hall.mail(BOB, "undo yes")
    hall.mail(CAL, "resign")
    assert standing(hall) == [1]
    assert hall.says(BOB).startswith("Cal has resigned. Your turn")
    assert "Turn 2 is taken back. Everybody agreed." in hall.says(BOB)
    assert hall.at.awaited == BOB
    hall.turns(ASSEMBLE)
    hall.mail(CAL, "undo no")
    assert hall.rules == ["post.resign"]


def test_a_bot_agrees() -> None:
    hall = Hall.of(3)
    hall.took(game_service.apply_owner_note(hall.at, StandIn(CAL, "Merlin", hall.now, bot=True), hall.now))
    hall.turns("Pass")
    hall.mail(ANN, "undo?")
    assert hall.kinds == {ANN: "note", BOB: "news"}
    hall.mail(BOB, "undo yes")
    assert standing(hall) == []


def test_plans_of_whose_turn_is_taken_back_end() -> None:
    hall = Hall.of(2)
    hall.mail(ANN, "pass always")
    assert hall.at.turns == 1
    hall.mail(BOB, "undo?")
    hall.mail(ANN, "undo yes")
    assert hall.at.awaited == ANN
    assert hall.at.memory.seats[ANN].plans == ()
    assert "Plan 1 has ended: your turn was taken back." in hall.says(ANN)


def test_who_takes_back_may_play_anew_in_the_same_mail() -> None:
    hall = Hall.of(2)
    hall.turns("Pass")
    hall.mail(BOB, "undo?")
    hall.mail(ANN, ASSEMBLE, "undo yes")
    assert not hall.rules
    assert standing(hall) == [2]
    assert hall.kinds == {ANN: "note", BOB: "turn"}


def test_the_clock_begins_anew_and_reminds_and_offers_again() -> None:
    """What was done about the turn that was due is forgotten, as it is somebody else's now."""
    hall = Hall.of(2, "2 days a turn, remind after 1 day, then stand-in")
    hall.turns("Pass")
    hall.until_due()
    hall.until_due()
    assert "the host offers the seat to somebody else" in hall.says(BOB)
    hall.mail(BOB, "undo?", after=HOUR)
    hall.mail(ANN, "undo yes", after=HOUR)
    assert hall.outcome.due == hall.now + DAY
    hall.until_due()
    assert hall.says(ANN).startswith("Bob waits for your turn until ")
    hall.until_due()
    assert "Your time ran out, and the host offers the seat to somebody else." in hall.says(ANN)


def test_with_four_players_team_mates_agree_each() -> None:
    hall = Hall.of(4)
    hall.turns("Pass")
    hall.mail(CAL, "undo?")
    assert "Ann, Bob and Dee still have to agree." in hall.says(CAL)
    for seat in (ANN, BOB):
        hall.mail(seat, "undo yes")
    assert standing(hall) == [1]
    hall.mail(DEE, "undo yes")
    assert standing(hall) == []


def test_a_program_that_takes_over_a_seat_holds_nothing_up() -> None:
    """Where everybody else who had to agree is a program by now, asking again takes the turn back."""
    hall = Hall.of(3)
    hall.turns(ASSEMBLE)
    hall.mail(ANN, "undo?")
    hall.mail(BOB, "undo yes")
    hall.took(
        game_service.apply_owner_note(
            hall.at, StandIn(CAL, "Merlin", hall.at.round_moment(hall.now), bot=True), hall.now
        )
    )
    assert standing(hall) == [1]
    hall.mail(ANN, "undo?")
    assert standing(hall) == []
