"""Commands for a file of your own: me, undo."""

from __future__ import annotations

from pathlib import Path
from shlex import quote as quoted
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support import WRONG, fail, stop_on_os_error
from tkid.cli.support.own_files import Me, change_owner, is_unsent, note_undone, own_hand, owner
from tkid.cli.support.seats import seat_of
from tkid.cli.support.sources import load, open_to_change, play_through

if TYPE_CHECKING:
    from tkid.record.play.replay import Replay

app = typer.Typer()

For = Annotated[str, typer.Option("--for", help="Whose turn you mean, if it is not your own: name or number.")]


@app.command(epilog="Example: tkid me winter.tkid Ann")
def me(
    file: Annotated[Path, typer.Argument(help="The record.", readable=False)],
    name: Annotated[
        str, typer.Argument(help="Who you are: name or number; `nobody` if several play at this keyboard.")
    ] = "",
) -> None:
    """Say whose file it is, or ask. `tkid play` then plays for nobody else by mistake, and letters are from you."""
    record = load(file).record
    if name:
        chosen = "" if name.casefold() == "nobody" else record.names[seat_of(record.names, name)]
        with stop_on_os_error("Nothing was changed"):
            change_owner(file, chosen)
    seat = owner(file, record)
    if seat is None:
        typer.echo(f"{file} is nobody's file: every turn can be played into it. `tkid me {file} NAME` changes that.")
    else:
        typer.echo(f"{file} is {record.names[seat]}'s file.")


@app.command(epilog="Example: tkid undo winter.tkid")
def undo(
    file: Annotated[Path, typer.Argument(help="The record.", readable=False)], me: Me = "", whose: For = ""
) -> None:
    """Take your last turn out of the file again, if it has not left this machine."""
    from tkid.cli.support.files import write_atomically
    from tkid.record.play.amendments import without_last_turn
    from tkid.record.play.writer import write_record

    with open_to_change(file, "Nothing was taken back") as data:
        played = play_through(file, data)
        check_own_turn(file, played, me, whose)
        before = without_last_turn(played)
        write_atomically(file, write_record(before.record, before))
    note_undone(file)
    names, to_act = before.record.names, before.position.to_act
    typer.echo(f"Taken back: {played.last.line}")
    typer.echo(f"It is {names[to_act or 0]}'s turn. If you have passed the file on yourself, tell the others.")


def check_player(file: Path, before: Replay, me: str, whose: str) -> None:
    """Stop where it is somebody else's turn than the player's whose file it is, or than who is named with --for."""
    names, to_act = before.record.names, before.position.to_act
    seat = seat_of(names, whose) if whose else owner(file, before.record, me)
    seat = own_hand(before.record) if seat is None else seat
    if to_act is None or seat is None or seat == to_act:
        return
    turn = f"It is {names[to_act]}'s turn"
    if whose:
        fail(f"{turn}, not {names[seat]}'s. Nothing was played.", WRONG)
    mine = f"{turn}, and this is {names[seat]}'s file. Nothing was played. [record.own]"
    fail(f"{mine}\nTo play for {names[to_act]}, add --for {quoted(names[to_act])}.", WRONG)


def check_own_turn(file: Path, played: Replay, me: str, whose: str) -> None:
    """Stop where the last turn is not the player's own, or may have left the machine."""
    turns, names = played.record.turns, played.record.names
    if not turns:
        fail(f"No turn was played yet in {file}: nothing was taken back.", WRONG)
    seat = seat_of(names, whose) if whose else owner(file, played.record, me)
    last = turns[-1]
    if seat is not None and seat != last.seat:
        fail(
            f"Turn {last.number} is {names[last.seat]}'s, not {names[seat]}'s. Nothing was taken back. [record.own]",
            WRONG,
        )
    if not is_unsent(file, played):
        fail(
            f"Turn {last.number} may have left this machine, in a letter or with the file: nothing was taken back. "
            "[record.turn.unsent]\nIt is taken back only if all agree: ask the host with `undo?`, or the others, and see "
            "`tkid rule record.turn.undone`.",
            WRONG,
        )
