"""Giving up by mail: it is asked about first, and only a yes to that question, or `resign` again, gives up the game."""

from __future__ import annotations

from typing import Any

from tests.mail.hall import ANN, BOB, DAY, HOUR, Hall
from tests.mail.mails import GAME, answered, said
from tests.shared.tables import each_row
from tkid.mail import game_service
from tkid.mail.blocks import Buttons
from tkid.mail.order_finder import get_order_reader
from tkid.record.clock_notes import StandIn

ASKS, LEAVES = "Do you want to resign? Nothing has been done yet.", "Do you want to give the seat back?"


def asked(players: int = 3) -> Hall:
    """A game in which Ann has written `resign`."""
    hall = Hall.of(players)
    hall.mail(ANN, "resign", sure=False)
    return hall


def test_nothing_happens_before_the_answer() -> None:
    """Cites: post.resign.sure."""
    hall = asked()
    assert hall.says(ANN).startswith(ASKS)
    assert [letter.seat for letter in hall.outcome.letters] == [ANN]
    assert not hall.outcome.record_changed
    assert hall.rules == []
    assert hall.at.time.seats[ANN].plays
    (buttons,) = (block for block in hall.last(ANN).body if isinstance(block, Buttons))
    read = get_order_reader(hall.at.record.game, hall.at.names, ANN).read_line
    assert all(read(button.label).order is None for button in buttons.buttons), "no label reads as an order"


@each_row(
    "typed",
    [{"answer": "yes"}, {"own": ("Yes, I am sure",), "answer": "yes"}, {"own": ("Yes, resign",)}, {"own": ("👍",)}],
)
def test_a_yes_resigns(typed: dict[str, Any]) -> None:
    hall = asked()
    hall.mail(ANN, **typed)
    assert not hall.at.time.seats[ANN].plays
    assert hall.says(BOB).startswith("Ann has resigned.")


def test_a_yes_before_a_remark_resigns_nothing() -> None:
    """Cites: mail.offer.yes, post.resign.sure."""
    hall = asked()
    hall.mail(ANN, own=("Yes, what a lovely game this is",))
    assert hall.at.time.seats[ANN].plays


def test_resign_again_is_a_yes_but_not_beside_a_turn() -> None:
    hall = asked()
    hall.mail(ANN, "resign", "Pass", sure=False)
    assert hall.says(ANN).startswith(ASKS)
    assert 'Not played either: "Pass"' in hall.says(ANN)
    assert hall.at.turns == 0
    hall.mail(ANN, "resign", sure=False)
    assert not hall.at.time.seats[ANN].plays


def test_resign_to_another_letter_is_asked_about_again() -> None:
    hall = asked()
    hall.mail(ANN, "resign", answering=hall.letters[0], sure=False)
    assert hall.says(ANN).startswith(ASKS)


@each_row(
    "typed, turns", [({"answer": "no"}, 0), ({"own": ("No, never mind!",)}, 0), ({"own": ("No, I meant Pass",)}, 0)]
)
def test_a_no_goes_on(typed: dict[str, Any], turns: int) -> None:
    hall = asked()
    hall.mail(ANN, **typed)
    assert (hall.at.time.seats[ANN].plays, hall.at.turns) == (True, turns)
    assert all(offer.lines != ("resign",) for offer in hall.at.memory.list_offers(ANN))


def test_a_turn_goes_on_too() -> None:
    hall = asked()
    letter = hall.last(ANN)
    hall.mail(ANN, "Pass")
    assert hall.at.turns == 1
    hall.mail(ANN, answer="yes", answering=letter)
    assert hall.at.time.seats[ANN].plays, "the question was for the turn before"


def test_what_binds_beside_it_is_not_done_and_what_does_not_is() -> None:
    hall = Hall.of(3)
    hall.mail(ANN, "pass always", "notify my turns", "resign", "undo?", sure=False)
    assert set(hall.rules) == {"post.resign.sure"}
    assert hall.at.memory.seats[ANN].plans == ()
    assert hall.at.memory.seats[ANN].wish != hall.at.memory.seats[BOB].wish


def test_who_cannot_resign_is_told_so_at_once() -> None:
    hall = asked(2)
    hall.mail(ANN, answer="yes")
    hall.mail(BOB, "resign", sure=False)
    assert hall.says(BOB).startswith("Not done: the game is over")
    again = Hall.of(3)
    again.mail(ANN, "resign")
    again.mail(ANN, "resign", sure=False)
    assert again.rules == ["post.resign"]


def test_a_stand_in_is_asked_about_the_seat() -> None:
    """Cites: post.stand-in.leave."""
    hall = Hall.of(3)
    hall.took(game_service.apply_owner_note(hall.at, StandIn(ANN, "Zoe", hall.now, "zoe@example.org"), hall.now))
    hall.mail(ANN, "resign", sure=False)
    assert hall.says(ANN).startswith(LEAVES)
    assert hall.at.find_player(ANN) == "Zoe"
    hall.mail(ANN, answer="yes")
    assert hall.at.find_player(ANN) == "Ann"
    assert hall.at.time.seats[ANN].plays


def test_a_stand_in_does_not_lose_the_seat_by_cancelling_an_absence() -> None:
    hall = Hall.of(3)
    hall.mail(ANN, f"away {(hall.now + DAY).date()} to {(hall.now + 5 * DAY).date()}")
    hall.mail(ANN, "resign")
    hall.now += HOUR
    hall.took(game_service.apply_owner_note(hall.at, StandIn(ANN, "Zoe", hall.now, "zoe@example.org"), hall.now))
    hall.mail(ANN, "cancel away")
    assert hall.rules == ["post.back"]
    assert hall.at.find_player(ANN) == "Zoe"


def test_without_a_host_nobody_is_asked_by_mail() -> None:
    """The command `tkid mail read` asks at the terminal: see tests/cli/test_mail.py."""
    assert said(answered("resign", GAME)).startswith("Bob won: you have resigned.")
