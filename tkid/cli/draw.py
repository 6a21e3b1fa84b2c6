"""The command for drawing a game without a host: letter new."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support import WRONG, fail, stop_on_os_error
from tkid.cli.support.mails import At, check_output, enclosed_in, read_time, write_letter
from tkid.cli.support.own_files import note_owner
from tkid.cli.support.printing import print_paragraph, print_problems
from tkid.cli.support.seats import seat_of
from tkid.cli.support.sources import Rulings, Title

if TYPE_CHECKING:
    from tkid.record.fairplay.draw import Draw

NONCE = "Tkid-Nonce: 1"


def new(
    file: Annotated[Path, typer.Argument(help="Your file for the draw, such as winter.draw.", metavar="DRAW")],
    letters: Annotated[
        list[str] | None, typer.Argument(help="The other players' mails, or their files of the draw.")
    ] = None,
    me: Annotated[str, typer.Option("--me", help="Your name or number. Needed the first time only.")] = "",
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", help="A player: NAME or 'NAME <ADDRESS>'. Repeat it for each, in turn order."),
    ] = None,
    game: Title = "",
    ruleset: Annotated[
        str, typer.Option(help="What you play, without secret hands. `tkid rulesets` lists the rulesets.")
    ] = "second-edition",
    ruling: Rulings = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the mail to the others to this file.")
    ] = None,
    at: At = "",
) -> None:
    """Deal a new game together, without a host. Each player adds a secret number, so nobody can choose the deal."""
    from tkid.cli.support.files import BusyError
    from tkid.mail.inbound.enclosure import DRAW

    check_output(output, file, *(letters or []))
    time = read_time(at)
    texts = {letter: enclosed_in(letter, DRAW, ".draw").text for letter in letters or []}
    with stop_on_os_error("Nothing was written"):
        try:
            if not file.exists():
                _start(file, texts, me, _options_text(seat, game, ruleset, ruling or []) if seat else b"")
            elif seat:
                fail(f"{file} exists already, with its players. Leave out --seat. Nothing was changed.")
            draw, own_seat = _go_on(file, texts, me)
        except BusyError:
            fail(f"{file}: another program is writing it right now. Nothing was changed. Try again.")
        except FileExistsError as error:
            fail(
                f"{error.filename} exists already. Nothing was written. A nonce is used only once, so choose another name."
            )
    if draw.complete:
        note_owner(file.with_suffix(".tkid"), draw.names[own_seat])
    _print_progress(file, draw, own_seat)
    if output is not None:
        from tkid.mail.letters.peer_letters import draw_letter

        write_letter(draw_letter(draw, own_seat, time), output)
    elif not draw.complete:
        print_paragraph("To write the mail, add -o FILE.", "  ")


# -- beginning --------------------------------------------------------------------------------------------


def _options_text(seats: list[str], game: str, ruleset: str, rulings: list[str]) -> bytes:
    """The draw that was asked for on the command line."""
    from tkid.record.fairplay.draw import FIRST

    lines = [FIRST, f"Ruleset: {ruleset}", *([f"Game: {game}"] if game else [])]
    lines += [*(f"Seat: {seat}" for seat in seats), *(f"Ruling: {ruling}" for ruling in rulings)]
    if not all(line.isprintable() for line in lines):
        fail("A name or another option has characters that cannot be printed. Nothing was written.")
    return "".join(f"{line}\n" for line in lines).encode()


def _start(file: Path, letters: dict[str, bytes], me: str, options: bytes) -> None:
    """Begin a file: draw a nonce, keep it, and write down the commitment."""
    import secrets

    from tkid.cli.support.files import create
    from tkid.record.fairplay.draw import BYTES, Draw, committed, write_draw
    from tkid.record.format.table_names import new_table_faults

    if not options and not letters:
        fail(f"{file} does not exist. To start a draw, add --seat NAME for each player. To join one, name its letter.")
    if not me:
        fail("Who are you? Add --me NAME.")
    name, data = ("the options", options) if options else next(iter(letters.items()))
    head = _read(name, data).head
    if refused := new_table_faults(head.game, head.names):
        fail("\n".join([*refused, "Nothing was written."]), WRONG)
    nothing_yet = ("",) * len(head.names)
    new_draw = Draw(head, nothing_yet, nothing_yet)
    seat = seat_of(head.names, me)
    _merge_all(new_draw, letters, seat)
    nonce = secrets.token_bytes(BYTES).hex()
    _keep_nonce(_nonce_file(file), head.names[seat], nonce)
    create(file, write_draw(committed(new_draw, seat, nonce)))


def _nonce_file(file: Path) -> Path:
    return file.with_suffix(".nonce")


def _keep_nonce(path: Path, name: str, nonce: str) -> None:
    """Write a nonce where nobody else can read it. Raises FileExistsError, OSError."""
    from tkid.cli.support.files import PRIVATE

    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(f"{NONCE}\nPlayer: {name}\nNonce: {nonce}\n".encode())
        file.flush()
        os.fsync(file.fileno())


def _read_nonce(file: Path) -> tuple[str, str]:
    """Whose nonce is kept in a file, and the nonce; or the end of the command."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except FileNotFoundError:
        fail(f"{file} is missing. It has the nonce for your commitment, and nobody can restore it. Start a new draw.")
    except ValueError:
        lines = []
    entries = dict(line.split(": ", 1) for line in lines if ": " in line)
    if lines[:1] != [NONCE] or not {"Player", "Nonce"} <= set(entries):
        fail(f"{file}: this file has no nonce.")
    if os.name == "posix" and file.stat().st_mode & 0o077:
        typer.echo(f"Others can read {file}. To stop that: `chmod 600 {file}`.", err=True)
    return entries["Player"], entries["Nonce"].lower()


