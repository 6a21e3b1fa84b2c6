"""Sending a letter by SMTP: over TLS that is verified, with a password from the environment or a private file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tkid.cli.common import fail

if TYPE_CHECKING:
    import smtplib

SUBMISSION, SUBMISSION_TLS = 587, 465
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
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
            if user:
                connection.login(user, password)
            refused = connection.sendmail(sender, to, mail)
    except (smtplib.SMTPException, OSError) as error:
        fail(f"{host}:{port}: {_told(error)}\nThe mail was not sent.")
    if refused:
        fail(f"{host}:{port}: not taken for {', '.join(refused)}. Only the others got the mail.")
    return host


def _place(server: str) -> tuple[str, int]:
    """Host and port of `HOST` or `HOST:PORT`."""
    if not server:
        fail(f"Which server sends your mail? Add --smtp HOST:PORT, or set {SERVER}.")
    host, colon, port = server.rpartition(":")
    if not colon:
        host, port = server, str(SUBMISSION)
    if not host or not port.isdecimal():
        fail(f"`{server}` is no server such as smtp.example.org:587.")
    return host.strip("[]"), int(port)


def _connected(host: str, port: int) -> smtplib.SMTP:
    """A connection over TLS whose certificate is checked; without TLS only to this machine itself."""
    import smtplib
    import ssl

    context = ssl.create_default_context()
    if port == SUBMISSION_TLS:
        return smtplib.SMTP_SSL(host, port, timeout=PATIENCE, context=context)
    connection = smtplib.SMTP(host, port, timeout=PATIENCE)
    if host not in LOOPBACK:
        connection.starttls(context=context)
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

    if isinstance(error, smtplib.SMTPRecipientsRefused):
        answers = [f"{to}: {code} {text.decode('utf-8', 'replace')}" for to, (code, text) in error.recipients.items()]
        told = "; ".join(answers)
    elif isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        told = f"{error.smtp_code} {text.decode('utf-8', 'replace') if isinstance(text, bytes) else text}"
    else:
        told = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return "".join(c if c.isprintable() else " " for c in told)
