"""Commands for a host: host init, new-game, once, run, status, mail, export, doctor."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.common import WRONG, fail, told_os

if TYPE_CHECKING:
    from tkid.cli.house import House

app = typer.Typer(help="Run games by mail for others.", no_args_is_help=True)

Folder = Annotated[Path, typer.Argument(help="The host's folder.", metavar="DIR")]
PAUSE = 5.0
"""Seconds between two looks into the inbox."""


@app.command(epilog="Example: tkid host init games --address tkid@games.example")
def init(
    folder: Folder,
    address: Annotated[str, typer.Option(help="The address that players write to.")] = "tkid@localhost",
    store: Annotated[str, typer.Option(help="The database, as SQLAlchemy writes it; a file in DIR by default.")] = "",
) -> None:
    """Set up a host in a folder: mails come in under DIR/in and go out under DIR/out."""
    _needs_a_database()
    from tkid.cli.house import House, HouseError

    try:
        house = House.make(folder, address, store)
    except HouseError as error:
        fail(str(error), WRONG)
    except OSError as error:
        fail(f"Nothing was set up: {told_os(error)}")
    typer.echo(f"{folder}: a host that is written to at {house.address}.")
    typer.echo(f"Mails for it go into {house.inbox}, a Maildir; its letters are Maildirs under {house.outbox}.")
    typer.echo(f'Make a game with `tkid host new-game {folder} "Ann <ann@example.org>" "Bob <bob@example.org>"`.')


@app.command(
    "new-game", epilog='Example: tkid host new-game games "Ann <ann@example.org>" "Bob <bob@example.org>" --game winter'
)
def new_game(
    folder: Folder,
    players: Annotated[list[str], typer.Argument(help="The players in turn order: 'NAME <ADDRESS>'.")],
    game: Annotated[str, typer.Option(help="A name for the game.")] = "",
    ruleset: Annotated[str, typer.Option(help="See `tkid rulesets`.")] = "second-edition",
    first: Annotated[str, typer.Option(help="Who starts; drawn if nobody is named.")] = "",
    entropy: Annotated[str, typer.Option(help="64 hex digits to deal from, for a deal that can be repeated.")] = "",
) -> None:
    """Deal a game and write to its players."""
    import secrets

    from tkid.record.new import NewGameError, new_record

    house = _house(folder)
    try:
        drawn = bytes.fromhex(entropy) if entropy else secrets.token_bytes(32)
        record = new_record(ruleset, players, drawn, title=game, first=first)
    except ValueError as error:
        fail("\n".join(error.messages) if isinstance(error, NewGameError) else f"--entropy: {error}", WRONG)
    with house.host() as host:
        name = game or f"game-{len(host.store.games()) + 1}"
        try:
            host.open(name, record, _now())
        except ValueError as error:
            fail(f"No game was made: {error}", WRONG)
        sent = host.deliver(_now())
    typer.echo(f"{name}: {record.ruleset.title}, with {', '.join(record.names)}. {_letters(sent)} went out.")


@app.command(epilog="Example: tkid host once games")
def once(folder: Folder) -> None:
    """Fetch the mails that are there, carry them out, send the letters, and stop."""
    with _house(folder).host() as host:
        typer.echo(_round(folder, host))


@app.command(epilog="Example: tkid host run games")
def run(
    folder: Folder,
    pause: Annotated[float, typer.Option(help="Seconds between two looks into the inbox.")] = PAUSE,
) -> None:
    """Do what `host once` does again and again, until it is stopped."""
    import time

    with _house(folder).host() as host:
        while True:
            told = _round(folder, host)
            if not told.startswith("Nothing"):
                typer.echo(f"{_now():%Y-%m-%d %H:%M:%S} {told}")
            time.sleep(pause)


@app.command(epilog="Example: tkid host status games")
def status(folder: Folder) -> None:
    """Say how the host and its games stand."""
    from tkid.post.hosted import Hosted

    with _house(folder).host() as host:
        counts = host.store.counts()
        typer.echo(", ".join(f"{number} {what}" for what, number in counts.items()))
        for game in host.store.games():
            at = Hosted.stored(game.record, game.memory).replay
            due = at.position.to_act
            stands = f"{at.record.names[due]} to {at.position.decision}" if due is not None else at.position.ending
            typer.echo(f"{game.id}: turn {len(at.record.turns) + 1}, {stands}")
        for number, what, why in host.store.troubles():
            typer.echo(f"trouble: {what} {number}: {why}", err=True)


@app.command(epilog="Example: tkid host mail games winter")
def mail(folder: Folder, game: Annotated[str, typer.Argument(help="The game.")]) -> None:
    """List the letters of a game that have been written, with the addresses they are for."""
    with _house(folder).host() as host:
        if host.store.game(game) is None:
            fail(f"There is no game {game}. `tkid host status {folder}` lists them.", WRONG)
        for message_id, address, sent in host.store.letters(game):
            typer.echo(f"{sent or 'waits':32} {address:30} {message_id}")


@app.command(epilog="Example: tkid host export games winter -o winter.tkid")
def export(
    folder: Folder,
    game: Annotated[str, typer.Argument(help="The game.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it here, not to standard output.")
    ] = None,
) -> None:
    """Write the whole record of a game: every hand and the entropy are in it."""
    from tkid.cli.files import write_atomically

    with _house(folder).host() as host:
        found = host.store.game(game)
    if found is None:
        fail(f"There is no game {game}. `tkid host status {folder}` lists them.", WRONG)
    if output is None:
        typer.echo(found.record, nl=False)
        return
    try:
        write_atomically(output, found.record)
    except OSError as error:
        fail(f"Nothing was written: {told_os(error)}")
    typer.echo(f"{output}: the whole record of {game}.")


@app.command(epilog="Example: tkid host doctor games")
def doctor(folder: Folder) -> None:
    """Look whether everything is as it should be: folders, secret, database, every game's record."""
    from tkid.post.hosted import Hosted

    house = _house(folder)
    wrong = house.complaints()
    with house.host() as host:
        for game in host.store.games():
            try:
                problems = Hosted.stored(game.record, game.memory).replay.problems
            except ValueError as error:
                wrong.append(f"{game.id}: {error}")
            else:
                wrong += [f"{game.id}: {problem}" for problem in problems]
        games = len(host.store.games())
    for complaint in wrong:
        typer.echo(complaint, err=True)
    if wrong:
        raise typer.Exit(WRONG)
    typer.echo(f"{folder}: all right, {games} game{'s' * (games != 1)}.")


def _house(folder: Path) -> House:
    _needs_a_database()
    from tkid.cli.house import House, HouseError

    try:
        return House.read(folder)
    except HouseError as error:
        fail(str(error))


def _needs_a_database() -> None:
    """Say what to install where a host's library is missing."""
    from importlib.util import find_spec

    if find_spec("sqlalchemy") is None:
        fail("A host needs a database library that is not installed here: pip install 'tkid[host]'")


def _round(folder: Path, host: object) -> str:
    """One round of a host's work, told in a line."""
    from tkid.cli.house import House
    from tkid.post.host import Host
    from tkid.post.maildir import Maildir

    assert isinstance(host, Host)
    fetched = host.fetch(Maildir(House.read(folder).inbox), _now())
    done, sent = host.work(_now()), host.deliver(_now())
    if not (fetched or done or sent):
        return "Nothing to do."
    return f"{fetched} mail{'s' * (fetched != 1)} came in, {done} carried out or filed, {_letters(sent)} went out."


def _letters(number: int) -> str:
    return f"{number} letter{'s' * (number != 1)}"


def _now() -> datetime:
    from datetime import UTC

    return datetime.now(UTC)
