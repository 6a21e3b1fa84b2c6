"""Commands for a host: host init, new-game, mail, export, doctor; the others are in files of their own."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.host import rounds, seats, status
from tkid.cli.host.shared import Folder, Game, counted, directory_in, needs_a_database, now, store_of, telling
from tkid.cli.support import WRONG, fail, os_error_text

if TYPE_CHECKING:
    from tkid.host.store.transaction import StoredGame
    from tkid.record.format.model import Record

app = typer.Typer(help="Run a host: games by mail for other people.", no_args_is_help=True)
rounds.add_to(app)
status.add_to(app)
seats.add_to(app)

NO_CLOCK = "none"


@app.command(epilog="Example: tkid host init games --address tkid@games.example")
def init(
    folder: Folder,
    address: Annotated[str, typer.Option(help="The address that players write to.")] = "tkid@localhost",
    store: Annotated[str, typer.Option(help="The database, as an SQLAlchemy address. Without it, a file in DIR.")] = "",
    owner: Annotated[str, typer.Option(help="Your own address: the host writes to it when something needs you.")] = "",
) -> None:
    """Set up a host in a folder. Mails come in under DIR/in and go out under DIR/out."""
    needs_a_database()
    from functools import partial

    from tkid.cli.support.files import create
    from tkid.host.directory import HostDirectory

    try:
        with telling():
            HostDirectory.create(folder, address, store, owner, partial(create, private=True))
    except OSError as error:
        fail(f"Nothing was set up: {os_error_text(error)}")
    directory = directory_in(folder)
    rounds.warn_of_readers(directory)
    typer.echo(f"{folder}: this host is ready. Players write to {address}.")
    typer.echo(
        f"Put incoming mails into the Maildir {directory.inbox}. Letters go into Maildirs under {directory.outbox}."
    )
    typer.echo(f'Make a game with `tkid host new-game {folder} "Ann <ann@example.org>" "Bob <bob@example.org>"`.')


@app.command(
    "new-game", epilog='Example: tkid host new-game games "Ann <ann@example.org>" "Bob <bob@example.org>" --game winter'
)
def new_game(
    folder: Folder,
    players: Annotated[list[str], typer.Argument(help="The players in turn order, each as 'NAME <ADDRESS>'.")],
    game: Annotated[str, typer.Option(help="A name for the game.")] = "",
    ruleset: Annotated[str, typer.Option(help="What you play. `tkid rulesets` lists the rulesets.")] = "second-edition",
    clock: Annotated[
        str, typer.Option(help="Time for a turn, such as '3 days a turn, 1 day grace'. 'none' for no clock.")
    ] = "",
    first: Annotated[str, typer.Option(help="Who starts. Without it, the start player is drawn.")] = "",
    ruling: Annotated[
        list[str] | None,
        typer.Option(help="Choose another ruling: 'ID OPTION'. `tkid rulesets` lists them. May be repeated."),
    ] = None,
    entropy: Annotated[
        str, typer.Option(help="Deal from these 64 hex digits. The same digits deal the same game.")
    ] = "",
    one_address: Annotated[
        bool, typer.Option("--one-address", help="Two players share an address on purpose.")
    ] = False,
) -> None:
    """Deal a game and write to its players. Without --clock, they have 7 days for a turn, and a day of grace."""
    from tkid.cli.fair_play import entropy_of
    from tkid.record.format.new_game import NewGameError, new_record
    from tkid.record.format.table_names import shared_address

    directory = directory_in(folder)
    try:
        record = new_record(ruleset, players, entropy_of(entropy), title=game, first=first, rulings=ruling or ())
    except NewGameError as error:
        fail("\n".join(error.messages), WRONG)
    if (shared := shared_address(record.seats)) and not one_address:
        way_out = "If they share it, add --one-address. The key in each mail then shows who it is from."
        fail(f"No game was made: {shared}. {way_out} [mail.one-address]", WRONG)
    record = _with_clock(record, clock)
    with store_of(directory) as store:
        host = directory.host(store)
        name = game or _unused(store.games())
        try:
            host.open(name, record, now())
        except ValueError as error:
            fail(f"No game was made: {error}", WRONG)
    typer.echo(f"{name}: {record.ruleset.title}, with {', '.join(record.names)}. {rounds.first_letters(directory)}")


def _with_clock(record: Record, typed: str) -> Record:
    """A record with the terms of its clock; what is wrong with them ends the command."""
    from attrs import evolve

    from tkid.cli.support.printing import print_problems
    from tkid.mail.plugin import agreed
    from tkid.record.clock.terms import CLOCK, DEFAULT, read_clock, write_clock
    from tkid.record.format.model import Header

    if typed == NO_CLOCK:
        return record
    terms = DEFAULT
    if typed:
        reading = read_clock(typed)
        if reading.problems or reading.clock is None:
            print_problems("--clock", typed.encode("utf-8", "replace"), reading.problems)
            raise typer.Exit(WRONG)
        terms = reading.clock
    return evolve(record, headers=(*record.headers, Header(CLOCK, write_clock(agreed(terms, record.game)))))


def _unused(games: list[StoredGame]) -> str:
    """A name that no game has."""
    taken = {game.id for game in games}
    return next(name for number in count(len(games) + 1) if (name := f"game-{number}") not in taken)


@app.command(epilog="Example: tkid host mail games winter")
def mail(folder: Folder, game: Game) -> None:
    """List a game's letters: when they were sent, and to whom."""
    with store_of(directory_in(folder)) as store:
        if store.game(game) is None:
            fail(f"There is no game {game}. `tkid host status {folder}` lists them.", WRONG)
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
    """Write a game to a file, with every hand and the entropy. Keep it to yourself."""
    from tkid.cli.support.files import write_atomically

    with store_of(directory_in(folder)) as store:
        stored = store.game(game)
    if stored is None:
        fail(f"There is no game {game}. `tkid host status {folder}` lists them.", WRONG)
    if output is None:
        typer.echo(stored.record, nl=False)
        return
    try:
        write_atomically(output, stored.record, private=True)
    except OSError as error:
        fail(f"Nothing was written: {os_error_text(error)}")
    typer.echo(f"{output}: the whole game file of {game}.")


@app.command(epilog="Example: tkid host doctor games")
def doctor(
    folder: Folder,
    offline: Annotated[bool, typer.Option("--offline", help="Do not try to reach the servers.")] = False,
) -> None:
    """Check a host. Looks at its folders, secret, servers, database and games."""
    directory = directory_in(folder)
    from tkid.host.doctor import folder_problems, game_problems, tried_servers

    problems = folder_problems(directory)
    if not offline:
        for answer, works in tried_servers(directory):
            if works:
                typer.echo(answer)
            else:
                problems.append(answer)
    with store_of(directory) as store:
        games = store.games()
    problems += [problem for game in games for problem in game_problems(game)]
    for problem in problems:
        typer.echo(problem, err=True)
    if problems:
        raise typer.Exit(WRONG)
    typer.echo(f"{folder}: all right, {counted(len(games), 'game')}.")
