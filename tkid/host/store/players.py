"""Which hosted games somebody has to do with, by address, and which names of games are taken."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tkid.host.store.schema import games

NAMED = sql.select(games.c.id).where(sql.func.lower(games.c.id) == sql.bindparam("named")).limit(1)


class Players:
    """The players of a host's games within one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def games_of(self, address: str) -> Sequence[tuple[str, str, str]]:
        """The games whose records have an address, whoever's it is there now: name, record and memory."""
        query = sql.select(games.c.id, games.c.record, games.c.memory)
        query = query.where(games.c.record.icontains(f"<{address}>", autoescape=True)).order_by(games.c.id)
        return [(str(row.id), str(row.record), str(row.memory)) for row in self._connection.execute(query)]

    def is_taken(self, name: str) -> bool:
        """Whether a game has a name, capitals aside."""
        return self._connection.execute(NAMED, {"named": name.lower()}).first() is not None
