"""The command for drawing a game without a host: letter new."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tkid.cli.support.common import UNREADABLE, WRONG, fail, say, tell_all, told_os
from tkid.cli.support.outbox import check_output, deliver, letter_bytes, time_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tkid.kernel.problems import Problem
    from tkid.record.fairplay.draw import Draw

NONCE = "Tkid-Nonce: 1"
PRIVATE = 0o600


def new(
    file: Annotated[Path, typer.Argument(help="Your file of the draw, such as winter.draw.", metavar="DRAW")],
    letters: Annotated[list[str] | None, typer.Argument(help="The others' mails, or their files of the draw.")] = None,
    me: Annotated[str, typer.Option("--me", help="Who you are: name or number. Asked for the first time only.")] = "",
    seat: Annotated[
        list[str] | None, typer.Option("--seat", help="A player, in turn order: NAME or 'NAME <ADDRESS>'.")
    ] = None,
    game: Annotated[str, typer.Option(help="A name for the game.")] = "",
    ruleset: Annotated[
        str, typer.Option(help="One without secret hands, as those need a dealer; see `tkid rulesets`.")
    ] = "second-edition",
    ruling: Annotated[list[str] | None, typer.Option(help="Another reading: 'ID OPTION'. May be repeated.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the mail to the others here.")] = None,
    at: Annotated[str, typer.Option("--at", help="The time to date the mail with (ISO 8601), in place of now.")] = "",
) -> None:
    """Draw and deal a new game without a host: by commitments and then nonces, so that nobody can choose the deal."""
    from tkid.cli.support.files import BusyError

    check_output(output, file, *(letters or []))
    time = time_of(at)
    texts = {letter: _text(letter) for letter in letters or []}
    try:
        if not file.exists():
            _start(file, texts, me, _typed(seat or [], game, ruleset, ruling or []) if seat else b"")
        elif seat:
            fail(f"{file} exists already: the players are in it. Nothing was changed.")
        draw, seat_no = _go_on(file, texts, me)
    except BusyError:
        fail(f"{file}: somebody else is writing it at this moment. Nothing was changed; try again.")
    except FileExistsError as error:
        fail(f"{error.filename} exists already; nothing was written. A nonce is used once: take another name.")
    except OSError as error:
        fail(f"Nothing was written: {told_os(error)}", UNREADABLE)
    _tell(file, draw, seat_no, letter=output)
    if output is not None:
        from tkid.mail.letters.peer_letters import draw_letter

        deliver(draw_letter(draw, seat_no, time), output)


# -- beginning --------------------------------------------------------------------------------------------


def _typed(seats: list[str], game: str, ruleset: str, rulings: list[str]) -> bytes:
    """The draw that was asked for on the command line."""
    from tkid.record.fairplay.draw import FIRST

    lines = [FIRST, f"Ruleset: {ruleset}", *([f"Game: {game}"] if game else [])]
    lines += [*(f"Seat: {seat}" for seat in seats), *(f"Ruling: {ruling}" for ruling in rulings)]
    if not all(line.isprintable() for line in lines):
        fail("A player's name or another option has characters that cannot be printed. Nothing was written.")
    return "".join(f"{line}\n" for line in lines).encode()


def _start(file: Path, letters: dict[str, bytes], me: str, asked: bytes) -> None:
    """Begin a file: draw a nonce, keep it, and write down the commitment."""
    import secrets

    from tkid.cli.support.files import create
    from tkid.record.fairplay.draw import BYTES, Draw, committed, write_draw

    if not asked and not letters:
        fail(f"{file} does not exist. Begin a draw with --seat NAME for each player, or join one with its letter.")
    if not me:
        fail("Who are you? Add --me NAME.")
    head = _read(*(("the options", asked) if asked else next(iter(letters.items())))).head
    none = ("",) * len(head.names)
    draw = Draw(head, none, none)
    seat = _seat(draw, me)
    for letter, data in letters.items():
        draw = _taken(draw, letter, data, seat)
    nonce = secrets.token_bytes(BYTES).hex()
    _keep(_nonce_file(file), head.names[seat], nonce)
    create(file, write_draw(committed(Draw(head, none, none), seat, nonce)))


def _nonce_file(file: Path) -> Path:
    return file.with_suffix(".nonce")


def _keep(file: Path, name: str, nonce: str) -> None:
    """Write a nonce where nobody else can read it. Raises FileExistsError, OSError."""
    descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE)
    with os.fdopen(descriptor, "wb") as kept:
        kept.write(f"{NONCE}\nPlayer: {name}\nNonce: {nonce}\n".encode())
        kept.flush()
        os.fsync(kept.fileno())


def _kept(file: Path) -> tuple[str, str]:
    """Whose nonce is kept in a file, and the nonce; or the end of the command."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except FileNotFoundError:
        fail(
            f"{file} is missing: it holds the nonce to your commitment, and nobody can find it again. Begin a new draw."
        )
    except ValueError:
        lines = []
    found = dict(line.split(": ", 1) for line in lines if ": " in line)
    if lines[:1] != [NONCE] or not {"Player", "Nonce"} <= set(found):
        fail(f"{file}: this is not the file of a nonce.")
    if os.name == "posix" and file.stat().st_mode & 0o077:
        typer.echo(f"{file} can be read by others: `chmod 600 {file}`.", err=True)
    return found["Player"], found["Nonce"].lower()


