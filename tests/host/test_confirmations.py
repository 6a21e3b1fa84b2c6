"""Replies to the letters that ask somebody to confirm: a resignation, a mail from elsewhere, and a mail to the club."""

from __future__ import annotations

import pytest

from tests.host.small_club import Club
from tests.host.test_offers import Table
from tests.host.test_offers import table as table  # noqa: PLC0414 - a fixture
from tests.mail.mails import body

RESIGNS = (
    *("Yes, I resign.", "yes I resign", "Yes, I want to resign!", "Yes, I really do want to resign.", "I'm sure"),
    *("Yes, resign", "yes, I give up", "Ja, ich gebe auf.", "Oui, j'abandonne", "Yes, I am sure, I resign"),
    *("Hi tkid,\n\nyes, I resign.\n\nBest, Bob", "Yes, that was me!"),
)
UNSURE = (
    *("I resign", "Yes but only if Bob is ok", "Yes\nbut only if Bob is ok", "Yes, I resign?", "Yes, if Bob agrees"),
    *("Yes? Sent from my iPhone", "Should I resign?", "Yes\n\nWait, not yet", "2", "Yes, I resign unless Ann objects"),
)
PLAYS_ON = (
    "No, I play on",
    "no",
    "No, I do not resign.",
    "No, let's play on!",
    "Nein, ich spiele weiter",
    "don't resign",
)
MINE = (
    *("Yes, that was me!", "It was me", "yes it's me", "That was me, sorry", "Ja, das war ich.", "I wrote that"),
    *("Yes, I sent it.", "Oui, c'était moi", "Yes, this was me"),
)
NOT_MINE = (
    "No, that was not me",
    "That wasn't me!",
    "not me",
    "I didn't write that",
    "Das war ich nicht",
    "No, not mine",
)
ASKS = "Do you want to resign? Nothing has been done yet."


@pytest.mark.parametrize("answer", RESIGNS)
def test_a_yes_in_a_sentence_resigns(table: Table, answer: str) -> None:
    (asked,) = table.mail("resign")
    table.mail(answer, asked)
    assert table.game.time.over


@pytest.mark.parametrize("answer", UNSURE)
def test_an_unsure_answer_asks_again_whether_to_resign(table: Table, answer: str) -> None:
    (asked,) = table.mail("resign")
    (again,) = table.mail(answer, asked)
    assert body(again).startswith(ASKS)
    assert not table.game.time.over
    table.mail("yes", again)
    assert table.game.time.over


@pytest.mark.parametrize(("answer", "to_first"), [*((each, False) for each in PLAYS_ON), ("no", True)])
def test_a_no_ends_the_question_about_resigning(table: Table, answer: str, *, to_first: bool) -> None:
    (asked,) = table.mail("resign")
    (told,) = table.mail(answer, table.letter if to_first else asked)
    assert body(told).startswith("You play on: nothing has been done.")
    assert table.find("offer") is None
    table.mail("yes", asked)
    assert not table.game.time.over


def test_a_yes_to_another_mail_asks_again_whether_to_resign(table: Table) -> None:
    table.mail("resign")
    (again,) = table.mail("yes")
    assert body(again).startswith(ASKS)
    assert not table.game.time.over


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("yes", "Nothing has been played: the game is over."),
        ("Can I take that back?", "The game is over: there is nothing left to decide."),
        ("Can we have a rematch?", "To play again with the same players once the game is over, reply `rematch`."),
        ("How do I talk to the others?", "To write to the other players, reply `say to all: TEXT`."),
    ],
)
def test_a_question_that_was_answered_is_closed(table: Table, text: str, lead: str) -> None:
    (asked,) = table.mail("resign")
    (told,) = table.mail("yes", asked)
    assert table.find("offer") is None
    (answer,) = table.mail(text, told)
    assert body(answer).startswith(lead)


def test_thanks_for_an_answer_get_none(table: Table) -> None:
    (asked,) = table.mail("resign")
    (told,) = table.mail("yes", asked)
    assert not table.mail("thanks!", told)


def test_an_absence_that_was_accepted_is_not_offered_again(table: Table) -> None:
    (asked,) = table.mail("I am away from 20 to 27 December")
    (told,) = table.mail("yes", asked)
    assert body(told).startswith("You are away from 20 December")
    (answer,) = table.mail("Thanks!", told)
    assert "not understood" not in body(answer)


@pytest.mark.parametrize("answer", MINE)
def test_a_mail_from_another_address_is_owned_in_words(table: Table, answer: str) -> None:
    (asked,) = table.mail("Pass", sender="else@example.net")
    table.mail(answer, asked)
    assert len(table.turns) == 1


@pytest.mark.parametrize("answer", NOT_MINE)
def test_a_mail_from_another_address_is_disowned_in_words(table: Table, answer: str) -> None:
    (asked,) = table.mail("Pass", sender="else@example.net")
    (told,) = table.mail(answer, asked)
    assert "somebody else has a mail of yours" in " ".join(body(told).split())
    assert (table.turns, table.find("elsewhere")) == ([], None)


@pytest.mark.parametrize("answer", MINE)
def test_a_mail_to_the_club_is_owned_in_words(at: Club, answer: str) -> None:
    (asked,) = at.asks("Ann", "new game for 2")
    at.replies(asked, "Ann", answer)
    assert len(at.tables()) == 1


@pytest.mark.parametrize(
    "answer", ["Yes but only if Bob is ok", "Yes\nbut only if Bob is ok", "Yes? Sent from my iPhone", "Who are you?"]
)
def test_an_unsure_answer_asks_again_about_a_mail_to_the_club(at: Club, answer: str) -> None:
    (asked,) = at.asks("Ann", "new game for 2")
    (again,) = at.replies(asked, "Ann", answer)
    assert body(again).startswith("Is this mail from you? Nothing has been done yet.")
    assert at.tables() == []
    at.replies(again, "Ann", "yes")
    assert len(at.tables()) == 1
