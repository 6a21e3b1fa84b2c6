"""Sending a letter by SMTP: over TLS that is verified, with a password from the environment or a private file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tkid.cli.support.common import fail

if TYPE_CHECKING:
    import smtplib

SUBMISSION, SUBMISSION_TLS = 587, 465
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
HIGHEST_PORT = 65535
TAKEN, FORWARDED = 250, 251
"""Answers of a server that takes what it is told."""
PATIENCE = 30
"""Seconds to wait for a server."""
SERVER, USER, PASSWORD, FILE = "TKID_SMTP", "TKID_SMTP_USER", "TKID_SMTP_PASSWORD", "TKID_SMTP_PASSWORD_FILE"


def send(mail: bytes, sender: str, to: list[str], server: str) -> str:
    """Send a mail, to every address or to none; the server's name. Ends the command where that fails."""
    import smtplib

    host, port = _place(server or os.environ.get(SERVER, ""))
    user = os.environ.get(USER, "")
    password = _password() if user else ""
    try:
        with _connected(host, port) as connection:
            connection.ehlo_or_helo_if_needed()
            if user:
                connection.login(user, password)
            _hand_over(connection, mail, sender, to)
    except (smtplib.SMTPException, OSError, UnicodeError) as error:
        fail(f"{host}:{port}: {_told(error)}\n{_way_out(error)}The mail was not sent.")
    return host


def _hand_over(connection: smtplib.SMTP, mail: bytes, sender: str, to: list[str]) -> None:
    """Say who writes, to whom, and what; nothing is sent if one address is refused. Raises what smtplib raises."""
    import smtplib

    code, said = connection.mail(sender)
    if code != TAKEN:
        raise smtplib.SMTPSenderRefused(code, said, sender)
    answers = {address: connection.rcpt(address) for address in to}
    refused = {address: answer for address, answer in answers.items() if answer[0] not in {TAKEN, FORWARDED}}
    if refused:
        raise smtplib.SMTPRecipientsRefused(refused)
    code, said = connection.data(mail)
    if code != TAKEN:
        raise smtplib.SMTPDataError(code, said)


def _place(server: str) -> tuple[str, int]:
    """Host and port of `HOST` or `HOST:PORT`."""
    if not server:
        fail(f"Which server sends your mail? Add --smtp HOST:PORT, or set {SERVER}.")
    host, colon, port = server.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")):  # no port, and perhaps an address of IPv6
        host, port = server, str(SUBMISSION)
    host = host.strip("[]")
    if not (host.isascii() and host.isprintable() and host) or " " in host or not _is_port(port):
        fail(f"`{server}` is no server such as smtp.example.org:587.")
    return host, int(port)


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= len(str(HIGHEST_PORT)) and 0 < int(text) <= HIGHEST_PORT


def _connected(host: str, port: int) -> smtplib.SMTP:
    """A connection over TLS whose certificate is checked; without TLS only to this machine itself."""
    import smtplib
    import ssl

    context = ssl.create_default_context()
    if port == SUBMISSION_TLS:
        return smtplib.SMTP_SSL(host, port, timeout=PATIENCE, context=context)
    connection = smtplib.SMTP(host, port, timeout=PATIENCE)
    try:
        if host not in LOOPBACK:
            connection.starttls(context=context)
    except BaseException:
        connection.close()
        raise
    return connection


def _password() -> str:
    """The password, from the environment or from a file that nobody else can read."""
    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    name = os.environ.get(FILE, "")
    if not name:
        fail(f"The password of {os.environ[USER]} is not known: set {PASSWORD}, or {FILE} to a file with mode 600.")
    try:
        if os.name == "posix" and Path(name).stat().st_mode & 0o077:
            fail(f"{name} can be read by others: `chmod 600 {name}`. The mail was not sent.")
        return Path(name).read_text("utf-8").strip("\r\n")
    except (OSError, ValueError) as error:
        fail(f"{name}: {getattr(error, 'strerror', None) or 'this is no text'}. The mail was not sent.")


def _told(error: Exception) -> str:
    """What a server or the system says, for people."""
    import smtplib
    import ssl

    if isinstance(error, smtplib.SMTPRecipientsRefused):
        told = "; ".join(f"{to}: {_said(code, text)}" for to, (code, text) in error.recipients.items())
    elif isinstance(error, smtplib.SMTPResponseException):
        told = _said(error.smtp_code, error.smtp_error)
    elif isinstance(error, ssl.SSLCertVerificationError):
        told = f"its certificate is not to be trusted: {error.verify_message}"
    elif isinstance(error, smtplib.SMTPNotSupportedError):
        told = f"the server cannot do what is needed: {error}"
    elif isinstance(error, UnicodeError):
        told = "server, user and password have to be of ASCII characters"
    else:
        told = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return "".join(c if c.isprintable() else " " for c in told)


def _said(code: int, text: bytes | str) -> str:
    return f"{code} {text.decode('utf-8', 'replace') if isinstance(text, bytes) else text}"


def _way_out(error: Exception) -> str:
    """What to do about a failure, as a line; "" where it speaks for itself."""
    import smtplib
    import ssl

    if isinstance(error, smtplib.SMTPAuthenticationError):
        return f"Look at {USER} and the password. Some providers want one made for programs alone.\n"
    if isinstance(error, ssl.SSLCertVerificationError):
        return "Is this the name that your provider gives for its server?\n"
    if isinstance(error, ssl.SSLError | smtplib.SMTPServerDisconnected | smtplib.SMTPNotSupportedError):
        return f"Is it the right port? With {SUBMISSION_TLS} TLS begins at once, with every other after STARTTLS.\n"
    codes = [code for code, _ in error.recipients.values()] if isinstance(error, smtplib.SMTPRecipientsRefused) else []
    codes += [error.smtp_code] if isinstance(error, smtplib.SMTPResponseException) else []
    if codes and all(400 <= code < 500 for code in codes):
        return "The server may take it later: try again.\n"
    return ""
