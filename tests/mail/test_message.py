"""Letters as mails: threaded, to the registered address, the same every time; nothing gets into a header."""

from __future__ import annotations

import re
from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import compat32
from email.utils import parseaddr
from random import Random

import pytest
from attrs import evolve
from hypothesis import example, given
from hypothesis import strategies as st

from tests.mail.mails import (
    ANN,
    GAME,
    LEGAL,
    MIDGAME,
    TIME,
    UNTIMED,
    answered,
    body,
    composed,
    mail,
    parsed,
    run,
)
from tests.shared.examples import examples
from tests.shared.strategies import record_of
from tests.shared.tables import each_row
from tkid.mail import game_service
from tkid.mail.blocks import GAME as GAME_FILE
from tkid.mail.blocks import Board, Copies, First, Lead, Letter, Paragraph, Quote, Reference, Samples, format_plain
from tkid.mail.enclosure import Enclosed, take_out
from tkid.mail.envelope import is_address, read_mail
from tkid.mail.game_service import Outcome
from tkid.mail.letter_html import AnswerTo, write_html
from tkid.mail.marker import format_reply_line, write_reference
from tkid.mail.message import compose_mail, find_mail_address, write_subject
from tkid.mail.mime import read_text, take_in
from tkid.mail.mime_writer import (
    clean_text,
    join_lines,
    make_file_stem,
    make_multipart,
    make_text_part,
    write_address_header,
    write_header,
)
from tkid.mail.model import Intake, Marker, Refusal
from tkid.mail.plugin import find_mail_plugin
from tkid.record.format.model import Seat
from tkid.record.format.new_game import new_record
from tkid.record.play.replay import Replay, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record
from tkid.render.plugin import find_render_plugin

SENDER = "tkid@games.example"


def asked(of: Replay) -> bytes:
    """The turn mail of a game."""
    letter = game_service.ask_for_turn(of, TIME)
    assert letter is not None
    address = find_mail_address(of.record, letter.seat)
    assert isinstance(address, str)
    return compose_mail(of, letter, address, SENDER)


def unescaped(page: str) -> str:
    """A page with the characters that are written as numbers."""
    return re.sub(r"&#([0-9]{3,});", lambda found: chr(int(found[1])), page)


def test_headers_of_a_turn_mail() -> None:
    message = parsed(asked(MIDGAME))
    assert message["From"] == "The King is Dead <tkid@games.example>"
    assert message["To"].addresses[0].addr_spec == "lukasz.nowak@example.net"
    assert message["To"].addresses[0].display_name == "Łukasz"
    assert message["Subject"] == "[Jeu d'été] Turn 5: your turn"
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
        "Subject: AW: Re: [winter-2026] Turn 1: your turn",
        f"Message-ID: {long}",
        "In-Reply-To: <c@x>",
        "References: <a@x> <[b@x]> <c@x>",
        "Reply-To: eve@evil.example",
    )
    taken = take_in(data)
    assert isinstance(taken, Intake)
    raw = compose_mail(GAME, answered("Pass").letters[0], ANN, SENDER, taken)
    assert f"In-Reply-To: {long}\r\n".encode() in raw
    message = parsed(raw)
    root = parsed(asked(GAME))["References"]
    assert message["References"].split() == [root, "<a@x>", "<[b@x]>", "<c@x>", long]
    assert message["Subject"] == "Re: [winter-2026] Turn 1: your turn"
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["To"].addresses[0].addr_spec == ANN
    assert b"evil" not in raw


def test_a_letter_is_the_same_every_time_and_its_message_id_its_own() -> None:
    assert asked(GAME) == asked(GAME)
    ids = {parsed(asked(of))["Message-ID"] for of in (GAME, MIDGAME)}
    ids |= {composed(answered(text))["Message-ID"] for text in ("hello", "Pass", LEGAL, "Passe")}
    assert len(ids) == 6


def test_the_position_is_told_in_words_to_who_does_not_see_it() -> None:
    for of in (GAME, MIDGAME):
        letter = game_service.ask_for_turn(of, TIME)
        assert letter is not None
        (board,) = (block for block in letter.body if isinstance(block, Board))
        game, position = of.record.game, of.position
        told = find_render_plugin(game).describe_position(game, game.view(position, letter.seat), of.record.names)
        assert " ".join(board.caption.split("\n")) == told
        page = unescaped(
            next(part for part in parsed(asked(of)).walk() if part.get_content_subtype() == "html").get_content()
        )
        assert f' aria-label="{board.caption}"' in page.replace("\r\n", "\n").replace("&#x27;", "'")


