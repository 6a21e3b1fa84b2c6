"""Mails that commands read and write: their options, the bytes that come in, the files that go out."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.support import WRONG, as_typed, fail, os_error_text
from tkid.cli.support.outputs import print_or_write

if TYPE_CHECKING:
    from tkid.mail.inbound.enclosure import Enclosed
    from tkid.mail.peers.letter import PeerLetter

Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Write the mail to this file. Without it, the mail is printed, unless to a terminal."
    ),
]
At = Annotated[str, typer.Option("--at", help="Date the mail with this time (ISO 8601) instead of now.")]


def mail_bytes(name: str) -> bytes:
    """The bytes of a mail, as many as are needed to see that it is too large."""
    from tkid.cli.support.files import read_bytes
    from tkid.mail.inbound.envelope import MOST_BYTES

    try:
        return read_bytes(name, MOST_BYTES)
    except OSError as error:
        fail(os_error_text(error))


def check_mail(name: str, data: bytes) -> None:
    """Stop where a file is plainly no mail, and say what it is."""
    from tkid.record.format.foreign import GAME_FILE, MAILED, find_foreign

    if data.removeprefix(b"\xef\xbb\xbf").startswith(GAME_FILE):
        fail(
            f"{name} is a game file, not a mail. `tkid letter read FILE {as_typed(name)}` compares it with yours.",
            WRONG,
        )
    foreign = find_foreign(data)
    if foreign is not None and foreign != MAILED:
        fail(f"{name} is {foreign.what}, not a mail. {foreign.hint}", WRONG)


def enclosed_in(name: str, kind: str, suffix: str) -> Enclosed:
    """The game file or draw that a letter encloses, or that it is; or the end of the command."""
    return enclosed_of(name, mail_bytes(name), kind, suffix)


def enclosed_of(name: str, data: bytes, kind: str, suffix: str) -> Enclosed:
    """The text of a kind that the bytes of a letter enclose, or that they are; or the end of the command."""
    from tkid.mail.inbound.enclosure import take_out
    from tkid.mail.model import Refusal

    enclosed = take_out(data, begins=kind, is_file=name.lower().endswith(suffix))
    if isinstance(enclosed, Refusal):
        fail(f"{name}: {enclosed}\nNothing was taken from it.", WRONG)
    return enclosed


def name_in(letter: str, suffix: str) -> str:
    """What problems name as the place of a text that a letter encloses: the mail's file, with what is meant in it."""
    return letter if letter.lower().endswith(suffix) else f"{letter} ({suffix[1:]})"


def read_time(text: str) -> datetime:
    """A time that was typed, or now."""
    from datetime import UTC

    try:
        time = datetime.fromisoformat(text) if text else datetime.now(UTC)
    except ValueError:
        fail(f"--at {text}: write a time such as 2026-11-21T10:00+00:00.")
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def check_sender(address: str, example: str) -> None:
    """Stop where `--from` is followed by what is no address."""
    from tkid.mail.inbound.envelope import is_address

    if not is_address(address):
        fail(f"--from {address}: write a plain address such as {example}.")


def write_mail(mail: bytes, output: Path | None, *, private: bool = False) -> None:
    """Write a mail to a file, which only its owner may read if it is `private`, or to standard output."""
    print_or_write(mail, output, "The mail could not be written", private=private)


def check_terminal(output: Path | None) -> None:
    """Stop where a mail would be printed in a terminal, where nobody can send it."""
    if output is None and sys.stdout.isatty():
        fail("A mail is too long for a terminal. To write it to a file, add -o FILE. Nothing was written.")


def write_letter(letter: PeerLetter, output: Path | None) -> None:
    """Write a letter as a mail that somebody will send, and print to whom it is."""
    from tkid.mail.peers.letter import mail

    recipients, unknown = _recipients(letter)
    write_mail(mail(letter), output)
    if output is not None:
        typer.echo(f"The mail to {recipients} is in {output}.")
    if unknown:
        typer.echo(f"There is no address for {unknown}. Add it when you send the mail.", err=True)


def send_letter(letter: PeerLetter, server: str) -> None:
    """Send a letter by SMTP. Nothing is sent unless every address is known."""
    from tkid.cli.support.sending import send
    from tkid.mail.inbound.envelope import is_address
    from tkid.mail.peers.letter import mail

    recipients, unknown = _recipients(letter)
    if unknown:
        fail(f"There is no address for {unknown}. The mail was not sent.")
    if letter.sender is None or not is_address(letter.sender.address):
        fail("Who is the mail from? Add --from ADDRESS. The mail was not sent.")
    host = send(mail(letter, draft=False), letter.sender.address, [seat.address for seat in letter.to], server)
    typer.echo(f"{host} accepted the mail to {recipients}.")


def _recipients(letter: PeerLetter) -> tuple[str, str]:
    """The names of all recipients, and of those whose address is not known."""
    from tkid.mail.inbound.envelope import is_address
    from tkid.notation.vocabulary import listed

    unknown = [seat.name for seat in letter.to if not is_address(seat.address)]
    return listed([seat.name for seat in letter.to], "and"), listed(unknown, "and") if unknown else ""
