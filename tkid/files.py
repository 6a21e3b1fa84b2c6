"""Files that are written whole or not at all: a reader finds the old one or the new one. And who else may read a file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

PRIVATE = 0o600
"""The mode of a file that nobody but its owner may read."""
OTHERS = 0o077
"""The rights of everybody but the owner."""
HAS_MODES = os.name == "posix"
"""Whether modes decide who may read a file; on Windows the permissions of its folder do."""


def is_device(path: Path) -> bool:
    """Whether something that is no file and no folder has a name, such as a device or a pipe: it is written to, and never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def whole_file(path: Path, mode: int = PRIVATE, *, lasting: bool = True) -> Iterator[IO[bytes]]:
    """A file to write, which takes its place when all is written; where writing fails, what was there stays.

    With `lasting`, it is on disk then, whatever happens to the machine. Raises OSError.
    """
    if is_device(path):
        with path.open("wb") as device:
            yield device
        return
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # and not the name of a file that nobody knows
    written = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        if mode != PRIVATE:  # as which it was made
            written.chmod(mode)
        written.replace(path)
    except BaseException:
        with suppress(OSError):
            written.unlink()
        raise
    if lasting:
        # The file is in its place. Where its name alone cannot be brought to disk, nothing has failed.
        with suppress(OSError):
            sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to disk, where the system can. Raises OSError."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def others_read(found: os.stat_result) -> bool:
    """Whether others have any right to a file or folder, by what is known of it; false where files have no modes."""
    return HAS_MODES and bool(found.st_mode & OTHERS)