def test_text_and_game_file() -> None:
    for of in (GAME, MIDGAME):
        message = parsed(asked(of))
        texts, file = message.iter_parts()
        text, page = texts.iter_parts()
        letter = game_service.ask_for_turn(of, TIME)
        assert letter is not None
        assert body(message) == text.get_content().replace("\r\n", "\n") == format_plain(letter.body)
        answer = AnswerTo(SENDER, f"Re: {write_subject(of.record, letter)}")
        assert unescaped(page.get_content().replace("\r\n", "\n")) == write_html(letter.body, answer)
        assert (message.get_content_type(), texts.get_content_type()) == ("multipart/mixed", "multipart/alternative")
        assert (text.get_content_type(), page.get_content_type()) == ("text/plain", "text/html")
        assert file.get_content_type() == "text/plain"
        assert file.get_filename() == f"{make_file_stem(of.record)}.tkid"
        assert file.get_content().replace("\r\n", "\n") == write_record(of.record, of)
        raw = asked(of)
        assert raw.isascii()
        assert max(map(len, raw.split(b"\r\n"))) <= 998
        assert b"\n" not in raw.replace(b"\r\n", b"")


PIECES = (
    *'ab\r\n\0\x0b\x85\u2028:<>@,;=?" \t\u202eé',
    *("=?utf-8?q?=0D=0ABcc:_x@y?=", "=?utf-8?b?DQpCY2M6IHhAeQ==?=", "\r\nBcc: x@y", "=?utf-8?q?=22?=", "x" * 40),
)
HOSTILE = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
ANY = st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=12).map("".join)
"""Any text, with lone surrogates, control characters, and what means something in a header."""


def letter_of(title: str, text: str) -> Letter:
    """A letter that says something, in a game of a name."""
    first, last = First(format_reply_line(title, 1)), Reference(write_reference(Marker(1, "c3aea4", title)))
    body = (first, Paragraph(text), Quote(text), Board((text,)), Copies((text,)), Samples((text,)), last)
    return Letter("turn", 0, 1, "c3aea4", 1, body, TIME, "your turn", frozenset({GAME_FILE}))


def named(title: str, name: str) -> Replay:
    """The game of the fixtures with another name, and another one for its first player."""
    headers = tuple(evolve(h, value=title) if h.name == "Game" else h for h in GAME.record.headers)
    return replay(evolve(GAME.record, headers=headers, seats=(Seat(name, ANN), GAME.record.seats[1])))


@examples(40)
@example(title="x" * 40, name="x" * 40, text="", key="")
@given(title=ANY, name=ANY, text=ANY, key=st.sampled_from(("", "abcdefghijkl")))
def test_what_is_written_by_hand_reads_as_it_was_meant(title: str, name: str, text: str, key: str) -> None:
    title, name = join_lines(title), join_lines(name)
    of, letter = named(title, name), letter_of(title, text)
    body = (*letter.body[:-1], Reference(write_reference(Marker(1, "c3aea4", title, key))))
    raw = compose_mail(of, letter, ANN, SENDER, key=key)
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    assert raw.isascii()
    assert b"\0" not in raw
    assert not set(b"\r\n") & set(raw.replace(b"\r\n", b""))
    new, old = parsed(raw), message_from_bytes(raw, policy=compat32)
    assert new.keys() == old.keys()
    assert [len(new[header].defects) for header in new] == [0] * len(new)
    unfolded = re.sub(r"\r\n(?=[ \t])", "", old["Subject"])  # compat32 leaves that to whoever reads
    assert new["Subject"] == str(make_header(decode_header(unfolded))) == write_subject(of.record, letter)
    (to,) = new["To"].addresses
    assert to.addr_spec == ANN
    assert to.display_name.replace(" ", "") == shown(name).replace(" ", "")  # 3.11 divides encoded words
    assert str(make_header(decode_header(parseaddr(old["To"])[0]))) == shown(name)
    answer = AnswerTo(f"tkid+{key}@games.example" if key else SENDER, f"Re: {write_subject(of.record, letter)}")
    told, page, file = clean_text(format_plain(body)), write_html(body, answer), write_record(of.record)
    texts: list[str] = []
    for message in (new, old):
        parts = [part for part in message.walk() if not part.is_multipart()]
        assert not any(part.defects for part in message.walk())
        assert [part.get_content_type() for part in parts] == ["text/plain", "text/html", "text/plain"]
        assert [part.get_filename() for part in parts] == [None, None, f"{make_file_stem(of.record)}.tkid"]
        for part in parts:
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            texts.append(data.decode().replace("\r\n", "\n"))
    assert [texts[0], unescaped(texts[1]), texts[2]] == [told, page, file]
    assert texts[3:] == texts[:3]
    lines = "\n".join(line.text for line in read_text(read_mail(raw)).lines)
    assert lines == told.replace("\u2028", "\n").replace("\u2029", "\n")
    taken = take_out(raw)
    assert isinstance(taken, Enclosed)
    assert taken.text.decode().split() == file.split()


def shown(name: str) -> str:
    """A name as it stands beside an address."""
    return " ".join("".join(c if c.isalnum() or c in "-'" else " " for c in name).split())


@UNTIMED
@given(
    st.lists(
        st.sampled_from(("é", "日", "a", " ", ".", "=", "\t", "\n", "\r", "\r\n", "From ", "--", "x" * 90)), max_size=40
    )
)
def test_any_text_survives_its_transfer_encoding(pieces: list[str]) -> None:
    text = "".join(pieces)
    part = make_text_part(text)
    assert max(map(len, part.body.split(b"\r\n"))) <= 998
    message = parsed(make_multipart("mixed", "edge", [part]).write_part())
    data = next(message.iter_parts()).get_payload(decode=True)
    assert isinstance(data, bytes)
    assert data == text.replace("\n", "\r\n").encode()


