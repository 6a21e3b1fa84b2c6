"""Record which parts of a host work, and since when.

A part is the database or a transport. One that fails rests for a second, then twice as long after each failure, up to
five minutes. Each rest is shortened at random, so that many hosts do not return to a server at the same moment.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

from attrs import define, field
from cattrs import Converter

from tkid.files import open_whole_file
from tkid.host.log import Log
from tkid.host.store.connection import describe_database_error

FILE = "status.json"
FIRST_REST, LONGEST_REST = timedelta(seconds=1), timedelta(minutes=5)
FORM = 1


@define
class Part:
    """A part of a host.

    `since` is when it began to work or to fail, None where it was not tried yet. `error` is why it fails, "" where it
    works. `failures` counts those in a row, `failed` all.
    """

    since: datetime | None = None
    error: str = ""
    failures: int = 0
    failed: int = 0
    next_try: datetime | None = None


@define
class Counts:
    """Number of rounds that a host has worked, of mails that came in, and of letters that went out."""

    rounds: int = 0
    fetched: int = 0
    sent: int = 0


@define
class Health:
    """All parts of a host by name, when it last worked, and its counts."""

    last_round: datetime | None = None
    counts: Counts = field(factory=Counts)
    parts: dict[str, Part] = field(factory=dict)

    def find_part(self, name: str) -> Part:
        """Return a part, which is known from now on."""
        return self.parts.setdefault(name, Part())

    def begin_with(self, names: Iterable[str]) -> None:
        """Begin to work with these parts: others are forgotten, and none rests."""
        self.parts = {name: self.find_part(name) for name in names}
        for part in self.parts.values():
            part.next_try = None

    def find_next_try(self) -> datetime | None:
        """Return when the first resting part is tried again."""
        return min((part.next_try for part in self.parts.values() if part.next_try), default=None)

    @classmethod
    def read_file(cls, path: Path) -> Health:
        """Read the health from a file; nothing is known if it cannot be read."""
        try:
            data = json.loads(path.read_text("ascii"))
            return JSON.structure(data, cls) if data["form"] == FORM else cls()
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls()

    def write_file(self, path: Path) -> None:
        """Write it into a file, whole. Raises OSError."""
        with open_whole_file(path, lasting=False) as file:
            file.write((json.dumps(self.describe_as_json(), indent=1) + "\n").encode("ascii"))

    def describe_as_json(self) -> dict[str, object]:
        return {"form": FORM, **JSON.unstructure(self)}


def _read_time(text: str, _: object) -> datetime:
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError("a time without a zone")
    return time


JSON = Converter(detailed_validation=False)
JSON.register_unstructure_hook(datetime, datetime.isoformat)
JSON.register_structure_hook(datetime, _read_time)


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

    def is_resting(self, name: str) -> bool:
        """Return True if it is too early to try a part again. A clock that was set back does not make that longer."""
        now, next_try = self.now(), self.health.find_part(name).next_try
        return not self.insists and next_try is not None and now < next_try <= now + LONGEST_REST

    def note_success(self, name: str) -> None:
        part = self.health.find_part(name)
        if part.error or part.since is None:
            part.since, self._changed = self.now(), True
            self.log.write_line("works", part=name)
        part.error, part.failures, part.next_try = "", 0, None

    def note_failure(self, name: str, error: Exception) -> None:
        part, now = self.health.find_part(name), self.now()
        if not part.error or part.since is None:
            part.since = now
        part.error = describe_database_error(error, self.file.parent if self.file else None).removeprefix(f"{name}: ")
        part.failures, part.failed, self._changed = part.failures + 1, part.failed + 1, True
        rest = min(LONGEST_REST, FIRST_REST * 2 ** min(part.failures - 1, 20))
        part.next_try = now + rest * (0.5 + self.rng.random() / 2)
        next_try = part.next_try.isoformat(timespec="seconds")
        self.log.write_line("fails", part=name, reason=part.error, failures=part.failures, next_try=next_try)

    def write_health(self, *, at_once: bool = False) -> None:
        """Write the health into its file, at once if it has changed, else now and then."""
        now = self.now()
        recent = self._written is not None and 0 <= (now - self._written).total_seconds() < WRITTEN_EACH
        if self.file is None or (recent and not (self._changed or at_once)):
            return
        with suppress(OSError):  # where the disk is full, this is not what matters
            self.health.write_file(self.file)
        self._written, self._changed = now, False
