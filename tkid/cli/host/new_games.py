"""Commands that begin games: host new-game, new-games. They say of each letter whether it left, and why it did not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.host import rounds
from tkid.cli.host.shared import Folder, directory_in, now, store_of
from tkid.cli.support import WRONG, as_typed, fail
from tkid.notation.numbers import counted

if TYPE_CHECKING:
    from tkid.host.directory import HostDirectory
    from tkid.host.store.queries import Unsent
    from tkid.host.store.store import Store
    from tkid.record.format.model import Record

NO_CLOCK = "none"
Ruleset = Annotated[str, typer.Option(help="What you play. `tkid rulesets` lists the rulesets.")]
ClockText = Annotated[
    str, typer.Option(help="Time for a turn, such as '3 days a turn, 1 day grace'. 'none' for no clock.")
]
Rulings = Annotated[
    list[str] | None,
    typer.Option(help="Choose another ruling: 'ID OPTION'. `tkid rulesets` lists them. May be repeated."),
]
OneAddress = Annotated[bool, typer.Option("--one-address", help="Two players share an address on purpose.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands."""
    example = 'Example: tkid host new-game games "Ann <ann@example.org>" "Bob <bob@example.org>" --game winter'
    app.command("new-game", epilog=example)(new_game)
    app.command("new-games", epilog="Example: tkid host new-games games pairings.txt")(new_games)


def new_game(
    folder: Folder,
    players: Annotated[list[str], typer.Argument(help="The players in turn order, each as 'NAME <ADDRESS>'.")],
    game: Annotated[str, typer.Option(help="A name for the game.")] = "",
    ruleset: Ruleset = "second-edition",
    clock: ClockText = "",
    first: Annotated[str, typer.Option(help="Who starts. Without it, the start player is drawn.")] = "",
    ruling: Rulings = None,
    entropy: Annotated[
        str, typer.Option(help="Deal from these 64 hex digits. The same digits deal the same game.")
    ] = "",
    one_address: OneAddress = False,
) -> None:
    """Deal a game and write to its players. Without --clock, they have 7 days for a turn, and a day of grace."""
    from tkid.record.format.new_game import NewGameError, new_record

    directory = directory_in(folder)
    try:
        record = new_record(ruleset, players, _entropy(entropy), title=game, first=first, rulings=ruling or ())
    except NewGameError as error:
        fail("\n".join(error.messages), WRONG)
    _begin(directory, [(game, "", _with_clock(_addressed(record, one_address=one_address), clock))])


