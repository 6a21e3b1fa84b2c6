"""Claims on letters of a database of SQLite: locks on files beside it. A claim ends with the process that has it, however it dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from zlib import crc32

from tkid.host.privacy import opener

SENDING = ".sending"
"""What the name of a file ends with that everybody locks who sends letters, together, and who keeps others from it, alone."""
AT_ONCE = 8
"""So many letters are sent at once at most: those about a game have one of so many locks, by its name."""
FILES = (SENDING, *(f"{SENDING}-{place}" for place in range(AT_ONCE)))
"""What the names of all these files end with."""


@contextmanager
def claimed(database: str, about: str) -> Iterator[bool]:
    """Claim the letters about a game; whether nobody else has them, or some with the same lock, or keeps all from sending."""
    with (
        _locked(database + SENDING, LOCK_SH | LOCK_NB) as is_open,
        _locked(f"{database}{SENDING}-{crc32(about.encode()) % AT_ONCE}", LOCK_EX | LOCK_NB) as is_mine,
    ):
        yield is_open and is_mine


@contextmanager
def nobody_sends(database: str) -> Iterator[None]:
    """Wait until nobody sends letters, and keep everybody from it."""
    with _locked(database + SENDING, LOCK_EX):
        yield


@contextmanager
def _locked(path: str, operation: int) -> Iterator[bool]:
    """Lock a file; whether that could be done."""
    with open(path, "wb", opener=opener) as lock:
        try:
            flock(lock, operation)
        except BlockingIOError:
            yield False
            return
        yield True
