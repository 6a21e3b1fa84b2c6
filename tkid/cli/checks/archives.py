"""Where the game files of a command come from: files, folders, zip and tar archives, and lines of JSON."""

from __future__ import annotations

import json
import os
import stat
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tkid.cli.support import DEAL, GAME, os_error_text
from tkid.cli.support.files import STDIN, read_bytes, read_lines
from tkid.cli.support.sources import NO_FILE, is_position
from tkid.files import is_device
from tkid.record.format.lines import lines_of

MOST_BYTES = 16_000_000
"""Maximum size of a game file in an archive. A small archive can hold gigabytes of zeros."""
MOST_PACKED = 20
"""How many times as large as an archive its content may be, if it is larger than `MOST_BYTES`. Game files never pack as well as that."""
SIGNATURES = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ": "lzma", b"]\0\0": "lzma"}
"""How packed files begin, and the module that unpacks them."""
NOTHING_THERE = "there is no game file in it"
LEADS_OUT = "this link leads out of the folder, and tkid doesn't follow it"
LINKED = "this is a link, and tkid follows no links in archives"
TOO_LARGE = f"this is more than {MOST_BYTES // 1_000_000} MB, and no game file"
NO_PLAIN_FILE = "this is neither a file nor a folder"
DAMAGED = "this archive is damaged"


class LimitError(Exception):
    """An archive holds more than it may: what is wrong."""


class Source(NamedTuple):
    """A game file: what it is called, and its bytes, or else why it cannot be read."""

    name: str
    data: bytes = b""
    error: str = ""

    @property
    def has_deal(self) -> bool:
        """Whether the deal of the game is beside its file."""
        try:
            return Path(self.name).with_suffix(DEAL).exists()
        except (OSError, ValueError):  # the name that a line of JSON gives is none of a file
            return False


def sources(names: Iterable[str]) -> Iterator[Source]:
    """All game files that some names stand for, one after the other, none of them read before it is asked for.

    A folder stands for the game files in it and in the folders below, in the order of their names; an archive for
    the game files in it; a file that ends in .jsonl for a game on each line.
    """
    for name in names:
        yield from _of(name)


def listed(file: str) -> Iterator[str]:
    """The names that stand in a file, one on each line or each with a zero byte behind it; `-` is standard input. Raises OSError."""
    for line in read_lines(file):
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
        yield from _whole(name, _in_folder(name))
        return
    read = next((read for ending, read in READERS.items() if name.lower().endswith(ending)), None)
    if read is None:
        yield _file(name)
    elif is_device(Path(name)):
        yield Source(name, error=NO_PLAIN_FILE)
    else:
        yield from _whole(name, read(name))


def _in_folder(folder: str) -> Iterator[Source]:
    """The game files in a folder and the folders below. Links that lead out of it are not followed."""
    top = os.path.realpath(folder)
    found = []
    for parent, folders, files in os.walk(folder):
        linked = [name for name in folders if (Path(parent) / name).is_symlink()]
        found += [str(Path(parent) / name) for name in (*linked, *files) if name in linked or name.endswith(GAME)]
    for name in sorted(found):
        path = Path(name)
        if path.is_symlink() and not Path(os.path.realpath(name)).is_relative_to(top):
            yield Source(name, error=LEADS_OUT)
        elif path.exists() and not path.is_file():
            if not path.is_dir():
                yield Source(name, error=NO_PLAIN_FILE)
        else:
            yield _file(name)


def _file(name: str) -> Source:
    """A file by its name. Of what a link leads to, only a game file is shown: whoever made the link may want to see something else."""
    try:
        data = read_bytes(name)
        if name != STDIN and Path(name).is_symlink() and lines_of(data)[1]:
            return Source(name, error="this link doesn't lead to a game file")
        return Source(name, data)
    except OSError as error:
        return Source(name, error=os_error_text(error).removeprefix(f"{name}: "))


def _whole(name: str, found: Iterator[Source]) -> Iterator[Source]:
    """What is found in an archive, and last why it cannot be read on, where that is so."""
    count = 0
    try:
        for source in found:
            yield source
            count += 1
    except Exception as error:  # noqa: BLE001 - damaged archives make the libraries raise almost anything
        why = _reason(error)
        yield Source(name, error=f"{why}{f', behind {count} games' if count else ''}")
        return
    if not count:
        yield Source(name, error=NOTHING_THERE)


