"""Sending a letter by SMTP: over TLS that is verified, with a password from the environment or a private file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tkid.cli.support import fail
from tkid.cli.support.files import read_bytes
from tkid.files import others_read

if TYPE_CHECKING:
    from tkid.host.transports.settings import SmtpSettings, Tls

SUBMISSION, SUBMISSION_TLS = 587, 465
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
SERVER, USER, PASSWORD, FILE = "TKID_SMTP", "TKID_SMTP_USER", "TKID_SMTP_PASSWORD", "TKID_SMTP_PASSWORD_FILE"


def send(mail: bytes, sender: str, to: list[str], server: str) -> str:
    """Send a mail, to every address or to none; the server's name. Ends the command where that fails."""
    from tkid.host.transports.smtp import connect, hand_over

    settings = _server(server or os.environ.get(SERVER, ""))
    user = os.environ.get(USER, "")
    password = _password() if user else ""
    try:
        with connect(settings) as client:
            if user:
                client.login(user, password)
            hand_over(client, sender, to, mail)
    except (OSError, UnicodeError) as error:
        fail(f"{settings.host}:{settings.port}: {_error_text(error)}\n{_advice(error)}The mail was not sent.")
    return settings.host


def _server(address: str) -> SmtpSettings:
    """The server of `HOST` or `HOST:PORT`, with TLS; without it only on this machine itself."""
    from tkid.host.transports.settings import SmtpSettings

    if not address:
        fail(f"Which server sends your mail? Add --smtp HOST:PORT, or set {SERVER}.")
    host, colon, port = address.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")):  # no port, and perhaps an address of IPv6
        host, port = address, str(SUBMISSION)
    host = host.strip("[]")
    settings = None
    if host.isascii() and " " not in host and port.isascii() and port.isdecimal():
        with suppress(ValueError):  # the settings check the rest
            settings = SmtpSettings(host, port=int(port), tls=_tls(host, int(port)))
    if settings is None:
        fail(f"`{address}`: write a server such as smtp.example.org:587.")
    return settings


def _tls(host: str, port: int) -> Tls:
    if port == SUBMISSION_TLS:
        return "implicit"
    return "none" if host in LOOPBACK else "starttls"


def _password() -> str:
    """The password, from the environment or from a file that nobody else can read."""
    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    name = os.environ.get(FILE, "")
    if not name:
        fail(f"The password of {os.environ[USER]} is missing. Set {PASSWORD}, or set {FILE} to a file with mode 600.")
    try:
        if others_read(Path(name).stat()):
            fail(f"Others can read {name}. To stop that: `chmod 600 {name}`. The mail was not sent.")
        return read_bytes(name).decode().strip("\r\n")
    except (OSError, ValueError) as error:
        fail(f"{name}: {getattr(error, 'strerror', None) or 'this is no text'}. The mail was not sent.")


def _error_text(error: Exception) -> str:
    """The answer of a server, or an error of the system, for people."""
    import smtplib
    import ssl

    if isinstance(error, smtplib.SMTPRecipientsRefused):
        text = "; ".join(f"{to}: {_answer(*answer)}" for to, answer in error.recipients.items())
    elif isinstance(error, smtplib.SMTPResponseException):
        text = _answer(error.smtp_code, error.smtp_error)
    elif isinstance(error, ssl.SSLCertVerificationError):
        text = f"its certificate cannot be trusted: {error.verify_message}"
    elif isinstance(error, smtplib.SMTPNotSupportedError):
        text = f"the server lacks something that is needed: {error}"
    elif isinstance(error, UnicodeError):
        text = "server, user and password must be plain ASCII characters"
    else:
        text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return "".join(c if c.isprintable() else " " for c in text)


def _answer(code: int, text: bytes | str) -> str:
    return f"{code} {text.decode('utf-8', 'replace') if isinstance(text, bytes) else text}"


def _advice(error: Exception) -> str:
    """What to do about a failure, as a line; "" where it speaks for itself."""
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
