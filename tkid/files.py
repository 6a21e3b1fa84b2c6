"""Read and write files safely: whole or not at all, under a limit, private to their owner."""

from __future__ import annotations

import builtins
import errno
import os
import select
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from time import sleep
from typing import IO

MAX_GAME_FILE = 16 << 20
"""Maximum number of bytes of a game file."""
PRIVATE = 0o600
"""Mode of a file that only its owner may read."""
OTHERS = 0o077
"""Rights of everybody but the owner."""
AT_ONCE = getattr(os, "O_NONBLOCK", 0)
"""Open a file without waiting for anybody."""
UNNAMED = getattr(os, "O_TMPFILE", 0)
"""Open a file without a name, if the system is Linux."""
DESCRIPTORS = Path("/proc/self/fd")
CHUNK = 1 << 20
PATIENCE = 5.0
"""Seconds in which somebody has to begin to write to a pipe, or to read from it."""
PAUSE = 0.1
HAS_MODES = os.name == "posix"
"""True if modes decide who may read a file; on Windows the permissions of its folder do."""


def is_device(path: Path) -> bool:
    """Return True if a path names a device, a pipe or the like: it is written to, and never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def read_limited(path: Path, most: int) -> bytes:
    """Return the bytes of a file, pipe or device; of one that has more than `most`, one more. Raises OSError.

    A pipe is waited for while somebody has it open to write; others may write to it within `PATIENCE`.
    """
    if path.is_socket():
        raise OSError(errno.ENXIO, "this is a socket, not a file", str(path))
    with open_at_once(path) as file:
        mode = os.fstat(file.fileno()).st_mode
        first = _read_first_bytes(path, file) if stat.S_ISFIFO(mode) else b""
        if AT_ONCE and not stat.S_ISREG(mode):
            os.set_blocking(file.fileno(), True)
        return read_open(path, file, most, first)


def open_at_once(path: Path) -> FileIO:
    """Open a file to read, without waiting for anybody. Raises OSError."""
    return builtins.open(path, "rb", buffering=0, opener=lambda name, flags: os.open(name, flags | AT_ONCE))


def read_open(path: Path, file: FileIO, most: int, first: bytes = b"") -> bytes:
    """Return the rest of an open file, up to one byte more than `most`. Raises OSError."""
    data = bytearray(first)
    try:
        while len(data) <= most and (chunk := file.read(min(CHUNK, most + 1 - len(data)))):
            data += chunk
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    if not data and chunk is None:
        raise OSError(errno.EAGAIN, "nothing can be read from it now", str(path))
    return bytes(data)


def _read_first_bytes(path: Path, pipe: FileIO) -> bytes:
    """Read what is in a pipe, after somebody has opened it to write. Raises OSError without a writer."""
    data = pipe.read(CHUNK)
    if data == b"":
        watched = select.poll()
        watched.register(pipe.fileno(), select.POLLIN)
        came = watched.poll(PATIENCE * 1000)
        data = pipe.read(CHUNK)
        if data == b"" and not came:
            raise OSError(errno.ETIMEDOUT, "this is a pipe, and nobody writes to it", str(path))
    return data or b""  # None: somebody has it open and has written nothing yet


def _open_to_write(name: str, flags: int) -> int:
    """Open a device or a pipe, which somebody has to begin to read. Raises OSError."""
    for _ in range(1 + int(PATIENCE / PAUSE)):
        try:
            handle = os.open(name, flags | AT_ONCE)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            sleep(PAUSE)
        else:
            if AT_ONCE:
                os.set_blocking(handle, True)
            return handle
    raise OSError(errno.ETIMEDOUT, "this is a pipe, and nobody reads from it", name)


@contextmanager
def open_whole_file(path: Path, mode: int = PRIVATE, *, lasting: bool = True) -> Iterator[IO[bytes]]:
    """Open a file to write that takes its place when all is written. If writing fails, the old file stays.

    If the system allows it, the new file has no name before, so that a process that dies leaves nothing. With `lasting`, it
    is on disk at the end, even if the machine fails. Raises OSError.
    """
    if is_device(path):
        with builtins.open(path, "wb", opener=_open_to_write) as device:
            yield device
        return
    unnamed = _open_unnamed(path.parent)
    try:
        if unnamed is not None:
            handle, name = unnamed, str(path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp"))
        else:
            handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # not the temporary file
    written = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            if lasting:
                file.flush()
                os.fsync(file.fileno())
            if unnamed is not None:
                file.flush()
                os.link(f"{DESCRIPTORS}/{handle}", written, src_dir_fd=handle, follow_symlinks=True)
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


def _open_unnamed(folder: Path) -> int | None:
    """Open a file in a folder that has no name yet; None where the system or the disk has no such files."""
    if UNNAMED and DESCRIPTORS.is_dir():
        with suppress(OSError):
            return os.open(folder, UNNAMED | os.O_WRONLY, PRIVATE)
    return None


def sync_folder(folder: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_open_to_others(found: os.stat_result) -> bool:
    """Return True if others have any right to a file or folder; False where files have no modes."""
    return HAS_MODES and bool(found.st_mode & OTHERS)
