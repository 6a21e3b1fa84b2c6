"""The log of a host, and files that only its owner may read.

The log never holds the text of a mail, a key, a secret or a password: reasons are logged without their quotations.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from attrs import frozen

from tkid.files import PRIVATE, is_open_to_others
from tkid.notation.text import count_noun
from tkid.rulebook import cites

FOLDER_MODE = 0o700


@cites("mail.private")
def open_private(path: str, flags: int) -> int:
    """Open a file for `open`; only the owner can read a new one, with any umask."""
    return os.open(path, flags, PRIVATE)


@cites("mail.private")
def make_folder(path: Path) -> None:
    """Make a folder with rights for its owner only, unless it exists."""
    path.mkdir(FOLDER_MODE, parents=True, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty file with rights for its owner only, unless it exists."""
    with open(path, "ab", opener=open_private):
        pass


@cites("mail.private")
def is_path_open(path: Path) -> bool:
    """Return True if others have any right to a file or folder; False if it does not exist, or rights are no modes."""
    try:
        return is_open_to_others(path.lstat())
    except OSError:
        return False


def complain_about(path: Path) -> str:
    """Say in a sentence what to do about a file or folder that others may read."""
    mode = FOLDER_MODE if path.is_dir() else PRIVATE
    return f"{path}: others may read it. To stop that: `chmod {mode:o} {path}`."


def complain_below(folder: Path) -> Iterable[str]:
    """Say what to do about letters in a folder or its subfolders that others may read."""
    paths = (Path(place, name) for place, folders, files in os.walk(folder) for name in (*folders, *files))
    if number := sum(map(is_path_open, paths)):
        yield f"{folder}: others may read {count_noun(number, 'letter')} in it. To stop that: `chmod -R go= {folder}`."


QUOTED = re.compile(r"`[^`]*`?")
MAX_FACT_LENGTH = 500
Fact = str | int | float | None


@frozen
class Log:
    """The target of the lines of a log, and the clock."""

    write: Callable[[str], None]
    now: Callable[[], datetime]

    def write_line(self, event: str, **facts: Fact) -> None:
        """Write down an event; facts that are None or "" are left out."""
        facts = {name: fact for name, fact in facts.items() if fact not in {None, ""}}
        stated = {name: fact[:MAX_FACT_LENGTH] if isinstance(fact, str) else fact for name, fact in facts.items()}
        entry = {"time": self.now().isoformat(timespec="milliseconds"), "event": event, **stated}
        with suppress(OSError):  # where the disk is full, the log is not what matters
            self.write(json.dumps(entry, ensure_ascii=True))


def open_log(path: Path) -> Callable[[str], None]:
    """Return a target that writes lines to the end of a file. It is opened for each line, so that it may be moved away."""

    def write(line: str) -> None:
        with open(path, "a", encoding="ascii", opener=open_private) as file:
            file.write(f"{line}\n")

    return write


def drop_quotes(reason: str) -> str:
    """Return a reason without its quotations of a mail."""
    return QUOTED.sub("`…`", reason)
