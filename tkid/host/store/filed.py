"""Mails that were filed or put aside, and what else the owner's desk asks of the store."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sql
from attrs import frozen
from sqlalchemy.engine import Connection

from tkid.host.store.schema import FILED, QUARANTINED, SETTLED, addresses, games, incoming
from tkid.rulebook import cites

MOST_LISTED = 200
COLUMNS = (incoming.c.id, incoming.c.raw, incoming.c.received, incoming.c.state, incoming.c.reason, incoming.c.dropped)
AT_REST = incoming.c.state.in_((FILED, SETTLED, QUARANTINED))
LISTED = sql.select(*COLUMNS).where(AT_REST).order_by(incoming.c.id.desc()).limit(MOST_LISTED)
OPEN = LISTED.where(incoming.c.state != SETTLED)
ONE = sql.select(*COLUMNS).where(AT_REST, incoming.c.id == sql.bindparam("number")).with_for_update()
BACK = sql.select(addresses.c.address, addresses.c.reason).where(
    sql.func.lower(addresses.c.address).in_(sql.bindparam("of", expanding=True))
)
NAMES = sql.select(games.c.id).order_by(games.c.over, games.c.id)


@frozen
class StoredMail:
    """A mail that was filed or put aside: its number, bytes, when it came, its state and why.

    Where `is_dropped`, the host has dropped the bytes to keep room, and `raw` is empty.
    """

    number: int
    raw: bytes
    received: datetime
    state: str
    reason: str
    is_dropped: bool = False


class FiledMails:
    """Filed mails, names of games and letters that came back, within a transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def latest(self) -> list[StoredMail]:
        """The mails that were filed or put aside, the latest first."""
        return [_mail(row) for row in self._connection.execute(LISTED)]

    @cites("club.desk.filed")
    def unsettled(self) -> list[StoredMail]:
        """Those that still wait for somebody, the latest first."""
        return [_mail(row) for row in self._connection.execute(OPEN)]

    def mail(self, number: int) -> StoredMail | None:
        """One of them, held against other workers; None where there is none with this number."""
        row = self._connection.execute(ONE, {"number": number}).first()
        return None if row is None else _mail(row)

    def came_back(self, of: list[str]) -> list[tuple[str, str]]:
        """Those of some addresses from which letters came back, with the reasons."""
        rows = self._connection.execute(BACK, {"of": [address.lower() for address in of]})
        return [(str(address), str(reason)) for address, reason in rows]

    def games(self) -> list[str]:
        """The names of all games, those that go on first."""
        return [str(name) for (name,) in self._connection.execute(NAMES)]


def _mail(row: Any) -> StoredMail:
    received = datetime.fromisoformat(row.received)
    return StoredMail(row.id, bytes(row.raw or b""), received, row.state, row.reason, bool(row.dropped))
