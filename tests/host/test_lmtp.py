"""A host that a mail server hands mails to: it accepts what is on disk, and nothing else."""

from __future__ import annotations

import smtplib
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from threading import Barrier, Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shared.tables import each_row
from tkid.host import lmtp
from tkid.host.lmtp import LmtpServer
from tkid.host.settings import LmtpSettings
from tkid.host.store.store import Store
from tkid.host.transports import TransportError
from tkid.mail.envelope import MOST_BYTES
from tkid.mail.mime import take_in
from tkid.mail.model import Refusal

HOST, ANN = "tkid@games.example", "ann@example.org"
TIME = datetime(2026, 11, 21, 10, tzinfo=UTC)
MAIL = b"From: ann@example.org\r\nSubject: a turn\r\n\r\nPass\r\n"
LONG = 60.0
FEW = 2
"""Connections that may be cut off for one more: the one that tried the port before may still be open."""


@contextmanager
def listening(keep: Callable[[bytes], object], seconds: float = LONG) -> Iterator[LmtpServer]:
    server = LmtpServer(LmtpSettings("127.0.0.1", 0, HOST, seconds), keep)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def client(server: LmtpServer) -> Iterator[smtplib.LMTP]:
    with smtplib.LMTP("127.0.0.1", server.port, timeout=LONG) as talking:
        talking.ehlo("mail.example.org")
        yield talking


class Raw:
    """A client that writes whatever it likes."""

    def __init__(self, server: LmtpServer) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=LONG)
        self.file = self.socket.makefile("rb")
        self.greeting = self.line()

    def line(self) -> str:
        return self.file.readline().decode("ascii").rstrip()

    def say(self, data: bytes, answers: int = 1) -> list[str]:
        """Write, and read so many answers; of one with several lines the last."""
        self.socket.sendall(data)
        found = []
        for _ in range(answers):
            while (line := self.line())[3:4] == "-":
                pass
            found.append(line)
        return found

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@contextmanager
def raw(server: LmtpServer) -> Iterator[Raw]:
    talking = Raw(server)
    try:
        yield talking
    finally:
        talking.close()


def test_a_mail_is_accepted_when_it_is_on_disk(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'host.db'}"
    store = Store.make_store(url)
    with listening(lambda mail: store.keep_mail(mail, TIME)) as server, client(server) as talking:
        talking.sendmail(ANN, [HOST], MAIL)
        other = Store(url)
        with other.begin_transaction() as writing:
            kept = writing.get_mail(1)
        other.close()
        talking.sendmail(ANN, [HOST], MAIL)
    assert kept is not None
    assert kept.raw == b"Return-Path: <ann@example.org>\r\nDelivered-To: tkid@games.example\r\n" + MAIL
    assert store.count_mails()["new"] == 1, "the same mail once more"
    store.close()


def test_a_mail_that_cannot_be_kept_is_not_accepted(tmp_path: Path) -> None:
    """It is not bounced either: the mail server tries again, and then it works."""
    store = Store.make_store(f"sqlite:///{tmp_path / 'host.db'}")
    broken = [True]

    def keep(mail: bytes) -> None:
        if broken:
            raise RuntimeError("the database is gone")
        store.keep_mail(mail, TIME)

    with listening(keep) as server, client(server) as talking:
        with pytest.raises(smtplib.SMTPDataError) as refused:
            talking.sendmail(ANN, [HOST], MAIL)
        assert (refused.value.smtp_code, refused.value.smtp_error) == (
            451,
            b"4.3.0 it cannot be kept now, try again later",
        )
        broken.clear()
        talking.sendmail(ANN, [HOST], MAIL)
    assert store.count_mails()["new"] == 1
    store.close()


def test_each_recipient_has_an_answer_of_its_own() -> None:
    kept: list[bytes] = []
    commands = (
        b"LHLO mail.example.org\r\nMAIL FROM:<ann@example.org> BODY=8BITMIME SIZE=100\r\n"
        b"RCPT TO:<tkid@games.example>\r\nRCPT TO:<eve@games.example>\r\nRCPT TO:<TKID+key@Games.Example>\r\nDATA\r\n"
    )
    with listening(kept.append) as server, raw(server) as talking:
        assert talking.greeting == "220 games.example tkid LMTP"
        assert [answer[:3] for answer in talking.say(commands, 6)] == ["250", "250", "250", "550", "250", "354"]
        assert talking.say(MAIL + b".\r\nQUIT\r\n", 3) == ["250 2.0.0 kept", "250 2.0.0 kept", "221 2.0.0 goodbye"]
    envelope = b"Return-Path: <ann@example.org>\r\nDelivered-To: tkid@games.example\r\nDelivered-To: TKID+key@Games.Example\r\n"
    assert kept == [envelope + MAIL]
    taken = take_in(kept[0])
    assert not isinstance(taken, Refusal)
    assert taken.keys == ("key",)


