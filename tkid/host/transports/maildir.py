"""Maildirs as transports: mails come in as files, and letters go out as files, each whole and on disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from time import monotonic

from attrs import frozen

from tkid.files import sync_folder
from tkid.host.privacy import make_folder, opener
from tkid.host.transports.wakeup import Wakeup, wait_for
from tkid.mail.inbound.envelope import MOST_BYTES

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

    def arrived(self, but: frozenset[str] = frozenset()) -> Iterator[tuple[str, bytes]]:
        """The mails that nobody has fetched yet, oldest name first: name, and as many bytes as are needed to judge it."""
        for file in sorted(file for file in (self.path / "new").iterdir() if file.name not in but):
            with suppress(FileNotFoundError), file.open("rb") as mail:  # another worker may have fetched it
                yield file.name, mail.read(MOST_BYTES + 1)

    def fetched(self, name: str) -> None:
        """Put a mail among those that were read. Done twice it does nothing."""
        with suppress(FileNotFoundError):
            (self.path / "new" / name).rename(self.path / "cur" / f"{name}:2,S")
            sync_folder(self.path / "cur")

    def again(self, since: datetime) -> Iterator[tuple[datetime, bytes]]:
        """The mails that came since a time and were fetched, oldest first: when each came, and its bytes."""
        came = sorted((file.stat().st_mtime, file.name, file) for file in (self.path / "cur").iterdir())
        for seconds, _, file in came:
            if seconds >= since.timestamp():
                with suppress(FileNotFoundError), file.open("rb") as mail:
                    yield datetime.fromtimestamp(seconds, UTC), mail.read(MOST_BYTES + 1)

    def wait(self, seconds: float) -> None:
        """Wait until a mail is there, it is woken or the time is over."""
        end = monotonic() + seconds
        while not any((self.path / "new").iterdir()) and (left := end - monotonic()) > 0:
            if wait_for(min(left, LOOKING), self._wakeup):
                return

    def close(self) -> None:
        """Nothing is held open."""

    def deliver(self, mail: bytes, name: str = "") -> None:
        """Put a mail into the folder, whole and on disk. The same mail under the same name is there once."""
        name = name or f"{sha256(mail).hexdigest()[:32]}.tkid"
        if (self.path / "cur" / f"{name}:2,S").exists():
            return
        written = self.path / "tmp" / name
        with open(written, "wb", opener=opener) as file:
            file.write(mail)
            file.flush()
            os.fsync(file.fileno())
        written.rename(self.path / "new" / name)
        sync_folder(self.path / "new")


@frozen
class MaildirSender:
    """Sends letters into a Maildir for each address."""

    folder: Path

    def send(self, address: str, mail: bytes) -> None:
        """Put a letter into the Maildir of its address. Raises OSError."""
        Maildir(self.folder / address.replace("/", "_")).deliver(mail)

    def close(self) -> None:
        """Nothing is held open."""
