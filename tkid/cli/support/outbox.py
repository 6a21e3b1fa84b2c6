"""What the commands for letters share: bytes that come in, mails that go out as files, paragraphs on standard error."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tkid.cli.support.common import fail, told_os

if TYPE_CHECKING:
    from tkid.mail.letters.peer_letters import PeerLetter

WIDTH = 74


def letter_bytes(name: str) -> bytes:
    """The bytes of a letter, as many as are needed to see that it is too large."""
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


def time_of(text: str) -> datetime:
    """A time that was typed, or now."""
    from datetime import UTC

    try:
        time = datetime.fromisoformat(text) if text else datetime.now(UTC)
    except ValueError:
        fail(f"--at {text}: this is no time such as 2026-11-21T10:00+00:00.")
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def check_address(text: str) -> None:
    """Stop where an address was typed that is none."""
    from tkid.mail.inbound.envelope import is_address

    if text and not is_address(text):
        fail(f"--from {text}: this is no plain address such as ann@example.org.")


def check_output(output: Path | None, *others: str | Path) -> None:
    """Stop where a mail cannot be written, or would take the place of a file that is read."""
    if output is None:
        return
    if output.resolve() in {Path(other).resolve() for other in others}:
        fail(f"{output} would be overwritten by the mail; nothing was done.")
    if output.is_dir() or not output.parent.is_dir():
        fail(f"{output}: no file can be written there; nothing was done.")


def deliver(letter: PeerLetter, output: Path | None) -> None:
    """Write a letter as a mail to a file, or to standard output, and say to whom it is."""
    from tkid.cli.support.files import write_atomically
    from tkid.mail.inbound.envelope import is_address
    from tkid.mail.letters.peer_letters import mail
    from tkid.notation.vocabulary import listed

    data = mail(letter)
    if output is None:
        typer.echo(data, nl=False)
    else:
        try:
            write_atomically(output, data.decode("ascii"))
        except OSError as error:
            fail(f"The mail could not be written: {told_os(error)}")
        typer.echo(f"The mail to {listed([seat.name for seat in letter.to], 'and')} is in {output}.")
    unknown = [seat.name for seat in letter.to if not is_address(seat.address)]
    if unknown:
        typer.echo(f"No address is known of {listed(unknown, 'and')}: put it in when you send the mail.", err=True)


def dispatch(letter: PeerLetter, server: str) -> None:
    """Send a letter by SMTP. Nothing is sent unless every address is known."""
    from tkid.cli.support.sending import send
    from tkid.mail.inbound.envelope import is_address
    from tkid.mail.letters.peer_letters import mail
    from tkid.notation.vocabulary import listed

    unknown = [seat.name for seat in letter.to if not is_address(seat.address)]
    if unknown:
        fail(f"No address is known of {listed(unknown, 'and')}. The mail was not sent.")
    if letter.sender is None or not is_address(letter.sender.address):
        fail("Whom is the mail from? Add --from ADDRESS. The mail was not sent.")
    host = send(mail(letter, draft=False), letter.sender.address, [seat.address for seat in letter.to], server)
    typer.echo(f"The mail to {listed([seat.name for seat in letter.to], 'and')} was sent by {host}.")


def say_err(text: str) -> None:
    """Print the way out below a diagnosis."""
    import textwrap

    for line in textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False):
        typer.echo(f"    {printable(line)}", err=True)


def printable(text: str) -> str:
    """A text that others wrote, without what could play tricks on a terminal."""
    return "".join(c if c.isprintable() else "?" for c in text)
