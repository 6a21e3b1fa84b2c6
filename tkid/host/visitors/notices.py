"""Notices to the owner of a host: letters about the host, and not about what happens in a game."""

from __future__ import annotations

from datetime import datetime

from tkid.club.desk.downtime_letters import ABOUT
from tkid.club.message import ClubLetter, framed
from tkid.mail.letters.blocks import Paragraph
from tkid.mail.letters.content import lead

WAYS = (
    "The games go on, and their clocks run. Ask the player in another way, or reply with an order of the desk: `address` for "
    "a new address, `replace` for a new player. Reply `desk` for all of them. As soon as a mail comes from that address, this "
    "is forgotten."
)


def unreachable(owner: str, address: str, reason: str, time: datetime) -> ClubLetter:
    """The notice that letters to a player come back."""
    what = f"Letters to {address} come back: {reason}"
    first = lead(what, f"Letters to {address} come back.", "Letters to a player come back.")
    body = (*([] if first == what else [Paragraph(what)]), Paragraph(WAYS))
    return ClubLetter(owner, ABOUT, "[tkid] letters to a player come back", framed(ABOUT, first, body), time)
