"""Sends the letters that wait, one sender for all: it rests where the sender fails, and not where one letter is refused."""

from __future__ import annotations

import errno
import smtplib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from attrs import define, field

from tkid.host.log import without_quotes
from tkid.host.monitor import Monitor
from tkid.host.service import Host
from tkid.host.store.connection import DATABASE_ERRORS, error_text
from tkid.host.store.transaction import message_id
from tkid.host.transports.errors import RefusedForGoodError, TransportError
from tkid.host.transports.protocols import Sender
from tkid.host.upkeep.journal import Journal
from tkid.host.upkeep.repetition import Said

OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}


class _SenderDownError(Exception):
    """No further letter can be sent in this round."""


@define
class Delivery:
    """The letters that go out in a round: how many were sent, and, in words, those that were refused."""

    name: str
    make: Callable[[], Sender]
    monitor: Monitor
    journal: Journal | None = None
    sent: int = 0
    refused: list[str] = field(factory=list)
    _sender: Sender | None = None

    def deliver(self, host: Host, now: datetime, most: int | None) -> int:
        """Send what waits, or so many letters at most; how many went out. Raises errors of the database only."""
        self.sent, self.refused = 0, []
        if not self.monitor.rests(self.name):
            try:
                host.deliver(now, most)
            except _SenderDownError:
                pass
            except DATABASE_ERRORS:
                raise
            except Exception as error:  # noqa: BLE001 - no error ends the loop
                self.monitor.fails(self.name, error)
            for reason, times in Counter(host.missing_pictures).items():
                self.monitor.log.note("no-picture", letters=times, reason=reason)
            host.missing_pictures.clear()
        return self.sent

    def send(self, address: str, mail: bytes) -> None:
        """Send a letter. Where the sender itself fails, the round sends no more, and it does not count against the letter."""
        letter, said = message_id(mail), Said.of(mail)
        if self.journal is not None and (self.journal.went_out(letter) or self.journal.was_said(said)):
            self.monitor.log.note("letter-known", letter=letter, to=address)
            return
        try:
            if self._sender is None:
                self._sender = self.make()
            self._sender.send(address, mail)
        except OSError as error:
            reason = error_text(error)
            if _is_about_letter(error):
                self.refused.append(f"{address}: {reason}")
                self.monitor.log.note("letter-refused", letter=letter, to=address, reason=without_quotes(reason))
                raise
            self.close()
            self.monitor.fails(self.name, error)
            raise _SenderDownError from error
        self.sent += 1
        if self.journal is not None:
            with suppress(OSError):  # it matters after a restore only
                self.journal.note(letter, said)
        self.monitor.log.note("letter-sent", letter=letter, to=address)
        self.monitor.works(self.name)

    def close(self) -> None:
        """Let go of the sender."""
        if self._sender is not None:
            self._sender.close()
        self._sender = None


def _is_about_letter(error: OSError) -> bool:
    """Whether only this letter cannot be sent, and others can."""
    if isinstance(error, TransportError):
        refused = isinstance(error.__cause__, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError)
        return refused or isinstance(error, RefusedForGoodError)
    return error.errno not in OF_THE_DISK
