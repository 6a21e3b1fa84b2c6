"""The interface of transports and their errors; Maildirs and pipes as transports."""

from __future__ import annotations

import os
import selectors
import socket
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import BinaryIO, Protocol

from attrs import field, frozen

from tkid.files import sync_folder
from tkid.host.log import make_folder, open_private
from tkid.mail.envelope import MOST_BYTES
from tkid.rulebook import cites

Keep = Callable[[bytes], object]
"""A function that puts the bytes of a mail on disk before it returns; it may raise any error if it cannot."""
Send = Callable[[str, bytes], None]
"""Sends a mail to an address; raises OSError where that cannot be done now, RefusedForGoodError where it never can."""


class Transport(Protocol):
    """Something that is open; a listener, for example, to which mails are brought until it is closed."""

    def close(self) -> None:
        """Close the connection."""


class Inbox(Transport, Protocol):
    """A source of mails."""

    def list_arrived(self, but: frozenset[str] = frozenset()) -> Iterable[tuple[str, bytes]]:
        """Return the mails that were not fetched yet, oldest first, without those of some names: name, and as many bytes as are needed to judge it."""

    def mark_fetched(self, name: str) -> None:
        """Note that a mail is kept elsewhere now. A second time it does nothing."""

    def list_again(self, since: datetime) -> Iterable[tuple[datetime, bytes]]:
        """Return the mails that came since a time and were fetched, oldest first: when each came, and its bytes."""

    def wait_for_news(self, seconds: float) -> None:
        """Wait until there is news, or for at most some time."""


class Sender(Transport, Protocol):
    """A transport for letters."""

    def send_letter(self, address: str, mail: bytes) -> None:
        """Send a letter. Raises OSError if that cannot be done now."""


@frozen
class Transports:
    """The transports of mails in and out, each with a name for people; made when needed, and again after a failure.

    Making one raises OSError or ValueError if it fails. `mailboxes` gives, for the name of an inbox, the name that its mailbox
    alone has among those of all machines that work for the host.
    """

    inboxes: Mapping[str, Callable[[], Inbox]]
    sender: tuple[str, Callable[[], Sender]]
    listener: tuple[str, Callable[[Keep], Transport]] | None = None
    mailboxes: Mapping[str, str] = field(factory=dict)

    def name_mailbox(self, inbox: str) -> str:
        return self.mailboxes.get(inbox, inbox)


class Wakeup:
    """A signal for a waiting thread. Several signals before a thread waits count as one."""

    def __init__(self) -> None:
        self._receiver, self._sender = socket.socketpair()
        self._receiver.settimeout(0)
        self._sender.settimeout(0)

    def wake_up(self) -> None:
        """Wake the waiting thread, now or next. May be called in any thread and in a signal's handler."""
        with suppress(OSError):  # it is awake already, or has ended
            self._sender.send(b"!")

    def wait_for_news(self, seconds: float) -> bool:
        """Wait until it is woken or the time is over; return whether it was woken."""
        return wait_for(seconds, self)

    def fileno(self) -> int:
        """Return the descriptor on which the system sees that it was woken."""
        return self._receiver.fileno()

    def clear_wakeup(self) -> None:
        with suppress(BlockingIOError):
            while self._receiver.recv(4096):
                pass

    def close(self) -> None:
        self._receiver.close()
        self._sender.close()


def wait_for(seconds: float, wakeup: Wakeup | None, *sockets: socket.socket) -> bool:
    """Wait until woken, until a socket has something to read, or the time is over. Return False if the time is over."""
    with selectors.DefaultSelector() as selector:
        for each in (*sockets, wakeup):
            if each is not None:
                selector.register(each.fileno(), selectors.EVENT_READ)
        ready = bool(selector.select(max(0.0, seconds)))
    if wakeup:
        wakeup.clear_wakeup()
    return ready


PARTS = ("tmp", "new", "cur")
LOOKING = 0.5
"""Seconds between two looks for a mail."""


