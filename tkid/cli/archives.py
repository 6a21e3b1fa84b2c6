"""Find and read game files in folders and archives, and work on them in processes or a cluster."""

from __future__ import annotations

import json
import os
import stat
from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from time import perf_counter
from typing import IO, TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

import typer
from typer import Argument, Option

from tkid import __version__
from tkid.cli.files import NO_FILE, STDIN, check_apart, check_output, is_position, read_bytes, read_lines
from tkid.cli.printing import (
    DEAL,
    GAME,
    STOPPED,
    UNREADABLE,
    describe_failure,
    fail,
    json_text,
    offer,
    os_error_text,
    show_progress,
    stop_on_os_error,
)
from tkid.files import is_device
from tkid.notation.text import count_noun, single_space
from tkid.render.lines import log_text

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tkid.record.play.replay import Replay

T = TypeVar("T")
MANY = "Game files, folders, zip or tar archives, or .jsonl files. - reads standard input."
"""Help for the argument of a command that reads many games."""
Files = Annotated[list[str], Argument(help=MANY)]
JobsOption = Annotated[int, Option("--jobs", min=0, help="The number of processes. 0: one for each core.")]
ResumeOption = Annotated[bool, Option("--resume", help="Continue the output of a run that was stopped.")]
LinesOption = Annotated[bool, Option("--jsonl", help="Print a line of JSON for each game.")]
LinesFile = Annotated[
    Path | None, Option("--output", "-o", help="The file to write lines of JSON to. Default: standard output.")
]
OnOption = Annotated[
    str,
    offer("dask://", "ray://")(
        "--on", metavar="ADDRESS", help="Work on a cluster: dask://HOST:PORT or ray://HOST:PORT."
    ),
]
MOST_BYTES = 16_000_000
"""Maximum size of a game file in an archive. A small archive can hold gigabytes of zeros."""
MOST_PACKED = 20
"""Maximum ratio of an archive's content to its size, if the content is larger than `MOST_BYTES`. Game files never pack as well as that."""
SIGNATURES = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ": "lzma", b"]\0\0": "lzma"}
"""First bytes of packed files, and the module that unpacks them."""
LEFT = "Stopped. To continue, add --resume."
LINE_BEGINS = b'{"file": "'
NOTHING_THERE = "there is no game file in it"
LEADS_OUT = "this link leads out of the folder, and tkid doesn't follow it"
LINKED = "this is a link, and tkid follows no links in archives"
MAILDIR = frozenset({"cur", "new", "tmp"})
"""Folders of a Maildir, which holds mails and no games, whatever the files are called."""
TOO_LARGE = f"this is more than {MOST_BYTES // 1_000_000} MB, and no game file"
NO_PLAIN_FILE = "this is neither a file nor a folder"
DAMAGED = "this archive is damaged"


class Workers(NamedTuple):
    """A number of workers, and the function that submits a call to one; `.result()` waits for its return value."""

    number: int
    submit: Callable[..., Any]


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
        read = next((read for ending, read in READERS.items() if name.lower().endswith(ending)), None)
        if is_position(name):
            yield Source(name, error=NO_FILE)
        elif not name:
            yield Source("``", error="this name of a file is empty")
        elif name != STDIN and Path(name).is_dir():
            yield from _read_all(name, _search_folder(name))
        elif read is None:
            yield _read_file(name)
        elif is_device(Path(name)):
            yield Source(name, error=NO_PLAIN_FILE)
        else:
            yield from _read_all(name, read(name))


def read_file_names(file: str) -> Iterator[str]:
    """Yield the names in a file (`-` is standard input), each on a line or before a zero byte. Raises OSError."""
    for line in read_lines(file):
        for name in line.removeprefix(BOM_UTF8).decode("utf-8", "surrogateescape").rstrip("\r\n").split("\0"):
            if name:
                yield name


