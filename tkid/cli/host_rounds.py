"""The commands host once, run, receive, and the options that all host commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from tkid.cli.printing import WRONG, fail
from tkid.notation.text import count_noun

if TYPE_CHECKING:
    from tkid.host.directory import HostDirectory
    from tkid.host.loop import Loop
    from tkid.host.store.store import Store

Folder = Annotated[Path, Argument(help="The host's folder.", metavar="DIR")]


def complete_game(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a game of the host, games that are not over first."""
    return [name for name in read_column(context, GAMES) if name.startswith(incomplete)]


def complete_game_player(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a player of the game before it."""
    from tkid.record.format.reader import read_record

    typed = context.params.get("game") or "".join(context.args[1:2])
    records = [read_record(text.encode()).record for text in read_column(context, GAME_RECORD, typed)]
    return [name for record in records if record for name in record.names if name.startswith(incomplete)]


def read_column(context: typer.Context, query: str, *given: str) -> list[str]:
    """Read a column of the host's database for the shell; [] without a file in the folder. It takes a second to open a store."""
    from sqlite3 import Error, connect

    folder = Path(str(context.params.get("folder") or "".join(context.args[:1])))
    try:
        with closing(connect(f"{(folder / 'host.db').resolve().as_uri()}?mode=ro", uri=True)) as database:
            return [value for (value,) in database.execute(query, given)]
    except Error:
        return []


GAMES = 'SELECT id FROM games ORDER BY "over", id'
GAME_RECORD = "SELECT record FROM games WHERE id = ?"
Game = Annotated[str, Argument(help="The game.", autocompletion=complete_game)]


def directory_in(folder: Path) -> HostDirectory:
    check_requirements()
    from tkid.host.directory import HostDirectory
    from tkid.host.settings import SettingsError

    try:
        return HostDirectory.read_folder(folder, os.environ)
    except SettingsError as error:
        fail(str(error))


def list_host_files(directory: HostDirectory) -> list[Path]:
    """Return every file that a host keeps, and the folders of its mails: no output may replace them."""
    from tkid.host.directory import SECRET

    return [*directory.kept, directory.folder / SECRET, directory.health]


@contextmanager
def store_of(directory: HostDirectory) -> Iterator[Store]:
    with report_host_errors(directory.folder), directory.open_store() as store:
        yield store


@contextmanager
def report_host_errors(folder: Path) -> Iterator[None]:
    from tkid.host.settings import SettingsError
    from tkid.host.store.connection import DATABASE_ERRORS, describe_database_error

    try:
        yield
    except SettingsError as error:
        fail(str(error))
    except DATABASE_ERRORS as error:
        fail(f"{describe_database_error(error, folder)}.")


def check_requirements() -> None:
    if find_spec("fcntl") is None:
        fail(
            "A host needs Linux, macOS or another system with POSIX file locks. On Windows, run it in WSL. "
            "All commands except `tkid host` work here."
        )
    if find_spec("sqlalchemy") is None or find_spec("jinja2") is None:
        fail(
            "A host needs Python packages that are not installed here: run pip install '.[host]' in a copy of the source."
        )


def get_time() -> datetime:
    return datetime.now(UTC)


TRY_AGAIN = 75
"""Exit code for a mail delivery agent: keep the mail, and try again later."""


def once(folder: Folder) -> None:
    """Do one round: fetch mails, carry them out, send letters."""
    directory = directory_in(folder)
    warn_of_readers(directory)
    from tkid.host.webhooks import PATIENCE

    with _open_loop(directory, patience=PATIENCE) as loop:
        done = loop.run_once()
    if done.anything:
        came = f"{count_noun(done.fetched, 'mail')} came in, {done.worked} carried out or filed"
        clocks = f", {count_noun(done.ticked, 'game')} moved by the clock" if done.ticked else ""
        typer.echo(f"{came}{clocks}, {count_noun(done.sent, 'letter')} went out.")
    elif not done.failed:
        typer.echo("There was nothing to do.")
    if done.failed:
        for name, part in loop.health.parts.items():
            if part.error:
                typer.echo(f"{name}: {part.error}", err=True)
        for letter in loop.delivery.refused:
            typer.echo(letter, err=True)
        raise typer.Exit(WRONG)


def run(
    folder: Folder,
    pause: Annotated[
        float, Option(help="Maximum number of seconds between two rounds. 0: as in the settings.", min=0)
    ] = 0,
) -> None:
    """Run the host until you stop it (Ctrl-C or SIGTERM). If something fails, it keeps trying.

    The log goes to standard output, or to the file in the settings: a JSON object on each line.
    """
    import signal

    directory = directory_in(folder)
    warn_of_readers(directory)
    stopping: list[int] = []
    with _open_loop(directory, typer.echo) as loop:

        def stop(number: int, _: FrameType | None) -> None:
            stopping.append(number)
            loop.wake()
            signal.signal(number, signal.SIG_DFL)  # a second time it ends at once

        before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            loop.run_until_stopped(lambda: bool(stopping), pause or directory.settings.pause)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def web(folder: Folder) -> None:
    """Serve a page for each turn to browsers until you stop it. `host run` has to run too.

    Each letter that asks for a turn leads to its page, where the player clicks the turn and sends it.
    """
    directory = directory_in(folder)
    settings = directory.settings.web
    if settings is None:
        fail('Where are the pages? Write [web] into host.toml, and below it address = "https://play.club.example".')
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        fail("Python packages are missing: run pip install '.[host,web]' in a copy of the source.")
    from tkid.host.log import Log, open_log
    from tkid.host.web import serve

    file = directory.settings.log
    typer.echo(f"The pages are at {settings.address}. This server listens on {settings.host}, port {settings.port}.")
    with report_host_errors(folder):
        serve(directory, Log(open_log(file) if file else typer.echo, get_time))


def receive(folder: Folder) -> None:
    """Take one mail from a mail server, on standard input. `host run` or `host once` carries it out."""
    try:
        directory = directory_in(folder)
    except typer.Exit:
        raise typer.Exit(TRY_AGAIN) from None
    from tkid.host.store.connection import describe_database_error
    from tkid.host.transports import take_piped

    try:
        with directory.open_store() as store:
            code = take_piped(sys.stdin.buffer, lambda raw: store.keep_mail(raw, get_time()))
    except Exception as error:  # noqa: BLE001 - no error may lose the mail
        fail(f"The mail cannot be stored now: {describe_database_error(error, directory.folder)}", TRY_AGAIN)
    if code:
        fail("The mail cannot be stored now." if code == TRY_AGAIN else "There is no mail on standard input.", code)


def warn_of_readers(directory: HostDirectory) -> None:
    """Say on standard error what others may read of a host, its letters aside; `host doctor` looks at these too."""
    from tkid.host.status import check_privacy

    for problem in check_privacy(directory):
        typer.echo(problem, err=True)


def first_letters(directory: HostDirectory) -> tuple[int, str]:
    """Send the letters of new games. Return how many went out, and why the others wait if the sender failed, else ""."""
    with _open_loop(directory) as loop:
        sent = loop.deliver_once()
    name = loop.delivery.name
    error = loop.health.find_part(name).error
    return sent, f"{name}: {error}" if error else ""


@contextmanager
def _open_loop(
    directory: HostDirectory, write: Callable[[str], None] = lambda _: None, patience: float = 0
) -> Iterator[Loop]:
    from tkid.host.log import Log, open_log
    from tkid.host.settings import SettingsError
    from tkid.host.transports import Wakeup

    file = directory.settings.log
    with closing(Wakeup()) as wakeup:
        try:
            loop = directory.open_loop(Log(open_log(file) if file else write, get_time), wakeup, patience)
        except SettingsError as error:
            fail(str(error))
        yield loop
