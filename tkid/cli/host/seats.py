"""Commands for whoever keeps a host's games: host stand-in, back, resume."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.host.shared import Folder, Game, directory_in, now, store_of
from tkid.cli.support import WRONG, fail

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tkid.mail.desk.service import HostedGame
    from tkid.record.clock.notes import Back, Resumed, StandIn

Player = Annotated[str, typer.Argument(help="The player whose seat it is: name or number.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands to those of the host."""
    app.command("stand-in", epilog='Example: tkid host stand-in games winter Ann "Cal <cal@example.org>"')(stand_in)
    app.command(epilog="Example: tkid host back games winter Ann")(back)
    app.command(epilog="Example: tkid host resume games winter")(resume)


def stand_in(
    folder: Folder,
    game: Game,
    player: Player,
    who: Annotated[
        str, typer.Argument(help="Who plays the seat from now on: 'NAME <ADDRESS>', or a name for the bot.")
    ],
    bot: Annotated[bool, typer.Option("--bot", help="The bot plays the seat. It plays any legal turn.")] = False,
) -> None:
    """Give a seat to somebody else, or to the bot. Its hand, court and bank of days go with it."""
    name, _, rest = who.partition("<")
    name, address = " ".join(name.split()), rest.rstrip("> ")

    def note(hosted: HostedGame, now: datetime) -> StandIn:
        from tkid.mail.inbound.envelope import is_address
        from tkid.record.clock.notes import StandIn, note_reader
        from tkid.record.format.table_names import newcomer_faults

        if not bot and not is_address(address):
            fail(f"{who}: write 'NAME <ADDRESS>', or add --bot.")
        seat = _seat(hosted, player)
        others = [other for index, other in enumerate(hosted.names) if index != seat]
        if refused := [*newcomer_faults(hosted.record.game, name, others)]:
            fail("\n".join(refused), WRONG)
        line = StandIn(seat, name, hosted.moment(now), "" if bot else address, bot)
        reader = note_reader(hosted.names)
        if reader.line(reader.write_line(line)) != line:
            fail(f"{who}: a name has at most 32 characters, and none of < > : ; {{ }} #.")
        return line

    _change(folder, game, note)
    typer.echo(f"{game}: {'the bot ' if bot else ''}{name} now plays {player}'s seat.")


def back(folder: Folder, game: Game, player: Player) -> None:
    """Note that a player is back, from an absence or after a stand-in."""

    def note(hosted: HostedGame, now: datetime) -> Back:
        from tkid.record.clock.notes import Back

        seat = _seat(hosted, player)
        if hosted.time.seats[seat].resigned is not None:
            fail(f"{hosted.names[seat]} has resigned and cannot come back. [post.resign.final]", WRONG)
        return Back(seat, hosted.moment(now))

    _change(folder, game, note)
    typer.echo(f"{game}: {player} is back.")


def resume(folder: Folder, game: Game) -> None:
    """Resume an adjourned game. The clock of the current turn starts again."""

    def note(hosted: HostedGame, now: datetime) -> Resumed:
        from tkid.record.clock.notes import Resumed

        if not hosted.time.adjourned:
            fail(f"{game} is not adjourned.", WRONG)
        return Resumed(hosted.moment(now))

    _change(folder, game, note)
    typer.echo(f"{game}: the game goes on.")


def _seat(hosted: HostedGame, player: str) -> int:
    from tkid.cli.support.seats import seat_of

    if hosted.time.over:
        fail("The game is over.", WRONG)
    return seat_of(hosted.names, player)


def _change(folder: Folder, game: str, note: Callable[[HostedGame, datetime], StandIn | Back | Resumed]) -> None:
    """Add a note to a game; the letters about it go out in the host's next round."""
    from tkid.mail.desk import service

    directory, moment = directory_in(folder), now()
    with store_of(directory) as store:
        try:
            directory.host(store).change(game, lambda hosted: service.noted(hosted, note(hosted, moment), moment))
        except LookupError:
            fail(f"There is no game {game}. `tkid host status {folder}` lists them.", WRONG)
