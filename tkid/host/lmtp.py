"""An LMTP server that takes in mails."""

from __future__ import annotations

import re
import socket
import socketserver
from collections.abc import Callable
from contextlib import suppress
from threading import BoundedSemaphore, Thread

from tkid.host.settings import LmtpSettings
from tkid.host.transports import Keep, NoRoomError, TransportError
from tkid.mail.envelope import MOST_BYTES, is_address
from tkid.rulebook import cites

MAX_CONNECTIONS = 20
MAX_RECIPIENTS = 100
MAX_MISTAKES = 10
MAX_COMMAND_BYTES = 2000
CHUNK = 1 << 16
PATH = re.compile(r"(?:from|to):\s*<([^<>]*)>((?: [^ ]+)*)\s*", re.IGNORECASE)
SIZE = re.compile(r" size=(\d{1,20})\b", re.IGNORECASE)
POLLING = 0.1
"""Seconds within which a server that is closed stops listening."""


class LmtpServer:
    """Listens as long as it is open; `keep` is called with each mail, in a thread of the connection that brought it.

    The mail begins with the envelope as headers: Return-Path and Delivered-To.
    """

    def __init__(self, settings: LmtpSettings, keep: Keep) -> None:
        """Begin to listen. Raises TransportError if that fails."""
        try:
            self._server = _Server(settings, keep)
        except OSError as error:
            raise TransportError(f"{settings.name}: {error.strerror or error}") from error
        self._thread = Thread(target=self._server.serve_forever, args=(POLLING,), name="lmtp", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Stop listening. A mail that is still coming in is not accepted, so that its sender tries again."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = MAX_CONNECTIONS

    def __init__(self, settings: LmtpSettings, keep: Keep) -> None:
        self.settings, self.keep = settings, keep
        self.address_family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        self.places = BoundedSemaphore(MAX_CONNECTIONS)
        self.silent: list[_Connection] = []
        super().__init__((settings.host, settings.port), _Connection)

    def make_place(self) -> bool:
        """Find a place for a connection; if all are taken, cut off the one that has waited longest for a command."""
        if self.places.acquire(blocking=False):
            return True
        with suppress(IndexError, OSError):
            self.silent.pop(0).connection.shutdown(socket.SHUT_RDWR)
            return self.places.acquire(timeout=POLLING)
        return False

    def handle_error(self, *_: object) -> None:
        """Ignore a broken connection: nothing it brought was accepted."""


class _Connection(socketserver.StreamRequestHandler):
    """One client: commands are answered in order until it says goodbye."""

    server: _Server
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(self.server.settings.seconds)
        self.greeted, self.mistakes, self.open = False, 0, True
        self.forget_envelope()

    def handle(self) -> None:
        if not self.server.make_place():
            self.send_answer("421 4.3.2 too many connections, try again later")
            return
        try:
            with suppress(OSError):
                self.send_answer(f"220 {self.name} tkid LMTP")
                while self.open and self.mistakes < MAX_MISTAKES:
                    self.read_command()
                if self.open:
                    self.send_answer("421 4.7.0 too many mistakes")
        finally:
            self.server.places.release()

    def forget_envelope(self) -> None:
        self.sender: str | None = None
        self.recipients: list[str] = []

    @property
    def name(self) -> str:
        return self.server.settings.address.rpartition("@")[2]

    def send_answer(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode("ascii"))

    def refuse_command(self, line: str) -> None:
        self.mistakes += 1
        self.send_answer(line)

    def read_command(self) -> None:
        self.server.silent.append(self)
        try:
            line = self.rfile.readline(MAX_COMMAND_BYTES + 1)
        finally:
            with suppress(ValueError):
                self.server.silent.remove(self)
        if not line:
            self.open = False
        elif not line.endswith(b"\n") or not line.isascii():
            self.open = False
            self.send_answer("500 5.5.2 the line is too long or not ASCII")
        else:
            word, _, rest = line.decode("ascii").strip().partition(" ")
            command = COMMANDS.get(word.upper())
            if command is None:
                self.refuse_command("500 5.5.1 this command is not known; this is LMTP")
            else:
                command(self, rest.strip())

    def greet_client(self, _: str) -> None:
        self.forget_envelope()
        self.greeted = True
        for line in (self.name, "PIPELINING", "8BITMIME", "ENHANCEDSTATUSCODES"):
            self.send_answer(f"250-{line}")
        self.send_answer(f"250 SIZE {MOST_BYTES}")

    def read_sender(self, rest: str) -> None:
        path = PATH.fullmatch(rest)
        size = SIZE.search(path[2]) if path else None
        if not self.greeted:
            self.refuse_command("503 5.5.1 LHLO comes first")
        elif self.sender is not None:
            self.refuse_command("503 5.5.1 the sender is known already")
        elif not path or rest[:4].upper() != "FROM":
            self.refuse_command("501 5.5.4 write MAIL FROM:<address>")
        elif size and int(size[1]) > MOST_BYTES:
            self.send_answer(f"552 5.3.4 {TOO_LARGE}")
        else:
            self.sender = path[1]
            self.send_answer("250 2.1.0 ok")

    def read_recipient(self, rest: str) -> None:
        """Read a recipient, which must be the host, with or without a key after a plus."""
        path = PATH.fullmatch(rest)
        if self.sender is None:
            self.refuse_command("503 5.5.1 MAIL comes first")
        elif not path or rest[:2].upper() != "TO":
            self.refuse_command("501 5.5.4 write RCPT TO:<address>")
        elif len(self.recipients) >= MAX_RECIPIENTS:
            self.send_answer("452 4.5.3 too many recipients")
        elif not _is_for_host(self.server.settings.address, path[1]):
            self.send_answer(f"550 5.1.1 unknown address; the host's is {self.server.settings.address}")
        else:
            self.recipients.append(path[1])
            self.send_answer("250 2.1.5 ok")

    def read_data(self, _: str) -> None:
        """Read the mail itself; answer once for each recipient when it is on disk."""
        if not self.recipients:
            self.refuse_command("503 5.5.1 RCPT comes first, and has to be accepted")
            return
        self.send_answer("354 continue, and end with a dot on a line")
        body, recipients = _read_body(self.rfile.readline), self.recipients
        answer = f"552 5.3.4 {TOO_LARGE}" if body is None else self.keep_mail(self.write_headers() + body)
        self.forget_envelope()
        for _ in recipients:
            self.send_answer(answer)

    def write_headers(self) -> bytes:
        """Write the envelope as the first lines of the mail, without a sender that is no plain address."""
        known = not self.sender or is_address(self.sender)
        lines = [f"Return-Path: <{self.sender}>"] if known else []
        lines += [f"Delivered-To: {each}" for each in dict.fromkeys(self.recipients)]
        return "".join(f"{line}\r\n" for line in lines).encode("ascii")

    @cites("mail.kept")
    def keep_mail(self, raw: bytes) -> str:
        """Keep a mail; the answer."""
        try:
            self.server.keep(raw)
        except NoRoomError as error:
            return f"452 4.3.1 {error}"
        except Exception:  # noqa: BLE001 - a database has errors of many kinds; none of them may lose the mail
            return "451 4.3.0 it cannot be kept now, try again later"
        return "250 2.0.0 kept"

    def reset_envelope(self, _: str) -> None:
        self.forget_envelope()
        self.send_answer("250 2.0.0 ok")

    def end_session(self, _: str) -> None:
        self.open = False
        self.send_answer("221 2.0.0 goodbye")


COMMANDS: dict[str, Callable[[_Connection, str], None]] = {
    "LHLO": _Connection.greet_client,
    "MAIL": _Connection.read_sender,
    "RCPT": _Connection.read_recipient,
    "DATA": _Connection.read_data,
    "RSET": _Connection.reset_envelope,
    "NOOP": lambda self, _: self.send_answer("250 2.0.0 ok"),
    "VRFY": lambda self, _: self.send_answer("252 2.5.0 write to it and see"),
    "QUIT": _Connection.end_session,
}

TOO_LARGE = f"the mail is larger than {MOST_BYTES >> 20} MB"


def _is_for_host(host: str, address: str) -> bool:
    local, _, domain = address.lower().rpartition("@")
    return is_address(address) and f"{local.partition('+')[0]}@{domain}" == host.lower()


def _read_body(read_line: Callable[[int], bytes]) -> bytes | None:
    """Return the bytes up to the line with the dot, with doubled dots undone; None if there are too many.

    Only a whole line end, CR and LF, begins a line in which a dot counts. Raises OSError if the stream ends before.
    """
    parts: list[bytes] = []
    size, at_start, before = 0, True, b""
    while True:
        line = read_line(CHUNK)
        if not line:
            raise ConnectionAbortedError("the connection was lost in the middle of a mail")
        if at_start and line == b".\r\n":
            return b"".join(parts) if size <= MOST_BYTES else None
        part = line[1:] if at_start and line.startswith(b".") else line
        at_start, before = (before + line).endswith(b"\r\n"), line[-1:]
        size += len(part)
        if size <= MOST_BYTES:
            parts.append(part)
        else:
            parts.clear()
