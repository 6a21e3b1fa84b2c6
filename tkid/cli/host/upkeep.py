"""Commands that keep a host in order for years: host upgrade, backup, restore, doctor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tkid.cli.host.shared import Folder, check_requirements, directory_in, kept_in, now, telling
from tkid.cli.support import WRONG, as_typed, fail, stop_on_os_error
from tkid.cli.support.outputs import check_apart, check_output
from tkid.notation.numbers import counted


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog="Example: tkid host upgrade games")(upgrade)
    app.command(epilog="Example: tkid host backup games /var/backups/games.backup")(backup)
    app.command(epilog="Example: tkid host restore /var/backups/games.backup games")(restore)
    app.command(epilog="Example: tkid host doctor games")(doctor)


def upgrade(folder: Folder) -> None:
    """Bring the database to the version that this program needs.

    First it makes a backup in the folder.
    """
    directory, time = directory_in(folder), now()
    from tkid.host.store import migrations
    from tkid.host.store.connection import connect
    from tkid.host.upkeep.backup import BackupError, back_up

    with telling(folder):
        engine = connect(directory.database.url)
        try:
            version = migrations.readable(engine)
            if version == migrations.VERSION:
                typer.echo(f"{folder}: the database is of version {version} already.")
                return
            file = folder / f"before-version-{migrations.VERSION}-{time:%Y%m%dT%H%M%SZ}.backup"
            back_up(directory, file, time)
            before = migrations.upgrade(engine)
        except BackupError as error:
            fail(f"{error}.")
        finally:
            engine.dispose()
    typer.echo(
        f"{folder}: the database was brought from version {before} to {migrations.VERSION}. A backup of before: {file}"
    )


def backup(
    folder: Folder,
    file: Annotated[
        Path, typer.Argument(help="The new file; or a folder, in which it gets a name with the time.", metavar="FILE")
    ],
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write everything that a host keeps to one file.

    These are games, mails, letters, keys, the secret and the settings. The host may run. Passwords are not in the file. Whoever can read the file can read every hand of every game.
    """
    directory = directory_in(folder)
    from tkid.host.upkeep.backup import BackupError, back_up

    (check_apart if file.is_dir() else check_output)(file, None, *kept_in(directory))
    with stop_on_os_error("Nothing was written"), telling(folder):
        try:
            made = back_up(directory, file, now(), replace=force)
        except BackupError as error:
            fail(f"{error}.", WRONG)
    typer.echo(f"{made.file}: a backup with {counted(made.rows, 'row')}. Keep it to yourself, and on another disk.")


def restore(
    file: Annotated[Path, typer.Argument(help="The backup.", metavar="FILE")],
    folder: Folder,
    store: Annotated[
        str, typer.Option(help="For a new folder: another database, as an SQLAlchemy address, than the backup names.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Replace the host that is in the folder.")] = False,
) -> None:
    """Put a host back as it was when the backup was made.

    It goes into its own folder or a new one, and may run meanwhile. The next round reads the mailbox again, carries out what came since, and tells the players.
    """
    import os

    check_requirements()
    from tkid.host.directory import DATABASE, SECRET
    from tkid.host.settings import FILE
    from tkid.host.upkeep.backup import BackupError
    from tkid.host.upkeep.restore import restore as restore_host

    for made in (FILE, SECRET, DATABASE):
        check_apart(folder / made, None, file)
    with stop_on_os_error("Nothing was restored"), telling(folder):
        try:
            done = restore_host(file, folder, os.environ, now(), store, force=force)
        except BackupError as error:
            fail(f"{error}.", WRONG)
    kept = f" What was there before: {done.kept}." if done.kept else ""
    typer.echo(
        f"{folder}: the host is as it was at {done.made:%Y-%m-%d %H:%M} UTC, {counted(done.rows, 'row')}.{kept} "
        f"Now start it with `tkid host run {as_typed(folder)}`, unless it runs."
    )


def doctor(
    folder: Folder,
    offline: Annotated[bool, typer.Option("--offline", help="Do not try to reach the servers.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON object.")] = False,
) -> None:
    """Check everything about a host, and say what to mend."""
    directory = directory_in(folder)
    from tkid.host.upkeep.doctor import examine

    findings = examine(directory, now(), offline=offline)
    problems = [finding for finding in findings if not finding.right]
    if as_json:
        import json

        checks = [{"check": each.check, "ok": each.right, "text": each.text} for each in findings]
        typer.echo(json.dumps({"ok": not problems, "checks": checks}, ensure_ascii=False, indent=1))
    else:
        for finding in findings:
            if finding.text:
                typer.echo(finding.text, err=not finding.right)
        if not problems:
            games = next(finding.count for finding in findings if finding.check == "games")
            typer.echo(f"{folder}: all right, {counted(games, 'game')}.")
    if problems:
        raise typer.Exit(WRONG)
