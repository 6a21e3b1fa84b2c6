"""What a newcomer writes to the club that is no order: answers to nothing, to the wrong mail, and an observer's mail."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from tests.host.small_club import Club, club, invited, text_of
from tests.host.test_digests import of
from tests.mail.mails import body

NOTHING = "Nothing waits for your answer here, so nothing has been done."


@pytest.mark.parametrize("answer", ["yes", "Yes, please.", "no"])
def test_an_answer_where_nothing_waits(tmp_path: Path, answer: str) -> None:
    with club(tmp_path) as at:
        key = at.key("Ann")
        for _ in range(3):
            (got,) = at.replies(key, "Ann", answer)
            assert body(got).startswith(NOTHING)
            assert "open games" in body(got)
            assert "mix your words" not in body(got), "not the list of all orders"


def test_an_answer_to_the_plain_address_where_nothing_waits(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.at.open_game("winter", of("Ann", "Bob", seed=4), at.now)
        at.work()
        at.mails("Ann")
        (got,) = at.asks("Ann", "yes")
        assert body(got).startswith(NOTHING)


@pytest.mark.parametrize("answer", ["yes", "Fine with me!"])
def test_an_invitation_is_asked_about_as_often_as_it_is_not_answered(tmp_path: Path, answer: str) -> None:
    with club(tmp_path) as at:
        _, invitation = invited(at)
        (answered,) = at.replies(invitation, "Bob", "games")
        for letter in [answered] * 3 if answer == "yes" else [invitation] * 3:
            (got,) = at.replies(letter, "Bob", answer)
            assert body(got).startswith("Do you accept the invitation to spring?")
            assert at.tables()[0].state == "open"
        at.replies(got, "Bob", "yes")
        assert at.tables()[0].state == "begun"


def test_a_change_of_address_is_asked_about_again(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        key = at.key("Ann")
        at.replies(key, "Ann", "address ann.new@example.org")
        (got,) = at.replies(key, "Ann", "yes")
        assert body(got).startswith("Should your games move to ann.new@example.org?")


def test_an_observer_is_known_at_the_plain_address(tmp_path: Path) -> None:
    """Also where nothing else is known of whoever observes."""
    with club(tmp_path) as at:
        at.at.open_game("winter", of("Ann", "Bob", seed=4), at.now)
        at.work()
        at.replies(at.key("Zoe"), "Zoe", "observe winter")
        at.mails("Zoe")
        (got,) = at.asks("Zoe", "Hello, is there anything new?")
        assert "Nobody with your address plays here yet" not in text_of(got)
        (asked,) = at.asks("Zoe", "games")
        (listed,) = at.replies(asked, "Zoe", "yes")
        assert "You observe winter." in text_of(listed)


def test_a_seat_is_offered_once(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        at.at.open_game("winter", of("Ann", "Bob", seed=4), at.now)
        at.at.owner = "ann@example.org"
        at.work()
        (letter, *_) = at.mails("Ann")
        at.mails("Bob")
        at.replies(letter, "Ann", "offer seat Bob of winter")
        assert len(at.mails("Bob")) == 1
        (again,) = at.replies(letter, "Ann", "offer seat Bob of winter")
        assert body(again).startswith("Bob's seat in winter is offered already.")
        assert at.mails("Bob") == [], "nobody hears of it twice"


def test_the_answer_to_a_new_game_names_the_day_once(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        made, _ = invited(at)
        assert body(made).startswith("spring waits for Bob.")
        assert text_of(made).count("It is open until") == 1


def test_letters_of_the_club_name_it(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        assert "This mail is from" not in text_of(at.key("Zoe"))
        at.at.club = evolve(at.at.club, name="Heath and Hill")
        assert text_of(at.key("Ann")).endswith("This mail is from Heath and Hill.")
        (made,) = at.replies(at.key("Dee"), "Dee", "play with bob@example.org")
        (invitation,) = at.mails("Bob")
        assert all("This mail is from Heath and Hill." in text_of(each) for each in (made, invitation))


@pytest.mark.parametrize(
    ("text", "first"),
    [("help", "Reply with one line."), ("open games", "No game looks for players now."), ("Help!", "Reply with")],
)
def test_what_anybody_may_ask_is_answered_with_the_welcome(tmp_path: Path, text: str, first: str) -> None:
    """Cites: club.stranger."""
    with club(tmp_path) as at:
        (got,) = at.asks("Zoe", text)
        assert body(got).startswith(first)
        assert "PLAY HERE Nobody with your address plays here yet. To start a game, reply with one line." in text_of(
            got
        )
        assert "Is this mail from you?" not in text_of(got)
        (made,) = at.replies(got, "Zoe", "new game claim for 2, called loch")
        assert body(made).startswith("loch waits for 1 more player.")


def test_what_anybody_may_ask_is_answered_beside_what_waits(tmp_path: Path) -> None:
    with club(tmp_path) as at:
        (got,) = at.asks("Zoe", "open games\nplay with zed@example.org")
        assert body(got).startswith("Is this mail from you? Nothing has been done yet.")
        assert "No game looks for players now." in text_of(got)
        assert "play with: invite somebody to the basic game" in text_of(got)


@pytest.mark.parametrize(
    "text", ["Hi, I'd like to play with somebody", "looking for a game", "How do I join?", "Anyone want to play?"]
)
def test_somebody_who_looks_for_players_hears_how(at: Club, text: str) -> None:
    ways = ("open games", "new game second-edition for 2", "new game with bot")
    (stranger,) = at.asks("Zoe", text)
    assert all(way in text_of(stranger) for way in ways)
    (made,) = at.replies(stranger, "Zoe", "new game with bot")
    assert made
    (member,) = at.asks("Zoe", text)
    assert all(f"reply `{way}`" in text_of(member) for way in ways)
