"""The commands mail read, mail write, and the mails that commands read, write and send."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from tkid.cli.files import check_output, print_or_write, read_bytes
from tkid.cli.game_source import load, note_sent, open_to_change, play_through, write_game
from tkid.cli.printing import WRONG, as_typed, fail, os_error_text
from tkid.cli.turn_input import At, check_doubt, check_resigning, read_typed_time
from tkid.files import is_open_to_others
from tkid.mail import game_service, order_handlers
from tkid.mail.blocks import Letter
from tkid.mail.enclosure import Enclosed, find_size_fault, take_out
from tkid.mail.envelope import MOST_BYTES, is_address
from tkid.mail.intent import HOLD
from tkid.mail.letter_html import finish_letter
from tkid.mail.message import ADD_ADDRESS, compose_mail, find_mail_address
from tkid.mail.mime import take_in
from tkid.mail.model import Intake, Refusal
from tkid.mail.order_finder import find_orders, get_order_reader
from tkid.mail.peer_letters import PeerLetter, write_peer_mail
from tkid.mail.quotation import OwnLetter
from tkid.notation.names import list_names
from tkid.record.copies import find_new_resignations
from tkid.record.format.model import GAME_FILE, MAILED, find_foreign
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

if TYPE_CHECKING:
    from tkid.host.settings import SmtpSettings, Tls

Output = Annotated[
    Path | None,
    Option(
        "--output", "-o", help="Write the mail to this file. Without it, tkid prints the mail, but not to a terminal."
    ),
]


def mail_bytes(name: str) -> bytes:
    """Return the bytes of a mail, at most as many as show that it is too large."""
    try:
        return read_bytes(name, MOST_BYTES)
    except OSError as error:
        fail(os_error_text(error))


def check_mail(name: str, data: bytes) -> None:
    if data.removeprefix(b"\xef\xbb\xbf").startswith(GAME_FILE):
        way = f"`tkid letter read FILE {as_typed(name)}` compares it with yours"
        fail(f"{name} is a game file, not a mail. {way}.", WRONG)
    foreign = find_foreign(data)
    if foreign is not None and foreign != MAILED:
        fail(f"{name} is {foreign.what}, not a mail. {foreign.hint}", WRONG)


def extract_enclosed(name: str, data: bytes, kind: str, suffix: str) -> Enclosed:
    """Return the text of a kind in the bytes of a letter, or that they are; or end the command."""
    enclosed = take_out(data, begins=kind, is_file=name.lower().endswith(suffix))
    if isinstance(enclosed, Refusal):
        fail(f"{name}: {enclosed}\nNothing was taken from it.", WRONG)
    return enclosed


def name_enclosed(letter: str, suffix: str) -> str:
    """Return the place for problems with a text in a letter: the mail's file, with the kind of text."""
    return letter if letter.lower().endswith(suffix) else f"{letter} ({suffix[1:]})"


def check_sender(address: str, example: str) -> None:
    if not is_address(address):
        fail(f"--from {address}: write a plain address such as {example}.")


def write_mail(mail: bytes, output: Path | None, *, private: bool = False) -> None:
    """Write a mail to a file, which only its owner may read if it is `private`, or to standard output."""
    print_or_write(mail, output, "The mail could not be written", private=private)


def check_terminal(output: Path | None) -> None:
    """Stop before a mail is printed in a terminal, as it cannot be sent from there."""
    if output is None and sys.stdout.isatty():
        fail("A mail is too long for a terminal. To write it to a file, add -o FILE. Nothing was written.")


def write_letter(letter: PeerLetter, output: Path | None) -> None:
    _check_size(letter)
    recipients, unknown = _list_recipients(letter)
    write_mail(write_peer_mail(letter), output)
    if output is not None:
        typer.echo(f"The mail to {recipients} is in {output}.")
    if unknown:
        typer.echo(f"There is no address for {unknown}. Add it when you send the mail.", err=True)


@cites("mail.letter.enclosed")
def _check_size(letter: PeerLetter) -> None:
    for text in (letter.file, letter.deal):
        if fault := find_size_fault(text.encode()):
            way = "Remove old lines about the game, such as `# away: …`, from your file."
            so = f"{letter.name} {fault}, so the others could not read this letter"
            fail(f"{so}. Nothing was written. [mail.letter.enclosed]\n{way}", WRONG)


def send_letter(letter: PeerLetter, server: str) -> None:
    """Send a letter by SMTP. Nothing is sent unless every address is known."""
    _check_size(letter)
    recipients, unknown = _list_recipients(letter)
    if unknown:
        fail(f"There is no address for {unknown}. The mail was not sent.")
    if letter.sender is None or not is_address(letter.sender.address):
        fail("Who is the mail from? Add --from ADDRESS. The mail was not sent.")
    addresses = [seat.address for seat in letter.to]
    host = send(write_peer_mail(letter, draft=False), letter.sender.address, addresses, server)
    typer.echo(f"{host} accepted the mail to {recipients}.")


