"""Commands for files of games: check, fmt, replay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support.common import (
    UNREADABLE,
    WRONG,
    fail,
    judge_record,
    load,
    load_bytes,
    tell_all,
    tell_turns,
    told_os,
)

if TYPE_CHECKING:
    from tkid.kernel.problems import Problem
    from tkid.record.play.replay import Replay

FORMATS = ("text", "json", "sarif")


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(epilog="Example: tkid check games/*.tkid --format json")(check)
    app.command(epilog="Example: tkid fmt winter.tkid")(fmt)
    app.command(epilog="Example: tkid replay winter.tkid --json --legal")(replay)


Files = Annotated[list[str], typer.Argument(help="Records; - for standard input.")]


def check(
    files: Files,
    form: Annotated[str, typer.Option("--format", help="text, json (a line for each file) or sarif.")] = "text",
    every: Annotated[bool, typer.Option("--all", help="List problems too that may only follow from others.")] = False,
) -> None:
    """Check records: every fault with its line, column and rule. Exit 0 all right, 1 something wrong, 2 unreadable."""
    if form not in FORMATS:
        fail(f"--format {form}: it is one of {', '.join(FORMATS)}.")
    from tkid.cli.support import reports
    from tkid.cli.support.files import read_bytes
    from tkid.record.format.reader import read_record

    worst = 0
    found: list[tuple[str, list[Problem]]] = []
    unopened: list[tuple[str, str]] = []
    for name in files:
        try:
            data = read_bytes(name)
        except OSError as error:
            typer.echo(f"{name}: {error.strerror}", err=True)
            unopened.append((name, error.strerror or ""))
            if form == "json":
                typer.echo(reports.unreadable_json(name, error.strerror or ""))
            worst = UNREADABLE
            continue
        read = read_record(data)
        problems, played = judge_record(read)
        worst = max(worst, UNREADABLE if not read.readable else WRONG if problems else 0)
        found.append((name, problems))
        if form == "json":
            typer.echo(reports.check_json(name, played, problems))
        elif form == "text":
            _tell(name, data, played, problems, every=every)
    if form == "sarif":
        typer.echo(reports.sarif(found, unopened))
    raise typer.Exit(worst)


def _tell(name: str, data: bytes, played: Replay | None, problems: list[Problem], *, every: bool) -> None:
    from tkid.cli.support.reports import summary, unproven

    if played is not None and not problems:
        typer.echo(f"{name}: {summary(played)}")
        for question in unproven(played):
            typer.echo(f"  Not known until hands are opened: {question}. [record.opening]")
    else:
        tell_all(name, data, problems, err=False, every=every)


def fmt(
    files: Annotated[
        list[str], typer.Argument(help="Records to bring into canonical form; - writes to standard output.")
    ],
    only: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 if something would change.")] = False,
) -> None:
    """Bring records into canonical form: names in full, hashes, what followed. Comments stay; a wrong record is left alone."""
    worst = 0
    for name in files:
        try:
            worst = max(worst, _format(name, only=only))
        except typer.Exit as stop:
            worst = max(worst, stop.exit_code)
    raise typer.Exit(worst)


def _format(name: str, *, only: bool) -> int:
    from tkid.cli.support.common import played
    from tkid.cli.support.files import STDIN, BusyError, locked, write_atomically
    from tkid.record.play.writer import write_record

    def canonical(data: bytes) -> str:
        replay = played(name, data)
        return write_record(replay.record, replay)

    if name == STDIN:
        typer.echo(canonical(load_bytes(name)), nl=False)
        return 0
    try:
        with locked(Path(name)) as data:
            text = canonical(data)
            changed = text.encode() != data
            if changed and not only:
                write_atomically(Path(name), text)
    except BusyError:
        fail(f"{name}: somebody else is writing it at this moment. Nothing was changed.")
    except OSError as error:
        fail(f"Nothing was changed: {told_os(error)}")
    typer.echo(f"{name}: {('would change' if only else 'changed') if changed else 'canonical already'}")
    return WRONG if changed and only else 0


def replay(
    file: Annotated[str, typer.Argument(help="The record; - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for the start and for each turn.")] = False,
    legal: Annotated[bool, typer.Option("--legal", help="With --json: how many resolutions each card has.")] = False,
) -> None:
    """Play a record through: every turn, and what followed by which rule."""
    played = load(file)
    if as_json:
        from tkid.record.json.positions import lines

        for line in lines(played.record, played.moments, legal=legal):
            typer.echo(line)
        return
    if legal:
        fail("--legal goes with --json.")
    tell_turns(played.moments[1:], played.record.names)