# -- going on ---------------------------------------------------------------------------------------------


def _go_on(file: Path, letters: dict[str, bytes], me: str) -> tuple[Draw, int]:
    """Merge the letters, reveal your own nonce if it is time, and write the file, and the record if the draw is complete."""
    from tkid.cli.support.files import locked, write_atomically
    from tkid.record.fairplay.draw import commitment, revealed, write_draw

    name, nonce = _read_nonce(_nonce_file(file))
    with locked(file) as data:
        draw = _read(str(file), data)
        seat = seat_of(draw.names, name)
        if me and seat_of(draw.names, me) != seat:
            fail(f"{_nonce_file(file)} has the nonce of {name}, not of {me}.")
        if draw.commitments[seat] != commitment(draw.head, seat, nonce):
            mismatch = f"the commitment of {name} does not fit the nonce in {_nonce_file(file)}"
            fail(f"{file}: {mismatch}. One of them was changed. [record.draw.nonce]", WRONG)
        draw = revealed(_merge_all(draw, letters, seat), seat, nonce)
        record = _deal(draw, file.with_suffix(".tkid")) if draw.complete else None
        if write_draw(draw).encode() != data:
            write_atomically(file, write_draw(draw))
    if record is not None:
        typer.echo(f"{record}: dealt.")
    return draw, seat


def _merge_all(draw: Draw, letters: dict[str, bytes], seat: int) -> Draw:
    """The draw with what the letters hold, or the end of the command."""
    from tkid.record.fairplay.draw import merged
    from tkid.record.fairplay.draw_reader import read_draw

    for letter, data in letters.items():
        draw, flaws = merged(draw, _read(letter, data), seat)
        if flaws:
            print_problems(letter, data, read_draw(data).placed(flaws))
            fail("Nothing was changed.", WRONG)
    return draw


def _read(name: str, data: bytes) -> Draw:
    """A draw without problems; or its problems and the end of the command."""
    from tkid.record.fairplay.draw_reader import read_draw

    read = read_draw(data)
    if read.draw is None:
        print_problems(name, data, read.problems)
        fail("Nothing was changed.", WRONG)
    return read.draw


def _deal(draw: Draw, file: Path) -> Path | None:
    """Write the record that a draw deals; None where the file exists already."""
    from tkid.cli.support.files import create
    from tkid.record.fairplay.draw import record_of
    from tkid.record.format.reader import read_record
    from tkid.record.play.writer import write_record

    text = write_record(record_of(draw))
    if not file.exists():
        create(file, text)
        return file
    start = text.removesuffix("Turns\n")
    record = read_record(file.read_bytes()).record
    if record is None or not write_record(record).startswith(start):
        fail(f"{file} exists already, and is the file of another game. Move it away, and try again.")
    return None


def _print_progress(file: Path, draw: Draw, seat: int) -> None:
    """Print how far the draw has come, and what to do next."""
    from tkid.notation.vocabulary import listed

    missing = [name for name in draw.missing() if name != draw.names[seat]]
    if draw.complete:
        record = file.with_suffix(".tkid")
        print_paragraph(f"All nonces are here, and each fits its commitment. The game is in {record}.", "  ")
        print_paragraph(f"Everybody who has {file} deals the same game. Send it to players who may lack a nonce.", "  ")
    elif draw.committed:
        print_paragraph(f"All commitments are here, so {file} now has your nonce. Send it to all others.", "  ")
        print_paragraph(f"Still missing: the nonce of {listed(missing, 'and')}.", "  ")
    else:
        keep = f"Your nonce is in {_nonce_file(file)}. Keep it secret."
        print_paragraph(f"Your commitment is in {file}. Send it to all others. {keep}", "  ")
        print_paragraph(f"Still missing: the commitment of {listed(missing, 'and')}.", "  ")
