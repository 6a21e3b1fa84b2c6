"""Commands for a host: host init, mail, export; the others are in files of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tkid.cli.host import desk, new_games, publish, rounds, status, tournament, unsubscribe, upkeep
from tkid.cli.host.shared import Folder, Game, check_requirements, directory_in, kept_in, store_of, telling
from tkid.cli.support import WRONG, as_typed, fail, os_error_text
from tkid.cli.support.outputs import check_output, print_or_write

app = typer.Typer()
new_games.add_to(app)
rounds.add_to(app)
publish.add_to(app)
status.add_to(app)
desk.add_to(app)
tournament.add_to(app)
unsubscribe.add_to(app)
upkeep.add_to(app)


@app.command(epilog="Example: tkid host init games --address tkid@games.example")
def init(
    folder: Folder,
    address: Annotated[str, typer.Option(help="The address that players write to.")] = "tkid@localhost",
    store: Annotated[str, typer.Option(help="The database, as an SQLAlchemy address. Without it, a file in DIR.")] = "",
    owner: Annotated[str, typer.Option(help="Your own address: the host writes to it when something needs you.")] = "",
) -> None:
    """Set up a host in a folder. Mails come in under DIR/in and go out under DIR/out."""
    check_requirements()
    from tkid.host.directory import HostDirectory

    try:
        with telling(folder):
            HostDirectory.create(folder, address, store, owner)
    except OSError as error:
        fail(f"Nothing was set up: {os_error_text(error)}")
    directory = directory_in(folder)
    rounds.warn_of_readers(directory)
    typer.echo(f"{folder}: this host is ready. Players write to {address}.")
    typer.echo(
        f"Put incoming mails into the Maildir {directory.inbox}. Letters go into Maildirs under {directory.outbox}."
    )
    typer.echo(
        f'Make a game with `tkid host new-game {as_typed(folder)} "Ann <ann@example.org>" "Bob <bob@example.org>"`.'
    )


@app.command(epilog="Example: tkid host mail games winter")
def mail(folder: Folder, game: Game) -> None:
    """List a game's letters: when they were sent, and to whom."""
    with store_of(directory_in(folder)) as store:
        if store.game(game) is None:
            fail(f"There is no game {game}. `tkid host status {as_typed(folder)}` lists them.", WRONG)
        for message_id, address, sent in store.letters(game):
            typer.echo(f"{sent or 'waits':32} {address:30} {message_id}")


@app.command(epilog="Example: tkid host export games winter -o winter.tkid")
def export(
    folder: Folder,
    game: Game,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it to this file. Without it, it is printed.")
    ] = None,
) -> None:
    """Write a game to a file, with all hands and addresses. Keep it to yourself."""
    from tkid.record.format.reader import read_record

    directory = directory_in(folder)
    with store_of(directory) as store:
        stored = store.game(game)
    if stored is None:
        fail(f"There is no game {game}. `tkid host status {as_typed(folder)}` lists them.", WRONG)
    check_output(output, None, *kept_in(directory), record=read_record(stored.record.encode()).record)
    print_or_write(stored.record, output, private=True)
    if output is None:
        return
    typer.echo(f"{output}: the whole game file of {game}.")
