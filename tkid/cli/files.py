"""Files that commands read, write, lock and keep private."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

import typer

from tkid import files
from tkid.cli.printing import CLOSED, FILES, fail, find_output_error, os_error_text, stop_on_os_error
from tkid.notation.text import count_noun

if TYPE_CHECKING:
    from tkid.record.format.model import Record
    from tkid.record.format.reader import ReadRecord

STDIN = "-"
NO_FILE = "This is a position in one line, and the command needs a game file."
OWN_FILES = "files.json"
MOST_LISTED = 4 * files.MAX_GAME_FILE
"""Bytes of a list of files that are read."""
written: list[Path] = []
"""The files that this command has written."""


def read_bytes(name: str | Path, most: int = files.MAX_GAME_FILE) -> bytes:
    """Return the bytes of a file, or of standard input for `-`; of a longer one `most` + 1. Raises OSError."""
    return sys.stdin.buffer.read(most + 1) if name == STDIN else files.read_limited(Path(name), most)


def read_lines(name: str | Path) -> Iterator[bytes]:
    """Yield the lines of a file, or of standard input for `-`. Raises OSError, also at a line that is far too long."""
    lines = BytesIO(read_bytes(name, MOST_LISTED)) if name != STDIN else sys.stdin.buffer
    while line := lines.readline(2 * files.MAX_GAME_FILE):
        if len(line) == 2 * files.MAX_GAME_FILE:
            raise OSError(errno.EFBIG, f"a line has more than {2 * files.MAX_GAME_FILE} bytes", str(name))
        yield line


def write_atomically(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Put a text or bytes in a file's place, whole and on disk; `private` for its owner only. Raises OSError."""
    named = path
    if not files.is_device(path):
        try:
            path = path.resolve()
        except RuntimeError:  # links in a circle
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    if path.exists() and not os.access(path, os.W_OK):  # replacing needs no such right, but its owner said no
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    mode = files.PRIVATE if private else path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~get_umask()
    with files.open_whole_file(path, mode) as file:
        file.write(content.encode() if isinstance(content, str) else content)
    written.append(named)


def create(path: Path, text: str, *, private: bool = False) -> None:
    """Write a new file, whole or not at all; only its owner may read a `private` one. Raises FileExistsError, OSError."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, files.PRIVATE if private else 0o666))
    try:
        write_atomically(path, text)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def is_position(source: str) -> bool:
    """Return True if a command was given a position, in one line or as JSON, and not the name of a file."""
    if ";" not in source and not source.lstrip().startswith("{"):
        return False
    try:
        return not Path(source).exists()
    except (OSError, ValueError):  # far too long for a name, or with characters that no name has
        return True


def get_umask() -> int:
    """Return the rights that new files of this process do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def settings_file() -> Path:
    return Path(typer.get_app_dir("tkid")) / OWN_FILES


try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    fcntl = None  # type: ignore[assignment]


class BusyError(Exception):
    """Somebody else is writing the file."""


@contextmanager
def lock_file(path: Path) -> Iterator[bytes]:
    """Lock a file against other writers, and yield its bytes. Raises BusyError, OSError."""
    found = path.stat()  # raises what is wrong with the file itself, not with its lock
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a file", str(path))
    if fcntl is None:
        with _lock_beside(path.resolve()):
            yield read_bytes(path)
        return
    while True:
        with files.open_at_once(path) as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BusyError(path) from None
            if not _is_same_file(file.fileno(), path):
                continue  # replaced between opening and locking: take the new one
            yield files.read_open(path, file, files.MAX_GAME_FILE)
            return


def _is_same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


@contextmanager
def _lock_beside(path: Path) -> Iterator[None]:
    """Lock a separate file next to a file: Windows never replaces an open file. Raises BusyError, OSError."""
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


def tell_protection(file: Path) -> None:
    """Print what protects a private file that was just written, on systems where files have no modes."""
    if not files.HAS_MODES:
        way = "Only the permissions of its folder protect it: keep it in a folder that others cannot open."
        typer.echo(f"{file} is private. {way}", err=True)


