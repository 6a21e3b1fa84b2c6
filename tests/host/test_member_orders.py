"""Seats that are offered, pseudonyms, calendars, and unsubscribing by mail and over the web."""

from __future__ import annotations

from email.message import EmailMessage
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from attrs import evolve
from icalendar import Calendar

from tests.host.small_club import Club, club, text_of
from tests.host.test_digests import acting, hosted, is_digest, of, until_digest
from tests.host.test_digests import begin as with_digest
from tests.host.year.players import address, examples
from tests.mail.mails import body
from tkid.cli import host as command
from tkid.club.members import MEMBER_KIND, Member
from tkid.host.chores import end_letters


def member(at: Club, name: str) -> Member:
    """A member as the club knows them."""
    with at.at.store.begin_transaction() as transaction:
        document = transaction.documents.get_document(MEMBER_KIND, address(name))
    return Member.read_text(document.data) if document else Member.make_new(address(name))


def resigned(at: Club) -> dict[str, EmailMessage]:
    """A game of three, in which Bob has resigned; letters with keys to two people who play another game."""
    at.at.open_game("winter", of("Ann", "Bob", "Cal", seed=4), at.now)
    at.at.open_game("moor", of("Dee", "Eve", seed=5), at.now)
    at.work()
    at.resigns(at.mails("Bob")[0], "Bob")
    return {name: at.mails(name)[0] for name in ("Ann", "Dee", "Eve")}


def test_who_comes_first_takes_the_seat(tmp_path: Path) -> None:
    """Of two who ask, the first plays from then on; everybody is told once, and nobody else may take it."""
    with club(tmp_path) as at:
        letters = resigned(at)
        for name in ("Ann", "Bob", "Cal"):
            at.mails(name)
        (refused,) = at.replies(letters["Ann"], "Ann", "take seat Bob of winter")
        assert "Not done" in body(refused)
        (hint,) = at.replies(letters["Dee"], "Dee", "join winter")
        assert "To play on for somebody, write `take seat Bob of winter`." in text_of(hint)
        at.answer(letters["Dee"], "Dee", "take seat Bob of winter")
        at.answer(letters["Eve"], "Eve", "take seat Bob of winter")
        at.work()
        first, second = ("Dee", "Eve") if hosted(at, "winter").find_address(1) == address("Dee") else ("Eve", "Dee")
        assert hosted(at, "winter").find_address(1) == address(first)
        (taken,) = at.mails(first)
        assert "You play for Bob" in text_of(taken)
        (late,) = at.mails(second)
        assert "not offered" in text_of(late)
        for name in ("Ann", "Cal"):
            assert sum("plays for Bob" in text_of(mail) for mail in at.mails(name)) == 1


@pytest.mark.parametrize("order", ["take seat Ann of winter", "take seat Zed of winter", "take seat Bob of summer"])
def test_seats_that_nobody_offers(tmp_path: Path, order: str) -> None:
    """A seat that is played, a player who is not there, and a game that is not."""
    with club(tmp_path) as at:
        (refused,) = at.replies(resigned(at)["Dee"], "Dee", order)
        assert "Not done" in body(refused)


def test_only_the_owner_offers_a_seat(tmp_path: Path) -> None:
    """The owner may offer any seat; somebody else may not."""
    with club(tmp_path) as at:
        letters = resigned(at)
        (refused,) = at.replies(letters["Dee"], "Dee", "offer seat Ann of winter")
        assert "Not done" in body(refused)
        at.at.owner = address("Eve")
        at.replies(letters["Eve"], "Eve", "offer seat Ann of winter")
        at.replies(letters["Dee"], "Dee", "take seat Ann of winter")
        assert hosted(at, "winter").find_address(0) == address("Dee")


def test_a_pseudonym_is_kept(tmp_path: Path) -> None:
    """It stays the same when somebody is not anonymous for a while; and nobody else has it."""
    with club(tmp_path) as at:
        letters = resigned(at)
        at.replies(letters["Dee"], "Dee", "anonymous on")
        first = member(at, "Dee").shown
        at.replies(letters["Eve"], "Eve", "anonymous on")
        at.replies(letters["Dee"], "Dee", "anonymous off")
        assert not member(at, "Dee").anonymous
        at.replies(letters["Dee"], "Dee", "anonymous on")
        assert member(at, "Dee").shown == first != member(at, "Eve").shown