# -- going on ---------------------------------------------------------------------------------------------


def _go_on(file: Path, letters: dict[str, bytes], me: str) -> tuple[Draw, int]:
    """Take in what the letters hold, add what is due of one's own, and write the file, and the record if it is complete."""
    from tkid.cli.support.files import locked, write_atomically
    from tkid.record.fairplay.draw import commitment, revealed, write_draw

    name, nonce = _kept(_nonce_file(file))
    with locked(file) as data:
        draw = _read(str(file), data)
        seat = _seat(draw, name)
        if me and _seat(draw, me) != seat:
            fail(f"{_nonce_file(file)} is the nonce of {name}, not of {me}.")
        if draw.commitments[seat] != commitment(draw.head, seat, nonce):
            told = f"the commitment of {name} is not that to the nonce in {_nonce_file(file)}"
            fail(f"{file}: {told}: one of the two was changed. [record.draw.nonce]", WRONG)
        for letter, text in letters.items():
            draw = _taken(draw, letter, text, seat)
        draw = revealed(draw, seat, nonce)
        record = _deal(draw, file.with_suffix(".tkid")) if draw.complete else None
        if write_draw(draw).encode() != data:
            write_atomically(file, write_draw(draw))
    if record is not None:
        typer.echo(f"{record}: dealt.")
    return draw, seat


def _taken(draw: Draw, letter: str, data: bytes, seat: int) -> Draw:
    """The draw with what a letter holds, or the end of the command."""
    from tkid.record.fairplay.draw import merged
    from tkid.record.fairplay.draw_reader import read_draw

    after, flaws = merged(draw, _read(letter, data), seat)
    if flaws:
        _refuse(letter, data, read_draw(data).placed(flaws))
    return after


def _deal(draw: Draw, file: Path) -> Path | None:
    """Write the record that a draw deals; None where it stands there already."""
    from tkid.cli.support.files import create
    from tkid.record.fairplay.draw import record_of
    from tkid.record.format.reader import read_record
    from tkid.record.play.writer import write_record

    text = write_record(record_of(draw))
    if not file.exists():
        create(file, text)
        return file
    start = text.removesuffix("Turns\n")
    found = read_record(file.read_bytes()).record
    if found is None or not write_record(found).startswith(start):
        fail(f"{file} exists already, and is not the record of this draw. Move it away, and try again.")
    return None


# -- reading ----------------------------------------------------------------------------------------------


def _text(letter: str) -> bytes:
    """The draw that a letter encloses, or the end of the command."""
    from tkid.mail.inbound.enclosure import DRAW, take_out
    from tkid.mail.model import Refusal

    found = take_out(letter_bytes(letter), begins=DRAW, is_file=letter.lower().endswith(".draw"))
    if isinstance(found, Refusal):
        fail(f"{letter}: {found}\nNothing was taken from it.", WRONG)
    return found.text


def _read(name: str, data: bytes) -> Draw:
    """A draw without problems; or its problems and the end of the command."""
    from tkid.record.fairplay.draw_reader import read_draw

    found = read_draw(data)
    if found.draw is None:
        _refuse(name, data, found.problems)
    return found.draw


def _refuse(name: str, data: bytes, problems: Iterable[Problem]) -> NoReturn:
    tell_all(name, data, problems)
    fail("Nothing was changed.", WRONG)


def _seat(draw: Draw, name: str) -> int:
    from tkid.cli.support.common import seat_of

    return seat_of(draw.names, name)


def _tell(file: Path, draw: Draw, seat: int, *, letter: Path | None) -> None:
    """Say how far the draw has come, and what is to do."""
    from tkid.notation.vocabulary import listed

    missing = [name for name in draw.missing() if name != draw.names[seat]]
    if draw.complete:
        record = file.with_suffix(".tkid")
        say(f"All nonces are here, and each is the one its player was committed to. The game is in {record}.", "  ")
        say(f"Everybody who has {file} deals the same record: send it to whoever may lack a nonce.", "  ")
    elif draw.committed:
        say(f"All commitments are here, so your nonce stands in {file} now. Send it to all others.", "  ")
        say(f"Still missing: the nonce of {listed(missing, 'and')}.", "  ")
    else:
        say(
            f"Your commitment stands in {file}: send it to all others. Your nonce is in {_nonce_file(file)}: keep it to yourself.",
            "  ",
        )
        say(f"Still missing: the commitment of {listed(missing, 'and')}.", "  ")
    if letter is None and not draw.complete:
        say("With -o FILE this command writes the mail.", "  ")
