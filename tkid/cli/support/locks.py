"""One writer of a file at a time. The lock ends with the program that holds it, on every system."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tkid.cli.support.files import read_bytes
from tkid.files import open_at_once, read_open
from tkid.record.format.lines import MOST_BYTES

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    fcntl = None  # type: ignore[assignment]


class BusyError(Exception):
    """Somebody else is writing the file."""


@contextmanager
def locked(path: Path) -> Iterator[bytes]:
    """The bytes of a file that nobody else writes meanwhile. Raises BusyError, OSError."""
    found = path.stat()  # raises what is wrong with the file itself, not with its lock
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a file", str(path))
    if fcntl is None:
        with _lock_beside(path.resolve()):
            yield read_bytes(path)
        return
    while True:
        with open_at_once(path) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BusyError(path) from None
            if not _same(file.fileno(), path):
                continue  # replaced between opening and locking: take the new one
            yield read_open(path, file, MOST_BYTES)
            return


def _same(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def _lock_beside(path: Path) -> Iterator[None]:
    """Lock a file of its own beside a file, as Windows never replaces a file that is open. Raises BusyError, OSError."""
    beside = path.with_name(f".{path.name}.lock")
    lock = beside.open("ab")
    try:
        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined] # known on Windows only
    except OSError:
        lock.close()
        raise BusyError(path) from None
    try:
        yield
    finally:
        msvcrt.locking(lock.fileno(), msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined]
        lock.close()
        with suppress(OSError):  # the next writer may have opened it by now, and removes it then
            beside.unlink()
