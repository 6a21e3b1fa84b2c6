"""Commands for e-mail: mail read, mail write."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support import WRONG, fail
from tkid.cli.support.confirming import check_resigning
from tkid.cli.support.mails import (
    At,
    Output,
    check_mail,
    check_sender,
    check_terminal,
    mail_bytes,
    read_time,
    write_mail,
)
from tkid.cli.support.outputs import check_output
from tkid.cli.support.own_files import note_sent
from tkid.cli.support.sources import load, open_to_change, play_through

if TYPE_CHECKING:
    from tkid.mail.desk.service import Outcome
    from tkid.mail.letters.blocks import Letter
    from tkid.mail.model import Intake
    from tkid.record.play.replay import Replay

app = typer.Typer()

Game = Annotated[Path, typer.Argument(help="The game file.", metavar="GAME")]
Sender = Annotated[str, typer.Option("--from", help="The address that the mails come from.")]
HERE = "tkid@localhost"


@app.command(epilog="Example: tkid mail write winter.tkid -o turn.eml")
def write(game: Game, output: Output = None, sender: Sender = HERE, at: At = "") -> None:
    """Write the mail that asks the next player for a turn."""
    from tkid.mail.desk.service import ask

    check_sender(sender, HERE)
    check_terminal(output)
    time = read_time(at)
    replay = load(game)
    letter = ask(replay, time)
    if letter is None:
        fail(f"{game}: the game is over. There is no turn to ask for.", WRONG)
    check_output(output, game)
    write_mail(_mail(replay, letter, sender), output, private=replay.record.game.secret)
    note_sent(game)
    if output is not None:
        typer.echo(f"The mail to {replay.record.seats[letter.seat]} is in {output}.")


@app.command(epilog="Example: tkid mail read winter.tkid reply.eml -o answer.eml")
def read(
    game: Game,
    reply: Annotated[str, typer.Argument(help="The player's mail. - reads standard input.")],
    output: Output = None,
    sender: Sender = HERE,
    at: At = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask whether a player is sure to resign.")] = False,
) -> None:
    """Carry out a player's mail, and write the answer. A wrong turn changes nothing."""
    from tkid.cli.support.files import write_atomically
    from tkid.mail.inbound.intake import take_in
    from tkid.mail.model import Refusal
    from tkid.record.play.writer import write_record

    check_sender(sender, HERE)
    check_terminal(output)
    time = read_time(at)
    data = mail_bytes(reply)
    check_mail(reply, data)
    intake = take_in(data)
    if isinstance(intake, Refusal):
        if _is_own(data, sender):
            fail(
                f"Not answered: {reply} is a mail from {sender}, so it is yours. Read the player's answer to it.", WRONG
            )
        fail(f"Not answered: {intake}", WRONG)
    check_output(output, game, reply)
    with open_to_change(game, "Nothing was played") as data:
        before = play_through(game, data)
        outcome = _outcome(before, intake, time, yes=yes)
        after = outcome.game.replay
        mail = _mail(after, outcome.letters[0], sender, intake)
        if outcome.record_changed:
            write_atomically(game, write_record(after.record, after))
    err = output is None or not outcome.record_changed
    if len(after.moments) > len(before.moments):
        typer.echo(f"Played: {after.last.line} #{after.last.hash}", err=err)
    for problem in outcome.problems:
        typer.echo(f"{'Note' if outcome.record_changed else 'Not done'}: {problem}", err=err)
    write_mail(mail, output, private=after.record.game.secret)
    note_sent(game)
    if output is not None:
        typer.echo(f"The answer to {after.record.seats[outcome.letters[0].seat]} is in {output}.", err=err)
    if outcome.problems and not outcome.record_changed:
        raise typer.Exit(WRONG)


def _is_own(data: bytes, sender: str) -> bool:
    """Whether a mail comes from the address that the answers come from."""
    head = data.replace(b"\r", b"").partition(b"\n\n")[0].decode("utf-8", "replace")
    return (
        re.search(rf"^from:.*(?<![\w.+-]){re.escape(sender)}(?![\w.-])", head, re.IGNORECASE | re.MULTILINE) is not None
    )


def _outcome(replay: Replay, intake: Intake, time: datetime, *, yes: bool) -> Outcome:
    """What comes of a mail to the game, or the end of the command where it is from nobody at the table."""
    from tkid.mail.desk import dispatch, service
    from tkid.mail.inbound.order_finder import find_orders
    from tkid.mail.inbound.order_lines import order_reader
    from tkid.mail.inbound.quoted.own_letters import OwnLetter
    from tkid.mail.letters.message import compose
    from tkid.mail.model import Refusal
    from tkid.record.exchange.resignations import new_resignations

    record = replay.record
    seat = dispatch.seat_of(record, intake.sender)
    if isinstance(seat, Refusal):
        fail(f"Not answered: {seat}", WRONG)
    asked = service.ask(replay, time)
    letters = (OwnLetter(compose(replay, asked, intake.sender, intake.sender)),) if asked and asked.seat == seat else ()
    orders = find_orders(intake, order_reader(record.game, record.names, seat), letters)
    outcome = service.receive(service.by_hand(replay, seat), seat, orders, time, has_host=False)
    if new_resignations(record, outcome.game.record):
        check_resigning(record.names[seat], yes=yes)
    return outcome


def _mail(replay: Replay, letter: Letter, sender: str, answered: Intake | None = None) -> bytes:
    from tkid.mail.letters.message import ADD_ADDRESS, address_of, compose
    from tkid.mail.letters.pictures import finished
    from tkid.mail.model import Refusal

    address = address_of(replay.record, letter.seat)
    if isinstance(address, Refusal):
        way_out = ADD_ADDRESS if replay.record.turns else f"{ADD_ADDRESS.partition('. ')[0]}."
        fail(f"{address}\n{way_out}", WRONG)
    return finished(compose(replay, letter, address, sender, answered, pictures=True)).mail
