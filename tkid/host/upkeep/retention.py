"""A chore of a host: forget in time what nobody needs any more, in the database and in the Maildir of mails that came."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import islice
from pathlib import Path

from attrs import define, field

from tkid.host.service import Host
from tkid.host.store.retention import Retention
from tkid.host.store.room import Limits
from tkid.mail.inbound.envelope import MOST_BYTES
from tkid.rulebook import cites

OFTEN, SELDOM = timedelta(minutes=1), timedelta(hours=12)
"""How often it looks for mails that are too old, and for what is kept for months."""
MOST_FILES = 100
"""Files of the Maildir that are looked at in one round."""


@define
class Keeping:
    """Forgets what is too old. `inbox` is the Maildir into which mails come; it keeps copies of those that were fetched."""

    inbox: Path
    limits: Limits
    _next: dict[str, datetime] = field(factory=dict)
    _left: set[str] = field(factory=set)

    def __call__(self, host: Host, now: datetime) -> int:
        """Do what is due; how many things were forgotten. There may be more: then the next round goes on."""
        steps: tuple[tuple[str, timedelta, Callable[[Retention], int]], ...] = (
            ("mails", OFTEN, lambda retention: retention.mails(now, self.limits.days)),
            ("letters", SELDOM, lambda retention: retention.letters(now)),
            ("keys", SELDOM, lambda retention: retention.keys(now)),
            ("rows", SELDOM, lambda retention: retention.rows(now)),
        )
        done = self._clean(host, now)
        for name, pause, step in steps:
            due = self._next.get(name)
            if due is not None and due - pause <= now < due:
                continue
            with host.store.writing() as transaction:
                count = step(transaction.retention)
            done += count
            if not count:
                self._next[name] = now + pause
        return done

    @cites("mail.kept-for")
    def _clean(self, host: Host, now: datetime) -> int:
        """Remove files of mails that were fetched: where nothing would be done again, or after the days; how many."""
        folder = self.inbox / "cur"
        if not folder.is_dir():
            return 0
        files = sorted(folder.iterdir())
        oldest = (now - timedelta(days=self.limits.days)).timestamp()
        self._left &= {file.name for file in files}
        found: dict[str, list[Path]] = {}
        for file in islice((file for file in files if self._may_go(file, oldest)), MOST_FILES):
            with suppress(OSError), file.open("rb") as mail:
                found.setdefault(sha256(mail.read(MOST_BYTES + 1)).hexdigest(), []).append(file)
        if not found:
            return 0
        with host.store.writing() as transaction:
            read = transaction.retention.read(list(found))
        removed = 0
        for digest, needless in read.items():
            for file in found[digest]:
                if needless or file.stat().st_mtime < oldest:
                    file.unlink(missing_ok=True)
                    removed += 1
                else:
                    self._left.add(file.name)
        return removed

    def _may_go(self, file: Path, oldest: float) -> bool:
        """Whether a file has not been looked at yet, or has become too old."""
        with suppress(FileNotFoundError):
            return file.name not in self._left or file.stat().st_mtime < oldest
        return False
