"""Letters that come back, and mails that come again and again: counted, told of once, never answered for ever."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.host.year.players import HOST, NAMES, TIME, address, examples, game, host, letters, reply, troubles, work
from tests.mail.mails import UNTIMED, body, parsed
from tkid.host.mails import MAX_ANSWERS_WITHOUT_TURN
from tkid.host.store.store import MAX_BOUNCES
from tkid.host.transports import Maildir, RefusedForGoodError
from tkid.mail.envelope import Report, read_report

OWNER = "owner@games.example"
LETTER = "<tkid.turn.1.0a1b2c.0123456789abcdef@games.example>"
KEY = "abcdefghijkl"


def bounce(letter: str, to: str, number: int = 0, action: str = "failed", key: str = KEY) -> bytes:
    """The report of a mail system that a letter could not be delivered, which it encloses."""
    return (
        f"Return-Path: <>\nFrom: Mail Delivery System <MAILER-DAEMON@mx.example>\nTo: {HOST}\nMessage-ID: <b{number}@mx>\n"
        "Subject: failed\nAuto-Submitted: auto-replied\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        f"--b\n\nIt could not be delivered.\n\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\n"
        f"Final-Recipient: rfc822; {to}\nAction: {action}\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n\n"
        f"--b\nContent-Type: message/rfc822\n\nFrom: {HOST}\nReply-To: {HOST.replace('@', f'+{key}@')}\nMessage-ID: {letter}\n\nText\n--b--\n"
    ).encode()


def test_a_report_names_the_letter_and_the_reason() -> None:
    assert read_report(bounce(LETTER, "ann@example.org")) == Report((LETTER,), (KEY,), "550 no such user")
    assert read_report(bounce(LETTER, "ann@example.org", action="delayed")) is None
    assert read_report(bounce("<other@example.org>", "ann@example.org")) is None
    vacation = f"From: ann@example.org\nAuto-Submitted: auto-replied\nIn-Reply-To: {LETTER}\n\nI am away. {LETTER}\n"
    assert read_report(vacation.encode()) is None


@UNTIMED
@given(st.binary(max_size=400), st.integers(0, 800))
def test_whatever_comes_is_no_error(noise: bytes, at: int) -> None:
    whole = bounce(LETTER, "ann@example.org")
    read_report(noise)
    read_report(whole[:at] + noise + whole[at:])


@pytest.fixture
def asked(tmp_path: Path):  # type: ignore[no-untyped-def] # noqa: ANN201
    """A host with an owner that waits for the first turn: its folder, itself, who is asked, and the letter."""
    with host(tmp_path) as at:
        at.owner = OWNER
        at.open_game("game", game(5), TIME)
        at.send_letters(TIME)
        name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
        yield tmp_path, at, name, letter


def _to_owner(folder: Path) -> list[str]:
    return [body(parsed(data)) for _, data in Maildir(folder / "out" / OWNER).list_arrived()]


def key_of(letter: EmailMessage) -> str:
    """The key that a letter carries."""
    return str(letter["Reply-To"]).partition("+")[2].partition("@")[0]


def test_a_player_is_not_reached_after_three_letters_came_back(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    found = [letter]
    for number, order in enumerate(("status", "history")):
        Maildir(folder / "in").add_mail(reply(letter, order, name, number))
        work(at, folder)
        found += letters(folder, name)
    for number, each in enumerate(found):
        assert at.store.list_unreachable() == []
        for twice in (0, 1):
            report_of_it = bounce(str(each["Message-ID"]), address(name), 2 * number + twice, key=key_of(each))
            Maildir(folder / "in").add_mail(report_of_it)
            work(at, folder)
    (lost,) = at.store.list_unreachable()
    assert (lost.address, lost.bounces, lost.reason) == (address(name), MAX_BOUNCES, "550 no such user")
    (told,) = _to_owner(folder)
    assert f"Letters to {address(name)} come back: 550 no such user" in told
    Maildir(folder / "in").add_mail(reply(letter, "Pass", name, 9))
    work(at, folder)
    assert at.store.list_unreachable() == []


@pytest.mark.slow
@pytest.mark.parametrize("forged", ["an id that nobody sent", "a key that nobody has", "the key of another player"])
def test_a_forged_report_does_not_count(asked, forged: str) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """Another player may find out what a Message-ID is made of, but does not know the key."""
    folder, at, name, letter = asked
    other = next(n for n in NAMES[:2] if n != name)
    Maildir(folder / "in").add_mail(reply(letter, "Pass", name))
    work(at, folder)
    theirs = next(mail for mail in letters(folder, other) if examples(mail))
    message_id = LETTER if forged.startswith("an id") else str(letter["Message-ID"])
    key = {"a": KEY, "t": key_of(theirs)}.get(forged[0], key_of(letter)) if message_id != LETTER else key_of(letter)
    for number in range(MAX_BOUNCES):
        Maildir(folder / "in").add_mail(bounce(message_id, address(name), number, key=key))
    work(at, folder)
    with at.store.begin_transaction() as writing:
        assert message_id == LETTER or writing.find_letter(message_id) == ("game", address(name)), (
            "it has not come back"
        )
    assert at.store.count_mails()["filed"] == MAX_BOUNCES


def test_a_letter_that_is_refused_for_good_is_given_up_and_counts(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked

    sending = at.send

    def refusing(to: str, mail: bytes) -> None:
        if to == address(name):
            raise RefusedForGoodError(f"{to}: 550 no such user")
        sending(to, mail)

    at.send = refusing
    for number, order in enumerate(("status", "history", "help")):
        Maildir(folder / "in").add_mail(reply(letter, order, name, number))
        work(at, folder)
        assert at.store.count_mails()["unsent"] == 0
        assert at.store.list_unreachable() == [], "each mail of the player shows that somebody is there"
    assert {why for _, _, why in troubles(at.store)} == {f"{address(name)}: 550 no such user"}
    for number, order in enumerate(("status", "history", "help"), 3):
        Maildir(folder / "in").add_mail(reply(letter, order, name, number))
    at.fetch_mails(Maildir(folder / "in"), TIME)
    at.work_on_all(TIME)
    at.send_letters(TIME)
    (lost,) = at.store.list_unreachable()
    assert (lost.address, lost.bounces) == (address(name), MAX_BOUNCES)
    assert len(_to_owner(folder)) == 1
    at.send = sending
    letters(folder, name)
    assert at.store.send_again("nobody@example.org") == []
    assert at.store.send_again(address(name).upper()) == [("game", address(name))], "the last one of the game"
    assert at.store.send_again() == [], "it waits already"
    at.send_letters(TIME)
    assert len(letters(folder, name)) == 1


def test_a_letter_that_came_back_is_sent_again_unless_a_later_one_has_arrived(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    Maildir(folder / "in").add_mail(bounce(str(letter["Message-ID"]), address(name), 1, key=key_of(letter)))
    work(at, folder)
    assert at.store.send_again() == [("game", address(name))]
    sending, again = at.send, list[bytes]()
    at.send = lambda _, mail: again.append(mail)
    at.send_letters(TIME)
    at.send = sending
    assert [str(letter["Message-ID"]).encode() in mail for mail in again] == [True]
    Maildir(folder / "in").add_mail(bounce(str(letter["Message-ID"]), address(name), 2, key=key_of(letter)))
    Maildir(folder / "in").add_mail(reply(letter, "status", name))
    work(at, folder)
    assert at.store.send_again() == [], "the answer to the mail is a later letter"


def test_the_same_mistake_is_told_once_a_day_and_another_one_always(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    answers = []
    wrong = ("Psas", "Psas", "Pas until", "I am on holiday.", "I am on holiday.", "I am still on holiday.")
    for number, order in enumerate(wrong):
        Maildir(folder / "in").add_mail(reply(letter, order, name, number))
        work(at, folder)
        answers.append(len(letters(folder, name)))
    assert answers == [1, 0, 1, 1, 0, 1]
    (mail,) = at.store.list_finished([2])
    assert "[mail.repeated]" in mail.reason
    Maildir(folder / "in").add_mail(reply(letter, "Psas", name, 9))
    at.fetch_mails(Maildir(folder / "in"), TIME + timedelta(days=1))
    at.work_on_all(TIME + timedelta(days=1))
    at.send_letters(TIME + timedelta(days=1))
    assert len(letters(folder, name)) == 1


def test_the_same_mistake_at_another_turn_is_another_one(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    for number, order in enumerate(("Psas", "Pass", "Psas")):
        Maildir(folder / "in").add_mail(reply(letter, order, name, number))
        work(at, folder)
        assert len(letters(folder, name)) == 1, number


@pytest.mark.slow
def test_who_writes_without_end_is_told_once_that_this_is_the_last_answer(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    folder, at, name, letter = asked
    for number in range(MAX_ANSWERS_WITHOUT_TURN + 5):
        Maildir(folder / "in").add_mail(reply(letter, "status", name, number))
    work(at, folder)
    answers = [body(mail) for mail in letters(folder, name)]
    assert len(answers) == MAX_ANSWERS_WITHOUT_TURN + 1
    assert sum("neither will others be until tomorrow" in answer for answer in answers) == 1
    assert at.store.count_mails()["filed"] == 5
    Maildir(folder / "in").add_mail(reply(letter, "Pass", name, 99))
    work(at, folder)
    (receipt,) = letters(folder, name)
    assert "Recorded as: " in body(receipt)


@pytest.mark.slow
def test_two_programs_do_not_write_to_each_other_for_ever(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """One that says nothing of itself, and whose answers are all different."""
    folder, at, name, letter = asked
    waiting, written = [letter], 0
    while waiting:
        written += 1
        Maildir(folder / "in").add_mail(
            reply(waiting.pop(), f"Thank you for your mail number {written}.", name, written)
        )
        work(at, folder)
        waiting += letters(folder, name)
    assert written == MAX_ANSWERS_WITHOUT_TURN + 2


@pytest.mark.slow
def test_mails_that_change_the_record_and_play_no_turn_end_too(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """Or a game's file could be made to grow without end."""
    folder, at, name, letter = asked
    for number in range(MAX_ANSWERS_WITHOUT_TURN + 5):
        order = "cancel away" if number % 2 else "away 2026-12-20 to 2026-12-21"
        Maildir(folder / "in").add_mail(reply(letter, order, name, number))
        work(at, folder)
    assert len(letters(folder, name)) == MAX_ANSWERS_WITHOUT_TURN + 1
    assert at.store.count_mails()["filed"] == 5
    assert at.store.get_game("game").record.count("# away") == MAX_ANSWERS_WITHOUT_TURN // 2


@pytest.mark.slow
def test_who_is_over_the_limit_is_told_once_that_a_turn_in_doubt_is_not_played(asked) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
    """Cites: mail.repeated."""
    folder, at, name, letter = asked
    for number in range(MAX_ANSWERS_WITHOUT_TURN + 2):
        Maildir(folder / "in").add_mail(reply(letter, "status", name, number))
    work(at, folder)
    letters(folder, name)
    for number, text in enumerate(("Pass, I guess", "Hello", "Pass, I suppose"), 100):
        Maildir(folder / "in").add_mail(reply(letter, text, name, number))
        work(at, folder)
        told = letters(folder, name)
        assert len(told) == (number == 100)
        assert all("send the turn alone" in " ".join(body(mail).split()) for mail in told)