def _search_folder(folder: str) -> Iterator[Source]:
    top = os.path.realpath(folder)
    found = []
    for parent, folders, files in os.walk(folder):
        if MAILDIR.issubset(folders):
            folders[:] = [name for name in folders if name not in MAILDIR]
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
    from tkid.record.format.model import read_file_lines

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
        why = str(error) if isinstance(error, LimitError) else getattr(error, "strerror", None) or DAMAGED
        yield Source(name, error=f"{why}{f', behind {count} games' if count else ''}")
        return
    if not count:
        yield Source(name, error=NOTHING_THERE)


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


ALONE, SPELL = 0.25, 0.75
"""Seconds of work before other processes of this machine help, and of work in a batch: Dask spends about 8 ms of the processor on each."""
MOST_TOGETHER = 2048
"""Maximum number of game files in a batch."""
BATCH_BYTES = 4_000_000
"""A batch that is as large as this gets no more files."""
TRIES = 3
"""Maximum number of workers that get the same files, if workers die of them."""
PATIENCE = 10
"""Seconds in which a cluster has to answer."""
AHEAD = 2
"""Batches that wait at a worker, and that are read ahead for it: an archive may be larger than the memory."""
LAST = 8
"""At the end, batches become shorter, down to this part: no worker has a long one while others have none."""


def map_sources(
    work: Callable[[Source], T], sources: Iterable[Source], jobs: int, on: str = "", *, slow: bool = False
) -> Iterator[T]:
    """Work on game files, in `jobs` processes (0: one for each core) or on a cluster (`--on`); yield the results in order.

    If each file is `slow`, other processes help at once. If a worker dies, another one does its work.
    """
    files, most, spent = iter(sources), 1, 0.0
    affinity = getattr(os, "sched_getaffinity", None)
    jobs = jobs or (len(affinity(0)) if affinity else os.cpu_count() or 1)
    while not on and (jobs == 1 or (spent < ALONE and not slow)):
        if (source := next(files, None)) is None:
            return
        seconds, found = work_on_batch(work, __version__, [source])
        spent += seconds
        yield from found
        most = _limit_batch(1, seconds)
    from concurrent.futures import BrokenExecutor, CancelledError

    waiting, begun, tries = deque[list[Source]](), deque[list[Source]](), TRIES
    while True:
        try:
            with _open_workers(jobs, on) as workers:
                ask = partial(workers.submit, work_on_batch, work, __version__)
                answers = deque(map(ask, begun))
                while True:
                    while len(answers) <= AHEAD * workers.number and (
                        batch := _take_batch(files, waiting, most, workers.number)
                    ):
                        begun.append(batch)
                        answers.append(ask(batch))
                    if not answers:
                        return
                    seconds, found = answers.popleft().result()
                    yield from found
                    most, tries = _limit_batch(len(begun.popleft()), seconds), TRIES
        except CancelledError:
            fail("The cluster no longer answers. Start it again, and add --resume to continue.")
        except BrokenExecutor:
            tries -= 1
            if not tries:
                names = " to ".join(dict.fromkeys(log_text(begun[0][each].name) for each in (0, -1)))
                fail(f"A process ended {TRIES} times while it worked on {names}. Was there too little memory?")


def _limit_batch(done: int, seconds: float) -> int:
    """Return how many files are work for a spell, by the seconds that some took."""
    return max(1, min(MOST_TOGETHER, int(SPELL * done / max(seconds, 1e-9))))


@contextmanager
def _open_workers(jobs: int, on: str) -> Iterator[Workers]:
    """Open the workers of this machine or of a cluster, or end the command with the reason why that fails."""
    kind, _, address = on.partition("://")
    server, _, port = address.rpartition(":")
    if on and (kind not in CLUSTERS or not (server and port.isdecimal())):
        fail(f"--on {on}: write {' or '.join(f'{each}://HOST:PORT' for each in CLUSTERS)}.")
    with ExitStack() as stack:
        try:
            if on:
                from socket import create_connection

                create_connection((server, int(port)), PATIENCE).close()  # Ray would wait for minutes
                workers = stack.enter_context(CLUSTERS[kind](address))
            else:
                workers = Workers(jobs, stack.enter_context(_open_processes(jobs)).submit)
        except ImportError:
            fail(f"--on {on} needs {kind}: run pip install '.[cluster]' in a copy of the source.")
        except (OSError, OverflowError, RuntimeError, ValueError) as error:
            fail(f"--on {on}: no cluster answers there ({single_space(str(error))}).")
        yield workers


