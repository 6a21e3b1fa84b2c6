"""Files: reading records, and writing them without ever losing one."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import typer

from tkid.files import MAX_GAME_FILE, PRIVATE, is_device, read_limited, whole_file

STDIN = "-"
OWN_FILES = "files.json"
MOST_LISTED = 4 * MAX_GAME_FILE
"""Bytes of a list of files that are read."""
written: list[Path] = []
"""The files that this command has written."""


def read_bytes(name: str | Path, most: int = MAX_GAME_FILE) -> bytes:
    """The bytes of a file, or of standard input for `-`; of more than `most`, one more. Raises OSError."""
    return sys.stdin.buffer.read(most + 1) if name == STDIN else read_limited(Path(name), most)


def read_lines(name: str | Path) -> Iterator[bytes]:
    """The lines of a file, or of standard input for `-`, each as it comes. Raises OSError, also at a line that is far too long."""
    lines = BytesIO(read_bytes(name, MOST_LISTED)) if name != STDIN else sys.stdin.buffer
    while line := lines.readline(2 * MAX_GAME_FILE):
        if len(line) == 2 * MAX_GAME_FILE:
            raise OSError(errno.EFBIG, f"a line has more than {2 * MAX_GAME_FILE} bytes", str(name))
        yield line


def write_atomically(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Put a text, or bytes, in a file's place: whole or not at all, on disk when this returns. Raises OSError.

    What is `private` nobody but its owner may read; other files keep the rights that they have.
    """
    named = path
    if not is_device(path):
        try:
            path = path.resolve()
        except RuntimeError:  # links in a circle
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    if path.exists() and not os.access(path, os.W_OK):  # replacing needs no such right, but its owner said no
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    mode = PRIVATE if private else path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
    with whole_file(path, mode) as file:
        file.write(content.encode() if isinstance(content, str) else content)
    written.append(named)


def create(path: Path, text: str, *, private: bool = False) -> None:
    """Write a new file, whole or not at all; what is `private` only its owner may read. Raises FileExistsError, OSError."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE if private else 0o666))
    try:
        write_atomically(path, text)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def settings_file() -> Path:
    """Return the file among the user's settings."""
    return Path(typer.get_app_dir("tkid")) / OWN_FILES