def test_a_turn_mail_has_the_deadline_as_a_file(tmp_path: Path) -> None:
    """After `calendar on` the next turn mail has it, and after `calendar off` none."""
    with club(tmp_path) as at:
        at.at.open_game("winter", of("Ann", "Bob", seed=1), at.now)
        at.at.club = evolve(at.at.club, pages="https://club.example/")
        at.work()
        begun = {name: at.mails(name)[-1] for name in ("Ann", "Bob")}
        first = acting(at, "winter")
        other = next(name for name in begun if name != first)
        (answer,) = at.replies(begun[other], other, "calendar on")
        assert f"https://club.example/calendars/{member(at, other).secret}.ics" in body(answer)
        at.replies(begun[first], first, "Pass")
        (asks,) = at.mails(other)
        (file,) = [part for part in asks.walk() if part.get_content_type() == "text/calendar"]
        (event,) = Calendar.from_ical(file.get_payload(decode=True)).walk("VEVENT")  # type: ignore[arg-type]
        assert "winter" in str(event["summary"]) or "x" in str(event["summary"])
        at.replies(asks, other, "calendar off")
        at.replies(begun[first], first, "status")
        assert not member(at, other).calendar


# -- unsubscribing ----------------------------------------------------------------------------------------


def key_of(letter: EmailMessage) -> str:
    """The key of a letter."""
    return str(letter["Reply-To"]).partition("+")[2].partition("@")[0]


def test_stop_in_reply_to_a_digest(tmp_path: Path) -> None:
    """It ends the digest, and nothing else."""
    with club(tmp_path) as at:
        with_digest(at)
        (digest,) = until_digest(at)
        at.replies(digest, "Ann", "stop")
        assert member(at, "Ann").digest == ""
        assert not member(at, "Ann").blocked


def test_turn_mails_cannot_be_stopped(tmp_path: Path) -> None:
    """They have no such header, and the word is answered."""
    with club(tmp_path) as at:
        letters = resigned(at)
        assert letters["Ann"]["List-Unsubscribe"] is None
        (answer,) = at.replies(letters["Ann"], "Ann", "stop")
        assert "resign" in text_of(answer)


def test_one_click(tmp_path: Path) -> None:
    """Both headers, where the owner has set the address; a click ends the digest, again and again; a wrong key nothing."""
    with club(tmp_path) as at:
        at.at.club = evolve(at.at.club, unsubscribe="https://club.example/stop")
        with_digest(at)
        (digest,) = until_digest(at)
        assert digest["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert f"<https://club.example/stop?{key_of(digest)}>" in str(digest["List-Unsubscribe"])
        for wrong in ("", "x" * 12, "x" * 13, key_of(digest).upper()):
            assert not end_letters(at.at, wrong, at.now)
        assert member(at, "Ann").digest == "daily"
        for _ in range(2):
            assert end_letters(at.at, key_of(digest), at.now)
        assert member(at, "Ann").digest == ""
        at.work()
        assert all(is_digest(mail) or examples(mail) for mail in at.mails("Ann"))


@pytest.mark.parametrize(
    ("method", "posted", "status", "done"),
    [
        ("GET", "", "200 OK", False),
        ("HEAD", "", "200 OK", False),
        ("POST", "", "405", False),
        ("POST", "List-Unsubscribe=One-Click", "200 OK", True),
        ("PUT", "List-Unsubscribe=One-Click", "405", False),
    ],
)
def test_as_a_web_server_runs_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    method: str,
    posted: str,
    status: str,
    *,
    done: bool,
) -> None:
    """Only a POST with the body of mail services unsubscribes; a GET shows a page and changes nothing."""
    ended = list[str]()

    def end(_: Path, key: str) -> bool:
        ended.append(key)
        return True

    monkeypatch.setattr(command, "_end_letters", end)
    monkeypatch.setenv("REQUEST_METHOD", method)
    monkeypatch.setenv("QUERY_STRING", "abcdefghijkl")
    monkeypatch.setenv("CONTENT_LENGTH", str(len(posted)))
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(posted.encode()), "utf-8"))
    command.unsubscribe(Path("nowhere"))
    assert capsys.readouterr().out.startswith(f"Status: {status}")
    assert ended == (["abcdefghijkl"] if done else [])
