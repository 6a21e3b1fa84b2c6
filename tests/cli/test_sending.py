"""Sending a letter: through a server on this machine, with passwords that are never shown, and never without TLS elsewhere."""

from __future__ import annotations

import base64
import re
import smtplib
import ssl
from collections.abc import Iterator
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any, Self

import pytest

from tests.cli import RECORD, complaint, said
from tests.post.mails import body, parsed

WHOLE = RECORD.replace("Seat: Łukasz", "Seat: Łukasz <lukasz@example.org>")


class Sink(ThreadingTCPServer):
    """A mail server on this machine that keeps what it gets."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.mails: list[tuple[str, list[str], bytes]] = []
        self.logins: list[str] = []
        self.refuses = ""

    @property
    def place(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.server_address[1]}"


class Session(StreamRequestHandler):
    """One connection."""

    server: Sink

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())

    def handle(self) -> None:
        """Take mails."""
        self._say("220 sink")
        sender, to = "", list[str]()
        while line := self.rfile.readline().decode().strip():
            match line.upper().split(":")[0].split()[0]:
                case "EHLO":
                    self._say("250-sink\r\n250 AUTH PLAIN")
                case "AUTH":
                    self.server.logins.append(base64.b64decode(line.split()[-1]).decode())
                    self._say("235 welcome" if "right" in self.server.logins[-1] else "535 wrong password")
                case "MAIL":
                    sender = line.partition("<")[2].partition(">")[0]
                    self._say("250 ok")
                case "RCPT":
                    address = line.partition("<")[2].partition(">")[0]
                    to += [] if address == self.server.refuses else [address]
                    self._say("550 nobody here\x1b[31m" if address == self.server.refuses else "250 ok")
                case "DATA":
                    self._say("354 go on")
                    lines = list(iter(self.rfile.readline, b".\r\n"))
                    self.server.mails.append((sender, to, b"".join(lines)))
                    self._say("250 taken")
                case "QUIT":
                    self._say("221 bye")
                    return
                case _:
                    self._say("250 ok")


@pytest.fixture
def sink(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sink]:
    """A running server; nothing is known of another."""
    for name in ("", "_USER", "_PASSWORD", "_PASSWORD_FILE"):
        monkeypatch.delenv(f"TKID_SMTP{name}", raising=False)
    with Sink() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in which it is Łukasz's turn; his address changes the hashes."""
    file = tmp_path / "game.tkid"
    file.write_text(re.sub(r" #[0-9a-f]{6}\n", "\n", WHOLE), "utf-8")
    said("fmt", file)
    return file


def test_a_letter_is_sent(sink: Sink, game: Path) -> None:
    told = said("letter", "write", game, "--me", "Ann", "--send", "--smtp", sink.place)
    assert told == "The mail to Łukasz was sent by 127.0.0.1.\n"
    ((sender, to, data),) = sink.mails
    assert (sender, to) == ("ann@example.org", ["lukasz@example.org"])
    sent = parsed(data)
    assert body(sent).startswith("Łukasz, it is your turn")
    assert sent["X-Unsent"] is None
    assert sent["Message-ID"]
    assert sink.logins == []


def test_the_password_comes_from_the_environment_or_a_private_file(
    sink: Sink, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TKID_SMTP", sink.place)
    monkeypatch.setenv("TKID_SMTP_USER", "ann")
    command = ("letter", "write", game, "--me", "Ann", "--send")
    assert "The password of ann is not known" in complaint(*command, code=2)
    secret = tmp_path / "password"
    secret.write_text("right horse\n")
    secret.chmod(0o644)
    monkeypatch.setenv("TKID_SMTP_PASSWORD_FILE", str(secret))
    assert "can be read by others" in complaint(*command, code=2)
    assert sink.logins == []
    secret.chmod(0o600)
    assert "was sent" in said(*command)
    assert sink.logins == ["\0ann\0right horse"]
    monkeypatch.setenv("TKID_SMTP_PASSWORD", "mistaken")
    told = complaint(*command, code=2)
    assert "535 wrong password" in told
    assert "mistaken" not in told
    assert len(sink.mails) == 1
    monkeypatch.delenv("TKID_SMTP_PASSWORD")
    monkeypatch.setenv("TKID_SMTP_PASSWORD_FILE", str(tmp_path / "none"))
    assert "No such file" in complaint(*command, code=2)


def test_what_keeps_a_letter_from_being_sent(sink: Sink, game: Path, tmp_path: Path) -> None:
    command = ("letter", "write", game, "--me", "Ann", "--send")
    assert "Which server sends your mail?" in complaint(*command, code=2)
    assert "is no server" in complaint(*command, "--smtp", "example.org:x", code=2)
    sink.refuses = "lukasz@example.org"
    told = complaint(*command, "--smtp", sink.place, code=2)
    assert "550 nobody here" in told
    assert "\x1b" not in told
    assert sink.mails == []
    closed = Sink()
    closed.server_close()
    assert "Connection refused" in complaint(*command, "--smtp", closed.place, code=2)
    unknown = tmp_path / "unknown.tkid"
    unknown.write_text(RECORD, "utf-8")
    told = complaint("letter", "write", unknown, "--me", "Ann", "--send", "--smtp", sink.place, code=2)
    assert "No address is known of Łukasz" in told
    told = complaint("letter", "write", unknown, "--me", "2", "--to", "1", "--send", "--smtp", sink.place, code=2)
    assert "Add --from ADDRESS" in told


@pytest.mark.parametrize("port", [465, 587])
def test_other_machines_are_spoken_to_over_tls_that_is_checked(
    game: Path, monkeypatch: pytest.MonkeyPatch, port: int, sink: Sink
) -> None:
    del sink
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

        def sendmail(self, *_: object) -> dict[str, Any]:
            assert contexts, "TLS comes first"
            return {}

    monkeypatch.setattr(smtplib, "SMTP", Server)
    monkeypatch.setattr(smtplib, "SMTP_SSL", Server)
    said("letter", "write", game, "--me", "Ann", "--send", "--smtp", f"mail.example.org:{port}")
    (context,) = contexts
    assert context.check_hostname
    assert context.verify_mode is ssl.CERT_REQUIRED
