"""Read an IMAP mailbox as an inbox."""

from __future__ import annotations

import imaplib
import re
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from socket import socket as Socket  # noqa: N812 - a method has its name
from typing import Any

from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import (
    ImapToolsError,
    MailboxLoginError,
    MailboxTaggedResponseError,
    UnexpectedCommandStatusError,
)

from tkid.host.settings import ImapSettings
from tkid.host.transports import TransportError, Wakeup, describe_protocol_error, shorten_answer, wait_for
from tkid.mail.envelope import MOST_BYTES

READ_FOLDER = "tkid-read"
"""Folder to which a mail is moved when it is kept."""
MAX_IDLE_SECONDS = 5 * 60.0
"""Seconds after which the request for news is renewed, so that a silently broken connection is noticed."""
WITHOUT_IDLE = 15.0
"""Seconds between two looks where a server does not push."""
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
AT_ONCE = 500
"""Mails whose dates are asked for together."""
UID = re.compile(rb"\bUID (\d+)")
PART = re.compile(rb"\bBODY\[\](?:<\d+>)? ", re.IGNORECASE)


class ImapInbox:
    """A mailbox from which mails are fetched; it logs in when it is first needed, and again after a failure.

    A fetched mail is moved to a folder of its own if the server can do that, else it is marked as seen and seen
    mails are left alone. Every method raises TransportError if the server is unreachable, refuses the password,
    or drops the connection; the next call tries again.
    """

    def __init__(self, settings: ImapSettings, wakeup: Wakeup | None = None) -> None:
        self._settings, self._wakeup = settings, wakeup
        self._box: BaseMailBox | None = None
        self._read_folder: str | None = None
        self._validity = ""

    def list_arrived(self, but: frozenset[str] = frozenset()) -> Iterator[tuple[str, bytes]]:
        with self._open_mailbox() as box:
            for kind in ("EXISTS", "RECENT", "EXPUNGE", "FETCH"):  # news that the search covers
                box.client.untagged_responses.pop(kind, None)
            uids = box.uids("UNDELETED" if self._read_folder else "UNSEEN UNDELETED", charset=None)
        refused = []
        for uid in sorted((uid for uid in uids if f"{self._validity}.{uid}" not in but), key=int):
            with self._open_mailbox() as box:
                status, data = box.client.uid("FETCH", uid, f"(UID BODY.PEEK[]<0.{MOST_BYTES + 1}>)")
            if status != "OK":
                refused.append(uid)  # the mails behind it need not wait for it
            elif (raw := _read_bytes(data)) is not None:
                yield f"{self._validity}.{uid}", raw
        if refused:
            raise TransportError(f"{self._settings.name}: the server does not deliver mail {', '.join(refused)}")

    def mark_fetched(self, name: str) -> None:
        with self._open_mailbox() as box:
            validity, _, uid = name.partition(".")
            if validity != self._validity:
                return  # the server has renumbered its mails; this one comes again, and is then recognised
            if self._read_folder:
                with suppress(UnexpectedCommandStatusError):
                    box.move(uid, self._read_folder)
                    return
                self._read_folder = None
            status, data = box.client.uid("STORE", uid, "+FLAGS.SILENT", r"(\Seen)")
            if status != "OK":
                raise TransportError(f"mail {uid} cannot be marked as read: {data[-1]!r}")

    def list_again(self, since: datetime) -> Iterator[tuple[datetime, bytes]]:
        with self._open_mailbox() as box:
            try:
                found = [(self._settings.folder, "SEEN")]
                if self._read_folder:
                    found.append((self._read_folder, "ALL"))
                listed = sorted(entry for folder, kind in found for entry in _list_mails(box, folder, kind, since))
                for came, uid, folder in listed:
                    box.folder.set(folder, readonly=True)
                    status, data = box.client.uid("FETCH", str(uid), f"(UID BODY.PEEK[]<0.{MOST_BYTES + 1}>)")
                    raw = _read_bytes(data) if status == "OK" else None
                    if raw is not None:
                        yield came, raw
            finally:
                box.folder.set(self._settings.folder)

    def wait_for_news(self, seconds: float) -> None:
        """Wait until the server has news, it is woken or the time is over; perhaps less long."""
        with self._open_mailbox() as box:
            if _has_news(box):
                return
            if "IDLE" not in box.client.capabilities:
                wait_for(min(seconds, WITHOUT_IDLE), self._wakeup)
                return
            tag = _begin_idle(box)
            if not _has_news(box) and not _has_more(box):
                wait_for(min(seconds, MAX_IDLE_SECONDS), self._wakeup, box.client.socket())
            box.client.send(b"DONE\r\n")
            box.consume_until_tagged_response(tag)

    def open_connection(self) -> Socket:
        """Return the connection, logged in. Raises TransportError."""
        with self._open_mailbox() as box:
            return box.client.socket()

    def close(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            with suppress(OSError, imaplib.IMAP4.error, ImapToolsError):
                box.logout()

    @contextmanager
    def _open_mailbox(self) -> Iterator[BaseMailBox]:
        try:
            if self._box is None:
                self._box = self._log_in()
            yield self._box
        except (OSError, imaplib.IMAP4.error, ImapToolsError, ValueError) as error:
            box, self._box = self._box, None
            if box is not None:
                with suppress(OSError, imaplib.IMAP4.error):
                    box.client.shutdown()
            raise TransportError(f"{self._settings.name}: {_describe_error(error)}") from error

    def _log_in(self) -> BaseMailBox:
        settings = self._settings
        box = _connect(settings)
        try:
            ascii_only = (settings.user + settings.password).isascii()
            log_in: Callable[..., Any] = box.login if ascii_only else box.login_utf8
            log_in(settings.user, settings.password, initial_folder=None)
            _, data = box.client.capability()
            box.client.capabilities = tuple((data[-1] or b"").decode("ascii", "replace").upper().split())
            moves = "MOVE" in box.client.capabilities and settings.folder != READ_FOLDER
            self._read_folder = _make_folder(box) if moves else None
            box.folder.set(settings.folder)
            self._validity = (box.client.response("UIDVALIDITY")[1][0] or b"").decode("ascii", "replace")
        except BaseException:
            with suppress(OSError, imaplib.IMAP4.error):
                box.client.shutdown()
            raise
        return box


def _connect(settings: ImapSettings) -> BaseMailBox:
    if settings.tls == "none":
        return MailBoxUnencrypted(settings.host, settings.port, timeout=settings.seconds)
    kind = MailBox if settings.tls == "implicit" else MailBoxStartTls
    return kind(settings.host, settings.port, timeout=settings.seconds, ssl_context=ssl.create_default_context())


def _make_folder(box: BaseMailBox) -> str | None:
    """Return the folder for fetched mails, for some servers below INBOX; make it. None if the server refuses it."""
    for name in (READ_FOLDER, f"INBOX.{READ_FOLDER}", f"INBOX/{READ_FOLDER}"):
        with suppress(UnexpectedCommandStatusError):
            if not box.folder.exists(name):
                box.folder.create(name)
            return name
    return None


def _read_bytes(data: list[Any]) -> bytes | None:
    """Return the mail in the answer to a fetch: None if it is gone, empty if the server gives no bytes for it."""
    for part in data:
        if isinstance(part, tuple) and PART.search(part[0]):
            return bytes(part[1])
    return b"" if any(isinstance(part, bytes) and PART.search(part) for part in data) else None


def _list_mails(box: BaseMailBox, folder: str, kind: str, since: datetime) -> Iterator[tuple[datetime, int, str]]:
    """List the mails of a folder that came since the day of a time: the time each came, its number, the folder."""
    box.folder.set(folder, readonly=True)
    day = f"{since.day}-{MONTHS[since.month - 1]}-{since.year}"
    uids = box.uids(f"{kind} UNDELETED SINCE {day}", charset=None)
    for start in range(0, len(uids), AT_ONCE):
        _, data = box.client.uid("FETCH", ",".join(uids[start : start + AT_ONCE]), "(UID INTERNALDATE)")
        for line in data:
            text = line[0] if isinstance(line, tuple) else line
            uid, came = UID.search(text or b""), imaplib.Internaldate2tuple(text or b"")
            if uid and came:
                yield datetime.fromtimestamp(time.mktime(came), UTC), int(uid[1]), folder


def _has_news(box: BaseMailBox) -> bool:
    return "EXISTS" in box.client.untagged_responses


def _begin_idle(box: BaseMailBox) -> bytes:
    """Ask for news; return the tag of the command. News that arrives before the server consents is kept."""
    client: Any = box.client
    tag: bytes = client._command("IDLE")  # noqa: SLF001 - imaplib has no IDLE, and imap-tools takes anything else for a refusal
    while client._get_response() is not None:  # noqa: SLF001
        if client.tagged_commands[tag]:
            raise MailboxTaggedResponseError(client.tagged_commands.pop(tag), None)
    return tag


def _has_more(box: BaseMailBox) -> bool:
    client: Any = box.client
    sock = client.socket()
    before = sock.gettimeout()
    sock.settimeout(0)
    try:
        return bool(client.readline())
    except OSError:  # there is nothing to read yet
        return False
    finally:
        sock.settimeout(before)


def _describe_error(error: Exception) -> str:
    if isinstance(error, MailboxLoginError) or (isinstance(error, imaplib.IMAP4.error) and "AUTH" in str(error)):
        return f"the server refuses the user or the password{_read_answer(error)}"
    if isinstance(error, imaplib.IMAP4.abort):
        return f"the connection was lost: {shorten_answer(str(error))}"
    if isinstance(error, UnexpectedCommandStatusError):
        return f"the server refuses{_read_answer(error)}"
    return describe_protocol_error(error)


def _read_answer(error: Exception) -> str:
    lines = error.command_result[1] or [] if isinstance(error, UnexpectedCommandStatusError) else [str(error)]
    return "".join(f": {shorten_answer(line)}" for line in lines if line)
