"""Commands for what a host gives to the outside: host publish, hook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tkid.cli.host.shared import Folder, directory_in, now, store_of
from tkid.cli.support import WRONG, as_typed, fail, os_error_text
from tkid.notation.numbers import counted


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    app.command(epilog="Example: tkid host publish games /srv/www/club")(publish)
    app.command(epilog="Example: tkid host hook games winter https://club.example/hook")(hook)


def publish(
    folder: Folder,
    target: Annotated[
        Path | None,
        typer.Argument(help="The folder for the pages. Without it, the one in the settings.", metavar="FOLDER"),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Make every page again, changed or not.")] = False,
    take_over: Annotated[
        bool, typer.Option("--take-over", help="Publish into a folder that has other files. They stay there.")
    ] = False,
) -> None:
    """Publish the club's pages to a folder.

    They show running games as a spectator sees them, the archive, players, ratings and tournaments.
    """
    directory = directory_in(folder)
    from tkid.cli.support.progress import progress
    from tkid.host.publishing.chores import publisher_of
    from tkid.host.publishing.folder import FolderError

    if target is None and directory.settings.pages is None:
        fail(
            f"Where to? Write `tkid host publish {as_typed(folder)} FOLDER`, or set folder under [pages] in host.toml."
        )
    with store_of(directory) as store:
        publisher = publisher_of(directory.folder, directory.settings, directory.secret(), target)
        try:
            with progress("games looked at") as shown:
                report = publisher.publish(store, now(), again=again, take_over=take_over, step=shown.step)
        except FolderError as error:
            fail(str(error), WRONG)
        except OSError as error:
            fail(f"The pages are as they were, as far as they were not made yet: {os_error_text(error)}")
    gone = f", {counted(report.removed, 'old file')} removed" if report.removed else ""
    typer.echo(f"{publisher.folder.path}: {counted(report.written, 'file')} written{gone}.")
    for game, why in report.failed.items():
        typer.echo(f"{game} could not be published: {why}", err=True)
    if report.failed:
        raise typer.Exit(WRONG)


def hook(
    folder: Folder,
    game: Annotated[str, typer.Argument(help="The game. Without it, the webhooks are listed.")] = "",
    url: Annotated[str, typer.Argument(help="The address that is told of its turns and its end.", metavar="URL")] = "",
    remove: Annotated[bool, typer.Option("--remove", help="Tell no address of its own about this game.")] = False,
) -> None:
    """Tell an address about one game. For all games, set url under [hooks] in host.toml."""
    directory = directory_in(folder)
    from tkid.host.publishing.changes import HOOK
    from tkid.host.publishing.hooks import URL, addresses, game_secret, waiting
    from tkid.host.publishing.sending import url_problem, written_secret
    from tkid.host.store.documents import Document

    if bool(game) != bool(url or remove) or (url and remove):
        fail(
            f"Write `tkid host hook {as_typed(folder)} GAME URL`, or `tkid host hook {as_typed(folder)} GAME --remove`."
        )
    if url and (problem := url_problem(url)):
        fail(f"Nothing was changed: {problem}", WRONG)
    with store_of(directory) as store, store.writing() as transaction:
        if not game:
            for name, address in addresses(transaction).items():
                typer.echo(f"{name}: {address}")
            for event in waiting(transaction):
                why = f", last: {event.error}" if event.error else ""
                typer.echo(f"{event.game}: {event.what} {event.turn} waits, tried {counted(event.tries, 'time')}{why}")
            return
        if transaction.game(game) is None:
            fail(f"There is no game {game}. `tkid host status {as_typed(folder)}` lists them.", WRONG)
        if remove:
            transaction.documents.drop(HOOK, f"{URL}{game}")
            typer.echo(f"{game}: no address of its own is told about it any more.")
            return
        transaction.documents.put(Document(HOOK, f"{URL}{game}", url))
        typer.echo(f"{game}: turns and the end are told to {url}.")
        typer.echo(f"The secret that signs them: {written_secret(game_secret(directory.secret(), game, url))}")
