"""Send letters by SMTP."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic

from tkid.host.settings import SmtpSettings
from tkid.host.transports import RefusedForGoodError, TransportError, describe_protocol_error, shorten_answer
from tkid.mail.envelope import is_address

IDLE_SECONDS = 20.0
"""Time without a letter after which a connection is not used again."""
LETTERS = 10
"""Maximum number of letters over one connection: with more, servers such as Exim delay them."""
TOO_LARGE = NO_STORAGE = 552
FULL = re.compile(r"\b5\.2\.2\b|box (?:is )?full|quota|storage", re.IGNORECASE)
"""Words of a server for a mailbox that has no room."""


class SmtpSender:
    """Sends letters; the envelope's sender is an address of the host, so that bounces come to the host.

    `bounces` gives the address for the bounces of a letter. Where the server does not let us send from that, we send from the
    host's own, `sender`, as long as the connection lasts. It connects for the first letter and stays connected for those that follow soon.
    """

    def __init__(self, settings: SmtpSettings, sender: str, bounces: Callable[[bytes], str] | None = None) -> None:
        self._settings, self._sender, self._bounces = settings, sender, bounces
        self._plain = False
        self._client: smtplib.SMTP | None = None
        self._used, self._letters = 0.0, 0

    def send_letter(self, address: str, mail: bytes) -> None:
        """Send a letter. Raises RefusedForGoodError if the server will never take it, else TransportError."""
        if not is_address(address):
            raise RefusedForGoodError(f"`{address}` is not an address that mail can be sent to")
        client = self.open_connection()
        try:
            self._send_from_bounce_address(client, address, mail)
        except (smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused) as error:
            try:
                client.rset()
            except OSError:
                self.close()
            kind, whom = (RefusedForGoodError, f"{address}: ") if _is_final(error) else (TransportError, "")
            raise kind(f"{whom}{self._settings.name}: {_describe_error(error)}") from error
        except OSError as error:
            self.close()
            raise TransportError(f"{self._settings.name}: {_describe_error(error)}") from error
        self._used, self._letters = monotonic(), self._letters + 1

    def _send_from_bounce_address(self, client: smtplib.SMTP, address: str, mail: bytes) -> None:
        bounces = self._sender if self._bounces is None or self._plain else self._bounces(mail)
        try:
            send_message(client, bounces, [address], mail)
        except (smtplib.SMTPSenderRefused, smtplib.SMTPRecipientsRefused) as error:
            if bounces == self._sender or not _may_be_about_sender(error):
                raise
            client.rset()
            send_message(client, self._sender, [address], mail)
            self._plain = True

    def open_connection(self) -> smtplib.SMTP:
        """Return the open connection, logged in; nothing of a letter has been said on it. Raises TransportError."""
        try:
            return self._connect()
        except (OSError, ValueError) as error:
            self.close()
            raise TransportError(f"{self._settings.name}: {_describe_error(error)}") from error

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(OSError):
                client.quit()
            client.close()

    def _connect(self) -> smtplib.SMTP:
        """Return the open connection if it still works, else a new one, on which no letter has begun."""
        if self._client is not None and (monotonic() - self._used > IDLE_SECONDS or self._letters >= LETTERS):
            self.close()
        if self._client is not None:
            with suppress(OSError):
                if self._client.noop()[0] == 250:
                    return self._client
            self.close()
        client = self._client = connect_to_server(self._settings, self._sender.rpartition("@")[2])
        self._letters, self._used, self._plain = 0, monotonic(), False
        if self._settings.user:
            client.login(self._settings.user, self._settings.password)
        return client


def connect_to_server(settings: SmtpSettings, name: str | None = None) -> smtplib.SMTP:
    """Connect to a server, greet it by our name or this machine's, and encrypt the connection as the settings say."""
    if settings.tls == "implicit":
        context = ssl.create_default_context()
        client: smtplib.SMTP = smtplib.SMTP_SSL(
            settings.host, settings.port, local_hostname=name, timeout=settings.seconds, context=context
        )
    else:
        client = smtplib.SMTP(settings.host, settings.port, local_hostname=name, timeout=settings.seconds)
    try:
        if settings.tls == "starttls":
            client.starttls(context=ssl.create_default_context())
        client.ehlo_or_helo_if_needed()
    except BaseException:
        client.close()
        raise
    return client


def send_message(client: smtplib.SMTP, sender: str, addresses: Sequence[str], mail: bytes) -> None:
    """Send the sender, the recipient and the message; send nothing if one address is refused. Raises what smtplib raises."""
    code, reason = client.mail(sender, [f"SIZE={len(mail)}"] if client.has_extn("size") else [])
    if code != 250:
        raise smtplib.SMTPSenderRefused(code, reason, sender)
    answers = {address: client.rcpt(address) for address in addresses}
    refused = {address: answer for address, answer in answers.items() if answer[0] not in {250, 251}}
    if refused:
        raise smtplib.SMTPRecipientsRefused(refused)
    code, reason = client.data(mail)
    if code != 250:
        raise smtplib.SMTPDataError(code, reason)


def _may_be_about_sender(error: smtplib.SMTPSenderRefused | smtplib.SMTPRecipientsRefused) -> bool:
    if isinstance(error, smtplib.SMTPSenderRefused):
        return error.smtp_code != TOO_LARGE
    answers = (text for _, text in error.recipients.values())
    return any(b"ender" in (text if isinstance(text, bytes) else text.encode()) for text in answers)


def _is_final(error: Exception) -> bool:
    """Return True if the server has rejected this letter, or its recipient, for good.

    A refusal of the host itself does not count, as the owner can fix that, nor a mailbox that is full. A letter that is
    too large counts.
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        answers = error.recipients.values()
        return all(500 <= code < 600 and code != NO_STORAGE and not _says_full(text) for code, text in answers)
    if isinstance(error, smtplib.SMTPSenderRefused):
        return error.smtp_code == TOO_LARGE
    return (
        isinstance(error, smtplib.SMTPDataError) and 500 <= error.smtp_code < 600 and not _says_full(error.smtp_error)
    )


def _says_full(answer: bytes | str) -> bool:
    return FULL.search(shorten_answer(answer)) is not None


def _describe_error(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "the server refuses the letter" + "".join(_read_answer(*answer) for answer in error.recipients.values())
    if isinstance(error, smtplib.SMTPResponseException):
        refused = "the server refuses"
        if isinstance(error, smtplib.SMTPAuthenticationError):
            refused += " the user or the password"
        if isinstance(error, smtplib.SMTPSenderRefused):
            refused += f" letters from {error.sender}"
        return refused + _read_answer(error.smtp_code, error.smtp_error)
    if isinstance(error, UnicodeError):
        return "the user and the password must be plain ASCII characters"
    return describe_protocol_error(error)


def _read_answer(code: int, text: bytes | str) -> str:
    return f": {code} {shorten_answer(text)}"
