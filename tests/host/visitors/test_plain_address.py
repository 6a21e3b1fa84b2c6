"""Mails to the plain address: everybody who has answered a letter of the host, or is invited, gets an answer there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.host.visitors.club import INVITES, REQUIRED, VOUCHED, Club, club, text_of
from tests.host.visitors.test_digests import of
from tests.mail.inbound.mails import body
from tkid.club.door.letters import LAST
from tkid.club.door.orders import LISTED

ORDERS = (
    *("new game second-edition with bob@example.org", "new game with bot", "new game second-edition for 3"),
    *("play with bob@example.org", "games", "open games", "tournaments", "join spring", "accept", "accept spring"),
    *("decline", "decline spring", "words: seven swans on a cold loch", "rematch", "rematch spring", "digest daily"),
    *("digest off", "observe winter", "observe winter delay 3", "stop observing", "stop observing winter"),
    *("take seat Bob of winter", "observers off winter", "address ann@example.com", "anonymous on", "anonymous off"),
    *("calendar on", "calendar off", "block", "unblock", "stop", "help", "yes", "no", "Hello, who are you?"),
    *("new gmae with bob@example.org", "Pass", ""),
)
CONFIRMED = (("help", "yes"), ("Hello!", "help"), ("games", "yes"), ("Hello!", "yes"), ("Hello!", "Thank you!"))


def test_every_order_of_the_list_is_tried() -> None:
    assert {kind.name for kind in LISTED if not any(order.startswith(kind.name) for order in ORDERS)} == set()


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_is_answered_after_a_confirmation(at: Club, order: str) -> None:
    at.at.open("winter", of("Cal", "Bob", seed=4), at.now)
    (letter,) = at.asks("Ann", "help")
    at.replies(letter, "Ann", "yes")
    (got,) = at.asks("Ann", order)
    if body(got).startswith("Is this mail from you?"):
        answers = at.replies(got, "Ann", "yes")
        assert answers or order == "block", "what nobody answers is not asked about"


@pytest.mark.parametrize(("first", "reply"), CONFIRMED)
def test_any_reply_is_a_confirmation(at: Club, first: str, reply: str) -> None:
    (letter,) = at.asks("Ann", first)
    assert at.asks("Ann", INVITES) == [], "a stranger gets one answer a day"
    at.replies(letter, "Ann", reply)
    (question,) = at.asks("Ann", INVITES)
    assert (body(question)[:22], at.tables()) == ("Is this mail from you?", [])
    (made,) = at.replies(question, "Ann", "yes")
    assert body(made).startswith("spring waits for Bob")


def test_a_server_that_vouches_saves_the_second_question(tmp_path: Path) -> None:
    with club(tmp_path, required=REQUIRED) as at:
        (letter,) = at.asks("Ann", "help", VOUCHED)
        at.replies(letter, "Ann", "yes", VOUCHED)
        (made,) = at.asks("Ann", INVITES, VOUCHED)
        assert body(made).startswith("spring waits for Bob")


@pytest.mark.parametrize("welcome", ["invited", "everybody"])
@pytest.mark.parametrize("order", ["accept spring", "yes", "Gladly!"])
def test_somebody_who_is_invited_is_answered_at_the_plain_address(tmp_path: Path, welcome: str, order: str) -> None:
    with club(tmp_path, welcome) as at:  # type: ignore[arg-type]
        at.at.open("winter", of("Ann", "Cal", seed=4), at.now)
        at.replies(at.asks("Ann", INVITES)[-1], "Ann", "yes")
        at.mails("Bob")
        (question,) = at.asks("Bob", order)
        at.replies(question, "Bob", "accept" if order == "Gladly!" else "yes")
        assert at.tables()[0].state == "begun"


def test_the_last_answer_of_a_day_says_so(at: Club) -> None:
    at.replies(at.key("Ann"), "Ann", "help")
    for order in ("new game for 2", "open games"):
        answers = [at.asks("Ann", order) for _ in range(4)]
        assert [LAST in text_of(letter) for got in answers for letter in got] == [False, False, True]
        (got,) = at.replies(answers[2][0], "Ann", "games")
        assert body(got)