def _reason(error: Exception) -> str:
    """Why an archive, or a file in it, can't be read."""
    if isinstance(error, LimitError):
        return str(error)
    return error.strerror if isinstance(error, OSError) and error.strerror else DAMAGED


class _Limited:
    """What is read of an archive, up to a limit that depends on the archive's size. Raises LimitError beyond it."""

    def __init__(self, name: str, file: Any = None) -> None:
        self.most = max(MOST_BYTES, MOST_PACKED * Path(name).stat().st_size)
        self.file, self.left = file, self.most

    def take(self, size: int) -> None:
        """Count bytes before they are read, or as they are."""
        self.left -= size
        if self.left < 0:
            raise LimitError(f"unpacked this is more than {self.most // 1_000_000} MB, so tkid stops here")

    def read(self, size: int) -> bytes:
        """Read bytes of the file."""
        data: bytes = self.file.read1(size)
        self.take(len(data))
        return data


def _zipped(name: str) -> Iterator[Source]:
    from zipfile import ZipFile

    with ZipFile(name) as archive:
        limited = _Limited(name)
        for entry in archive.infolist():
            if entry.is_dir() or not entry.filename.lower().endswith(GAME):
                continue
            called = f"{name}/{entry.filename}"
            if entry.file_size > MOST_BYTES:
                yield Source(called, error=TOO_LARGE)
            elif stat.S_ISLNK(entry.external_attr >> 16):
                yield Source(called, error=LINKED)
            else:
                limited.take(entry.file_size)
                yield _read(called, lambda entry=entry: archive.read(entry))  # type: ignore[misc]


def _read(name: str, read: Callable[[], bytes]) -> Source:
    """A file in an archive. If it is damaged, others may be read."""
    try:
        return Source(name, read())
    except Exception as error:  # noqa: BLE001 - damaged archives make the libraries raise almost anything
        reason = "this is encrypted" if "encrypted" in str(error) else "this is damaged"
        return Source(name, error=f"{reason}, or packed in a way that tkid doesn't know")


def _tarred(name: str) -> Iterator[Source]:
    import tarfile

    with (
        Path(name).open("rb") as packed,
        tarfile.open(fileobj=_unpacked(name, packed), mode="r|") as archive,
    ):
        for entry in archive:
            called = f"{name}/{entry.name}"
            if not entry.name.lower().endswith(GAME) or entry.isdir():
                continue
            if not entry.isfile():
                yield Source(called, error=LINKED)
            elif entry.size > MOST_BYTES:
                yield Source(called, error=TOO_LARGE)
            elif (file := archive.extractfile(entry)) is not None:
                yield Source(called, file.read())


def _unpacked(name: str, file: Any) -> Any:
    """An archive that may be packed, as it is unpacked up to its limit."""
    from importlib import import_module

    begins = file.peek(6)
    module = next((module for signature, module in SIGNATURES.items() if begins.startswith(signature)), None)
    return _Limited(name, import_module(module).open(file) if module else file)


def _lines(name: str) -> Iterator[Source]:
    """A game on each line: an object with its text as `record` and, if it has one, its name as `file`; or the text alone."""
    with Path(name).open("rb") as lines:
        number = 0
        while line := lines.readline(2 * MOST_BYTES):
            number += 1
            place = f"{name}:{number}"
            if len(line) == 2 * MOST_BYTES and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = lines.readline(MOST_BYTES)
                yield Source(place, error=TOO_LARGE)
            elif line.strip():
                yield _line(place, line)


def _line(place: str, line: bytes) -> Source:
    """The game on a line of JSON."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Source(place, error="this line is not JSON")
    game = value if isinstance(value, dict) else {"record": value}
    text, called = game.get("record"), game.get("file", place)
    if not isinstance(text, str):
        return Source(place, error="an object with the game's text as `record` belongs here")
    if not isinstance(called, str):
        return Source(place, error="`file` has to be a name, in quotes, or has to be left out")
    return Source(called.encode("utf-8", "replace").decode(), text.encode("utf-8", "surrogatepass"))


READERS: Mapping[str, Callable[[str], Iterator[Source]]] = {
    ".zip": _zipped,
    **dict.fromkeys((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"), _tarred),
    ".jsonl": _lines,
}
"""What reads the files whose names end so."""
