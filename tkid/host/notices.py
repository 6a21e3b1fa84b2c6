"""Notices to whoever runs a host: mails about the host, and not about what happens in a game."""

from __future__ import annotations

from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256

from tkid.mail.letters.mime_writer import address_header, header, ids_header, text_part

DIGITS = 16


def unreachable(owner: str, sender: str, address: str, reason: str, time: datetime) -> bytes:
    """The notice that letters to a player come back."""
    text = (
        f"Letters to {address} come back: {reason}\n\n"
        "The games go on, and their clocks run. Ask the player in another way, or give the seat to somebody else\n"
        "with `tkid host stand-in`. As soon as a mail comes from that address, this is forgotten.\n"
    )
    digest = sha256(f"{owner}\n{address}\n{time.isoformat()}".encode()).hexdigest()[:DIGITS]
    part = text_part(text)
    headers = (
        address_header("From", ("tkid", sender)),
        address_header("To", ("", owner)),
        header("Subject", "[tkid] letters to a player come back"),
        f"Date: {format_datetime(time)}",
        ids_header("Message-ID", [f"<tkid.notice.{digest}@{sender.rpartition('@')[2]}>"]),
        "Auto-Submitted: auto-generated",
        "X-Loop: tkid",
        "MIME-Version: 1.0",
    )
    return type(part)((*headers, *part.headers), part.body).written()