def _list_recipients(letter: PeerLetter) -> tuple[str, str]:
    unknown = [seat.name for seat in letter.to if not is_address(seat.address)]
    return list_names([seat.name for seat in letter.to], "and"), list_names(unknown, "and") if unknown else ""


app = typer.Typer()

Game = Annotated[Path, Argument(help="The game file.", metavar="GAME")]
Sender = Annotated[str, Option("--from", help="The address that the mails come from.")]
HERE = "tkid@localhost"


@app.command(epilog="Example: tkid mail write winter.tkid -o turn.eml")
def write(game: Game, output: Output = None, sender: Sender = HERE, at: At = "") -> None:
    """Write the mail that asks the next player for a turn."""
    check_sender(sender, HERE)
    check_terminal(output)
    time = read_typed_time(at)
    replay = load(game)
    letter = game_service.ask_for_turn(replay, time)
    if letter is None:
        fail(f"{game}: the game is over. There is no turn to ask for.", WRONG)
    check_output(output, game)
    write_mail(_compose_letter(replay, letter, sender), output, private=replay.record.game.secret)
    note_sent(game)
    if output is not None:
        typer.echo(f"The mail to {replay.record.seats[letter.seat]} is in {output}.")


@app.command(epilog="Example: tkid mail read winter.tkid reply.eml -o answer.eml")
def read(
    game: Game,
    reply: Annotated[str, Argument(help="The player's mail. - reads standard input.")],
    output: Output = None,
    sender: Sender = HERE,
    at: At = "",
    yes: Annotated[bool, Option("--yes", help="Do not ask whether a turn or a resignation is meant.")] = False,
) -> None:
    """Carry out a player's mail, and write the answer. A wrong turn changes nothing."""
    check_sender(sender, HERE)
    check_terminal(output)
    time = read_typed_time(at)
    data = mail_bytes(reply)
    check_mail(reply, data)
    intake = take_in(data)
    if isinstance(intake, Refusal):
        if _is_own_mail(data, sender):
            whose = f"{reply} is a mail from {sender}, so it is yours"
            fail(f"Not answered: {whose}. Read the player's answer to it.", WRONG)
        fail(f"Not answered: {intake}", WRONG)
    check_output(output, game, reply)
    with open_to_change(game, "Nothing was played") as data:
        before = play_through(game, data)
        outcome = _carry_out_mail(before, intake, time, yes=yes)
        after = outcome.game.replay
        mail = _compose_letter(after, outcome.letters[0], sender, intake)
        if outcome.record_changed:
            write_game(game, after)
    err = output is None or not outcome.record_changed
    if len(after.moments) > len(before.moments):
        typer.echo(f"Played: {after.last.line} #{after.last.hash}", err=err)
    for problem in outcome.problems:
        typer.echo(f"{'Note' if outcome.record_changed else 'Not done'}: {problem.message}. [{problem.rule}]", err=err)
    write_mail(mail, output, private=after.record.game.secret)
    note_sent(game)
    if output is not None:
        typer.echo(f"The answer to {after.record.seats[outcome.letters[0].seat]} is in {output}.", err=err)
    if outcome.problems and not outcome.record_changed:
        raise typer.Exit(WRONG)


def _is_own_mail(data: bytes, sender: str) -> bool:
    head = data.replace(b"\r", b"").partition(b"\n\n")[0].decode("utf-8", "replace")
    pattern = rf"^from:.*(?<![\w.+-]){re.escape(sender)}(?![\w.-])"
    return re.search(pattern, head, re.IGNORECASE | re.MULTILINE) is not None


def _carry_out_mail(replay: Replay, intake: Intake, time: datetime, *, yes: bool) -> game_service.Outcome:
    record = replay.record
    seat = order_handlers.find_sender_seat(record, intake.sender)
    if isinstance(seat, Refusal):
        fail(f"Not answered: {seat}", WRONG)
    asked = game_service.ask_for_turn(replay, time)
    letters = [compose_mail(replay, asked, intake.sender, intake.sender)] if asked and asked.seat == seat else []
    reader = get_order_reader(record.game, record.names, seat)
    orders = find_orders(intake, reader, tuple(map(OwnLetter, letters)))
    game = game_service.open_without_host(replay, seat)
    outcome = game_service.receive_mail(game, seat, orders, time)
    if find_new_resignations(record, outcome.game.record):
        check_resigning(record.names[seat], yes=yes)
    for problem in outcome.problems:
        if problem.rule == HOLD:
            check_doubt(problem.message, yes=yes)
    return outcome