def new_games(
    folder: Folder,
    file: Annotated[
        Path,
        typer.Argument(help="A file with a game on each line: its players, in turn order, with commas between them."),
    ],
    ruleset: Ruleset = "second-edition",
    clock: ClockText = "",
    ruling: Rulings = None,
    one_address: OneAddress = False,
) -> None:
    """Deal many games and write to their players. Each line of the file is a game: Ann <ann@…>, Bob <bob@…>.

    Empty lines and lines that begin with # are skipped. If a line is wrong, no game is made.
    """
    from tkid.record.format.new_game import NewGameError, new_record

    directory = directory_in(folder)
    games = []
    for number, line in _lines(file):
        players = [" ".join(player.split()) for player in line.split(",") if player.strip()]
        try:
            record = new_record(ruleset, players, _entropy(""), rulings=ruling or ())
        except NewGameError as error:
            fail("\n".join(f"{file}:{number}: {message}" for message in error.messages), WRONG)
        record = _with_clock(_addressed(record, f"{file}:{number}: ", one_address=one_address), clock)
        games.append(("", f"{file}:{number}: ", record))
    if not games:
        fail(
            f"{file}: there is no game in it. Write the players of each game on a line, with commas between them.",
            WRONG,
        )
    _begin(directory, games)


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are about games, with their numbers."""
    from tkid.cli.support.files import read_bytes

    try:
        lines = read_bytes(file).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{file}: {error.strerror if isinstance(error, OSError) else 'this is not UTF-8 text'}.", WRONG)
    yield from ((n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#"))


def _entropy(typed: str) -> bytes:
    from tkid.cli.fair_play import entropy_of

    return entropy_of(typed)


def _addressed(record: Record, place: str = "", *, one_address: bool) -> Record:
    """A record in which each player has an address, and no two share one but on purpose; else the end of the command."""
    from tkid.mail.inbound.envelope import is_address
    from tkid.record.format.table_names import shared_address

    for seat in record.seats:
        if not is_address(seat.address):
            *name, last = seat.name.split()
            example = f"{' '.join(name) or 'Ann'} <{last}>" if is_address(last) else f"{seat.name} <ann@example.org>"
            wrong = (
                f"`{seat.address}` is not an address" if seat.address else f"the player `{seat.name}` has no address"
            )
            way_out = f"Write each player as NAME <ADDRESS>, such as {example}, in quotes at the terminal."
            fail(f"{place}No game was made: {wrong}. {way_out} [mail.address]", WRONG)
    if (shared := shared_address(record.seats)) and not one_address:
        way_out = "If they share it, add --one-address. The key in each mail then shows who it is from."
        fail(f"{place}No game was made: {shared}. {way_out} [mail.one-address]", WRONG)
    return record


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


# -- the games begin, and their letters leave ---------------------------------------------------------------


def _begin(directory: HostDirectory, games: Sequence[tuple[str, str, Record]]) -> None:
    """Open games, each with its name, the place where it was asked for, and its record; send the letters, and report."""
    from tkid.host.upkeep.host_time import time_of

    with store_of(directory) as store:
        with store.writing() as transaction:
            time = time_of(transaction, now())
        host = directory.host(store)
        unused, names = _unused(store), list[str]()
        for given, place, record in games:
            name = given or next(unused)
            try:
                host.open(name, record, time)
            except ValueError as error:
                made = f". {counted(len(names), 'game')} before it began" if names else ""
                fail(f"{place}No game was made: {error}{made}", WRONG)
            names.append(name)
    sent, failure = rounds.first_letters(directory)
    with store_of(directory) as store:
        unsent = [letter for letter in store.unsent() if letter.game in names]
    *before, last = (
        f"{name}: {record.ruleset.title}, with {', '.join(record.names)}."
        for name, (_, _, record) in zip(names, games, strict=True)
    )
    for line in before:
        typer.echo(line)
    typer.echo(f"{last} {counted(sent, 'letter')} went out.{_where(directory) if sent else ''}")
    for letter in unsent:
        typer.echo(_why(letter, failure), err=True)
    if unsent:
        typer.echo(_way_out(directory, unsent), err=True)


def _unused(store: Store) -> Iterator[str]:
    """Names that no game has."""
    taken = {game.id for game in store.games()}
    return (name for number in count(len(taken) + 1) if (name := f"game-{number}") not in taken)


def _where(directory: HostDirectory) -> str:
    """Where letters went that no mail server was given."""
    if directory.settings.smtp is not None:
        return ""
    return f"\nThere is no [smtp] in the settings, so they are in Maildirs under {directory.outbox}."


def _why(letter: Unsent, failure: str) -> str:
    """Why a letter did not leave."""
    if letter.given_up:
        return f"{letter.game}: the letter to {letter.address} was refused for good: {letter.error}"
    if letter.error:
        return f"{letter.game}: the letter to {letter.address} waits: {letter.error}"
    return f"{letter.game}: the letter to {letter.address} waits: {failure or 'another process is sending letters'}"


def _way_out(directory: HostDirectory, unsent: Sequence[Unsent]) -> str:
    """What to do about letters that did not leave."""
    ways = []
    if any(letter.given_up for letter in unsent):
        game = next(letter.game for letter in unsent if letter.given_up)
        ways.append(
            f"A refused letter is not sent again. Check the address, then give the seat to the right one: "
            f"`tkid host stand-in {as_typed(directory.folder)} {game} PLAYER 'NAME <ADDRESS>'`."
        )
    if not all(letter.given_up for letter in unsent):
        ways.append(
            f"The others wait, and `tkid host run` tries them again; `tkid host once {as_typed(directory.folder)}` does it at once. "
            f"`tkid host doctor {as_typed(directory.folder)}` tries the mail server."
        )
    return "\n".join(ways) if len(ways) > 1 else ways[0].replace("The others wait", "Letters that wait are kept")
