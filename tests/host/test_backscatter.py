"""A forged mail makes the host write nothing of its own to the address that it names: no subject, no text, no link."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.host.small_club import INVITES, Club, club, text_of
from tests.host.year.players import HOST, TIME, game
from tests.mail.mails import body
from tests.shared.tables import each_row
from tkid.host.transports import Maildir

EVIL = "evil.example"
TEXTS = [
    "help",
    "open games",
    f"new game for 2, called {EVIL}",
    f"new game second-edition with {EVIL} <bob@{EVIL}>, words: visit www.{EVIL}",
    f"new game second-edition with bob@{EVIL} as http://{EVIL}",
    f"new game {EVIL} with bob@{EVIL}",
    f"play with bob@{EVIL}\njoin {EVIL}\naccept {EVIL}",
    f"play wiht bob@{EVIL}",
    f"nwe game with bob@{EVIL}",
    f"join http://{EVIL}/x",
    f"decline {EVIL} now",
    f"observe {EVIL} delay {EVIL}",
    f"take seat {EVIL} of {EVIL}",
    f"address bob@{EVIL}",
    f"digest {EVIL}\ncalendar {EVIL}\nanonymous {EVIL}",
    f"stop observing {EVIL}",
    f"words: {EVIL}",
    f"rematch {EVIL}",
    "yes",
    "no",
    f"Hello, have a look at http://{EVIL}",
    f"new game with bob@{EVIL}, clock {EVIL}, ruling {EVIL}, open {EVIL} days",
    f"new game for 2\nnew game for {EVIL}",
]


def forged(at: Club, number: int, name: str, text: str) -> list[EmailMessage]:
    """What somebody gets for a mail under their address, every part of which is somebody else's."""
    mail = (
        f"From: {EVIL} <{name.lower()}@example.org>\nTo: {HOST}\nSubject: Look at {EVIL}\nMessage-ID: <forged{number}@example.org>\n"
        f"Content-Type: text/plain; charset=utf-8\n\n{text}\n"
    )
    Maildir(at.folder / "in").add_mail(mail.encode())
    at.work()
    return at.mails(name)


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Club]:
    """A club that welcomes everybody. Ann plays there, as the host has put her into a game; she has not answered yet."""
    for limit in ("MAX_CONFIRMED", "MAX_STRANGERS"):
        monkeypatch.setattr(f"tkid.host.club_mail.{limit}", 999)
    with club(tmp_path) as opened:
        opened.at.open_game("glen", game(1), TIME)
        opened.work()
        for name in ("Ann", "Bob"):
            opened.mails(name)
        yield opened
        assert opened.at.store.list_put_aside() == []


@each_row("number, text", list(enumerate(TEXTS)))
def test_nothing_of_a_forged_mail_is_repeated(at: Club, number: int, text: str) -> None:
    for name in (f"Stranger{number}", "Ann"):
        for letter in forged(at, 2 * number + (name == "Ann"), name, text):
            assert "evil" not in letter.as_string().casefold().replace("=\n", ""), text
            assert "evil" not in body(letter).casefold()
            assert "Look at" not in str(letter["Subject"])
            assert letter["In-Reply-To"], "mail programs still show it with the mail"


def test_what_waits_is_told_in_our_own_words(at: Club) -> None:
    (letter,) = forged(at, 1, "Zoe", INVITES)
    assert body(letter).startswith("Is this mail from you? Nothing has been done yet. Reply `yes` to do it.")
    assert "The mail contains one order." in text_of(letter)
    assert "new game: invite people to a game, or look for players" in text_of(letter)
    assert "spring" not in body(letter)
    (done,) = at.replies(letter, "Zoe", "yes")
    assert body(done).startswith("spring waits for Bob.")


def test_whoever_has_answered_sees_the_order_again(at: Club) -> None:
    (letter,) = forged(at, 1, "Ann", "calendar on")
    (_,) = at.replies(letter, "Ann", "yes")
    (letter,) = at.asks("Ann", "new game for 2, called heath")
    assert "new game for 2, called heath" in body(letter)
    assert letter["Subject"] == "Re: Hello"


LINKS = [
    f"new game second-edition with {EVIL} <bob@example.org>",
    "new game second-edition with bob@example.org as www.evil",
    "new game for 2, as Evil。example",
    "new game for 2, as http://x",
]


@each_row("number, order", list(enumerate(LINKS)))
def test_no_invitation_has_a_link_for_a_name(at: Club, number: int, order: str) -> None:
    (key,) = at.asks(f"Zoe{number}", "help")
    (letter,) = at.replies(key, f"Zoe{number}", order)
    assert body(letter).startswith(("Not done: ", "Not done, "))
    assert at.mails("Bob") == []
    assert at.tables() == []
