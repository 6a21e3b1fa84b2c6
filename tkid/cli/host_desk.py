"""The owner's desk at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.host_rounds import Folder, Game, directory_in, get_time, store_of
from tkid.cli.printing import WRONG, as_typed, fail

if TYPE_CHECKING:
    from tkid.host.desk import DeskAnswer
    from tkid.kernel.problems import Problem

Games = Annotated[str, typer.Argument(help="The game, or 'all' for all games that go on.", metavar="GAME")]
Player = Annotated[str, typer.Argument(help="The player: name or number.")]
Number = Annotated[int, typer.Argument(help="The number of the mail. `tkid host filed` lists them.")]
Reason = Annotated[str, typer.Option(help="Why. It is written into the record, and every player reads it.")]


def add_desk_commands(app: typer.Typer) -> None:
    """Add these commands to those of the host."""
    app.command(epilog="Example: tkid host games games --all")(games)
    app.command(epilog="Example: tkid host filed games")(filed)
    app.command(epilog="Example: tkid host show games 12")(show)
    app.command(epilog='Example: tkid host process games 12 --reason "Ann wrote from her phone"')(process)
    app.command(epilog='Example: tkid host pause games winter --reason "Ann is in hospital"')(pause)
    app.command(epilog="Example: tkid host resume games winter")(resume)
    app.command(epilog='Example: tkid host extend games winter Ann "2 days" --reason "no network"')(extend)
    app.command(epilog="Example: tkid host deadline games winter Ann 2026-12-20T18:00Z")(deadline)
    app.command("take-back", epilog='Example: tkid host take-back games winter 12 --reason "a typing error"')(
        take_turn_back
    )
    app.command(epilog='Example: tkid host abort games winter --reason "both players left"')(abort)
    app.command("stand-in", epilog='Example: tkid host stand-in games winter Ann "Cal <cal@example.org>"')(stand_in)
    app.command(epilog="Example: tkid host back games winter Ann")(back)
    app.command(epilog="Example: tkid host address games winter Ann ann@new.example")(address)
    app.command(epilog='Example: tkid host announce games all "The host moves on Sunday."')(announce)
    app.command(epilog="Example: tkid host offer games winter Ann")(offer)
    app.command("import", epilog="Example: tkid host import games winter winter.tkid")(import_game)
    app.command("confirm-clock", epilog="Example: tkid host confirm-clock games")(confirm_machine_clock)


# -- games ------------------------------------------------------------------------------------------------


def games(
    folder: Folder, every: Annotated[bool, typer.Option("--all", help="Also list games that are over.")] = False
) -> None:
    """List the games, the nearest deadline first. With --all also those that are over: who won, and how."""
    print_desk_answer(carry_out_desk_order(folder, "games all" if every else "games"))


def pause(folder: Folder, game: Games, reason: Reason = "") -> None:
    """Stop the clocks of a game, or of all. They run again when you resume it."""
    print_desk_answer(carry_out_desk_order(folder, "pause", game, reason=reason))


def resume(folder: Folder, game: Games, reason: Reason = "") -> None:
    """Resume a game that is paused or adjourned, or all of them."""
    print_desk_answer(carry_out_desk_order(folder, "resume", game, reason=reason))


def extend(
    folder: Folder,
    game: Game,
    player: Player,
    time: Annotated[str, typer.Argument(help="How much more time, such as '2 days' or '36 hours'.")],
    reason: Reason = "",
) -> None:
    """Give the next player more time for this turn."""
    print_desk_answer(carry_out_desk_order(folder, "extend", game, f"{player} {time}", reason))


def deadline(
    folder: Folder,
    game: Game,
    player: Player,
    time: Annotated[str, typer.Argument(help="The deadline in UTC: 2026-12-20T18:00Z, or a day.")],
    reason: Reason = "",
) -> None:
    """Set the time by which the next player has to answer."""
    print_desk_answer(carry_out_desk_order(folder, "deadline", game, f"{player} {time}", reason))


def take_turn_back(
    folder: Folder,
    game: Game,
    turn: Annotated[str, typer.Argument(help="The first turn to take back. Without it, the last one.")] = "",
    *,
    reason: Reason,
) -> None:
    """Take back a turn and all later ones. The record keeps them, marked as taken back."""
    print_desk_answer(carry_out_desk_order(folder, "take back", game, f"from turn {turn}" if turn else "", reason))


def abort(folder: Folder, game: Game, *, reason: Reason) -> None:
    """End a game without a result."""
    print_desk_answer(carry_out_desk_order(folder, "abort", game, reason=reason))


def announce(folder: Folder, game: Games, text: Annotated[str, typer.Argument(help="What you have to say.")]) -> None:
    """Write to all players of a game, or of all games. The record keeps it."""
    print_desk_answer(carry_out_desk_order(folder, "announce", game, reason=text))


def import_game(
    folder: Folder,
    game: Annotated[str, typer.Argument(help="A name for the game.")],
    file: Annotated[Path, typer.Argument(help="The game file, with an address for each player.")],
) -> None:
    """Go on with a game that has begun elsewhere. Every player gets a letter."""
    from tkid.cli.files import read_bytes
    from tkid.cli.printing import stop_on_os_error

    directory = directory_in(folder)
    from tkid.host.host_time import find_time

    with stop_on_os_error("Nothing was imported"):
        record = read_bytes(file)
    with store_of(directory) as store, store.begin_transaction() as transaction:
        answer = directory.open_host(store).mails.desk.take_in(
            transaction, game, record, find_time(transaction, get_time())
        )
    print_desk_answer(answer)


# -- players ----------------------------------------------------------------------------------------------


def stand_in(
    folder: Folder,
    game: Game,
    player: Player,
    who: Annotated[
        str, typer.Argument(help="Who plays the seat from now on: 'NAME <ADDRESS>', or a name for the bot.")
    ],
    bot: Annotated[bool, typer.Option("--bot", help="A bot plays the seat.")] = False,
    player_of_bot: Annotated[
        str, typer.Option("--player", help="With --bot: random, greedy or search, as far as the club allows it.")
    ] = "",
    reason: Reason = "",
) -> None:
    """Give a seat to somebody else, or to the bot. Its hand, court and bank of days go with it."""
    print_desk_answer(
        carry_out_desk_order(
            folder, "replace", game, f"{player} by {_describe_newcomer(who, player_of_bot, bot=bot)}", reason
        )
    )


def _describe_newcomer(who: str, player: str, *, bot: bool) -> str:
    if player and not bot:
        fail("--player is for a bot. Add --bot, or leave --player out.")
    return f"bot {who} ({player})" if player else f"bot {who}" if bot else who


def back(folder: Folder, game: Game, player: Player, reason: Reason = "") -> None:
    """Note that a player is back. It ends an absence, or the time of a stand-in."""
    print_desk_answer(carry_out_desk_order(folder, "back", game, player, reason))


def address(
    folder: Folder,
    game: Game,
    player: Player,
    new: Annotated[str, typer.Argument(help="The new address.", metavar="ADDRESS")],
    reason: Reason = "",
) -> None:
    """Write to a player at another address from now on. The old address gets a letter that says so."""
    print_desk_answer(carry_out_desk_order(folder, "address", game, f"{player} {new}", reason))


def offer(folder: Folder, game: Game, player: Player, reason: Reason = "") -> None:
    """Offer a player's seat to somebody else. Until somebody takes it, the player may play."""
    print_desk_answer(carry_out_desk_order(folder, "offer", game, player, reason))


