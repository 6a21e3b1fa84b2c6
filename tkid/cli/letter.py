"""Commands to play from hand to hand, without a server: letter new, letter read, letter write."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tkid.cli import draw
from tkid.cli.support.common import UNREADABLE, WRONG, fail, load, played, seat_of, tell_all, tell_turns, told_os
from tkid.cli.support.outbox import (
    check_address,
    check_output,
    deliver,
    dispatch,
    letter_bytes,
    printable,
    say_err,
    time_of,
)

if TYPE_CHECKING:
    from tkid.mail.inbound.enclosure import Enclosed
    from tkid.record.exchange.comparison import Comparison
    from tkid.record.format.model import Record, Seat
    from tkid.record.play.replay import Replay

app = typer.Typer(
    help="Play from hand to hand: everybody keeps a file, and letters go to and fro.", no_args_is_help=True
)
app.command(epilog='Example: tkid letter new winter.draw --seat "Ann <ann@example.org>" --seat Bob --me Ann')(draw.new)

Game = Annotated[Path, typer.Argument(help="Your own record of the game.", metavar="FILE")]
Me = Annotated[
    str,
    typer.Option(
        "--me", envvar="TKID_ME", help="Who you are: name or number. Told from the file and the mail if it can be."
    ),
]
EVERYBODY = "all"
SUFFIX = ".tkid"
MOST_TOLD = 8
"""Problems of a letter's record that are shown."""


@app.command(epilog="Example: tkid letter read winter.tkid from-bob.eml")
def read(
    game: Game,
    letter: Annotated[str, typer.Argument(help="The mail, or the other's record; - reads standard input.")],
    me: Me = "",
    begin: Annotated[bool, typer.Option("--begin", help="Begin FILE with the record in the letter.")] = False,
    restore: Annotated[bool, typer.Option("--restore", help="Take your own turns too, if your file was lost.")] = False,
    agree: Annotated[
        bool, typer.Option("--agree", help="Take over marks that a turn stands, or was taken back.")
    ] = False,
) -> None:
    """Take the turns in a letter into your own file, if it goes on from there; else say what the letter is instead."""
    from tkid.cli.support.files import BusyError, locked, write_atomically
    from tkid.record.exchange.comparison import Kind, compare
    from tkid.record.play.writer import write_record

    enclosed = _enclosed(letter)
    if begin:
        _begin(game, letter, enclosed)
        return
    if not game.exists():
        fail(f"{game} does not exist. To begin it with the record in {letter}: add --begin.")
    try:
        with locked(game) as data:
            mine = played(str(game), data)
            seat = None if restore else _reader(mine.record, me, enclosed)
            found = compare(mine, enclosed.text, seat, agree=agree)
            if found.replay is not None:
                write_atomically(game, write_record(found.replay.record, found.replay))
    except BusyError:
        fail(f"{game}: somebody else is writing it at this moment. Nothing was taken; look and try again.")
    except OSError as error:
        fail(f"Nothing was taken: {told_os(error)}", UNREADABLE)
    if found.kind not in {Kind.CONTINUES, Kind.SAME}:
        _diagnose(letter, enclosed, found, mine.record.names[seat] if seat is not None and not me else "")
    if found.replay is not None:
        _tell_turns(game, mine, found, found.replay)
        if seat is None and not restore and not _knows_all_hands(mine.record):
            typer.echo("Note: Nobody looked whether a turn of your own is among them. With --me NAME that is done.")
    else:
        typer.echo(f"{letter}: {found.message}. [{found.rule}]\nNothing was changed.")
    _tell_notes(found, enclosed)
    _tell_next(found.replay or mine)