def test_a_bounce_is_known_as_one() -> None:
    kept: list[bytes] = []
    with listening(kept.append) as server, client(server) as talking:
        talking.sendmail("", [HOST], MAIL)
    taken = take_in(kept[0])
    assert isinstance(taken, Refusal)
    assert taken.rule == "mail.automatic"


@pytest.mark.parametrize("sender", ["a b@example.org", "@route:ann@example.org", '"a b"@example.org'])
def test_a_sender_that_is_no_plain_address_is_not_written_down(sender: str) -> None:
    kept: list[bytes] = []
    with listening(kept.append) as server, raw(server) as talking:
        talking.say(b"LHLO x\r\nMAIL FROM:<%s>\r\nRCPT TO:<tkid@games.example>\r\nDATA\r\n" % sender.encode(), 4)
        talking.say(MAIL + b".\r\n")
    assert kept == [b"Delivered-To: tkid@games.example\r\n" + MAIL]


def test_what_is_too_large() -> None:
    kept: list[bytes] = []
    with listening(kept.append) as server, client(server) as talking:
        assert int(talking.esmtp_features["size"]) == MOST_BYTES
        with pytest.raises(smtplib.SMTPSenderRefused, match="552"):
            talking.sendmail(ANN, [HOST], b"x" * MOST_BYTES + b"\r\n")
        talking.esmtp_features.clear()
        with pytest.raises(smtplib.SMTPDataError, match="552") as refused:
            talking.sendmail(ANN, [HOST], b"x" * MOST_BYTES + b"\r\n")
        assert refused.value.smtp_error == b"5.3.4 the mail is larger than 25 MB"
        assert kept == []
        talking.sendmail(ANN, [HOST], b"x" * (MOST_BYTES - 2) + b"\r\n")
    assert len(kept) == 1


@given(st.lists(st.sampled_from([b".", b"\r\n", b"\n", b"\r", b"a", b"..", b"x" * 65535, b"\0\xff"]), max_size=12))
def test_every_byte_arrives(parts: list[bytes]) -> None:
    """However the lines end, however long they are, and whatever dots are in them."""
    body = b"".join(parts) + b"\r\n"
    sent = b"\r\n".join(b"." + line if line.startswith(b".") else line for line in body.split(b"\r\n"))
    assert lmtp._read_body(_Stream(sent + b".\r\n").readline) == body  # noqa: SLF001 - without a socket it is a thousand times faster


class _Stream:
    def __init__(self, data: bytes) -> None:
        self.data = data

    def readline(self, most: int, /) -> bytes:
        end = self.data.find(b"\n") + 1
        size = min(end or len(self.data), most)
        line, self.data = self.data[:size], self.data[size:]
        return line


def test_only_a_whole_line_end_ends_a_mail() -> None:
    """Otherwise somebody could hide a second mail within the first."""
    kept: list[bytes] = []
    hidden = b"one\n.\nMAIL FROM:<eve@example.org>\r\nmore\r.\r\nand\n.\r\n"
    with listening(kept.append) as server, raw(server) as talking:
        talking.say(b"LHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<tkid@games.example>\r\nDATA\r\n", 4)
        talking.say(hidden + b".\r\n")
    assert [mail.endswith(hidden) for mail in kept] == [True]


def test_a_mail_that_breaks_off_is_not_kept() -> None:
    kept: list[bytes] = []
    with listening(kept.append) as server:
        with raw(server) as talking:
            talking.say(b"LHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<tkid@games.example>\r\nDATA\r\n", 4)
            talking.socket.sendall(MAIL)
        with client(server) as another:
            another.sendmail(ANN, [HOST], MAIL)
    assert len(kept) == 1


