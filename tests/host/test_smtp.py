"""Letters handed to mail servers that refuse, break off, or cannot be trusted."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP as Protocol  # noqa: N811 - it is a class
from aiosmtpd.smtp import AuthResult, Envelope, Session
from attrs import define, field

from tests.ports import free_port
from tkid.host import smtp
from tkid.host.imap import ImapInbox
from tkid.host.settings import ImapSettings, SmtpSettings
from tkid.host.smtp import SmtpSender
from tkid.host.transports import RefusedForGoodError, TransportError

HOST, ANN, BOB = "tkid@games.example", "ann@example.org", "bob@example.org"
MAIL = b"From: tkid@games.example\r\nTo: ann@example.org\r\n\r\n.a dot\r\n" + b"long " * 190 + b"\r\n"


@define(eq=False)
class Sink:
    """A mail server that takes letters, or answers as it is told. `answers` may name MAIL, RCPT, DATA or an address."""

    answers: dict[str, str] = field(factory=dict)
    letters: list[tuple[str, str, bytes]] = field(factory=list)
    connections: int = 0
    cut: set[str] = field(factory=set)
    password: str = "secret"  # noqa: S105 - a test's own
    port: int = 0

    async def handle_EHLO(  # noqa: N802 - named by the library
        self, _: Protocol, session: Session, __: Envelope, name: str, responses: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = name
        return responses

    async def handle_MAIL(  # noqa: N802
        self, _: Protocol, __: Session, envelope: Envelope, sender: str, ___: list[str]
    ) -> str:
        if "MAIL" not in self.answers:
            envelope.mail_from = sender
        return self.answers.get("MAIL", "250 ok")

    async def handle_RCPT(  # noqa: N802
        self, _: Protocol, __: Session, envelope: Envelope, address: str, ___: list[str]
    ) -> str:
        answer = self.answers.get(address) or self.answers.get("RCPT") or "250 ok"
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Protocol, _: Session, envelope: Envelope) -> str:  # noqa: N802
        if "DATA" in self.cut:
            assert server.transport
            server.transport.close()
        elif "DATA" not in self.answers:
            assert isinstance(envelope.content, bytes)
            self.letters.append((str(envelope.mail_from), envelope.rcpt_tos[0], envelope.content))
        return self.answers.get("DATA", "250 taken")

    def logs_in(self, *found: Any) -> AuthResult:
        """Whether a password is right."""
        right = found[-1].password == self.password.encode()
        return AuthResult(success=right, handled=right)


@contextmanager
def listening(sink: Sink, **options: Any) -> Iterator[Sink]:
    """A sink that listens."""
    sink.port = free_port()
    controller = Controller(sink, hostname="127.0.0.1", port=sink.port, **options)
    controller.start()
    try:
        yield sink
    finally:
        controller.stop()


@contextmanager
def sending(sink: Sink, **changes: Any) -> Iterator[SmtpSender]:
    usual: dict[str, Any] = {"host": "127.0.0.1", "port": sink.port, "tls": "none", "seconds": 5}
    sender = SmtpSender(SmtpSettings(**usual | changes), HOST)
    try:
        yield sender
    finally:
        sender.close()


def test_letters_of_a_round_go_over_one_connection_byte_for_byte() -> None:
    with listening(Sink()) as sink:
        with sending(sink) as sender:
            sender.send_letter(ANN, MAIL)
            sender.send_letter(BOB, MAIL)
        assert sink.letters == [(HOST, ANN, MAIL), (HOST, BOB, MAIL)], "bounces come to the host"
        assert sink.connections == 1


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({ANN: "550 no such user"}, r"ann@example.org: SMTP 127.0.0.1:\d+: the server refuses the letter: 550 no such"),
        ({"RCPT": "553 not here"}, "the server refuses the letter: 553 not here"),
        ({"DATA": "554 it looks like spam"}, "the server refuses: 554 it looks like spam"),
        ({"DATA": "552 5.3.4 message too big"}, "the server refuses: 552 5.3.4 message too big"),
        ({"MAIL": "552 too large"}, "the server refuses letters from tkid@games.example: 552 too large"),
    ],
    ids=str,
)
def test_refused_for_good(answers: dict[str, str], told: str) -> None:
    with listening(Sink(answers)) as sink, sending(sink) as sender:
        with pytest.raises(RefusedForGoodError, match=told):
            sender.send_letter(ANN, MAIL)
        sink.answers.clear()
        sender.send_letter(BOB, MAIL)
        assert [to for _, to, _ in sink.letters] == [BOB]
        assert sink.connections == 1, "the connection is good for other letters"


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({ANN: "450 mailbox is busy"}, r"SMTP 127.0.0.1:\d+: the server refuses the letter: 450 mailbox is busy"),
        ({"DATA": "451 try again later"}, "the server refuses: 451 try again later"),
        ({"MAIL": "421 closing"}, "the server refuses letters from tkid@games.example: 421 closing"),
        ({"RCPT": "552 mailbox full"}, "the server refuses the letter: 552 mailbox full"),
        ({ANN: "552 not now"}, "the server refuses the letter: 552 not now"),
        ({ANN: "550 5.2.2 the account is over its limit"}, "the server refuses the letter: 550 5.2.2"),
        (
            {"DATA": "552 Requested mail action aborted: exceeded storage allocation"},
            "the server refuses: 552 Requested",
        ),
        ({"DATA": "554 over quota"}, "the server refuses: 554 over quota"),
        ({"MAIL": "530 log in first"}, "the server refuses letters from tkid@games.example: 530 log in first"),
    ],
    ids=str,
)
def test_refused_for_now(answers: dict[str, str], told: str) -> None:
    """Also where the server refuses the host, and not the letter: that can be mended. A full mailbox can be emptied."""
    with listening(Sink(answers)) as sink, sending(sink) as sender:
        with pytest.raises(TransportError, match=told) as refused:
            sender.send_letter(ANN, MAIL)
        assert not isinstance(refused.value, RefusedForGoodError)
        sink.answers.clear()
        sender.send_letter(ANN, MAIL)
        assert [to for _, to, _ in sink.letters] == [ANN]


def test_a_connection_that_is_cut_in_the_middle() -> None:
    with listening(Sink(cut={"DATA"})) as sink, sending(sink) as sender:
        with pytest.raises(TransportError, match="Connection unexpectedly closed") as refused:
            sender.send_letter(ANN, MAIL)
        assert not isinstance(refused.value, RefusedForGoodError)
        sink.cut.clear()
        sender.send_letter(ANN, MAIL)
        assert len(sink.letters) == 1


def test_a_connection_that_was_closed_meanwhile_is_opened_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Sink()
    with sending(first, port=free_port()) as sender:
        port = sender._settings.port  # noqa: SLF001 - both servers listen on it
        for count, sink in enumerate((first, Sink())):
            with monkeypatch.context() as patched:
                patched.setattr("tests.host.test_smtp.free_port", lambda: port)
                with listening(sink):
                    sender.send_letter(ANN, MAIL + b"%d\r\n" % count)
                    assert len(sink.letters) == 1
    assert first.connections == 1


def test_a_connection_is_not_used_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(Sink()) as sink, sending(sink) as sender:
        for _ in range(smtp.LETTERS + 1):
            sender.send_letter(ANN, MAIL)
        assert sink.connections == 2
        monkeypatch.setattr(smtp, "IDLE_SECONDS", -1.0)
        sender.send_letter(ANN, MAIL)
        assert sink.connections == 3


def test_nobody_is_there_or_nobody_answers() -> None:
    with (
        sending(Sink(port=free_port())) as sender,
        pytest.raises(TransportError, match=r"SMTP 127.0.0.1:\d+: Connection refused"),
    ):
        sender.send_letter(ANN, MAIL)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with (
            sending(Sink(port=port), seconds=0.1) as sender,
            pytest.raises(TransportError, match=r"timed out|not answer"),
        ):
            sender.send_letter(ANN, MAIL)


@pytest.mark.parametrize("address", ["ann", "anné@example.org", "ann@example.org>\r\nRCPT TO:<eve@example.org"])
def test_what_is_no_address_is_not_written_to(address: str) -> None:
    with listening(Sink()) as sink, sending(sink) as sender:
        with pytest.raises(RefusedForGoodError, match="not an address that mail can be sent to"):
            sender.send_letter(address, MAIL)
        assert sink.connections == 0


# -- passwords and certificates -----------------------------------------------------------------------------------


@pytest.fixture
def authority(tmp_path: Path) -> tuple[ssl.SSLContext, Path]:
    """What a server shows, and the file that vouches for it."""
    made = trustme.CA()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    made.issue_cert("localhost").configure_cert(context)
    made.cert_pem.write_to_path(tmp_path / "authority.pem")
    return context, tmp_path / "authority.pem"


def test_logging_in(authority: tuple[ssl.SSLContext, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    context, trusted = authority
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    sink = Sink()
    options = {"tls_context": context, "authenticator": sink.logs_in, "auth_required": True}
    with listening(sink, **options):
        usual = {"host": "localhost", "user": "tkid", "tls": "starttls"}
        with sending(sink, **usual, password="secret") as sender:  # noqa: S106
            sender.send_letter(ANN, MAIL)
        for password, told in (("wrong", "the user or the password: 535"), ("señal", "ASCII")):
            with (
                sending(sink, **usual, password=password) as sender,
                pytest.raises(TransportError, match=told) as refused,
            ):
                sender.send_letter(ANN, MAIL)
            assert not isinstance(refused.value, RefusedForGoodError)
            assert password not in str(refused.value)
        with sending(sink, **usual | {"user": ""}) as sender, pytest.raises(TransportError, match="530") as refused:
            sender.send_letter(ANN, MAIL)
        assert len(sink.letters) == 1


def test_a_certificate_that_nobody_vouches_for(
    authority: tuple[ssl.SSLContext, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is said to such a server, by SMTP or by IMAP, and no password."""
    context, trusted = authority
    with _shaking_hands(context) as (port, heard):
        for host, authorities, told in (
            ("localhost", "", "unable to get local issuer certificate"),
            ("127.0.0.1", str(trusted), "IP address mismatch"),
        ):
            if authorities:
                monkeypatch.setenv("SSL_CERT_FILE", authorities)
            sender = SmtpSender(SmtpSettings(host, "tkid", "secret", port), HOST)
            with pytest.raises(TransportError, match=f"certificate cannot be verified: .*{told}"):
                sender.send_letter(ANN, MAIL)
            inbox = ImapInbox(ImapSettings(host, "tkid", "secret", port))
            with pytest.raises(TransportError, match=f"certificate cannot be verified: .*{told}"):
                list(inbox.list_arrived())
        assert heard == []


def test_a_server_without_encryption_gets_no_letter() -> None:
    with (
        listening(Sink()) as sink,
        sending(sink, tls="starttls") as sender,
        pytest.raises(TransportError, match="STARTTLS extension not supported"),
    ):
        sender.send_letter(ANN, MAIL)


@contextmanager
def _shaking_hands(context: ssl.SSLContext) -> Iterator[tuple[int, list[bytes]]]:
    """A server that shows its certificate; its port, and what it was told after that."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                with suppress(ssl.SSLError):
                    connection, _ = server.accept()
                    with connection, context.wrap_socket(connection, server_side=True) as wrapped:
                        heard.append(wrapped.recv(100))
                        return

        thread = Thread(target=serve)
        thread.start()
        port = server.getsockname()[1]
        yield port, heard
        told = list(heard)
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        with (
            socket.create_connection(("127.0.0.1", port)) as raw,
            trusting.wrap_socket(raw) as client,
        ):
            client.sendall(b"stop")
            thread.join()
        assert (told, heard) == ([], [b"stop"])