@app.command(epilog="Example: tkid letter write winter.tkid -o to-bob.eml")
def write(
    game: Game,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the mail here, not to standard output.")
    ] = None,
    to: Annotated[
        list[str] | None, typer.Option("--to", help="To whom: a name or number, or `all` others. May be repeated.")
    ] = None,
    sender: Annotated[str, typer.Option("--from", help="Your address, if it is not in the record.")] = "",
    me: Me = "",
    send: Annotated[bool, typer.Option("--send", help="Send the mail; see --smtp.")] = False,
    smtp: Annotated[str, typer.Option(help="The server that sends it, HOST:PORT, if TKID_SMTP does not say.")] = "",
    at: Annotated[str, typer.Option("--at", help="The time to date the mail with (ISO 8601), in place of now.")] = "",
    pictures: Annotated[
        bool, typer.Option("--pictures/--no-pictures", help="Show the position as a picture too, if one can be drawn.")
    ] = True,
) -> None:
    """Write the mail that hands the game on: the last turns in words, the position, and the record attached."""
    from tkid.mail.letters.peer_letters import turn_letter

    check_address(sender)
    check_output(output, game)
    time = time_of(at)
    replay = load(str(game))
    seats = _addressees(replay, to or [], me, sender)
    letter = turn_letter(replay, seats, _sender(replay, seats, me, sender), time, pictures=pictures)
    if output is not None or not send:
        deliver(letter, output)
    if send:
        dispatch(letter, smtp)


# -- reading ----------------------------------------------------------------------------------------------


def _enclosed(name: str) -> Enclosed:
    """What a letter encloses, or the end of the command."""
    from tkid.mail.inbound.enclosure import take_out
    from tkid.mail.model import Refusal

    found = take_out(letter_bytes(name), is_file=name.lower().endswith(SUFFIX))
    if isinstance(found, Refusal):
        fail(f"{name}: {found}\nNothing was taken from it.", WRONG)
    return found


def _reader(record: Record, me: str, enclosed: Enclosed) -> int | None:
    """Whose file it is: as told, the only known hand, whom the mail is to, or with two players who did not send it."""
    if me:
        return seat_of(record.names, me)
    own = _own_hand(record)
    if own is not None or _knows_all_hands(record):
        return own
    seats = {seat.address.lower(): index for index, seat in enumerate(record.seats) if seat.address}
    sender = seats.get(enclosed.sender)
    others = [seats[address] for address in enclosed.recipients if address in seats and seats[address] != sender]
    if len(set(others)) == 1:
        return others[0]
    return 1 - sender if sender is not None and len(record.names) == 2 else None


def _own_hand(record: Record) -> int | None:
    """The one seat whose hand a record with secret hands knows; None where that is not one."""
    from tkid.kernel.game import HIDDEN

    known = [seat for seat, hand in enumerate(record.start().hands) if HIDDEN not in hand]
    return known[0] if record.game.secret and len(known) == 1 else None


def _knows_all_hands(record: Record) -> bool:
    """Whether a record is that of a dealer, who knows more than a player does."""
    from tkid.kernel.game import HIDDEN

    return record.game.secret and not any(HIDDEN in hand for hand in record.start().hands)


def _begin(game: Path, name: str, enclosed: Enclosed) -> None:
    """Begin a file with what a letter encloses, if nothing is wrong with it."""
    from tkid.cli.support.files import create
    from tkid.record.fairplay.draw import check_draw
    from tkid.record.play.writer import write_record

    replay = played(name, enclosed.text)
    wrong = check_draw(replay.record)
    if wrong:
        tell_all(name, enclosed.text, wrong)
        fail("Nothing was written.", WRONG)
    try:
        create(game, write_record(replay.record, replay))
    except FileExistsError:
        fail(f"{game} exists already; nothing was written. Without --begin the letter is compared with it.")
    except OSError as error:
        fail(f"Nothing was written: {told_os(error)}")
    record = replay.record
    typer.echo(f"{game}: {record.ruleset.title}, with {', '.join(record.names)}; {len(record.turns)} turns.")
    for turn in record.turns:
        for note in turn.notes:
            typer.echo(f"Note: turn {turn.number} has the comment {{{printable(note)}}}")
    _tell_next(replay)


def _tell_turns(game: Path, mine: Replay, found: Comparison, after: Replay) -> None:
    """Say what was taken in, and who is next."""
    typer.echo(f"{game}: {found.new} new turn{'s' * (found.new != 1)}.")
    tell_turns(after.moments[len(mine.moments) :], after.record.names)


