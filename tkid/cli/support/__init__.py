"""How a command ends: the exit codes, and the messages with which it stops."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import typer

WRONG, UNREADABLE = 1, 2
EXIT_CODES = {
    0: "Everything is in order.",
    WRONG: "Something in a game is wrong, or `tkid verify` found something that is not proven.",
    UNREADABLE: "A file could not be read or written, or the command was not understood.",
}
"""What each exit code means."""
GAME, DEAL, DRAW = ".tkid", ".deal", ".draw"
"""What the names of files end with: of a game, and of what it is dealt or drawn from until it is there."""
FILES = (GAME, DEAL, DRAW, ".seed", ".nonce", ".key")
"""What the names of all files of a game end with, secrets too."""


def as_typed(name: str | Path) -> str:
    """A word, such as the name of a file, as it is typed in a command: in quotes where a shell would take it apart."""
    from shlex import quote

    text = str(name)
    if os.name == "nt":
        return f'"{text}"' if " " in text else text
    return quote(text)


def fail(message: str, code: int = UNREADABLE) -> NoReturn:
    """Print what is wrong on standard error, and stop."""
    from tkid.render.lines import log_text

    typer.echo("\n".join(map(log_text, message.split("\n"))), err=True)
    raise typer.Exit(code)


def failure_text(error: Exception) -> str:
    """What is printed about a file at which the program itself fails."""
    from tkid.render.lines import log_text

    return f"tkid failed at this file ({type(error).__name__}: {log_text(str(error))}). Please report it with the file"


def check_alone(other: str, what: str) -> None:
    """Stop where something else was given besides an option that stands alone; `what` says what the option does."""
    if other:
        fail(f"{what}, so leave out `{other}`.")


@contextmanager
def stop_on_os_error(outcome: str) -> Iterator[None]:
    """Stop at an error of the system, and print what did not happen: `Nothing was written`."""
    try:
        yield
    except OSError as error:
        fail(f"{outcome}: {os_error_text(error)}")


def os_error_text(error: OSError) -> str:
    """An error of the system for people; where a game is missing that is still being dealt, what to do."""
    if error.filename is None and error.errno == errno.EBADF:
        return "standard input is closed"
    missing = str(error.filename or "") if isinstance(error, FileNotFoundError) else ""
    before = (Path(missing).with_suffix(suffix) for suffix in (DEAL, DRAW) if missing.endswith(GAME))
    if made_of := next((file for file in before if file.is_file()), None):
        return (
            f"{missing} is not there yet: {made_of} is not finished. Go on with `tkid letter new {as_typed(made_of)}`"
        )
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