@contextmanager
def _open_processes(jobs: int) -> Iterator[Executor]:
    """Open processes of this machine. If the command stops, so do they: what they have begun would be lost anyway."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children

    others = {*active_children()}
    pool = ProcessPoolExecutor(jobs, initializer=_end_with_parent)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for each in {*active_children()} - others:
            each.terminate()
        raise
    pool.shutdown()


def _end_with_parent() -> None:
    """End this worker as soon as the command is killed: its results would be lost."""
    from multiprocessing import connection, parent_process
    from threading import Thread

    parent = parent_process()
    if parent is not None:
        watch = partial(connection.wait, [parent.sentinel])
        Thread(target=lambda: (watch(), os._exit(1)), daemon=True).start()


@contextmanager
def _open_dask(address: str) -> Iterator[Workers]:
    with import_module("distributed").Client(f"tcp://{address}", set_as_default=False) as client:
        count = sum(client.nthreads().values())
        yield Workers(max(1, count), partial(client.submit, pure=False, retries=TRIES))


@contextmanager
def _open_ray(address: str) -> Iterator[Workers]:
    ray = import_module("ray")
    with ray.init(address, log_to_driver=False):
        remote = ray.remote(max_retries=TRIES)(work_on_batch)
        count = int(ray.cluster_resources().get("CPU", 1))
        yield Workers(max(1, count), lambda _, *given: remote.remote(*given).future())


CLUSTERS: Mapping[str, Callable[[str], AbstractContextManager[Workers]]] = {"dask": _open_dask, "ray": _open_ray}


def _take_batch(files: Iterator[Source], waiting: deque[list[Source]], most: int, workers: int) -> list[Source]:
    """Take the next batch of at most so many files, a shorter one at the end; [] if there are no more files."""
    while len(waiting) < AHEAD * workers and (read := _read_batch(files, most)):
        waiting.append(read)
    batch = waiting.popleft() if waiting else []
    half = len(batch) // 2
    if len(waiting) < workers and half >= max(1, most // LAST):
        waiting.appendleft(batch[half:])
        return batch[:half]
    return batch


def _read_batch(files: Iterator[Source], most: int) -> list[Source]:
    batch, size = list[Source](), 0
    while len(batch) < most and size < BATCH_BYTES and (source := next(files, None)):
        batch.append(source)
        size += len(source.data)
    return batch


def work_on_batch(work: Callable[[Source], T], version: str, sources: list[Source]) -> tuple[float, list[T]]:
    """Work on some game files, in a worker; return the seconds that it took, and the results.

    Raises VersionError if the worker has another version than the one who asks.
    """
    if version != __version__:
        raise VersionError(f"A worker has tkid {__version__}, but this is tkid {version}. Install the same everywhere.")
    began = perf_counter()
    found = list(map(work, sources))
    return perf_counter() - began, found


class VersionError(Exception):
    """A worker of a cluster has another version."""


class GameLines(NamedTuple):
    """A command's result for a game file: rows of a table or of JSON lines and the exit code, or why the file can't be used."""

    name: str
    rows: Sequence[dict[str, Any]]
    code: int = 0
    error: str = ""


class UnusableError(Exception):
    """A game file can't be used: the reason."""


def play_source(source: Source) -> Replay:
    """Play the game of a file through. Raises UnusableError if it has no game, or mistakes."""
    from tkid.record.format.reader import read_record
    from tkid.record.play.validation import judge_record

    if source.error:
        raise UnusableError(source.error)
    read = read_record(source.data)
    problems, replay = judge_record(read)
    if replay is None or problems:
        if not read.readable:
            raise UnusableError(problems[0].message)
        raise UnusableError(f"{count_noun(len(problems), 'mistake')}, which `tkid check --all` shows")
    return replay


