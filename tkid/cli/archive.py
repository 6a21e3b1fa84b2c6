"""Commands for game files: check, fmt, replay."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support import UNREADABLE, WRONG, fail
from tkid.cli.support.printing import print_problems, print_turns
from tkid.cli.support.sources import Records, load, load_bytes, open_to_change, play_through

if TYPE_CHECKING:
    from tkid.kernel.problems import Problem
    from tkid.record.play.replay import Replay

FORMATS = ("text", "json", "sarif", "github")

app = typer.Typer()


@app.command(epilog="Example: tkid check games/*.tkid --format json")
def check(
    files: Records,
    form: Annotated[
        str, typer.Option("--format", help="text, json (one line for each file), sarif, or github (annotations).")
    ] = "text",
    every: Annotated[bool, typer.Option("--all", help="Also list problems that may only follow from others.")] = False,
) -> None:
    """Check game files. Every mistake is shown with its line, column and rule. Exit code 1 if there is one."""
    if form not in FORMATS:
        fail(f"--format {form}: choose one of {', '.join(FORMATS)}.")
    from tkid.cli.support import reports
    from tkid.cli.support.files import read_bytes
    from tkid.mail.game.timeline import with_notes
    from tkid.record.format.reader import read_record
    from tkid.record.play.validation import judge

    worst = 0
    judged: list[tuple[str, list[Problem]]] = []
    unopened: list[tuple[str, str]] = []
    for name in files:
        try:
            data = read_bytes(name)
        except OSError as error:
            reason = error.strerror or ""
            typer.echo(f"{name}: {error.strerror}", err=True)
            unopened.append((name, reason))
            if form in reports.UNOPENED:
                typer.echo(reports.UNOPENED[form](name, reason))
            worst = UNREADABLE
            continue
        read = read_record(data)
        problems, replay = judge(read)
        problems = with_notes(problems, replay)
        worst = max(worst, UNREADABLE if not read.readable else WRONG if problems else 0)
        judged.append((name, problems))
        if form == "json":
            typer.echo(reports.check_json(name, replay, problems))
        elif form != "sarif":
            _report(name, data, replay, problems, form=form, every=every)
    if form == "sarif":
        typer.echo(reports.sarif(judged, unopened))
    raise typer.Exit(worst)


def _report(name: str, data: bytes, replay: Replay | None, problems: list[Problem], *, form: str, every: bool) -> None:
    """Print one file's report for people, with its problems as text or as annotations."""
    from tkid.cli.support import reports

    if form == "github" and problems:
        for line in reports.as_annotations(name, problems, every=every):
            typer.echo(line)
    elif replay is not None and not problems:
        typer.echo(f"{name}: {reports.summary(replay)}")
        for question in reports.unproven(replay):
            typer.echo(f"  Not certain until hands are opened: {question}. [record.opening]")
    else:
        print_problems(name, data, problems, err=False, every=every)


@app.command(epilog="Example: tkid fmt winter.tkid")
def fmt(
    files: Annotated[
        list[str], typer.Argument(help="The game files to tidy. - reads standard input and prints the result.")
    ],
    only: Annotated[
        bool, typer.Option("--check", help="Change nothing. Exit code 1 if something would change.")
    ] = False,
) -> None:
    """Tidy game files: full names, hashes, and what followed. Comments stay. A file with mistakes is not changed."""
    worst = 0
    for name in files:
        try:
            worst = max(worst, _format(name, only=only))
        except typer.Exit as stop:
            worst = max(worst, stop.exit_code)
    raise typer.Exit(worst)


def _format(name: str, *, only: bool) -> int:
    from tkid.cli.support.files import STDIN, write_atomically
    from tkid.record.play.writer import write_record

    def canonical(data: bytes) -> str:
        replay = play_through(name, data)
        return write_record(replay.record, replay)

    if name == STDIN:
        typer.echo(canonical(load_bytes(name)), nl=False)
        return 0
    with open_to_change(name, "Nothing was changed", advice="") as data:
        text = canonical(data)
        changed = text.encode() != data
        if changed and not only:
            write_atomically(Path(name), text)
    typer.echo(f"{name}: {('would change' if only else 'changed') if changed else 'nothing to change'}")
    return WRONG if changed and only else 0


@app.command("replay", epilog="Example: tkid replay winter.tkid --json --legal")
def replay_record(
    file: Annotated[str, typer.Argument(help="The game file. - reads standard input.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a line of JSON for the start and for each turn.")
    ] = False,
    legal: Annotated[bool, typer.Option("--legal", help="With --json: count the ways to play each card.")] = False,
) -> None:
    """Play a game through. Shows every turn, what followed, and by which rule."""
    replay = load(file)
    if as_json:
        from tkid.record.json.positions import lines

        for line in lines(replay.record, replay.moments, legal=legal):
            typer.echo(line)
        return
    if legal:
        fail("--legal needs --json.")
    print_turns(replay.moments[1:], replay.record.names)
