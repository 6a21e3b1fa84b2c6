"""What players mistype in mails to the club: the answer shows the line, the place, the reason, the way out and the rule."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from attrs import evolve

from tests.host.small_club import Club, club, text_of
from tests.host.year.players import TIME, game
from tests.mail.mails import body
from tests.shared.tables import each_row
from tkid.mail.model import ClubTerms
from tkid.record.format.new_game import new_record

MISTYPED = [
    ("new game secnd-edition with bob@example.org", "secnd-edition", "Did you mean `second-edition`?", "club.order"),
    ("new game second-edition wiht bob@example.org", "wiht", "with bob@example.org`?", "club.order"),
    ("nwe game secnd-edition with bob@example.org", "nwe", "Did you mean `new game", "club.order"),
    ("new game with bob@", "bob@", "bob@example.org", "club.order"),
    ("new game for us", "us", "`for 3`", "club.order"),
    ("new game with bob@example.org, claled heath", "claled", ", called heath`?", "club.order"),
    ("new game with bob@example.org clok 3 days", "clok", "Did you mean `clock`? Put a comma", "club.order"),
    ("new game with bob@example.org clock 3 days", "clock", "Put a comma before `clock`.", "club.order"),
    ("take seet Bob of winter", "seet", "Did you mean `take seat Bob of winter`?", "club.order"),
    ("stop observ winter", "observ", "Did you mean `stop observing winter`?", "club.order"),
    ("join sprng", "sprng", "Did you mean `spring`?", "club.accept"),
    ("JOIN Sprng", "Sprng", "Did you mean `spring`?", "club.accept"),
    ("accept sprng", "sprng", "Did you mean `spring`?", "club.accept"),
    ("joyn spring", "joyn", "Did you mean `join spring`?", "club.order"),
    ("observe wintr", "wintr", "Did you mean `winter`?", "club.observe"),
    ("observe game wintr delay 3", "wintr", "Did you mean `winter`?", "club.observe"),
    ("observers off glne", "glne", "Did you mean `glen`?", "club.observe.closed"),
    ("acept", "acept", "Did you mean `accept`?", "club.order"),
    ("new game for 2, clock 3 days a turn, 1 day grace, caled spring", "caled", ", called spring`?", "club.order"),
    ("words seven swans", "seven", "Did you mean `words: seven swans`?", "club.order"),
    ("digest dayly", "dayly", "Did you mean `digest daily`?", "club.order"),
    ("calendar onn", "onn", "Did you mean `calendar on`?", "club.order"),
]
PROSE = [
    "Hello, nice to see you here!",
    "Accept my thanks.",
    "Digest that if you can!",
    "Observe what I did there",
    "Words fail me.",
    "Thank you so much for all the work that you and the others have put\ninto this, accept",
    "I have thought about it for a long while, and would rather not go on\ndigest all that.",
]


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Club]:
    """A club in which Ann plays glen and has answered a letter, others play winter, and spring looks for players."""
    with club(tmp_path, "invited") as at:
        at.at.open_game("glen", game(1), TIME)
        at.at.open_game(
            "winter", new_record("second-edition", ["Dee <dee@example.org>", "Eve <eve@example.org>"], bytes(32)), TIME
        )
        at.work()
        (letter,) = at.mails("Bob")
        at.replies(letter, "Bob", "new game for 2, called spring")
        for each in at.mails("Ann")[:1]:
            at.replies(each, "Ann", "calendar on")
        yield at
        assert at.at.store.list_put_aside() == []


@pytest.fixture
def patient(at: Club, monkeypatch: pytest.MonkeyPatch) -> Club:
    """That club, where one address may write many mails a day."""
    monkeypatch.setattr("tkid.host.club_mail.MAX_CLUB_ANSWERS", 99)
    monkeypatch.setattr("tkid.host.club_mail.MAX_CONFIRMED", 99)
    return at


def place_in(letter: EmailMessage) -> str:
    """The part of a line that a letter underlines."""
    lines = body(letter).splitlines()
    marks, index = next((line, index) for index, line in enumerate(lines) if set(line.strip()) == {"^"})
    begin = marks.index("^")
    return lines[index - 1][begin : len(marks.rstrip())]


def place_of(text: str, line: str) -> int:
    """Where an answer repeats a line: in quotes, or by itself with its mistake underlined."""
    return min(text.index(each) for each in (f'"{line}"', f"\n    {line}\n") if each in text)


def alike(at: Club, letter: EmailMessage, wrong: str, way_out: str, rule: str) -> None:
    """Check what an answer says about a line."""
    assert body(letter).startswith("Not done: ")
    assert place_in(letter) == wrong
    assert way_out in text_of(letter)
    assert f"The full rule, {rule}:" in body(letter)
    assert "Reply `yes`" not in body(letter), "nothing is asked about a line that cannot be carried out"
    assert at.tables()[0].free == 1


@each_row("line, wrong, way_out, rule", MISTYPED)
def test_to_the_plain_address_without_a_key(patient: Club, line: str, wrong: str, way_out: str, rule: str) -> None:
    (letter,) = patient.asks("Ann", f"Hello!\n\n{line}\n\nBest wishes\nAnn")
    alike(patient, letter, wrong, way_out, rule)


@each_row("line, wrong, way_out, rule", MISTYPED)
def test_in_a_reply_to_a_letter_of_the_club(patient: Club, line: str, wrong: str, way_out: str, rule: str) -> None:
    (key,) = patient.asks("Ann", "help")
    (letter,) = patient.replies(key, "Ann", line)
    alike(patient, letter, wrong, way_out, rule)


@pytest.mark.parametrize("text", PROSE)
def test_prose_gets_the_help_as_before(at: Club, text: str) -> None:
    (letter,) = at.asks("Ann", text)
    assert body(letter).startswith("No line of your mail is an order to this host.")
    assert at.asks("Ann", text) == [], "once a day"


def test_right_lines_are_asked_about_and_wrong_ones_explained_in_one_letter(at: Club) -> None:
    (letter,) = at.asks("Ann", "observe wintr\nnew game for 2, called heath\ndigest dayly")
    text = body(letter)
    assert text.startswith("Is this mail from you?")
    assert text.index("    new game for 2, called heath") < text.index("    observe wintr")
    assert text.index("Did you mean `winter`?") < text.index("    digest dayly")
    (done,) = at.replies(letter, "Ann", "yes")
    assert body(done).startswith("heath waits for 1 more player")
    assert "wintr" not in body(done)


def test_the_answers_to_several_lines_come_in_their_order(at: Club) -> None:
    (key,) = at.asks("Ann", "help")
    lines = ["join sprng", "new game for 2, called heath", "games", "digest dayly"]
    (letter,) = at.replies(key, "Ann", "\n".join(lines))
    text = body(letter)
    assert text.startswith("Two orders of 4 are done.")
    places = [place_of(text, line) for line in lines]
    assert places == sorted(places)
    assert text.index("---") < places[0] < text.index("heath waits for 1 more player") < places[2]


def test_mails_with_errors_are_answered_so_often_a_day_and_automatic_ones_never(at: Club) -> None:
    assert at.asks("Ann", "join sprng", "Auto-Submitted: auto-replied\n") == []
    assert [len(at.asks("Ann", f"observe wintr{number}")) for number in range(5)] == [1, 1, 1, 0, 0]
    assert at.asks("Zoe", "join sprng") == [], "a stranger"


def test_a_stranger_hears_of_errors_at_once(tmp_path: Path) -> None:
    """In the one answer of a day: the errors alone, or beside the orders that wait for a `yes`."""
    with club(tmp_path) as at:
        (letter,) = at.asks("Zoe", "join sprng\ndigest dayly")
        assert body(letter).startswith("Nothing in your mail was done.")
        assert "Did you mean `digest daily`?" in text_of(letter)
        assert at.asks("Zoe", "digest dayly") == [], "once a day"
        (alone,) = at.asks("Yan", "digest dayly")
        assert body(alone).startswith("Not done: ")
        assert place_in(alone) == "digest"
        (both,) = at.asks("Xia", "new game for 2, called heath\ndigest dayly")
        assert body(both).startswith("Is this mail from you?")
        assert place_in(both) == "digest"
        assert "Did you mean `digest daily`?" in text_of(both)


def test_a_name_is_proposed_only_to_those_who_may_know_of_the_game(at: Club) -> None:
    (letter,) = at.asks("Ann", "observe wintr")
    at.at.club = evolve(ClubTerms(), welcome="invited", observers=False)
    (closed,) = at.asks("Ann", "observe wintr")
    assert ("`winter`" in body(letter), "`winter`" in body(closed)) == (True, False)
    (key,) = at.asks("Ann", "help")
    at.replies(key, "Ann", "new game with cal@example.org, called secret")
    at.mails("Cal")
    (bob,) = at.asks("Bob", "join secrt")
    assert "`secret`" not in body(bob), "a game with no free seat, to which Bob is not invited"
    (cal,) = at.replies(key, "Ann", "accept secrt")
    assert "Did you mean `secret`?" in body(cal)
