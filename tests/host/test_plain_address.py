"""Mails to the plain address: everybody who has answered a letter of the host, or is invited, gets an answer there."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.cli import said
from tests.host.small_club import INVITES, REQUIRED, VOUCHED, Club, club, invited, text_of
from tests.host.test_digests import acting, begin, hosted, is_digest, of, until_digest
from tests.host.year.players import HOST, letters, reply
from tests.mail.mails import body
from tkid.club.order_answers import LAST
from tkid.club.order_values import LISTED
from tkid.host.transports import Maildir
from tkid.mail.envelope import Required

ORDERS = (
    *("new game second-edition with bob@example.org", "new game with bot", "new game second-edition for 3"),
    *("play with bob@example.org", "games", "open games", "tournaments", "join spring", "accept", "accept spring"),
    *("decline", "decline spring", "words: seven swans on a cold loch", "rematch", "rematch spring", "digest daily"),
    *("digest off", "observe winter", "observe winter delay 3", "stop observing", "stop observing winter"),
    *("take seat Bob of winter", "observers off winter", "address ann@example.com", "anonymous on", "anonymous off"),
    "new game from winter turn 1 with bob@example.org",
    *("calendar on", "calendar off", "block", "unblock", "stop", "help", "yes", "no", "Hello, who are you?"),
    *("new gmae with bob@example.org", "Pass", ""),
)
CONFIRMED = (("help", "yes"), ("Hello!", "help"), ("games", "yes"), ("Hello!", "yes"))


def test_every_order_of_the_list_is_tried() -> None:
    assert {kind.name for kind in LISTED if not any(order.startswith(kind.name) for order in ORDERS)} == set()


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_is_answered_after_a_confirmation(at: Club, order: str) -> None:
    at.at.open_game("winter", of("Cal", "Bob", seed=4), at.now)
    (letter,) = at.asks("Ann", "help")
    at.replies(letter, "Ann", "yes")
    (got,) = at.asks("Ann", order)
    if body(got).startswith("Is this mail from you?"):
        answers = at.replies(got, "Ann", "yes")
        assert answers or order == "block", "what nobody answers is not asked about"


@pytest.mark.parametrize(("first", "reply"), CONFIRMED)
def test_any_order_in_a_reply_is_a_confirmation(at: Club, first: str, reply: str) -> None:
    (letter,) = at.asks("Ann", first)
    assert at.asks("Ann", INVITES) == [], "a stranger gets one answer a day"
    at.replies(letter, "Ann", reply)
    (question,) = at.asks("Ann", INVITES)
    assert (body(question)[:22], at.tables()) == ("Is this mail from you?", [])
    (made,) = at.replies(question, "Ann", "yes")
    assert body(made).startswith("spring waits for Bob")


def test_a_newcomer_at_a_real_host_begins_a_game(tmp_path: Path) -> None:
    """As `tkid host init` makes it, with `welcome = "everybody"`: help, yes, a new mail, yes."""
    said("host", "init", tmp_path, "--address", HOST)
    with (tmp_path / "host.toml").open("a", encoding="utf-8") as file:
        file.write('pictures = false\n[club]\nwelcome = "everybody"\n')
    inbox = Maildir(tmp_path / "in")

    def sent(mail: bytes) -> EmailMessage:
        """The one letter that comes for a mail."""
        inbox.add_mail(mail)
        said("host", "once", tmp_path)
        (letter,) = letters(tmp_path, "Ann")
        return letter

    head = f"From: Ann <ann@example.org>\nTo: {HOST}\nSubject: Hello\nMessage-ID: <{{}}@example.org>\n\n{{}}\n"
    asked = sent(head.format(1, "help").encode())
    sent(reply(asked, "yes", "Ann", 2))
    question = sent(head.format(3, INVITES).encode())
    assert body(question).startswith("Is this mail from you?")
    assert body(sent(reply(question, "yes", "Ann", 4))).startswith("spring waits for Bob")


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
        at.at.open_game("winter", of("Ann", "Cal", seed=4), at.now)
        at.work()
        at.mails("Ann")
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


def lost(letter: EmailMessage) -> str:
    """The header that says which letter a mail to the plain address answers."""
    return f"In-Reply-To: {letter['Message-ID']}\n"


@pytest.mark.parametrize("required", [None, REQUIRED])
def test_an_answer_to_a_digest_that_lost_its_key_can_be_written_again(
    tmp_path: Path, required: Required | None
) -> None:
    with club(tmp_path) as at:
        begin(at)
        (digest,) = [each for each in until_digest(at) if is_digest(each)]
        name = next(name for name in ("winter", "glen") if acting(at, name) == "Ann")
        at.at.required = required
        headers = lost(digest) + (VOUCHED if required else "")
        (again,) = at.asks("Ann", f"{name}: Pass", headers)
        assert body(again).startswith("Nothing has been played: your mail has lost the key of our digest.")
        assert f"{name}: Pass" in text_of(again)
        assert hosted(at, name).turns == 0
        at.replies(again, "Ann", f"{name}: Pass", headers if required else "")
        assert hosted(at, name).turns == 1


def test_an_answer_to_an_invitation_that_lost_its_key_is_about_that_one(at: Club) -> None:
    _, spring = invited(at)
    (question,) = at.asks("Ann", INVITES.replace("spring", "aspen"))
    at.replies(question, "Ann", "yes")
    (aspen,) = at.mails("Bob")
    for invitation, name in ((aspen, "aspen"), (spring, "spring")):
        (asked,) = at.asks("Bob", "yes", lost(invitation))
        assert body(asked).startswith(f"Do you accept the invitation to {name}?")


def test_a_turn_at_the_plain_address_is_told_where_it_belongs(at: Club) -> None:
    at.at.open_game("winter", of("Ann", "Bob", seed=4), at.now)
    at.work()
    name = acting(at, "winter")
    other = "Bob" if name == "Ann" else "Ann"
    at.mails(name)
    at.mails(other)
    (told,) = at.asks(name, "Pass")
    assert body(told).startswith("No line of your mail is an order to this host.")
    assert "It is your turn in `winter`. Write a turn in a reply to the mail of its game." in text_of(told)
    assert "It is your turn" not in text_of(at.asks(other, "Pass")[0])
    assert hosted(at, "winter").turns == 0
