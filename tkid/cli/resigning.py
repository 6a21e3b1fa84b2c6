"""The command to resign from a game that has no host: resign."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.own_turns import For
from tkid.cli.support import WRONG, as_typed, fail
from tkid.cli.support.confirming import NOTHING_CHANGED as NOTHING
from tkid.cli.support.confirming import check_resigning
from tkid.cli.support.mails import At, read_time
from tkid.cli.support.own_files import Me, note_played, whose
from tkid.cli.support.printing import print_paragraph, print_turns
from tkid.cli.support.seats import seat_of
from tkid.cli.support.sources import open_to_change, play_through

if TYPE_CHECKING:
    from tkid.record.play.replay import Replay

app = typer.Typer()


@app.command(epilog="Example: tkid resign winter.tkid")
def resign(
    file: Annotated[Path, typer.Argument(help="The game file.", readable=False)],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    me: Me = "",
    acting: For = "",
    at: At = "",
) -> None:
    """Give up a game that has no host. You cannot take it back. Then send a letter to the others."""
    from tkid.cli.support.files import write_atomically
    from tkid.mail.peers.resigning import passed
    from tkid.record.exchange.resignations import with_resignations
    from tkid.record.play.outcome import outcome, summed_up
    from tkid.record.play.writer import write_record

    time = read_time(at)
    with open_to_change(file, "Nothing was changed") as data:
        played = play_through(file, data)
        names, seat = played.record.names, _who(file, played, me, acting)
        _check_may(file, played, seat)
        check_resigning(names[seat], yes=yes)
        after = passed(with_resignations(played, {seat: time}))
        write_atomically(file, write_record(after.record, after))
    if len(after.moments) > len(played.moments):
        note_played(file, after)
    typer.echo(f"{names[seat]} has resigned. [record.resigned]")
    print_turns(after.moments[len(played.moments) :], names)
    if (end := outcome(after)) is not None:
        typer.echo(summed_up(end, names))
    else:
        typer.echo(
            f"The game goes on without {names[seat]}: the seat passes. It is {names[after.position.to_act or 0]}'s turn."
        )
    print_paragraph(f"Send a letter to the others: `tkid letter write {as_typed(file)} --to all -o FILE`.")


def _who(file: Path, played: Replay, me: str, acting: str) -> int:
    """Who resigns: whoever is named, or whose file it is."""
    names = played.record.names
    seat = seat_of(names, acting) if acting else whose(file, played.record, me)
    if seat is None:
        from tkid.notation.vocabulary import listed

        fail(f"Who resigns? Add --me NAME. The players are {listed(names, 'and')}. {NOTHING}", WRONG)
    return seat


def _check_may(file: Path, played: Replay, seat: int) -> None:
    """Stop where a player cannot resign: at a host, twice, or when the game is over."""
    from tkid.record.clock.terms import has_host
    from tkid.record.exchange.resignations import is_over, resignations

    if has_host(played.record):
        fail(
            f"{file} is a game at a host. Write `resign` to the host, alone on its line. {NOTHING} [post.resign]", WRONG
        )
    if is_over(played):
        fail(f"The game is over. {NOTHING}", WRONG)
    if seat in resignations(played.record):
        fail(f"{played.record.names[seat]} has resigned already. {NOTHING}", WRONG)
