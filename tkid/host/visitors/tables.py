"""The chore of the front door: looks at games that gather players, and ends those whose time is over."""

from __future__ import annotations

from datetime import datetime

from tkid.host.service import Host


def look_at_tables(host: Host, now: datetime) -> int:
    """End games that found no players in time, and forget questions that nobody answered; how many that were."""
    with host.store.writing() as transaction:
        return host.mails.door.look(transaction, now)
