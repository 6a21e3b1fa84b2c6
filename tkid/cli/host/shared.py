"""What the commands of a host share: its folder, its database, the time. It loads fast, as every command loads it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support import fail

if TYPE_CHECKING:
    from tkid.host.directory import HostDirectory
    from tkid.host.store.store import Store

Folder = Annotated[Path, typer.Argument(help="The host's folder.", metavar="DIR")]
Game = Annotated[str, typer.Argument(help="The game.")]


def directory_in(folder: Path) -> HostDirectory:
    """The host's folder, or the end of the command."""
    import os

    check_requirements()
    from tkid.host.directory import HostDirectory
    from tkid.host.settings import SettingsError

    try:
        return HostDirectory.read(folder, os.environ)
    except SettingsError as error:
        fail(str(error))


def kept_in(directory: HostDirectory) -> list[Path]:
    """Return every file that a host keeps, and the folders of its mails: no output takes their place."""
    from tkid.host.directory import SECRET

    return [*directory.kept, directory.folder / SECRET, directory.health]


@contextmanager
def store_of(directory: HostDirectory) -> Iterator[Store]:
    """The database of a host; where it fails, the end of the command."""
    with telling(directory.folder), directory.store() as store:
        yield store


@contextmanager
def telling(folder: Path) -> Iterator[None]:
    """Errors of the database and of the settings of the host in a folder end the command in words."""
    from tkid.host.settings import SettingsError
    from tkid.host.store.connection import DATABASE_ERRORS, error_text

    try:
        yield
    except SettingsError as error:
        fail(str(error))
    except DATABASE_ERRORS as error:
        fail(f"{error_text(error, folder)}.")


def check_requirements() -> None:
    """Say what a host needs, and end the command, where it cannot run."""
    from importlib.util import find_spec

    if find_spec("fcntl") is None:
        fail(
            "A host needs Linux, macOS or another system with POSIX file locks. On Windows, run it in WSL. "
            "All commands except `tkid host` work here."
        )
    if find_spec("sqlalchemy") is None:
        fail(
            "A host needs Python packages that are not installed here: run pip install '.[host]' in a copy of the source."
        )


def now() -> datetime:
    """The time."""
    from datetime import UTC

    return datetime.now(UTC)
