"""The store of a host: mails that came in, games, letters to be sent, and who may order what. One database, two kinds.

SQLite by default, PostgreSQL by its address; one code path (SQLAlchemy Core). Everything that follows from a mail is
written in one transaction: the game as it stands, the letters as final bytes, and that the mail is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from fcntl import LOCK_EX, LOCK_NB, flock
from hashlib import sha256
from typing import Any

import sqlalchemy as sql
from attrs import frozen
from sqlalchemy.engine import Connection

from tkid.host.store.schema import (
    DONE,
    FILED,
    LIGHT,
    NEW,
    QUARANTINED,
    READS,
    TABLES,
    TO_BE_SENT,
    DatabaseError,
    addresses,
    connect,
    games,
    incoming,
    insert_new,
    outgoing,
    written,
)
from tkid.host.store.transaction import (
    FIRST_DELAY,
    GAME,
    LONGEST_DELAY,
    OLDEST,
    Incoming,
    Key,
    Outgoing,
    StoredGame,
    Transaction,
    delayed,
    stored,
)
from tkid.host.transports.errors import RefusedForGoodError

__all__ = [
    "DONE",
    "FILED",
    "FIRST_DELAY",
    "LONGEST_DELAY",
    "MOST_BOUNCES",
    "MOST_TRIES",
    "NEW",
    "QUARANTINED",
    "DatabaseError",
    "Incoming",
    "Key",
    "Outgoing",
    "Send",
    "Sent",
    "Store",
    "StoredGame",
    "Transaction",
    "Unreachable",
    "Waiting",
]

MOST_TRIES = 3
"""So often a mail is tried that makes the process die; then it is put aside."""
MOST_BOUNCES = 3
"""When so many letters to an address came back, its player is not reached."""
TOGETHER = 20
"""So many mails are done in one transaction of SQLite, whose writers wait for each other anyway."""

WAITING = sql.select(incoming.c.id, incoming.c.tries).where(incoming.c.state == NEW).order_by(incoming.c.id)
TRIED = (
    sql.select(incoming.c.id, incoming.c.tries)
    .where(incoming.c.id.in_(sql.bindparam("numbers", expanding=True)), incoming.c.state == NEW)
    .order_by(incoming.c.id)
    .with_for_update(skip_locked=True)
)
TRY = incoming.update().where(incoming.c.id == sql.bindparam("number")).values(tries=incoming.c.tries + 1)
DUE = sql.select(games.c.id).where(games.c.due <= sql.bindparam("now")).order_by(games.c.due)
NEXT_LETTER = (
    sql.select(outgoing.c.id, outgoing.c.message_id, outgoing.c.address, outgoing.c.mail, outgoing.c.tries)
    .where(TO_BE_SENT, outgoing.c.id > sql.bindparam("after"))
    .where(sql.or_(outgoing.c.next_try.is_(None), outgoing.c.next_try <= sql.bindparam("now")))
    .order_by(outgoing.c.id)
    .limit(1)
    .with_for_update(skip_locked=True)
)
NOTE = outgoing.update().where(outgoing.c.id == sql.bindparam("number"))


@frozen
class Waiting:
    """A mail that is still to be done: its number, and how often it was tried."""

    number: int
    tries: int


@frozen
class Sent:
    """What became of sending a letter: its number and Message-ID, whether it is gone; to whom, and why it never will be."""

    number: int
    message_id: str
    gone: bool
    address: str
    refused: str = ""


@frozen
class Unreachable:
    """An address from which letters come back: how many did since its player last wrote, when the last, and why."""

    address: str
    bounces: int
    since: str
    reason: str


Send = Callable[[str, bytes], None]
"""Sends a mail to an address; raises OSError where that cannot be done now, RefusedForGoodError where it never can."""


class Store:
    """The database of a host. `url` is an address as SQLAlchemy reads them."""

    def __init__(self, url: str) -> None:
        self._engine = connect(url)
        self._light = self._engine.execution_options(**{LIGHT: True})
        self._keep = insert_new(incoming, self._engine.dialect.name)
        TABLES.create_all(self._engine)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """A transaction: all that is written in it is kept, or nothing."""
        with self._engine.begin() as connection:
            yield Transaction(connection)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            yield connection.execution_options(**{READS: True})

    # -- mails --------------------------------------------------------------------------------------------

    def keep(self, raw: bytes, received: datetime) -> bool:
        """Keep the bytes of a mail before anything is done with them; false where they are known already."""
        return self.keep_all([raw], received) == 1

    def keep_all(self, raws: Sequence[bytes], received: datetime) -> int:
        """Keep the bytes of mails, all or none; how many were new."""
        new = 0
        with self._engine.begin() as connection:
            for raw in raws:
                row = {"digest": sha256(raw).hexdigest(), "received": written(received), "raw": raw}
                new += connection.execute(self._keep, {**row, "state": NEW, "tries": 0, "reason": ""}).rowcount
        return new

    def waiting(self) -> list[int]:
        """The numbers of the mails that are still to be done, oldest first."""
        return [each.number for each in self.queue()]

    def queue(self) -> list[Waiting]:
        """The mails that are still to be done, oldest first."""
        with self._reading() as connection:
            return [Waiting(row.id, row.tries) for row in connection.execute(WAITING)]

    @property
    def together(self) -> int:
        """How many mails may be done in one transaction.

        With PostgreSQL one, as workers that hold several games could wait for each other for ever.
        """
        return TOGETHER if self._engine.dialect.name == "sqlite" else 1

    def attempt(self, number: int) -> int:
        """Count that a mail is tried once more, before it is; how often by now, 0 where another worker has it."""
        return self.attempt_all([number]).get(number, 0)

    def attempt_all(self, numbers: Sequence[int]) -> dict[int, int]:
        """Count that mails are tried once more, before they are; how often by now, without those another worker has."""
        with self._light.begin() as connection:
            tries = {row.id: row.tries + 1 for row in connection.execute(TRIED, {"numbers": list(numbers)})}
            if tries:
                connection.execute(TRY, [{"number": number} for number in tries])
        return tries

    def oldest_waiting(self) -> datetime | None:
        """When the mail came that waits longest; None where none does."""
        with self._reading() as connection:
            received = connection.execute(OLDEST).scalar_one_or_none()
        return datetime.fromisoformat(str(received)) if received else None

    # -- games --------------------------------------------------------------------------------------------

    def due(self, now: datetime) -> list[str]:
        """The games in which something is due by now."""
        with self._reading() as connection:
            return list(connection.execute(DUE, {"now": written(now)}).scalars())

    def game(self, game: str) -> StoredGame | None:
        """A game as it stands."""
        with self._reading() as connection:
            row = connection.execute(GAME, {"id": game}).first()
        return None if row is None else stored(row)

    def games(self) -> list[StoredGame]:
        """Every game."""
        with self._reading() as connection:
            return [stored(row) for row in connection.execute(sql.select(games).order_by(games.c.id))]

    # -- letters ------------------------------------------------------------------------------------------

    def send_next(self, send: Send, at: datetime, after: int = 0) -> Sent | None:
        """Send the next letter that waits, with a number above `after`; None where there is none.

        No other worker sends it meanwhile. If the process dies between sending and noting, it is sent once more.
        SQLite has one writer at a time, so there nothing is written while it is sent: a lock on a file takes care.
        """
        with self._sending() as connection:
            if connection is None:
                return None
            row = connection.execute(NEXT_LETTER, {"after": after, "now": written(at)}).first()
            if row is None:
                return None
            held = self._released(connection)
            values = {
                "number": row.id,
                "sent": None,
                "given_up": None,
                "next_try": None,
                "tries": row.tries,
                "error": "",
            }
            refused = ""
            try:
                send(row.address, row.mail)
                values |= {"sent": written(at)}
            except RefusedForGoodError as error:
                refused = str(error)
                values |= {"given_up": written(at), "error": refused, "tries": row.tries + 1}
            except OSError as error:
                values |= {"next_try": delayed(at, row.tries), "error": str(error), "tries": row.tries + 1}
            self._note(held, values)
            return Sent(row.id, row.message_id, values["sent"] is not None, row.address, refused)

    @contextmanager
    def _sending(self) -> Iterator[Connection | None]:
        """A transaction that holds a letter; for SQLite one that only reads, or None where another process sends."""
        file = self._engine.url.database if self._engine.dialect.name == "sqlite" else None
        if not file or file == ":memory:":
            with self._engine.begin() as connection:
                yield connection
            return
        with open(f"{file}.sending", "wb") as lock:  # noqa: PTH123 - the lock goes with the file
            try:
                flock(lock, LOCK_EX | LOCK_NB)
            except BlockingIOError:
                yield None
                return
            with self._reading() as connection:
                yield connection

    def _released(self, connection: Connection) -> Connection | None:
        """The connection that holds a letter; None for SQLite, where the read transaction has been ended."""
        if not connection.get_execution_options().get(READS):
            return connection
        connection.rollback()
        return None

    def _note(self, connection: Connection | None, values: dict[str, Any]) -> None:
        """Note what became of a letter, in the transaction that holds it, or in one of its own."""
        if connection is not None:
            connection.execute(NOTE, values)
            return
        with self._light.begin() as own:
            own.execute(NOTE, values)

    def letters(self, game: str) -> list[tuple[str, str, str]]:
        """The letters of a game, oldest first: Message-ID, address, and when it went out ("" where it waits)."""
        with self._reading() as connection:
            columns = (outgoing.c.message_id, outgoing.c.address, outgoing.c.sent)
            found = sql.select(*columns).where(outgoing.c.game == game).order_by(outgoing.c.id)
            return [(str(named), str(to), str(sent or "")) for named, to, sent in connection.execute(found)]

    # -- how it stands ------------------------------------------------------------------------------------

    def unreachable(self) -> list[Unreachable]:
        """The addresses from which so many letters came back that their players are not reached."""
        found = sql.select(addresses).where(addresses.c.bounces >= MOST_BOUNCES).order_by(addresses.c.address)
        with self._reading() as connection:
            return [Unreachable(*row) for row in connection.execute(found)]

    def counts(self) -> dict[str, int]:
        """How many mails are in which state, and how many letters wait."""
        with self._reading() as connection:
            by_state = sql.select(incoming.c.state, sql.func.count()).group_by(incoming.c.state)
            counts = dict.fromkeys((NEW, DONE, FILED, QUARANTINED), 0)
            counts |= {str(state): int(n) for state, n in connection.execute(by_state)}
            unsent = sql.select(sql.func.count()).select_from(outgoing).where(TO_BE_SENT)
            return counts | {"unsent": int(connection.execute(unsent).scalar_one())}

    def troubles(self) -> list[tuple[int, str, str]]:
        """Mails put aside, letters that failed, games whose clock could not be looked at: number or tries, what, why."""
        mails = sql.select(incoming.c.id, incoming.c.state, incoming.c.reason).where(incoming.c.state == QUARANTINED)
        failed = sql.select(outgoing.c.id, outgoing.c.address, outgoing.c.error).where(
            outgoing.c.sent.is_(None), outgoing.c.tries > 0
        )
        stuck = sql.select(games.c.tries, games.c.id, games.c.error).where(games.c.tries > 0)
        with self._reading() as connection:
            return [
                (int(n), str(what), str(why))
                for query in (mails, failed, stuck)
                for n, what, why in connection.execute(query)
            ]