def find_lines(source: Source, find: Callable[[Source], GameLines]) -> GameLines:
    """Find out something about a game file; about one that can't be used, the reason."""
    try:
        return find(source)
    except UnusableError as error:
        reason = str(error)
    except Exception as error:  # noqa: BLE001 - no file stops the others
        reason = describe_failure(error)
    return GameLines(source.name, (), UNREADABLE, reason)


def are_many(files: Sequence[str], *, as_lines: bool = True) -> bool:
    """Return True if these names are those of several games: more than one file, a folder or an archive.

    If nothing is written `as_lines`, an archive with only one game counts as that game.
    """
    first, *others = files
    if others or is_position(first):
        return bool(others)
    if first.lower().endswith(tuple(READERS)):
        return as_lines or len(read_first_games(first)) > 1
    return Path(first).is_dir()


def read_first_games(name: str) -> list[Source]:
    """Return the first game of an archive and the next one, if there is one; [] for any other file."""
    found = list(islice(find_sources([name]), 2)) if name.lower().endswith(tuple(READERS)) else []
    return [] if found and found[0].error else found


def write_lines(
    find: Callable[[Source], GameLines],
    files: Sequence[str],
    output: Path | None,
    attribute: str,
    *,
    archive: bool = False,
    resume: bool = False,
    jobs: int = 0,
    on: str = "",
    slow: bool = False,
) -> int:
    """Write what is found about each of many games as lines of JSON, in order; return the exit code.

    Without an `output` they are printed. `attribute` tells the lines from those of other commands. Files that can't be used are named on standard error, and have a line if
    the output is no `archive` of games. `resume` keeps the lines of all games that are complete in the output, and goes on with the next game.
    """
    _check_lines_file(files, output, resume=resume)
    sources, code = find_sources(files), 0
    with ExitStack() as stack:
        stack.enter_context(stop_on_os_error("Stopped"))
        shown = stack.enter_context(show_progress("games done", stopped=STOPPED if output is None else LEFT))
        file = stack.enter_context(output.open("a+b" if resume else "wb")) if output else None
        if resume and file:
            sources = _skip_done(file, str(output), attribute, sources)
        for found in map_sources(partial(find_lines, find=find), sources, jobs, on, slow=slow):
            rows = [{"error": found.error}] if found.error and not archive else found.rows
            text = "".join(f"{json_text({'file': found.name, **row})}\n" for row in rows)
            if found.error and (file or archive):
                shown.clear()
                typer.echo(f"{log_text(found.name)}: {found.error}", err=True)
            if file:
                file.write(text.encode("utf-8", "surrogateescape"))
            else:
                typer.echo(text, nl=False)
            code = max(code, found.code)
            shown.count_step()
        if output and file and not file.tell():
            output.unlink()
    return code


def _check_lines_file(files: Sequence[str], output: Path | None, *, resume: bool) -> None:
    if output is None:
        if resume:
            fail("--resume needs the file to continue: -o FILE.")
        return
    for each in (each for each in files if not Path(each).is_dir()):
        check_apart(output, each)
    if not resume:
        check_output(output)
        if output.is_file() and output.stat().st_size:
            fail(f"{output} exists already. Add --resume to continue it, or choose another name.")


def _skip_done(file: IO[bytes], output: str, attribute: str, sources: Iterator[Source]) -> Iterator[Source]:
    """Skip the games whose lines are in a file, but for the last one, whose lines may be cut and are removed."""
    file.seek(0)
    found, name, begin, end = None, "", 0, 0
    for line in file:
        if not line.endswith(b"\n") and (line.startswith(LINE_BEGINS) or LINE_BEGINS.startswith(line)):
            break
        try:
            row = json.loads(line)
            of_line = row["file"] if attribute in row or "error" in row else None
        except (ValueError, LookupError, TypeError):
            of_line = None
        if of_line is None:
            fail(f"{output}: this is not the output of this command. Choose another name.")
        if of_line != name:
            name, begin = of_line, end
            found = next((source for source in sources if source.name == name), None)
            if found is None:
                fail(f"{output}: {log_text(name)} comes next in it, but not in these games. Choose another name.")
        end += len(line)
    file.truncate(begin)
    return chain([found] if found else (), sources)