# -- filed mails, and the clock ---------------------------------------------------------------------------


def filed(
    folder: Folder, every: Annotated[bool, typer.Option("--all", help="Also list those that were answered.")] = False
) -> None:
    """List the filed mails that nobody has answered. The latest comes first, each with the reason."""
    print_desk_answer(carry_out_desk_order(folder, "filed all" if every else "filed"))


def show(folder: Folder, number: Number) -> None:
    """Show a filed mail."""
    print_desk_answer(carry_out_desk_order(folder, "show", str(number)))


def process(folder: Folder, number: Number, reason: Reason = "") -> None:
    """Carry out a filed mail after all. You vouch for its sender."""
    print_desk_answer(carry_out_desk_order(folder, "process", str(number), reason=reason))


def confirm_machine_clock(folder: Folder) -> None:
    """Say that the machine's clock is right. The clocks of games run again."""
    directory = directory_in(folder)
    from tkid.host import host_time
    from tkid.host.desk import answer_confirmed_clock, refuse_confirmation

    with store_of(directory) as store, store.begin_transaction() as transaction:
        after = host_time.accept_machine_clock(
            directory.open_host(store).visitors, transaction, host_time.read_clocks(get_time())
        )
    if after is None:
        _refuse(refuse_confirmation())
    else:
        typer.echo(answer_confirmed_clock(after.last))


# -- carried out ------------------------------------------------------------------------------------------


def carry_out_desk_order(folder: Folder, words: str, about: str = "", text: str = "", reason: str = "") -> DeskAnswer:
    """Carry out an order as if it had come by mail; the letters about it go out in the host's next round."""
    directory = directory_in(folder)
    from attrs import evolve

    from tkid.club.desk_orders import DeskOrder, Ways, read_desk_line
    from tkid.host.host_time import find_time

    line = " ".join(filter(None, (words, about, text)))
    line = f"{line}: {reason}" if reason else line
    with store_of(directory) as store, store.begin_transaction() as transaction:
        read_order = read_desk_line(line, transaction.filed.list_games())
        if isinstance(read_order, DeskOrder):
            read_order = evolve(read_order, ways=Ways(str(folder)))
            return directory.open_host(store).mails.desk.carry_out(
                transaction, read_order, find_time(transaction, get_time())
            )
    if read_order is None:
        fail(f"`{about}` is not the name of a game. `tkid host games {as_typed(folder)}` lists them.", WRONG)
    return _refuse(read_order)


def print_desk_answer(answer: DeskAnswer) -> None:
    """Print the result of an order."""
    from tkid.mail.blocks import format_plain
    from tkid.render.lines import make_printable

    if answer.problem is not None:
        _refuse(answer.problem)
    typer.echo(make_printable(answer.lead))
    if answer.blocks:
        typer.echo(format_plain(answer.blocks), nl=False)


def _refuse(problem: Problem) -> DeskAnswer:
    """Say why an order cannot be carried out, and what to do."""
    fail(f"{problem.told} [{problem.rule}]", WRONG)
