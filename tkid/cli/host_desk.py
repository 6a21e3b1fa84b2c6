"""The owner's desk at the terminal."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer
from typer import Argument, Option

from tkid.cli.host_rounds import Folder, Game, directory_in, get_time, store_of
from tkid.cli.printing import WRONG, as_typed, fail, stop_on_os_error
from tkid.render.lines import make_printable

if TYPE_CHECKING:
    from tkid.kernel.problems import Problem
    from tkid.mail.order_machine import OrderResult

Player = Annotated[str, Argument(help="The player: name or number.")]
Reason = Annotated[str, Option(help="The reason. It goes into the record, and every player reads it.")]
Arguments = dict[str, Any]
GAMES: Arguments = {"game": Annotated[str, Argument(help="The game, or 'all' for all running games.", metavar="GAME")]}
GAME: Arguments = {"game": Game}
PLAYER: Arguments = {**GAME, "player": Player}
NUMBER: Arguments = {"number": Annotated[int, Argument(help="The number of the mail. `tkid host filed` lists them.")]}


class DeskCommand(NamedTuple):
    """A command for an order of the desk; a `reason` may be required, and `every` is the help of `--all`."""

    words: str
    arguments: Arguments
    help: str
    example: str
    reason: Literal["optional", "required", "none"] = "optional"
    every: str = ""
    optional: str = ""

    def __call__(self, folder: Path, *, reason: str = "", every: bool = False, **given: Any) -> None:
        about = given.pop("game", "")
        if given.get("turn"):
            given["turn"] = f"from turn {given['turn']}"
        text = " ".join(str(each) for each in given.values() if each != "")
        if self.words == "announce":
            text, reason = "", text
        words = f"{self.words} all" if every else self.words
        print_desk_answer(carry_out_desk_order(folder, words, about, text, reason))

    def make_command(self) -> Callable[..., None]:
        kinds: Arguments = {"folder": Folder, **self.arguments}
        parameters = []
        for name, kind in kinds.items():
            default = "" if name == self.optional else Parameter.empty
            parameters.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=kind))
        if self.every:
            option = Annotated[bool, Option("--all", help=self.every)]
            parameters.append(Parameter("every", Parameter.KEYWORD_ONLY, default=False, annotation=option))
        if self.reason != "none":
            default = "" if self.reason == "optional" else Parameter.empty
            parameters.append(Parameter("reason", Parameter.KEYWORD_ONLY, default=default, annotation=Reason))

        def command(**given: Any) -> None:
            self(**given)

        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined] # typer asks it
        command.__annotations__ = {each.name: each.annotation for each in parameters}
        command.__doc__ = self.help
        return command


COMMANDS = (
    DeskCommand("games", {}, "List the games, nearest deadline first. With --all, also list finished games: who won, and how.", "games games --all", "none", every="Also list finished games."),
    DeskCommand("filed", {}, "List the filed mails without an answer, each with the reason. The latest comes first.", "filed games", "none", every="Also list answered mails."),
    DeskCommand("show", NUMBER, "Show a filed mail.", "show games 12", "none"),
    DeskCommand("process", NUMBER, "Carry out a filed mail after all. You vouch for its sender.", 'process games 12 --reason "Ann wrote from her phone"'),
    DeskCommand("pause", GAMES, "Stop the clocks of a game, or of all. They run again when you resume it.", 'pause games winter --reason "Ann is in hospital"'),
    DeskCommand("resume", GAMES, "Resume a game that is paused or adjourned, or all of them.", "resume games winter"),
    DeskCommand("extend", {**PLAYER, "time": Annotated[str, Argument(help="How much more time, such as '2 days' or '36 hours'.")]}, "Give the next player more time for this turn.", 'extend games winter Ann "2 days" --reason "no network"'),
    DeskCommand("deadline", {**PLAYER, "time": Annotated[str, Argument(help="The deadline in UTC: 2026-12-20T18:00Z, or a day.")]}, "Set the time by which the next player has to answer.", "deadline games winter Ann 2026-12-20T18:00Z"),
    DeskCommand("take back", {**GAME, "turn": Annotated[str, Argument(help="The first turn to take back. Without it, the last one.")]}, "Take back a turn and all later ones. The record keeps them, marked as taken back.", 'take-back games winter 12 --reason "a typing error"', "required", optional="turn"),
    DeskCommand("abort", GAME, "End a game without a result.", 'abort games winter --reason "both players left"', "required"),
    DeskCommand("back", PLAYER, "Note that a player is back. It ends an absence, or the time of a stand-in.", "back games winter Ann"),
    DeskCommand("address", {**PLAYER, "new": Annotated[str, Argument(help="The new address.", metavar="ADDRESS")]}, "Write to a player at another address from now on. The old address gets a letter that says so.", "address games winter Ann ann@new.example"),
    DeskCommand("announce", {**GAMES, "text": Annotated[str, Argument(help="Your announcement.")]}, "Write to all players of a game, or of all games. The record keeps it.", 'announce games all "The host moves on Sunday."', "none"),
    DeskCommand("offer", PLAYER, "Offer a player's seat to somebody else. Until somebody takes it, the player may play.", "offer games winter Ann"),
)  # fmt: skip
"""The commands that only give an order, as `tkid host --help` lists them."""


def import_game(
    folder: Folder,
    game: Annotated[str, Argument(help="A name for the game.")],
    file: Annotated[Path, Argument(help="The game file, with an address for each player.")],
) -> None:
    """Go on with a game that has begun elsewhere. Every player gets a letter."""
    from tkid.cli.files import read_bytes

    directory = directory_in(folder)
    from tkid.host.host_time import find_time

    with stop_on_os_error("Nothing was imported"):
        record = read_bytes(file)
    with store_of(directory) as store, store.begin_transaction() as transaction:
        time = find_time(transaction, get_time(), directory.machine)
        answer = directory.open_host(store).mails.desk.take_in(transaction, game, record, time)
    print_desk_answer(answer)


def stand_in(
    folder: Folder,
    game: Game,
    player: Player,
    who: Annotated[str, Argument(help="Who plays the seat from now on: 'NAME <ADDRESS>', or a name for the bot.")],
    bot: Annotated[bool, Option("--bot", help="A bot plays the seat.")] = False,
    player_of_bot: Annotated[
        str, Option("--player", help="With --bot: random, greedy or search, as far as the club allows it.")
    ] = "",
    reason: Reason = "",
) -> None:
    """Give a seat to somebody else, or to the bot. Its hand, court and bank of days go with it."""
    change = f"{player} by {_describe_newcomer(who, player_of_bot, bot=bot)}"
    print_desk_answer(carry_out_desk_order(folder, "replace", game, change, reason))


def _describe_newcomer(who: str, player: str, *, bot: bool) -> str:
    if player and not bot:
        fail("--player is for a bot. Add --bot, or leave --player out.")
    return f"bot {who} ({player})" if player else f"bot {who}" if bot else who


def confirm_machine_clock(folder: Folder) -> None:
    """Say that the machine's clock is right. The clocks of games run again."""
    directory = directory_in(folder)
    from tkid.host import host_time
    from tkid.host.desk import answer_confirmed_clock, refuse_confirmation

    with store_of(directory) as store, store.begin_transaction() as transaction:
        visitors, clocks = (
            directory.open_host(store).visitors,
            host_time.read_clocks(get_time(), machine=directory.machine),
        )
        after = host_time.accept_machine_clock(visitors, transaction, clocks)
    if after is None:
        print_desk_answer(refuse_confirmation())
    else:
        typer.echo(answer_confirmed_clock(after.last))


def carry_out_desk_order(folder: Folder, words: str, about: str = "", text: str = "", reason: str = "") -> OrderResult:
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
            desk = directory.open_host(store).mails.desk
            return desk.carry_out(
                transaction, read_order, desk.make_mail(find_time(transaction, get_time(), directory.machine))
            )
    if read_order is None:
        fail(f"`{about}` is not the name of a game. `tkid host games {as_typed(folder)}` lists them.", WRONG)
    return _refuse(read_order)


def print_desk_answer(answer: OrderResult) -> None:
    from tkid.mail.blocks import format_plain

    if answer.problem is not None:
        _refuse(answer.problem)
    typer.echo(make_printable(answer.lead))
    if answer.blocks:
        typer.echo(format_plain(answer.blocks), nl=False)


def _refuse(problem: Problem) -> OrderResult:
    fail(f"{problem.told} [{problem.rule}]", WRONG)