DECK = "Deck: "
BYTES = 32
"""Bytes of a secret."""


class SecretKind(NamedTuple):
    """A kind of secret numbers: its word, its file's `suffix`, what to do where it is `lost`, and `whose` owner it names."""

    name: str
    suffix: str
    lost: str
    whose: str = "Player"

    @property
    def first(self) -> str:
        return f"Tkid-{self.name.capitalize()}: 1"

    def get_file(self, beside: Path) -> Path:
        return beside.with_suffix(self.suffix)

    def keep(self, beside: Path, player: str, secret: bytes) -> None:
        """Write a new file with a player's secret. Raises FileExistsError, OSError."""
        text = f"{self.first}\n{self.whose}: {player}\n{self.name.capitalize()}: {secret.hex()}\n"
        create(self.get_file(beside), text, private=True)
        tell_protection(self.get_file(beside))

    def read(self, beside: Path) -> tuple[str, bytes]:
        file = self.get_file(beside)
        try:
            text = read_bytes(file).decode()
        except FileNotFoundError:
            fail(f"{file} is missing. It has your {self.name}, which can't be restored. {self.lost}")
        except ValueError:
            text = ""
        player, secret = self.parse(text)
        if not secret:
            fail(f"{file}: this file has no {self.name}.")
        if files.is_open_to_others(file.stat()):
            typer.echo(f"Others can read {file}. To stop that: `chmod 600 {file}`.", err=True)
        return player, secret

    def parse(self, text: str) -> tuple[str, bytes]:
        lines = text.splitlines()
        entries = dict(line.split(": ", 1) for line in lines if ": " in line)
        try:
            player, secret = entries[self.whose], bytes.fromhex(entries[self.name.capitalize()])
        except (KeyError, ValueError):
            return "", b""
        return (player, secret) if lines[:1] == [self.first] and len(secret) == BYTES else ("", b"")

    def read_deck(self, beside: Path) -> str:
        """Return the deck that a secret was used for, as `use` noted it; "" if it was used for none."""
        lines = read_bytes(self.get_file(beside)).decode().splitlines()
        return next((line.removeprefix(DECK) for line in lines if line.startswith(DECK)), "")

    def use(self, beside: Path, deck: str) -> None:
        """Note for which deck a secret is used, before anything is unlocked with it. Raises OSError."""
        if not self.read_deck(beside):
            text = read_bytes(self.get_file(beside)).decode()
            write_atomically(self.get_file(beside), f"{text}{DECK}{deck}\n", private=True)


NONCE = SecretKind("nonce", ".nonce", "Start a new draw.")
SEED = SecretKind(
    "seed",
    ".seed",
    "If you have a copy, or a friend who keeps it, put it back. Without it you cannot show your cards to the others.",
)
KEY = SecretKind("key", ".key", "What is sealed to it stays sealed.", "Name")


OURS, SEALED = b"Tkid-", b"Tkid-Escrow:"
"""What every file of a game begins with: a deal, a seed, a draw; and what a sealed seed does."""


def check_output(
    output: Path | None,
    game: str | Path | None = None,
    *others: str | Path,
    record: Record | None = None,
    again: bytes = b"",
) -> None:
    """Stop where an output can't be written or takes the place of others (see `check_apart`), but for `record` or `again`."""
    if output is None:
        return
    check_apart(output, game, *others)
    if output.is_dir():
        fail(f"{output} is a folder. Name a file. Nothing was written.")
    if not output.parent.is_dir():
        fail(f"There is no folder {output.parent}. Nothing was written.")
    if output.is_file() and (lost := _describe_loss(output, record, again)):
        fail(f"{output} {lost}. Move it away, or choose another name. Nothing was written.")


