"""Letters as mails: threaded, to the registered address, the same every time; nothing gets into a header."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.post.mails import ANN, GAME, LEGAL, MIDGAME, TIME, UNTIMED, answered, body, composed, mail, parsed, run
from tests.strategies import record_of
from tkid.post import desk
from tkid.post.desk import Answer
from tkid.post.envelope import is_address
from tkid.post.intake import take_in
from tkid.post.letters import address_of, compose, subject
from tkid.post.model import Intake, Orders, Refusal
from tkid.record.model import Seat
from tkid.record.new import new_record
from tkid.record.replay import Replay, replay
from tkid.record.seen import seen
from tkid.record.write import write_record

SENDER = "tkid@games.example"


def asked(of: Replay) -> bytes:
    """The turn mail of a game."""
    letter = desk.ask(of, TIME)
    assert letter is not None
    address = address_of(of.record, letter.seat)
    assert isinstance(address, str)
    return compose(of, letter, address, SENDER)


def test_headers_of_a_turn_mail() -> None:
    message = parsed(asked(MIDGAME))
    assert message["From"] == "tkid <tkid@games.example>"
    assert message["To"].addresses[0].addr_spec == "lukasz.nowak@example.net"
    assert message["To"].addresses[0].display_name == "Łukasz"
    assert message["Subject"] == "[tkid Jeu d'été] turn 5: Łukasz to play"
    assert message["Date"] == "Sat, 21 Nov 2026 10:00:00 +0000"
    assert message["Message-ID"].startswith("<tkid.turn.5.04dccf.")
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Loop"] == "tkid"
    assert "In-Reply-To" not in message
    assert message["References"].startswith("<tkid.game.")
    assert "Reply-To" not in message
    assert "Precedence" not in message


def test_an_answer_is_threaded_below_the_reply() -> None:
    long = f"<{'A' * 60}@{'B' * 60}.prod.outlook.com>"
    data = mail(
        "Pass",
        f"Message-ID: {long}",
        "In-Reply-To: <c@x>",
        "References: <a@x> <[b@x]> <c@x>",
        "Reply-To: eve@evil.example",
    )
    taken = take_in(data)
    assert isinstance(taken, Intake)
    raw = compose(GAME, answered("Pass").letter, ANN, SENDER, taken)
    assert f"In-Reply-To: {long}\r\n".encode() in raw
    message = parsed(raw)
    assert message["References"].split() == ["<a@x>", "<[b@x]>", "<c@x>", long]
    assert message["Subject"] == "Re: [tkid winter-2026] turn 1: Ann to play"
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["To"].addresses[0].addr_spec == ANN
    assert b"evil" not in raw


def test_a_letter_is_the_same_every_time_and_its_message_id_its_own() -> None:
    assert asked(GAME) == asked(GAME)
    ids = {parsed(asked(of))["Message-ID"] for of in (GAME, MIDGAME)}
    ids |= {composed(answered(text))["Message-ID"] for text in ("hello", "Pass", LEGAL, "Passe")}
    assert len(ids) == 6


def test_text_and_game_file() -> None:
    for of in (GAME, MIDGAME):
        message = parsed(asked(of))
        text, file = message.iter_parts()
        letter = desk.ask(of, TIME)
        assert letter is not None
        assert body(message) == letter.text
        assert text.get_content_type() == file.get_content_type() == "text/plain"
        assert file.get_filename() == "game.tkid"
        assert file.get_content().replace("\r\n", "\n") == write_record(of.record, of)
        raw = asked(of)
        assert raw.isascii()
        assert all(
            len(line) <= 78 or line.startswith(b"https://") for line in raw.split(b"\r\n") if b"Track" not in line
        )
        assert b"\n" not in raw.replace(b"\r\n", b"")


def test_a_game_with_secrets_is_attached_as_its_player_may_know_it() -> None:
    players = ["Ann <ann@example.org>", "Bob <bob@example.org>"]
    whole = replay(new_record("second-edition-advanced", players, bytes(32), first="Ann"))
    message = parsed(asked(whole))
    (file,) = message.iter_attachments()
    text = file.get_content().replace("\r\n", "\n")
    assert text == write_record(seen(whole, 0).record)
    assert f"Hand Bob     {', '.join('?' * 8)}\n" in text
    assert "? x8" in body(message)


def test_our_own_mails_are_never_answered() -> None:
    for data in (asked(GAME), asked(MIDGAME)):
        refusal = take_in(data)
        assert isinstance(refusal, Refusal)
        assert refusal.rule == "mail.automatic"


@pytest.mark.parametrize(
    "address", ["", "ann", "ann@", "ann@exämple.org", "a,b@example.org", "<ann@x>", "ann@x\r\nBcc:e@x"]
)
def test_who_cannot_be_written_to_is_named(address: str) -> None:
    record = evolve(GAME.record, seats=(Seat("Ann", address), Seat("Bob")))
    refusal = address_of(record, 0)
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "mail.address"


PIECES = (
    *'ab\r\n\0\x0b\x85\u2028:<>@,;=?" \t\u202eé',
    *("=?utf-8?q?=0D=0ABcc:_x@y?=", "=?utf-8?b?DQpCY2M6IHhAeQ==?=", "\r\nBcc: x@y", "=?utf-8?q?=22?=", "x" * 40),
)
HOSTILE = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@UNTIMED
@given(HOSTILE, HOSTILE, HOSTILE)
def test_nothing_gets_into_a_header(title: str, name: str, typed: str) -> None:
    headers = tuple(evolve(h, value=title) if h.name == "Game" else h for h in GAME.record.headers)
    record = evolve(GAME.record, headers=headers, seats=(Seat(name, ANN), GAME.record.seats[1]))
    of = replay(record)
    data = mail(typed, f"Message-ID: <{typed}@x>", f"References: {title}")
    taken = take_in(data)
    parent = taken if isinstance(taken, Intake) else None
    letter = desk.answer(of, 0, Orders(turn=typed), TIME).letter
    raw = compose(of, letter, ANN, SENDER, parent)
    head = raw.partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0] for line in head.split(b"\r\n") if not line.startswith((b" ", b"\t"))]
    allowed = {*(b"From", b"To", b"Subject", b"Date", b"Message-ID", b"In-Reply-To", b"References"), b"Auto-Submitted"}
    assert set(names) <= allowed | {b"X-Loop", b"MIME-Version", b"Content-Type", b"Content-Transfer-Encoding"}
    assert len(names) == len(set(names))
    assert all(32 <= byte < 127 or byte in b"\r\n\t" for byte in head)
    assert parsed(raw)["To"].addresses[0].addr_spec == ANN
    assert "\n" not in subject(record, letter)


@UNTIMED
@given(st.text(st.sampled_from("ab1.!#$%&'*+/=?^_`{|}~-@"), max_size=70), st.integers(1, 60))
def test_whatever_passes_for_an_address_is_written_to(local: str, length: int) -> None:
    address = f"{local}@{'d' * length}.example"
    if is_address(address):
        raw = compose(GAME, answered("Pass").letter, address, SENDER)
        assert f"<{address}>\r\n".encode() in raw
        assert parsed(raw)["To"].addresses[0].addr_spec == address


def test_a_finished_game_is_told() -> None:
    over = replay(record_of(Random(5), 2))
    answer = answered("hello", over)
    assert "The game is over" in answer.letter.text
    assert run(mail("Pass", sender="Eve <eve@example.com>")) == Refusal(
        "mail.sender", "eve@example.com is no player of this game"
    )
    assert isinstance(run(mail("Pass")), Answer)
