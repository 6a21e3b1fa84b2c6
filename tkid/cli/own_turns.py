"""Commands for a file of your own: me, undo."""

from __future__ import annotations

from pathlib import Path
from shlex import quote as quoted
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support import WRONG, fail, stop_on_os_error
from tkid.cli.support.own_files import Me, change_owner, is_unsent, note_undone, own_hand, owner, whose
from tkid.cli.support.seats import seat_of
from tkid.cli.support.sources import load, open_to_change, play_through

if TYPE_CHECKING:
    from tkid.record.play.replay import Replay

app = typer.Typer()

For = Annotated[str, typer.Option("--for", help="Act for this player instead of yourself: name or number.")]


@app.command(epilog="Example: tkid me winter.tkid Ann")
def me(
    file: Annotated[Path, typer.Argument(help="The game file.", readable=False)],
    name: Annotated[str, typer.Argument(help="Your name or number; `nobody` if several of you play here.")] = "",
) -> None:
    """Say whose game file it is. Then you cannot play somebody else's turn by mistake. Without NAME, show whose it is."""
    record = load(file).record
    hand = own_hand(record)
    if name:
        chosen = "" if name.casefold() == "nobody" else record.names[seat_of(record.names, name)]
        if hand is not None and chosen not in {"", record.names[hand]}:
            own = f"{file} has the secret hand of {record.names[hand]} alone, so it is {record.names[hand]}'s file"
            fail(f"{own}, not {chosen}'s. Nothing was changed. [record.own]", WRONG)
        with stop_on_os_error("Nothing was changed"):
            change_owner(file, chosen)
    seat = owner(file, record)
    if seat is None and hand is not None:
        typer.echo(f"{file} is {record.names[hand]}'s file: it has the secret hand of {record.names[hand]} alone.")
    elif seat is None:
        typer.echo(
            f"{file} belongs to nobody: every player's turns can be played into it. To change that: `tkid me {file} NAME`."
        )
    else:
        typer.echo(f"{file} is {record.names[seat]}'s file.")


@app.command(epilog="Example: tkid undo winter.tkid")
def undo(
    file: Annotated[Path, typer.Argument(help="The game file.", readable=False)], me: Me = "", acting: For = ""
) -> None:
    """Remove your last turn from the file, with the answers of programs. You can do so until you send it to somebody."""
    from tkid.cli.opponents import without_answers
    from tkid.cli.support.files import write_atomically
    from tkid.record.play.amendments import without_last_turn
    from tkid.record.play.writer import write_record

    with open_to_change(file, "Nothing was taken back") as data:
        whole = play_through(file, data)
        played = without_answers(whole)
        check_own_turn(file, played, me, acting)
        check_unsent(file, whole)
        before = without_last_turn(played)
        write_atomically(file, write_record(before.record, before))
    note_undone(file)
    names, to_act = before.record.names, before.position.to_act
    for moment in whole.moments[len(before.moments) :]:
        typer.echo(f"Taken back: {moment.line}")
    typer.echo(f"It is {names[to_act or 0]}'s turn. If you gave somebody the file, tell them.")


def check_player(file: Path, before: Replay, me: str, acting: str) -> None:
    """Stop where it is somebody else's turn than the player's whose file it is, or than who is named with --for."""
    names, to_act = before.record.names, before.position.to_act
    seat = seat_of(names, acting) if acting else whose(file, before.record, me)
    if to_act is None or seat is None or seat == to_act:
        return
    turn = f"It is {names[to_act]}'s turn"
    if acting:
        fail(f"{turn}, not {names[seat]}'s. Nothing was played.", WRONG)
    mine = f"{turn}, and this is {names[seat]}'s file. Nothing was played. [record.own]"
    fail(f"{mine}\nTo play for {names[to_act]}, add --for {quoted(names[to_act])}.", WRONG)


def check_own_turn(file: Path, played: Replay, me: str, acting: str) -> None:
    """Stop where the last turn is not the player's own."""
    turns, names = played.record.turns, played.record.names
    if not turns:
        fail(f"{file} has no turns of yours yet. Nothing was taken back.", WRONG)
    seat = seat_of(names, acting) if acting else whose(file, played.record, me)
    last = turns[-1]
    if seat is not None and seat != last.seat:
        fail(
            f"Turn {last.number} is {names[last.seat]}'s turn, not {names[seat]}'s. Nothing was taken back. [record.own]",
            WRONG,
        )


def check_unsent(file: Path, played: Replay) -> None:
    """Stop where the last turn may have left the machine."""
    if not is_unsent(file, played):
        fail(
            f"Others may have turn {played.record.turns[-1].number} already, from a letter or a copy of the file. Nothing was taken back. "
            "[record.turn.unsent]\nIt can be taken back only if everybody agrees. Ask the host with `undo?`, or ask the others; see "
            "`tkid rule record.turn.undone`.",
            WRONG,
        )
