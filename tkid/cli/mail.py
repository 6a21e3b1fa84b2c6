"""Commands for e-mail: mail read, mail write."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tkid.cli.support.common import UNREADABLE, WRONG, fail, load, played, told_os

if TYPE_CHECKING:
    from tkid.mail.desk.service import Outcome
    from tkid.mail.model import Intake, Letter, Refusal
    from tkid.record.play.replay import Replay

app = typer.Typer(help="Play by e-mail.", no_args_is_help=True)

Game = Annotated[Path, typer.Argument(help="The record.", metavar="GAME")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write the mail here, not to standard output.")]
Sender = Annotated[str, typer.Option("--from", help="The address that our mails come from.")]
At = Annotated[str, typer.Option("--at", help="The time to date the mail with (ISO 8601), in place of now.")]
HERE = "tkid@localhost"


@app.command(epilog="Example: tkid mail write winter.tkid -o turn.eml")
def write(game: Game, output: Output = None, sender: Sender = HERE, at: At = "") -> None:
    """Write the mail that asks for the next turn, to the player who is to act."""
    from tkid.mail.desk.service import ask

    address, time = _sender(sender), _time(at)
    replay = load(str(game))
    letter = ask(replay, time)
    if letter is None:
        fail(f"{game}: the game is over; nobody is asked for a turn.", WRONG)
    _check_output(output, game)
    _deliver(_mail(replay, letter, address), output)
    if output is not None:
        typer.echo(f"The mail to {replay.record.seats[letter.seat]} is in {output}.")


@app.command(epilog="Example: tkid mail read winter.tkid reply.eml -o answer.eml")
def read(
    game: Game,
    reply: Annotated[str, typer.Argument(help="The mail with the order; - reads standard input.")],
    output: Output = None,
    sender: Sender = HERE,
    at: At = "",
) -> None:
    """Carry out what a mail asks for, and write the answer. A wrong turn changes nothing."""
    from tkid.cli.support.files import BusyError, locked, write_atomically
    from tkid.mail.inbound.intake import take_in
    from tkid.mail.model import Refusal
    from tkid.record.play.writer import write_record

    address, time = _sender(sender), _time(at)
    taken = take_in(_bytes(reply))
    if isinstance(taken, Refusal):
        _not_answered(taken)
    _check_output(output, game, reply)
    try:
        with locked(game) as data:
            replay = played(str(game), data)
            outcome = _outcome(replay, taken, time)
            after = outcome.hosted.replay
            mail = _mail(after, outcome.letters[0], address, taken)
            if outcome.played:
                write_atomically(game, write_record(after.record, after))
    except BusyError:
        fail(f"{game}: somebody else is writing it at this moment. Nothing was played; look and try again.")
    except OSError as error:
        fail(f"Nothing was played: {told_os(error)}", UNREADABLE)
    err = output is None or not outcome.played
    _tell(outcome, replay, err=err)
    _deliver(mail, output)
    if output is not None:
        typer.echo(f"The answer to {after.record.seats[outcome.letters[0].seat]} is in {output}.", err=err)
    if outcome.problems and not outcome.played:
        raise typer.Exit(WRONG)


def _outcome(replay: Replay, taken: Intake, time: datetime) -> Outcome:
    from tkid.mail.desk import dispatch, service
    from tkid.mail.inbound.order_finder import find_orders
    from tkid.mail.inbound.order_lines import order_reader
    from tkid.mail.model import Refusal

    record = replay.record
    seat = dispatch.seat_of(record, taken.sender)
    if isinstance(seat, Refusal):
        _not_answered(seat)
    orders = find_orders(taken, order_reader(record.game, record.names, seat))
    return service.receive(service.by_hand(replay, seat), seat, orders, time, hosted=False)


def _mail(replay: Replay, letter: Letter, sender: str, answered: Intake | None = None) -> bytes:
    from tkid.mail.letters.message import address_of, compose
    from tkid.mail.letters.pictures import finished
    from tkid.mail.model import Refusal

    address = address_of(replay.record, letter.seat)
    if isinstance(address, Refusal):
        fail(f"{address}\nWrite it in the game file: `Seat: NAME <ADDRESS>`.", WRONG)
    return finished(compose(replay, letter, address, sender, answered, pictures=True)).mail


def _tell(outcome: Outcome, before: Replay, *, err: bool) -> None:
    """Say what came of a mail."""
    after = outcome.hosted.replay
    if len(after.moments) > len(before.moments):
        typer.echo(f"Played: {after.last.line} #{after.last.hash}", err=err)
    for problem in outcome.problems:
        typer.echo(f"{'Note' if outcome.played else 'Not done'}: {problem}", err=err)


def _not_answered(refusal: Refusal) -> NoReturn:
    fail(f"Not answered: {refusal}", WRONG)


def _bytes(name: str) -> bytes:
    """The bytes of a mail, as many as are needed to see that it is too large."""
    import sys

    from tkid.cli.support.files import STDIN
    from tkid.mail.inbound.envelope import MOST_BYTES

    try:
        if name == STDIN:
            return sys.stdin.buffer.read(MOST_BYTES + 1)
        with Path(name).open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        fail(f"{name}: {error.strerror}")


def _sender(text: str) -> str:
    from tkid.mail.inbound.envelope import is_address

    if not is_address(text):
        fail(f"--from {text}: this is no plain address such as {HERE}.")
    return text


def _time(text: str) -> datetime:
    from datetime import UTC

    try:
        time = datetime.fromisoformat(text) if text else datetime.now(UTC)
    except ValueError:
        fail(f"--at {text}: this is no time such as 2026-11-21T10:00+00:00.")
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _check_output(output: Path | None, *others: str | Path) -> None:
    if output is None:
        return
    if output.resolve() in {Path(other).resolve() for other in others}:
        fail(f"{output} would be overwritten by the mail; nothing was done.")
    if output.is_dir() or not output.parent.is_dir():
        fail(f"{output}: no file can be written there; nothing was done.")


def _deliver(mail: bytes, output: Path | None) -> None:
    from tkid.cli.support.files import write_atomically

    if output is None:
        typer.echo(mail, nl=False)
        return
    try:
        write_atomically(output, mail.decode("ascii"))
    except OSError as error:
        fail(f"The mail could not be written: {told_os(error)}")
