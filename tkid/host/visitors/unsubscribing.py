"""Unsubscribing without a mail: what the key of a letter ends when a mail program posts it to the web."""

from __future__ import annotations

from datetime import datetime

from tkid.club.door.handlers import STOPS, carry_out
from tkid.club.door.visit import Visit
from tkid.club.wishes.model import Stop
from tkid.host.service import Host
from tkid.host.visitors.state import StoredState
from tkid.mail.keys import LENGTH
from tkid.rulebook import cites


@cites("club.stop")
def unsubscribe(host: Host, key: str, now: datetime) -> bool:
    """End the letters of the kind that a key belongs to; whether there is such a kind. Nobody gets a letter about it."""
    if len(key) != LENGTH:
        return False
    with host.store.writing() as transaction:
        known = transaction.documents.key([key])
        if known is None or known.about.partition(" ")[0] not in STOPS:
            return False
        visit = Visit(known.address, now, known.about, host.draw(), host.club, host.address)
        state = StoredState(transaction, now)
        host.mails.door.write(state, carry_out(Stop(), visit, state), now)
    return True
