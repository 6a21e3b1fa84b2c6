"""Watches which parts of a host work: writes each change into the log, and the health into its file."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from random import Random

from attrs import define

from tkid.host.health import Health
from tkid.host.log import Log
from tkid.host.store.connection import error_text

WRITTEN_EACH = 1.0
"""Seconds between two times at which an unchanged health is written down."""


@define
class Monitor:
    """The health of a host at work, and its `file` in the host's folder. While it `insists`, nothing rests: everything is tried."""

    health: Health
    file: Path | None
    log: Log
    now: Callable[[], datetime]
    rng: Random
    insists: bool = False
    _written: datetime | None = None
    _changed: bool = False

    def rests(self, name: str) -> bool:
        """Whether it is too early for another try of a part that failed."""
        return not self.insists and self.health.part(name).rests(self.now())

    def works(self, name: str) -> None:
        """Note that a part works."""
        if self.health.part(name).worked(self.now()):
            self._changed = True
            self.log.note("works", part=name)

    def fails(self, name: str, error: Exception) -> None:
        """Note that a part fails: it rests."""
        part = self.health.part(name)
        part.failed_now(
            self.now(), error_text(error, self.file.parent if self.file else None).removeprefix(f"{name}: "), self.rng
        )
        self._changed = True
        next_try = part.next_try.isoformat(timespec="seconds") if part.next_try else ""
        self.log.note("fails", part=name, reason=part.error, failures=part.failures, next_try=next_try)

    def write(self, *, at_once: bool = False) -> None:
        """Write the health into its file, at once or where it has changed, else now and then."""
        now = self.now()
        recent = self._written is not None and 0 <= (now - self._written).total_seconds() < WRITTEN_EACH
        if self.file is None or (recent and not (self._changed or at_once)):
            return
        with suppress(OSError):  # where the disk is full, this is not what matters
            self.health.write(self.file)
        self._written, self._changed = now, False