def _tell_next(replay: Replay) -> None:
    names, position = replay.record.names, replay.position
    if position.to_act is not None:
        typer.echo(f"It is {names[position.to_act]}'s turn.")
    else:
        typer.echo(f"The game is over ({position.ending}).")


def _tell_notes(found: Comparison, enclosed: Enclosed, *, err: bool = False) -> None:
    for note in found.notes:
        typer.echo(f"Note: {printable(note)}", err=err)
    if enclosed.broken:
        typer.echo("Note: The mail breaks off, so that turns at the end may be missing: ask for it again.", err=err)


def _diagnose(name: str, enclosed: Enclosed, found: Comparison, reader: str) -> NoReturn:
    """Say what a letter is that is not taken in, and stop. `reader` is whose file it is by the mail, "" if typed."""
    from tkid.record.exchange.comparison import OWN_TURN, Kind

    typer.echo(f"{name}: {printable(found.message)}. [{found.rule}]", err=True)
    if found.mine or found.theirs:
        line = f" (line {found.line})" if found.line else ""
        if found.mine or found.kind not in {Kind.TRUNCATED, Kind.WRONG}:
            typer.echo(f"    yours:   {printable(found.mine) or '(nothing)'}", err=True)
        typer.echo(f"    theirs:  {printable(found.theirs) or '(nothing)'}{line}", err=True)
    if found.hint:
        say_err(found.hint)
    if found.rule == OWN_TURN and reader:
        say_err(f"That you are {reader} is told by the file and the mail: if you are not, add --me NAME.")
    if found.problems:
        tell_all("record" if enclosed.mail else name, enclosed.text, found.problems[:MOST_TOLD])
        more = len(found.problems) - MOST_TOLD
        if more > 0:
            typer.echo(f"    And {more} more.", err=True)
    _tell_notes(found, enclosed, err=True)
    fail("Nothing was changed.", WRONG)


# -- writing ----------------------------------------------------------------------------------------------


def _addressees(replay: Replay, to: list[str], me: str, sender: str) -> list[int]:
    """The seats that a letter is to: those named, else whoever is to act, else all others."""
    names, to_act = replay.record.names, replay.position.to_act
    writer = _writer(replay.record, me, sender)
    known = {name.casefold() for name in names}
    if not to:
        if to_act is not None and to_act != writer:
            return [to_act]
        to = [EVERYBODY]
    seats: list[int] = []
    for name in to:
        if name.casefold() == EVERYBODY and EVERYBODY not in known:
            last = replay.record.turns[-1].seat if replay.record.turns else None
            mine = writer if writer is not None else last
            if mine is None:
                fail("Who are all others? Say who you are: --me NAME.")
            seats += [seat for seat in range(len(names)) if seat != mine]
        else:
            seats.append(seat_of(names, name))
    if writer in seats:
        fail(f"The letter would be to yourself, {names[writer or 0]}.")
    return sorted(set(seats))


def _writer(record: Record, me: str, sender: str) -> int | None:
    """Who writes: as told, whose address it is, or the only known hand."""
    if me:
        return seat_of(record.names, me)
    by_address = [index for index, seat in enumerate(record.seats) if sender and seat.address.lower() == sender.lower()]
    return by_address[0] if len(by_address) == 1 else _own_hand(record)


def _sender(replay: Replay, to: list[int], me: str, sender: str) -> Seat | None:
    """Whom a letter is from; None where that is not known, so that the mail program has to say it."""
    from attrs import evolve

    from tkid.record.format.model import Seat as Sender

    record = replay.record
    writer = _writer(record, me, sender)
    left = [seat for seat in range(len(record.names)) if seat not in to]
    writer = left[0] if writer is None and len(left) == 1 else writer
    if writer is None:
        return Sender("", sender) if sender else None
    seat = record.seats[writer]
    return evolve(seat, address=sender) if sender else seat