def check_apart(output: Path, game: str | Path | None = None, *others: str | Path) -> None:
    """Stop where an output is also read or made: `others`, what is in a folder of them, or the files beside `game`."""
    with suppress(OSError, ValueError):  # one of them is not there
        if not stat.S_ISCHR(os.fstat(0).st_mode) and os.path.samestat(os.fstat(0), output.stat()):
            fail(f"{output} is also the standard input. Nothing was written.")
    if any(_is_part(output, Path(each)) for each in (*([game] if game else []), *others)):
        fail(f"{_describe_clash(output)}. Nothing was written.")
    kept = [Path(game).with_suffix(suffix) for suffix in FILES] if game and Path(game).name else []
    if any(_is_part(output, each) for each in (*kept, settings_file())):
        fail(f"{_describe_clash(output)}: tkid keeps another file there. Choose another name. Nothing was written.")


def _describe_clash(output: Path) -> str:
    return (
        f"This would overwrite {output}" if output.exists() else f"{output} is the name of another file of this command"
    )


def _is_part(one: Path, other: Path) -> bool:
    """Return whether a file is another or in a folder, also by links or case alone: what exists, the disk knows."""
    with suppress(OSError, ValueError):  # one of them is not there yet, or is no name at all
        if one.samefile(other):
            return True
        if not other.is_dir():
            return False
    try:
        mine, its = (Path(normalize("NFC", str(path.resolve()).casefold())) for path in (one, other))
    except (OSError, ValueError, RuntimeError):  # links in a circle
        return False
    return mine == its or (other.is_dir() and mine.is_relative_to(its))


def _describe_loss(output: Path, record: Record | None, again: bytes) -> str:
    from tkid.record.format.model import is_game_file
    from tkid.record.format.reader import read_record

    try:
        data = read_bytes(output)
    except OSError as error:
        fail(f"Nothing was written: {os_error_text(error)}")
    if is_game_file(data):
        return "is a game file" if record is None else _describe_lost_part(read_record(data), record)
    return "is a file that a game needs" if data.startswith(OURS) and not (again and data.startswith(again)) else ""


def _describe_lost_part(there: ReadRecord, record: Record) -> str:
    from tkid.kernel.game import HIDDEN
    from tkid.record.format.reader import iter_setup_rows
    from tkid.record.play.note_chain import list_note_lines

    old = there.record
    if old is None or old.names != record.names or old.ruleset != record.ruleset:
        return "is the file of another game"
    mine, its = (dict(iter_setup_rows(each)) if each.deal is not None else {} for each in (record, old))
    shared = [(mine[label], value) for label, value in its.items() if label in mine]
    turns = zip(old.turns, record.turns, strict=False)
    if not all(one == other or HIDDEN in one + other for one, other in shared) or any(
        one.read.moves != other.read.moves for one, other in turns
    ):
        return "is the file of another game"
    if len(old.turns) > len(record.turns):
        return f"has {count_noun(len(old.turns), 'turn')} of this game, and this has only {len(record.turns)}"
    if there.problems:
        return "has mistakes, so tkid can't tell what would be lost"
    if any(HIDDEN in one and HIDDEN not in other for one, other in shared):
        return "has cards of this game that are hidden here"
    new, known = ([note for gap in list_note_lines(each) for note in gap] for each in (old, record))
    lost = next((note for note in new if note.linked not in {each.linked for each in known}), None)
    return f"has the line `{lost.text}`, which would be lost" if lost else ""


def print_or_write(
    content: str | bytes, output: Path | None, outcome: str = "Nothing was written", *, private: bool = False
) -> None:
    """Write a file whole, with `private` for its owner only, or end the command; without a file, print the content."""
    if output is None:
        if isinstance(content, bytes) and sys.stdout.isatty():
            fail(f"This isn't text, so a terminal can't show it. Name a file with -o. {outcome}.")
        typer.echo(content, nl=False)
        if error := find_output_error(forget=True):
            why = "standard output is closed" if error.errno == CLOSED else error.strerror
            fail(f"{outcome}: {why}.")
        return
    with stop_on_os_error(outcome):
        write_atomically(output, content, private=private)
    if private:
        tell_protection(output)
