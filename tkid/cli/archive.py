"""Commands for game files: check, fmt, replay."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tkid.cli.support import WRONG, fail, stop_on_os_error
from tkid.cli.support.printing import print_turns
from tkid.cli.support.sources import MANY, load, load_bytes, open_to_change, play_through

FORMATS = ("text", "json", "sarif", "github")

app = typer.Typer()


@app.command(epilog="Example: tkid check games/*.tkid --format json")
def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(help=MANY),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", help="text, json (one line for each file), sarif, or github (annotations).")
    ] = "text",
    every: Annotated[bool, typer.Option("--all", help="Also list problems that may only follow from others.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="How many processes. 0: one for each core.")] = 0,
    files_from: Annotated[
        str,
        typer.Option(
            "--files-from",
            help="Also check what this file names, one on each line (or with `find -print0`). - reads standard input.",
        ),
    ] = "",
) -> None:
    """Check game files. Every mistake is shown with its line, column and rule. Exit code 1 if there is one."""
    if form not in FORMATS:
        fail(f"--format {form}: choose one of {', '.join(FORMATS)}.")
    if not (files or files_from):
        fail("Nothing to check. Name game files, folders or archives: `tkid check winter.tkid`.")
    from collections import Counter
    from itertools import chain

    from tkid.cli.checks import archives, reports
    from tkid.cli.checks.checking import check_all
    from tkid.cli.support.progress import progress
    from tkid.render.lines import log_text

    codes, listed = Counter[int](), list[reports.Checked]()
    quiet = form == "sarif" or not sys.stdout.isatty()
    with stop_on_os_error("Nothing more was checked"), progress("games checked", wanted=quiet) as shown:
        names = chain(files or (), archives.listed(files_from) if files_from else ())
        found = check_all(archives.sources(names), form, every=every, jobs=jobs)
        for checked in found:
            if checked.error:
                shown.clear()
                typer.echo(f"{log_text(checked.name)}: {checked.error}", err=True)
            for line in checked.lines:
                typer.echo(line, color=True)
            codes[checked.code] += 1
            if form == "sarif":
                listed.append(checked)
            shown.step()
    if form == "sarif":
        typer.echo(reports.sarif(listed))
    if form == "text" and codes.total() > 1:
        typer.echo(reports.totals(codes))
    raise typer.Exit(max(codes, default=0))


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
    from tkid.cli.support.outputs import print_or_write
    from tkid.record.play.writer import write_record
    from tkid.render.lines import log_text

    def canonical(data: bytes) -> str:
        replay = play_through(name, data)
        return write_record(replay.record, replay)

    if name == STDIN:
        print_or_write(canonical(load_bytes(name)), None)
        return 0
    with open_to_change(name, "Nothing was changed", advice="") as data:
        text = canonical(data)
        changed = text.encode() != data
        if changed and not only:
            write_atomically(Path(name), text)
    typer.echo(f"{log_text(name)}: {('would change' if only else 'changed') if changed else 'nothing to change'}")
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