def _compose_letter(replay: Replay, letter: Letter, sender: str, answered: Intake | None = None) -> bytes:
    address = find_mail_address(replay.record, letter.seat)
    if isinstance(address, Refusal):
        way_out = ADD_ADDRESS if replay.record.turns else f"{ADD_ADDRESS.partition('. ')[0]}."
        fail(f"{address}\n{way_out}", WRONG)
    return finish_letter(compose_mail(replay, letter, address, sender, answered, pictures=True)).mail


SUBMISSION, SUBMISSION_TLS = 587, 465
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
SERVER, USER, PASSWORD, FILE = "TKID_SMTP", "TKID_SMTP_USER", "TKID_SMTP_PASSWORD", "TKID_SMTP_PASSWORD_FILE"


def send(mail: bytes, sender: str, to: list[str], server: str) -> str:
    """Send a mail, to every address or to none; the server's name. Ends the command where that fails."""
    from tkid.host.smtp import connect_to_server, send_message

    settings = _parse_server(server or os.environ.get(SERVER, ""))
    user = os.environ.get(USER, "")
    password = _read_password() if user else ""
    try:
        with connect_to_server(settings) as client:
            if user:
                client.login(user, password)
            send_message(client, sender, to, mail)
    except (OSError, UnicodeError) as error:
        why = f"{_describe_error(error)}\n{_suggest_remedy(error)}"
        fail(f"{settings.host}:{settings.port}: {why}The mail was not sent.")
    return settings.host


def _parse_server(address: str) -> SmtpSettings:
    """Parse `HOST` or `HOST:PORT`: a server with TLS; without it only on this machine itself."""
    from tkid.host.settings import SmtpSettings

    if not address:
        fail(f"Which server sends your mail? Add --smtp HOST:PORT, or set {SERVER}.")
    host, colon, port = address.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")):  # no port, and perhaps an address of IPv6
        host, port = address, str(SUBMISSION)
    host = host.strip("[]")
    settings = None
    if host.isascii() and " " not in host and port.isascii() and port.isdecimal():
        with suppress(ValueError):  # the settings check the rest
            tls: Tls = "implicit" if int(port) == SUBMISSION_TLS else "none" if host in LOOPBACK else "starttls"
            settings = SmtpSettings(host, port=int(port), tls=tls)
    if settings is None:
        fail(f"`{address}`: write a server such as smtp.example.org:587.")
    return settings


def _read_password() -> str:
    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    name = os.environ.get(FILE, "")
    if not name:
        fail(f"The password of {os.environ[USER]} is missing. Set {PASSWORD}, or set {FILE} to a file with mode 600.")
    try:
        if is_open_to_others(Path(name).stat()):
            fail(f"Others can read {name}. To stop that: `chmod 600 {name}`. The mail was not sent.")
        return read_bytes(name).decode().strip("\r\n")
    except (OSError, ValueError) as error:
        fail(f"{name}: {getattr(error, 'strerror', None) or 'this is no text'}. The mail was not sent.")


def _describe_error(error: Exception) -> str:
    import smtplib
    import ssl

    if isinstance(error, smtplib.SMTPRecipientsRefused):
        text = "; ".join(f"{to}: {_answer(*answer)}" for to, answer in error.recipients.items())
    elif isinstance(error, smtplib.SMTPResponseException):
        text = _answer(error.smtp_code, error.smtp_error)
    elif isinstance(error, ssl.SSLCertVerificationError):
        text = f"its certificate cannot be trusted: {error.verify_message}"
    elif isinstance(error, smtplib.SMTPNotSupportedError):
        text = f"the server can't do something that tkid needs: {error}"
    elif isinstance(error, UnicodeError):
        text = "server, user and password must be plain ASCII characters"
    else:
        text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return "".join(c if c.isprintable() else " " for c in text)


def _answer(code: int, text: bytes | str) -> str:
    return f"{code} {text.decode('utf-8', 'replace') if isinstance(text, bytes) else text}"


def _suggest_remedy(error: Exception) -> str:
    import smtplib
    import ssl

    if isinstance(error, smtplib.SMTPAuthenticationError):
        return f"Check {USER} and the password. Some providers need a separate password for programs.\n"
    if isinstance(error, ssl.SSLCertVerificationError):
        return "Is this the server's name as your provider gives it?\n"
    if isinstance(error, ssl.SSLError | smtplib.SMTPServerDisconnected | smtplib.SMTPNotSupportedError):
        return f"Is the port right? Port {SUBMISSION_TLS} uses TLS at once, every other port uses STARTTLS.\n"
    codes = [code for code, _ in error.recipients.values()] if isinstance(error, smtplib.SMTPRecipientsRefused) else []
    codes += [error.smtp_code] if isinstance(error, smtplib.SMTPResponseException) else []
    if codes and all(400 <= code < 500 for code in codes):
        return "The server may accept it later. Try again.\n"
    return ""
