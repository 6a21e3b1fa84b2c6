"""Game files in folders and archives: read one after the other, and worked on by several processes or a cluster."""

from __future__ import annotations

import json
import os
import stat
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tkid.cli.files import STDIN, read_bytes, read_lines
from tkid.cli.game_source import NO_FILE, is_position
from tkid.cli.printing import DEAL, GAME, os_error_text
from tkid.files import is_device
from tkid.record.format.model import read_file_lines

T = TypeVar("T")
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
        try:
            return Path(self.name).with_suffix(DEAL).exists()
        except (OSError, ValueError):  # the name in a line of JSON can't be that of a file
            return False


def find_sources(names: Iterable[str]) -> Iterator[Source]:
    """Yield all game files behind the names, and read each only when its turn comes.

    A folder gives all game files in it and in the folders below, in the order of their names; an archive the game
    files in it; a file that ends in .jsonl a game from each line.
    """
    for name in names:
        yield from _find_sources_of(name)


def read_file_names(file: str) -> Iterator[str]:
    """Yield the names in a file (`-` is standard input), each on a line or before a zero byte. Raises OSError."""
    for line in read_lines(file):
        for name in line.removeprefix(BOM_UTF8).decode("utf-8", "surrogateescape").rstrip("\r\n").split("\0"):
            if name:
                yield name


def _find_sources_of(name: str) -> Iterator[Source]:
    if is_position(name):
        yield Source(name, error=NO_FILE)
        return
    if not name:
        yield Source("``", error="this name of a file is empty")
        return
    if name != STDIN and Path(name).is_dir():
        yield from _read_all(name, _search_folder(name))
        return
    read = next((read for ending, read in READERS.items() if name.lower().endswith(ending)), None)
    if read is None:
        yield _read_file(name)
    elif is_device(Path(name)):
        yield Source(name, error=NO_PLAIN_FILE)
    else:
        yield from _read_all(name, read(name))


def _search_folder(folder: str) -> Iterator[Source]:
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
            yield _read_file(name)


def _read_file(name: str) -> Source:
    """Read a file by its name; a link only if it leads to a game file, as its maker may want to see other files."""
    try:
        data = read_bytes(name)
        if name != STDIN and Path(name).is_symlink() and read_file_lines(data)[1]:
            return Source(name, error="this link doesn't lead to a game file")
        return Source(name, data)
    except OSError as error:
        return Source(name, error=os_error_text(error).removeprefix(f"{name}: "))


def _read_all(name: str, found: Iterator[Source]) -> Iterator[Source]:
    """Yield the sources of an archive, and at the end the reason if it cannot be read to its end."""
    count = 0
    try:
        for source in found:
            yield source
            count += 1
    except Exception as error:  # noqa: BLE001 - damaged archives make the libraries raise almost anything
        why = _explain_error(error)
        yield Source(name, error=f"{why}{f', behind {count} games' if count else ''}")
        return
    if not count:
        yield Source(name, error=NOTHING_THERE)


def _explain_error(error: Exception) -> str:
    if isinstance(error, LimitError):
        return str(error)
    return error.strerror if isinstance(error, OSError) and error.strerror else DAMAGED


class _LimitedReader:
    """Reader of an archive, up to a limit that depends on the archive's size. Raises LimitError beyond it."""

    def __init__(self, name: str, file: Any = None) -> None:
        self.most = max(MOST_BYTES, MOST_PACKED * Path(name).stat().st_size)
        self.file, self.left = file, self.most

    def take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise LimitError(f"unpacked this is more than {self.most // 1_000_000} MB, so tkid stops here")

    def read(self, size: int) -> bytes:
        data: bytes = self.file.read1(size)
        self.take(len(data))
        return data


def _read_zip(name: str) -> Iterator[Source]:
    from zipfile import ZipFile

    with ZipFile(name) as archive:
        limited = _LimitedReader(name)
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
                yield _read_entry(called, lambda entry=entry: archive.read(entry))  # type: ignore[misc]


def _read_entry(name: str, read: Callable[[], bytes]) -> Source:
    try:
        return Source(name, read())
    except Exception as error:  # noqa: BLE001 - damaged archives make the libraries raise almost anything
        reason = "this is encrypted" if "encrypted" in str(error) else "this is damaged"
        return Source(name, error=f"{reason}, or packed in a way that tkid doesn't know")


def _read_tar(name: str) -> Iterator[Source]:
    import tarfile

    with Path(name).open("rb") as packed, tarfile.open(fileobj=_unpack_archive(name, packed), mode="r|") as archive:
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


def _unpack_archive(name: str, file: Any) -> Any:
    from importlib import import_module

    begins = file.peek(6)
    module = next((module for signature, module in SIGNATURES.items() if begins.startswith(signature)), None)
    return _LimitedReader(name, import_module(module).open(file) if module else file)


def _read_game_lines(name: str) -> Iterator[Source]:
    """Yield the game of each line: an object with a text as `record` and perhaps a name as `file`, or the text."""
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
                yield _read_game_line(place, line)


def _read_game_line(place: str, line: bytes) -> Source:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Source(place, error="this line is not JSON")
    game = value if isinstance(value, dict) else {"record": value}
    text, called = game.get("record"), game.get("file", place)
    if not isinstance(text, str):
        return Source(place, error="this has to be an object with the game's text as `record`")
    if not isinstance(called, str):
        return Source(place, error="`file` has to be a name, in quotes, or has to be left out")
    return Source(called.encode("utf-8", "replace").decode(), text.encode("utf-8", "surrogatepass"))


READERS: Mapping[str, Callable[[str], Iterator[Source]]] = {
    ".zip": _read_zip,
    **dict.fromkeys((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"), _read_tar),
    ".jsonl": _read_game_lines,
}


TOGETHER = 32
"""Game files that are checked together by one process."""
BATCH_BYTES = 4_000_000
"""A batch that is as large as this gets no more files."""
AHEAD = 4
"""Files that are read ahead, for each one that is being checked: an archive may be larger than the memory."""


def map_sources(work: Callable[[Source], T], sources: Iterable[Source], jobs: int) -> Iterator[T]:
    """Work on game files, in as many processes as `jobs` says (0: as the machine has cores); yield the results in order."""
    files = iter(sources)
    jobs = jobs or count_cores()
    first = _take_batch(files) if jobs > 1 else []
    if len(first) < TOGETHER:
        yield from map(work, chain(first, files))
        return
    from concurrent.futures import Future, ProcessPoolExecutor

    batches = chain([first], iter(lambda: _take_batch(files), []))
    with ProcessPoolExecutor(jobs) as pool:
        waiting = deque[Future[list[T]]]()
        for batch in batches:
            waiting.append(pool.submit(_work_on_batch, work, batch))
            if len(waiting) > AHEAD * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _take_batch(files: Iterator[Source]) -> list[Source]:
    batch, size = list[Source](), 0
    while len(batch) < TOGETHER and size < BATCH_BYTES and (source := next(files, None)):
        batch.append(source)
        size += len(source.data)
    return batch


def count_cores() -> int:
    """Count the cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _work_on_batch(work: Callable[[Source], T], sources: list[Source]) -> list[T]:
    return list(map(work, sources))
