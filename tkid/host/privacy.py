"""What a host keeps is for its owner alone: making such files and folders, and finding those that others may read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tkid.files import PRIVATE, others_read
from tkid.notation.numbers import counted
from tkid.rulebook import cites

FOLDER_MODE = 0o700


@cites("mail.private")
def opener(path: str, flags: int) -> int:
    """Opens a file for `open`; a new one is its owner's alone, whatever the umask is."""
    return os.open(path, flags, PRIVATE)


@cites("mail.private")
def make_folder(path: Path) -> None:
    """Make a folder that is its owner's alone, where there is none."""
    path.mkdir(FOLDER_MODE, parents=True, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty file that is its owner's alone, where there is none."""
    with open(path, "ab", opener=opener):
        pass


@cites("mail.private")
def is_open(path: Path) -> bool:
    """Whether others have any right to a file or folder; false where it does not exist, and where rights are no modes."""
    try:
        return others_read(path.lstat())
    except OSError:
        return False


def complaint(path: Path) -> str:
    """What to do about a file or folder that others may read, as a sentence."""
    mode = FOLDER_MODE if path.is_dir() else PRIVATE
    return f"{path}: others may read it. To stop that: `chmod {mode:o} {path}`."


def complaint_below(folder: Path, what: str) -> Iterable[str]:
    """What to do about files in a folder, however deep, that others may read: a sentence where there are any."""
    paths = (Path(place, name) for place, folders, files in os.walk(folder) for name in (*folders, *files))
    number = sum(map(is_open, paths))
    if number:
        yield f"{folder}: others may read {counted(number, what)} in it. To stop that: `chmod -R go= {folder}`."
