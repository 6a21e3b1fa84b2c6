"""The files that commands make: where they may go, and what they never take the place of."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import normalize

import typer

from tkid.cli.support import FILES, fail, os_error_text, stop_on_os_error
from tkid.cli.support.files import settings_file
from tkid.cli.support.printing import CLOSED, lost_output
from tkid.cli.support.private import tell_protection
from tkid.files import MAX_GAME_FILE

if TYPE_CHECKING:
    from tkid.record.format.model import Record

OURS, GAME_FILE, SEALED = b"Tkid-", b"Tkid-Record:", b"Tkid-Escrow:"
"""What every file of a game begins with: a deal, a seed, a draw; what the game file does, and what a sealed seed."""


def check_output(
    output: Path | None,
    game: str | Path | None = None,
    *others: str | Path,
    record: Record | None = None,
    again: bytes = b"",
) -> None:
    """Stop where a file cannot be written, or would take the place of one that is read or made, or of another game.

    Args:
        output: the file to write, if there is one.
        game: see `check_apart`.
        others: see `check_apart`.
        record: the game that is written; None where it is something else, such as a mail or a picture.
        again: what a file of a game begins with that is made again.
    """
    if output is None:
        return
    check_apart(output, game, *others)
    if output.is_dir():
        fail(f"{output} is a folder. Name a file. Nothing was written.")
    if not output.parent.is_dir():
        fail(f"There is no folder {output.parent}. Nothing was written.")
    if output.is_file() and (lost := _lost(output, record, again)):
        fail(f"{output} is {lost}. Move it away, or choose another name. Nothing was written.")


def check_apart(output: Path, game: str | Path | None = None, *others: str | Path) -> None:
    """Stop where a file that a command writes is also one that it reads or makes.

    Args:
        output: the file to write.
        game: a file of a game, beside which the command may read or make others: a deal, a seed, the game file.
        others: further files that the command reads or makes; of a folder, all that is in it.
    """
    if any(_is_part(output, Path(each)) for each in (*([game] if game else []), *others)):
        fail(f"{_clash(output)}. Nothing was written.")
    if any(_is_part(output, each) for each in (*_files_beside(game), settings_file())):
        fail(f"{_clash(output)}: tkid keeps another file there. Choose another name. Nothing was written.")


def _clash(output: Path) -> str:
    """That a file would take the place of another, which may not be there yet."""
    return (
        f"This would overwrite {output}" if output.exists() else f"{output} is the name of another file of this command"
    )


def _files_beside(game: str | Path | None) -> list[Path]:
    """The files of a game by their names, whether they exist yet or not."""
    return [Path(game).with_suffix(suffix) for suffix in FILES] if game and Path(game).name else []


def _is_part(one: Path, other: Path) -> bool:
    """Return whether a file is another, or in a folder, by whatever way the names lead there.

    Names that differ in their case alone are those of one file on some disks. What exists, the disk knows.
    """
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


def _lost(output: Path, record: Record | None, again: bytes) -> str:
    """What would be lost with a file: another game than that of a record, as far as the two can be told apart; "" if nothing."""
    try:
        with output.open("rb") as file:
            data = file.read(len(GAME_FILE))
            if not data.startswith(OURS) or data == again:
                return ""
            if data != GAME_FILE:
                return "a file that a game needs"
            if record is None:
                return "a game file"
            data += file.read(MAX_GAME_FILE)
    except OSError as error:
        fail(f"Nothing was written: {os_error_text(error)}")
    return "" if _same_game(data, record) else "the file of another game"


def _same_game(data: bytes, record: Record) -> bool:
    """Whether a game file has the same players, the same set-up as far as it is known in both, and the same turns, or fewer or more."""
    from tkid.kernel.game import HIDDEN
    from tkid.record.format.reader import read_record
    from tkid.record.format.start_text import setup_rows

    there = read_record(data).record
    if there is None or there.names != record.names or there.ruleset != record.ruleset:
        return False
    mine, its = (dict(setup_rows(each)) if each.deal is not None else {} for each in (record, there))
    alike = (HIDDEN in value + mine[label] or value == mine[label] for label, value in its.items() if label in mine)
    turns = zip(there.turns, record.turns, strict=False)
    return all(alike) and all(one.read.moves == other.read.moves for one, other in turns)


def print_or_write(
    content: str | bytes, output: Path | None, outcome: str = "Nothing was written", *, private: bool = False
) -> None:
    """Write a file whole or not at all, or end the command with `outcome`; without a file, print the content.

    A file that is `private` only its owner may read.
    """
    from tkid.cli.support.files import write_atomically

    if output is None:
        if isinstance(content, bytes) and sys.stdout.isatty():
            fail(f"This is no text, so a terminal cannot show it. Name a file with -o. {outcome}.")
        typer.echo(content, nl=False)
        if error := lost_output(forget=True):
            why = "standard output is closed" if error.errno == CLOSED else error.strerror
            fail(f"{outcome}: {why}.")
        return
    with stop_on_os_error(outcome):
        write_atomically(output, content, private=private)
    if private:
        tell_protection(output)