@pytest.mark.parametrize(
    ("text", "coding"),
    [
        ("Pass", "7bit"),
        ("Zoë, it is your turn", "quoted-printable"),
        ("李镕安の番です", "base64"),
        ("a" * 999, "quoted-printable"),
    ],
)
def test_a_text_is_encoded_where_it_has_to_be(text: str, coding: str) -> None:
    assert f"Content-Transfer-Encoding: {coding}" in make_text_part(text + "\n").headers


def test_headers_are_folded_at_blanks() -> None:
    assert write_header("Subject", "a " * 60 + "b").split("\r\n") == [f"Subject: {'a ' * 33}a", f" {'a ' * 26}b"]
    assert write_address_header("To", ("Ann", ANN), ("", "bob@example.org")) == f"To: Ann <{ANN}>, <bob@example.org>"
    assert write_header("Subject", "Łukasz") == "Subject: =?utf-8?b?xYF1a2Fzeg==?="


def test_a_long_game_stays_a_small_mail() -> None:
    over = record_of(Random(14), 4, 0.5)
    at = replay(evolve(over, turns=over.turns[:100], end=()))
    assert len(at.record.turns) == 100
    letter = game_service.ask_for_turn(at, TIME)
    assert letter is not None
    assert len(compose_mail(at, letter, ANN, SENDER)) < 200_000


def test_a_game_with_secrets_is_attached_as_its_player_may_know_it() -> None:
    players = ["Ann <ann@example.org>", "Bob <bob@example.org>"]
    whole = replay(new_record("second-edition-advanced", players, bytes(32), first="Ann"))
    message = parsed(asked(whole))
    (file,) = message.iter_attachments()
    text = file.get_content().replace("\r\n", "\n")
    assert text == write_record(hide_secrets(whole, 0).record)
    assert f"Hand Bob     {', '.join('?' * 8)}\n" in text
    assert "8 hidden" in body(message)


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
    refusal = find_mail_address(record, 0)
    assert isinstance(refusal, Refusal)
    assert refusal.rule == "mail.address"


@UNTIMED
@given(HOSTILE, HOSTILE, HOSTILE)
def test_nothing_gets_into_a_header(title: str, name: str, typed: str) -> None:
    headers = tuple(evolve(h, value=title) if h.name == "Game" else h for h in GAME.record.headers)
    record = evolve(GAME.record, headers=headers, seats=(Seat(name, ANN), GAME.record.seats[1]))
    of = replay(record)
    data = mail(typed, f"Message-ID: <{typed}@x>", f"References: {title}")
    taken = take_in(data)
    parent = taken if isinstance(taken, Intake) else None
    letter = answered(typed, of).letters[0]
    raw = compose_mail(of, letter, ANN, SENDER, parent)
    head = raw.partition(b"\r\n\r\n")[0]
    names = [line.partition(b":")[0] for line in head.split(b"\r\n") if not line.startswith((b" ", b"\t"))]
    allowed = {*(b"From", b"To", b"Subject", b"Date", b"Message-ID", b"In-Reply-To", b"References"), b"Auto-Submitted"}
    assert set(names) <= allowed | {b"X-Loop", b"MIME-Version", b"Content-Type", b"Content-Transfer-Encoding"}
    assert len(names) == len(set(names))
    assert all(32 <= byte < 127 or byte in b"\r\n\t" for byte in head)
    assert parsed(raw)["To"].addresses[0].addr_spec == ANN
    assert "\n" not in write_subject(record, letter)


@UNTIMED
@given(st.text(st.sampled_from("ab1.!#$%&'*+/=?^_`{|}~-@"), max_size=70), st.integers(1, 60))
def test_whatever_passes_for_an_address_is_written_to(local: str, length: int) -> None:
    address = f"{local}@{'d' * length}.example"
    if is_address(address):
        raw = compose_mail(GAME, answered("Pass").letters[0], address, SENDER)
        assert f"<{address}>\r\n".encode() in raw
        assert parsed(raw)["To"].addresses[0].addr_spec == address


def test_a_finished_game_is_told() -> None:
    over = replay(record_of(Random(5), 2))
    letter = answered("status", over).letters[0]
    assert write_subject(over.record, letter).startswith("[The King is Dead] Game over: ")
    assert letter.body[0] == Lead(find_mail_plugin(over.record.game).describe_result(over, 0)[1])
    assert run(mail("Pass", sender="Eve <eve@example.com>")) == Refusal(
        "mail.sender", "eve@example.com is not a player in this game"
    )
    assert isinstance(run(mail("Pass")), Outcome)


@each_row(
    ("title", "stem"),
    [
        ("winter 2026", "winter-2026"),
        ("Łukasz: C:\\x?", "ukasz-C-x"),
        ("…", "game"),
        ("con", "game-con"),
        ("LPT1.", "game-LPT1"),
        ("console", "console"),
    ],
)
def test_every_system_can_save_the_files_of_a_letter(title: str, stem: str) -> None:
    assert make_file_stem(named(title, "Ann").record) == stem