class Maildir:
    """A folder with mails in the form of Maildir. It is made where it does not exist."""

    def __init__(self, path: Path, wakeup: Wakeup | None = None) -> None:
        self.path = path
        self._wakeup = wakeup
        for folder in (path, *(path / part for part in PARTS)):
            make_folder(folder)

    def list_arrived(self, but: frozenset[str] = frozenset()) -> Iterator[tuple[str, bytes]]:
        for file in sorted(file for file in (self.path / "new").iterdir() if file.name not in but):
            with suppress(FileNotFoundError), file.open("rb") as mail:  # another worker may have fetched it
                yield file.name, mail.read(MOST_BYTES + 1)

    def mark_fetched(self, name: str) -> None:
        with suppress(FileNotFoundError):
            (self.path / "new" / name).rename(self.path / "cur" / f"{name}:2,S")
            sync_folder(self.path / "cur")

    def list_again(self, since: datetime) -> Iterator[tuple[datetime, bytes]]:
        came = sorted((file.stat().st_mtime, file.name, file) for file in (self.path / "cur").iterdir())
        for seconds, _, file in came:
            if seconds >= since.timestamp():
                with suppress(FileNotFoundError), file.open("rb") as mail:
                    yield datetime.fromtimestamp(seconds, UTC), mail.read(MOST_BYTES + 1)

    def wait_for_news(self, seconds: float) -> None:
        end = monotonic() + seconds
        while not any((self.path / "new").iterdir()) and (left := end - monotonic()) > 0:
            if wait_for(min(left, LOOKING), self._wakeup):
                return

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def add_mail(self, mail: bytes, name: str = "") -> None:
        """Put a mail into the folder, whole and on disk. The same mail under the same name is there once."""
        name = name or f"{sha256(mail).hexdigest()[:32]}.tkid"
        if (self.path / "cur" / f"{name}:2,S").exists():
            return
        written = self.path / "tmp" / name
        with open(written, "wb", opener=open_private) as file:
            file.write(mail)
            file.flush()
            os.fsync(file.fileno())
        written.rename(self.path / "new" / name)
        sync_folder(self.path / "new")


@frozen
class MaildirSender:
    """Sends letters into a Maildir for each address."""

    folder: Path

    def send_letter(self, address: str, mail: bytes) -> None:
        Maildir(self.folder / address.replace("/", "_")).add_mail(mail)

    def close(self) -> None:
        """Do nothing: nothing is open."""


MAX_ANSWER_LENGTH = 200


class TransportError(OSError):
    """A transport cannot do its work now: what was tried, where, and why it failed. Trying again later may help."""


class RefusedForGoodError(TransportError):
    """A final refusal of a letter by the mail system: for example, the mailbox does not exist."""


class NoRoomError(OSError):
    """A mail cannot be kept now for want of room. Whoever brings it keeps it, and tries again later."""


def describe_protocol_error(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the server's certificate cannot be verified: {error.verify_message}"
    if isinstance(error, TimeoutError):
        return "the server does not answer"
    reason = error.strerror if isinstance(error, OSError) else ""
    return reason or shorten_answer(str(error)) or type(error).__name__


def shorten_answer(answer: bytes | str) -> str:
    """Return a server's answer, as far as it can be shown: one line, not too long."""
    text = answer.decode("ascii", "replace") if isinstance(answer, bytes) else answer
    return "".join(c if c.isprintable() else " " for c in text)[:MAX_ANSWER_LENGTH].strip()


KEPT, NO_MAIL, TRY_AGAIN = 0, 66, 75
"""Exit codes as mail delivery agents know them: done; there was no mail; keep it and try again later."""
CHUNK = 1 << 16


@cites("mail.kept")
def take_piped(source: BinaryIO, keep: Keep) -> int:
    """Keep the mail that comes through a pipe, as much of it as is needed to judge it; the exit code for its sender.

    Where it cannot be kept the mail is not lost: the exit code asks for another try.
    """
    try:
        raw = source.read(MOST_BYTES + 1)
        while source.read(CHUNK):
            pass  # the writer would break off otherwise, and report a failure
    except OSError:
        return TRY_AGAIN
    if not raw:
        return NO_MAIL
    try:
        keep(raw)
    except Exception:  # noqa: BLE001 - a database has errors of many kinds; none of them may lose the mail
        return TRY_AGAIN
    return KEPT
