"""What a host notes in files beside its database, as a backup that is restored knows less: letters, mails and draws.

Letters that are made again after a restore are not sent again. Most have the same Message-ID, because each mail counts as
having come when it came the first time, and what was drawn for it is drawn again. The others are known by what they are about.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path

from attrs import define, field

from tkid.host.privacy import opener
from tkid.host.upkeep.repetition import Said
from tkid.record.format.seal import BYTES
from tkid.rulebook import cites

FILE, BEFORE, MAILS, DRAWN = "sent", "sent-before-restore", "fetched", "drawn"
NOTED = (FILE, BEFORE, MAILS, DRAWN)
"""The names of the files of a journal."""
RESTORED = "restored"
"""The word before the time of a restore."""
NEVER = datetime.min.replace(tzinfo=UTC)


@define
class Journal:
    """The letters that went out since the last restore and before one, when each mail came, and what was drawn for it."""

    file: Path
    before: Path
    mails: Path
    drawn: Path
    _known: frozenset[str] = frozenset()
    _said: frozenset[str] = frozenset()
    _restored: datetime = NEVER
    _draws: Mapping[str, str] = field(factory=dict)
    _read: os.stat_result | None = field(default=None)

    @classmethod
    def of(cls, folder: Path) -> Journal:
        """The journal of a host's folder."""
        return cls(folder / FILE, folder / BEFORE, folder / MAILS, folder / DRAWN)

    def note(self, message_id: str, said: Said) -> None:
        """Note that a letter went out. Raises OSError."""
        with open(self.file, "a", encoding="ascii", errors="replace", opener=opener) as file:
            file.write(f"{message_id} {said.word}\n")

    def note_mail(self, raw: bytes, time: datetime) -> None:
        """Note when a mail came. Where the disk does not take it, the mailbox knows the time well enough."""
        with suppress(OSError), open(self.mails, "a", encoding="ascii", opener=opener) as file:
            file.write(f"{sha256(raw).hexdigest()} {time.isoformat()}\n")

    def fetched(self) -> dict[str, datetime]:
        """When each mail came, by the digest of its bytes; a line that was not written whole does not count."""
        times: dict[str, datetime] = {}
        for digest, time in _lines(self.mails):
            with suppress(ValueError):
                times.setdefault(digest, datetime.fromisoformat(time))
        return times

    def drawing(self, raw: bytes, draw: Callable[[], bytes]) -> Callable[[], bytes]:
        """How is drawn for a mail: what was drawn for it before a restore, where that is known."""
        names = (f"{sha256(raw).hexdigest()}.{number}" for number in count())

        def drawn() -> bytes:
            name = next(names)
            self._read_before()
            with suppress(ValueError):
                if len(known := bytes.fromhex(self._draws.get(name, ""))) == BYTES:
                    return known
            data = draw()
            with suppress(OSError), open(self.drawn, "a", encoding="ascii", opener=opener) as file:
                file.write(f"{name} {data.hex()}\n")
            return data

        return drawn

    def went_out(self, message_id: str) -> bool:
        """Whether a letter went out before the host was restored."""
        self._read_before()
        return message_id in self._known

    @cites("club.restored")
    def was_said(self, said: Said) -> bool:
        """Whether a letter from before the host was restored says again what another one said that went out then."""
        self._read_before()
        return said.time < self._restored and said.word in self._said

    def close_before_restore(self, now: datetime) -> None:
        """Count all letters that went out so far among those before a restore. Done twice it does nothing. Raises OSError."""
        if not self.file.exists():
            return
        with open(self.before, "a", encoding="ascii", opener=opener) as file:
            file.write(f"{self.file.read_text('ascii', 'replace')}{RESTORED} {now.isoformat()}\n")
            file.flush()
            os.fsync(file.fileno())
        self.file.unlink()

    def _read_before(self) -> None:
        """Read what was noted before the last restore, if there was one since it was read."""
        try:
            found = self.before.stat()
        except OSError:
            self._known, self._said = frozenset(), frozenset()
            return
        if self._read is None or (found.st_mtime_ns, found.st_size) != (self._read.st_mtime_ns, self._read.st_size):
            noted = list(_lines(self.before))
            self._known = frozenset(letter for letter, _ in noted)
            self._said = frozenset(word for _, word in noted)
            self._restored = max(_times(noted), default=self._restored)
            self._draws = dict(_lines(self.drawn))
            self._read = found


def _lines(file: Path) -> Iterator[tuple[str, str]]:
    """The lines of a file, each a word and what is noted about it; the last one may have been cut."""
    if file.exists():
        for line in file.read_text("ascii", "replace").splitlines():
            word, _, noted = line.partition(" ")
            yield word, noted


def _times(noted: Iterable[tuple[str, str]]) -> Iterator[datetime]:
    """When the host was restored, each time."""
    for word, time in noted:
        if word == RESTORED:
            with suppress(ValueError):
                yield datetime.fromisoformat(time)
