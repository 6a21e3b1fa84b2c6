"""Sending a letter: through a server on this machine, with passwords that are never shown, and never without TLS elsewhere."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from typing import Any, Self

import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope

from tests.cli import RECORD, complaint, said
from tests.cli.letters import files_of, line_of
from tests.mail.mails import body, parsed

WHOLE = RECORD.replace("Seat: Łukasz", "Seat: Łukasz <lukasz@example.org>")


class Sink:
    """A mail server on this machine that keeps what it gets."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, list[str], bytes]] = []
        self.logins: list[tuple[str, str]] = []
        self.answers: dict[str, str] = {}
        """Other answers than `250 OK`: to an address, or with the key `data` to the mail."""

    async def handle_RCPT(  # noqa: N802 - so called by aiosmtpd
        self, server: object, session: object, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take an address or refuse it."""
        del server, session, options
        if address not in self.answers:
            envelope.rcpt_tos.append(address)
        return self.answers.get(address, "250 OK")

    async def handle_DATA(self, server: object, session: object, envelope: Envelope) -> str:  # noqa: N802
        """Take a mail or refuse it."""
        del server, session
        if "data" not in self.answers:
            assert isinstance(envelope.content, bytes)
            self.mails.append((str(envelope.mail_from), list(envelope.rcpt_tos), envelope.content))
        return self.answers.get("data", "250 OK")

    def login(self, *about: Any) -> AuthResult:
        """Let those in who say that they are right."""
        sent = about[-1]
        self.logins.append((sent.login.decode(), sent.password.decode()))
        return AuthResult(success="right" in sent.password.decode(), handled=False)


@contextmanager
def listening(sink: Sink, host: str = "127.0.0.1", **options: Any) -> Iterator[str]:
    """Run a server for as long as it is needed; host and port."""
    with socket() as free:
        free.bind((host, 0))
        port = free.getsockname()[1]
    options |= {"authenticator": sink.login, "auth_required": False, "auth_require_tls": False}
    controller = Controller(sink, hostname=host, port=port, **options)
    controller.start()
    try:
        yield f"{host}:{port}"
    finally:
        controller.stop()


@pytest.fixture
def sink() -> Sink:
    """What a server gets."""
    return Sink()


@pytest.fixture
def place(sink: Sink, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Host and port of a running server; nothing is known of another."""
    for name in ("", "_USER", "_PASSWORD", "_PASSWORD_FILE"):
        monkeypatch.delenv(f"TKID_SMTP{name}", raising=False)
    with listening(sink) as where:
        yield where


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in which it is Łukasz's turn; his address changes the hashes."""
    file = tmp_path / "game.tkid"
    file.write_text(re.sub(r" #[0-9a-f]{6}\n", "\n", WHOLE), "utf-8")
    said("fmt", file)
    return file


def test_a_letter_is_sent(sink: Sink, place: str, game: Path) -> None:
    told = said("letter", "write", game, "--me", "Ann", "--send", "--smtp", place)
    assert told == "127.0.0.1 accepted the mail to Łukasz.\n"
    ((sender, to, data),) = sink.mails
    assert (sender, to) == ("ann@example.org", ["lukasz@example.org"])
    sent = parsed(data)
    assert body(sent).startswith("Ann played Outmanoeuvre in Lancaster and Gwynedd. Your turn.\n")
    assert sent["X-Unsent"] is None
    assert sent["Message-ID"]
    assert sink.logins == []


def test_the_password_comes_from_the_environment_or_a_private_file(
    sink: Sink, place: str, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TKID_SMTP", place)
    monkeypatch.setenv("TKID_SMTP_USER", "ann")
    command = ("letter", "write", game, "--me", "Ann", "--send")
    assert "The password of ann is missing" in complaint(*command, code=2)
    secret = tmp_path / "password"
    secret.write_text("right horse\n")
    secret.chmod(0o644)
    monkeypatch.setenv("TKID_SMTP_PASSWORD_FILE", str(secret))
    assert "Others can read" in complaint(*command, code=2)
    assert sink.logins == []
    secret.chmod(0o600)
    assert "accepted the mail" in said(*command)
    assert sink.logins == [("ann", "right horse")]
    monkeypatch.setenv("TKID_SMTP_PASSWORD", "mistaken")
    told = complaint(*command, code=2)
    assert "535 " in told
    assert "Check TKID_SMTP_USER and the password." in told
    assert "mistaken" not in told
    monkeypatch.setenv("TKID_SMTP_PASSWORD", "\u00fcber")
    assert "must be plain ASCII characters" in complaint(*command, code=2)
    assert len(sink.mails) == 1
    monkeypatch.delenv("TKID_SMTP_PASSWORD")
    monkeypatch.setenv("TKID_SMTP_PASSWORD_FILE", str(tmp_path / "none"))
    assert "No such file" in complaint(*command, code=2)


@pytest.mark.slow
def test_what_keeps_a_letter_from_being_sent(sink: Sink, place: str, game: Path, tmp_path: Path) -> None:
    command = ("letter", "write", game, "--me", "Ann", "--send")
    assert "Which server sends your mail?" in complaint(*command, code=2)
    for wrong in (
        "example.org:x",
        ":25",
        "example.org:0",
        "example.org:99999999999",
        "a b:25",
        "\u00e4.example:25",
        "[]:25",
    ):
        assert "write a server such as" in complaint(*command, "--smtp", wrong, code=2)
    for key, answer, says in (
        ("lukasz@example.org", "550 nobody here\x1b[31m", "lukasz@example.org: 550 nobody here"),
        ("lukasz@example.org", "451 too many\x07", "451 too many \nThe server may accept it later. Try again."),
        ("data", "552 too large", "552 too large\nThe mail was not sent."),
        ("data", "451 the disk is full", "The server may accept it later. Try again.\nThe mail was not sent."),
    ):
        sink.answers = {key: answer}
        told = complaint(*command, "--smtp", place, code=2)
        assert says in told
        assert told.endswith("The mail was not sent.\n")
        assert told.replace("\n", "").isprintable()
    assert sink.mails == []
    with socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{closed.getsockname()[1]}"
        assert "Connection refused\nThe mail was not sent." in complaint(*command, "--smtp", nobody, code=2)
    assert "ASCII" in complaint(*command, "--smtp", f"{'a' * 70}.example:25", code=2)
    unknown = tmp_path / "unknown.tkid"
    unknown.write_text(RECORD, "utf-8")
    told = complaint("letter", "write", unknown, "--me", "Ann", "--send", "--smtp", place, code=2)
    assert "There is no address for Łukasz" in told
    told = complaint("letter", "write", unknown, "--me", "2", "--to", "1", "--send", "--smtp", place, code=2)
    assert "Add --from ADDRESS" in told


def test_a_letter_goes_to_all_or_to_nobody(sink: Sink, place: str, tmp_path: Path) -> None:
    file = files_of(line_of("second-edition", 2, 3), tmp_path, 1)["Ann"]
    command = ("letter", "write", file, "--me", "Ann", "--to", "all", "--send", "--smtp", place)
    sink.answers = {"cal@example.org": "550 nobody here"}
    assert "cal@example.org: 550 nobody here\nThe mail was not sent." in complaint(*command, code=2)
    assert sink.mails == []
    sink.answers = {}
    assert said(*command) == "127.0.0.1 accepted the mail to Bob and Cal.\n"
    assert [to for _, to, _ in sink.mails] == [["bob@example.org", "cal@example.org"]]


ELSEWHERE = "127.0.0.2"
"""This machine, under an address for which TLS is asked as for every other machine."""


def certified(name: str) -> tuple[ssl.SSLContext, trustme.CA]:
    """What a server with a certificate for a name needs, and who vouches for it."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return context, authority


def test_a_certificate_has_to_be_right(sink: Sink, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("letter", "write", game, "--me", "Ann", "--send", "--smtp")
    context, authority = certified(ELSEWHERE)
    with listening(sink, ELSEWHERE, tls_context=context, require_starttls=True) as place:
        told = complaint(*command, place, code=2)
        assert "its certificate cannot be trusted: unable to get local issuer certificate" in told
        assert "Is this the server's name as your provider gives it" in told
        assert sink.mails == []
        authority.cert_pem.write_to_path(tmp_path / "authority.pem")
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
        assert said(*command, place) == f"{ELSEWHERE} accepted the mail to Łukasz.\n"
        assert len(sink.mails) == 1
    for name, says in (("mail.example.org", "mismatch"), (ELSEWHERE, "unable to get local issuer certificate")):
        other, known = certified(name)
        if name != ELSEWHERE:
            known.cert_pem.write_to_path(tmp_path / "authority.pem")
        with listening(sink, ELSEWHERE, tls_context=other) as place:
            assert says in complaint(*command, place, code=2)
    with listening(sink, ELSEWHERE) as place:
        told = complaint(*command, place, code=2)
        assert "STARTTLS extension not supported by server" in told
        assert "Is the port right?" in told
    assert len(sink.mails) == 1


@pytest.mark.parametrize("port", [465, 587])
def test_other_machines_are_spoken_to_over_tls_that_is_checked(
    game: Path, monkeypatch: pytest.MonkeyPatch, port: int
) -> None:
    monkeypatch.delenv("TKID_SMTP_USER", raising=False)
    contexts: list[ssl.SSLContext] = []

    class Server:
        def __init__(self, *_: object, context: ssl.SSLContext | None = None, **__: object) -> None:
            contexts.extend([context] if context else [])

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def starttls(self, context: ssl.SSLContext) -> None:
            contexts.append(context)

        def ehlo_or_helo_if_needed(self) -> None:
            assert contexts, "TLS comes first"

        def has_extn(self, _: str) -> bool:
            return False

        def mail(self, *_: object) -> tuple[int, bytes]:
            return 250, b"OK"

        rcpt = data = mail

    monkeypatch.setattr(smtplib, "SMTP", Server)
    monkeypatch.setattr(smtplib, "SMTP_SSL", Server)
    said("letter", "write", game, "--me", "Ann", "--send", "--smtp", f"mail.example.org:{port}")
    (context,) = contexts
    assert context.check_hostname
    assert context.verify_mode is ssl.CERT_REQUIRED
