"""Where the game files of a command come from: files, folders, zip and tar archives, and lines of JSON."""

from __future__ import annotations

import json
import sys
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tkid.cli.support import GAME, os_error_text
from tkid.cli.support.files import STDIN, read_bytes
from tkid.cli.support.sources import NO_FILE, is_position

MOST_BYTES = 16_000_000
"""A game file in an archive is not larger: whoever packs zeros makes gigabytes of a small file."""


class _DamagedError(Exception):
    """An archive is none, or damaged."""


DAMAGED = (_DamagedError, OSError, EOFError, zlib.error, NotImplementedError, RuntimeError)
"""What reading an archive raises that is damaged, or packed in a way that is not known."""
NOTHING_THERE = "there is no game file in it"


class Source(NamedTuple):
    """A game file: what it is called, and its bytes, or else why it cannot be read."""

    name: str
    data: bytes = b""
    error: str = ""


def sources(names: Iterable[str]) -> Iterator[Source]:
    """All game files that some names stand for, one after the other, none of them read before it is asked for.

    A folder stands for the game files in it and in the folders below, in the order of their names; an archive for
    the game files in it; a file that ends in .jsonl for a game on each line.
    """
    for name in names:
        yield from _of(name)


def listed(file: str) -> Iterator[str]:
    """The names that stand in a file, one on each line or each with a zero byte behind it; `-` is standard input. Raises OSError."""
    with Path(file).open("rb") if file != STDIN else sys.stdin.buffer as lines:
        for line in lines:
            for name in line.removeprefix(BOM_UTF8).decode("utf-8", "surrogateescape").rstrip("\r\n").split("\0"):
                if name:
                    yield name


def _of(name: str) -> Iterator[Source]:
    """What one name stands for."""
    if is_position(name):
        yield Source(name, error=NO_FILE)
        return
    if not name:
        yield Source("``", error="a name of a file belongs here, and this one is empty")
        return
    if name != STDIN and Path(name).is_dir():
        files = sorted(str(file) for file in Path(name).rglob(f"*{GAME}") if not file.is_dir())
        yield from _whole(name, map(_file, files))
        return
    read = next((read for ending, read in READERS.items() if name.lower().endswith(ending)), None)
    if read is None:
        yield _file(name)
    else:
        yield from _whole(name, read(name))


def _file(name: str) -> Source:
    try:
        return Source(name, read_bytes(name))
    except OSError as error:
        return Source(name, error=os_error_text(error).removeprefix(f"{name}: "))


def _whole(name: str, found: Iterator[Source]) -> Iterator[Source]:
    """What is found in an archive, and last why it cannot be read on, where that is so."""
    count = 0
    try:
        for source in found:
            yield source
            count += 1
    except DAMAGED as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "this archive is damaged"
        yield Source(name, error=f"{why}{f', behind {count} games' if count else ''}")
        return
    if not count:
        yield Source(name, error=NOTHING_THERE)


@contextmanager
def _damaged(kind: type[Exception]) -> Iterator[None]:
    """Raise _DamagedError for what a library raises that is loaded only where an archive is read."""
    try:
        yield
    except kind as error:
        raise _DamagedError from error


def _zipped(name: str) -> Iterator[Source]:
    from zipfile import BadZipFile, ZipFile

    with _damaged(BadZipFile), ZipFile(name) as archive:
        for entry in archive.infolist():
            if entry.is_dir() or not entry.filename.lower().endswith(GAME):
                continue
            with archive.open(entry) as file:
                yield _limited(f"{name}/{entry.filename}", file.read(MOST_BYTES + 1))


def _tarred(name: str) -> Iterator[Source]:
    import tarfile

    with _damaged(tarfile.TarError), tarfile.open(name, "r|*") as archive:
        for entry in archive:
            file = archive.extractfile(entry) if entry.isfile() and entry.name.lower().endswith(GAME) else None
            if file is not None:
                yield _limited(f"{name}/{entry.name}", file.read(MOST_BYTES + 1))


def _limited(name: str, data: bytes) -> Source:
    if len(data) > MOST_BYTES:
        return Source(name, error=f"this is more than {MOST_BYTES // 1_000_000} MB, and no game file")
    return Source(name, data)


def _lines(name: str) -> Iterator[Source]:
    """A game on each line: an object with its text as `record` and, if it has one, its name as `file`; or the text alone."""
    with Path(name).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            place = f"{name}:{number}"
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                yield Source(place, error="this line is not JSON")
                continue
            game = value if isinstance(value, dict) else {"record": value}
            text, called = game.get("record"), game.get("file", place)
            if not isinstance(text, str):
                yield Source(place, error="an object with the game's text as `record` belongs here")
            elif not isinstance(called, str):
                yield Source(place, error="`file` has to be a name, in quotes, or has to be left out")
            else:
                yield Source(called, text.encode("utf-8", "surrogatepass"))


READERS: Mapping[str, Callable[[str], Iterator[Source]]] = {
    ".zip": _zipped,
    **dict.fromkeys((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"), _tarred),
    ".jsonl": _lines,
}
"""What reads the files whose names end so."""