@pytest.mark.slow
@each_row(
    ("said", "answers"),
    [
        (b"EHLO x\r\n", ["500"]),
        (b"HELO x\r\n", ["500"]),
        (b"MAIL FROM:<ann@example.org>\r\n", ["503"]),
        (b"LHLO x\r\nRCPT TO:<tkid@games.example>\r\nDATA\r\n", ["250", "503", "503"]),
        (b"LHLO x\r\nMAIL FROM:<>\r\nMAIL FROM:<>\r\nRSET\r\nMAIL FROM:<>\r\n", ["250", "250", "503", "250", "250"]),
        (b"LHLO x\r\nMAIL TO:<>\r\nMAIL FROM ann\r\n", ["250", "501", "501"]),
        (b"LHLO x\r\nMAIL FROM:<>\r\nRCPT FROM:<>\r\nRCPT TO:<>\r\nDATA\r\n", ["250", "250", "501", "550", "503"]),
        (b"LHLO x\r\nMAIL FROM:<> SIZE=99999999\r\nNOOP\r\nVRFY tkid\r\n", ["250", "552", "250", "252"]),
        (b"\r\n" * 10, ["500"] * 10 + ["421"]),
        (b"NOOP " + b"x" * 5000 + b"\r\n", ["500"]),
        (b"NOOP \xff\r\n", ["500"]),
    ],
)
def test_clients_that_do_not_know_the_protocol(said: bytes, answers: list[str]) -> None:
    with listening(lambda _: None) as server, raw(server) as talking:
        assert [answer[:3] for answer in talking.say(said, len(answers))] == answers


def test_a_client_that_says_nothing_is_hung_up_on() -> None:
    with listening(lambda _: None, 0.1) as server, raw(server) as talking:
        assert talking.line() == ""


def test_clients_that_say_nothing_do_not_keep_others_out() -> None:
    """One of those that have waited longest makes room; the others go on."""
    with listening(lambda _: None) as server, ExitStack() as stack:
        silent = [stack.enter_context(raw(server)) for _ in range(lmtp.MAX_CONNECTIONS)]
        began = time.monotonic()
        with client(server) as talking:
            talking.sendmail(ANN, [HOST], MAIL)
        assert time.monotonic() - began < LONG / 10
        answers = [other.say(b"NOOP\r\n") for other in silent]
        cut_off = answers.count([""])
        assert 1 <= cut_off <= FEW  # their threads may begin in another order
        assert answers.count(["250 2.0.0 ok"]) == lmtp.MAX_CONNECTIONS - cut_off


def test_too_many_recipients_and_connections() -> None:
    kept = Event()
    with listening(lambda _: kept.wait(LONG)) as server, raw(server) as talking:
        recipients = b"RCPT TO:<tkid@games.example>\r\n" * (lmtp.MAX_RECIPIENTS + 1)
        answers = talking.say(b"LHLO x\r\nMAIL FROM:<>\r\n" + recipients, lmtp.MAX_RECIPIENTS + 3)
        assert [answer[:3] for answer in answers] == ["250"] * (lmtp.MAX_RECIPIENTS + 2) + ["452"]
        others = [Raw(server) for _ in range(lmtp.MAX_CONNECTIONS - 1)]
        for other in (talking, *others):  # none is idle: each has a mail that is being kept
            other.say(b"RSET\r\nLHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<tkid@games.example>\r\nDATA\r\n", 5)
            other.socket.sendall(MAIL + b".\r\n")
        others.append(Raw(server))
        assert [other.greeting[:3] for other in others] == ["220"] * (lmtp.MAX_CONNECTIONS - 1) + ["421"]
        kept.set()
        for other in others:
            other.close()
        began = time.monotonic()
        while True:
            with raw(server) as again:
                if again.greeting.startswith("220"):
                    break
            assert time.monotonic() < began + LONG


def test_many_at_once(tmp_path: Path) -> None:
    """Several connections, each with several mails: all are kept, each once."""
    store = Store.make_store(f"sqlite:///{tmp_path / 'host.db'}")
    clients, mails = 8, 10
    ready, rng = Barrier(clients), Random(20261121)
    bodies = [[MAIL + rng.randbytes(20).hex().encode() + b"\r\n" for _ in range(mails)] for _ in range(clients)]
    with listening(lambda mail: store.keep_mail(mail, TIME)) as server:

        def send(each: list[bytes]) -> None:
            with client(server) as talking:
                ready.wait(LONG)
                for mail in each:
                    talking.sendmail(ANN, [HOST], mail)

        threads = [Thread(target=send, args=(each,)) for each in bodies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert store.count_mails()["new"] == clients * mails
    store.close()


def test_a_port_that_is_taken() -> None:
    with (
        listening(lambda _: None) as server,
        pytest.raises(TransportError, match=rf"LMTP 127.0.0.1:{server.port}: Address already in use"),
    ):
        LmtpServer(LmtpSettings("127.0.0.1", server.port, HOST), lambda _: None)
