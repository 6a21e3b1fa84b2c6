"""The store of a host: mails that came in, games, letters to be sent, and who may order what. One database, two kinds.

SQLite by default, PostgreSQL by its address; one code path (SQLAlchemy Core). Everything that follows from a mail is
written in one transaction: the game as it stands, the letters as final bytes, and that the mail is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from attrs import frozen
from sqlalchemy.engine import Connection, Engine

from tkid.host.privacy import make_file
from tkid.host.store import migrations
from tkid.host.store.claims import claimed
from tkid.host.store.connection import LIGHT, connect, keep_log_ahead, single_statements
from tkid.host.store.queries import Queries, ToSend
from tkid.host.store.room import Limits, Room
from tkid.host.store.schema import NEW, TO_BE_SENT, TO_BE_TRIED, delayed, incoming, outgoing, timestamp
from tkid.host.store.transaction import Transaction
from tkid.host.transports.errors import NoRoomError, RefusedForGoodError

TOGETHER = 20
"""So many mails are done in one transaction of SQLite, whose writers wait for each other anyway."""

TO_BE_DONE = (
    sql.select(incoming.c.id)
    .where(incoming.c.id.in_(sql.bindparam("numbers", expanding=True)), incoming.c.state == NEW)
    .where(incoming.c.tries == sql.bindparam("before"))
    .order_by(incoming.c.id)
    .with_for_update(skip_locked=True)
)
TRY = incoming.update().where(incoming.c.id.in_(TO_BE_DONE)).values(tries=incoming.c.tries + 1)
LETTER = (
    sql.select(outgoing.c.id, outgoing.c.message_id, outgoing.c.address, outgoing.c.tries, outgoing.c.mail)
    .where(outgoing.c.id == sql.bindparam("number"), TO_BE_SENT, TO_BE_TRIED)
    .with_for_update(skip_locked=True)
)
NOTE = outgoing.update().where(outgoing.c.id == sql.bindparam("number"))


@frozen
class Sent:
    """A letter that was tried: its number and Message-ID, whether it is gone; to whom, and why it never will be."""

    number: int
    message_id: str
    gone: bool
    address: str
    refused: str = ""


class Store(Queries):
    """The database of a host. `url` is an address as SQLAlchemy reads them. Opening it never makes a database.

    `trying` is the number of the mail that was last tried alone (0 for none), `limits` how much room there is for mails.
    """

    def __init__(self, url: str) -> None:
        self._engine = connect(url)
        self._singly = single_statements(self._engine)
        super().__init__(self._singly)
        self._light = self._singly.execution_options(**{LIGHT: True})
        self.limits = Limits()
        self.trying = 0
        try:
            migrations.check(self._engine)
            keep_log_ahead(self._engine)
        except BaseException:
            self.close()
            raise

    @classmethod
    def made(cls, url: str) -> Store:
        """The store, its tables made where the database is empty; a file of SQLite is made where there is none.

        Raises GoneError, and what SQLAlchemy raises.
        """
        engine = connect(url)
        try:
            if engine.dialect.name == "sqlite":
                make_file(Path(str(engine.url.database)))
            migrations.create(engine)
        finally:
            engine.dispose()
        return cls(url)

    @property
    def engine(self) -> Engine:
        """The connection of the database, for those who read it whole."""
        return self._engine

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()
        self._singly.dispose()

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """A transaction: all that is written in it is kept, or nothing."""
        with self._engine.begin() as connection:
            yield Transaction(connection)

    # -- mails --------------------------------------------------------------------------------------------

    def keep(self, raw: bytes, received: datetime) -> bool:
        """Keep the bytes of a mail before anything is done with them; false where they are known already.

        Raises NoRoomError where there is no room for it now.
        """
        return self.keep_all([raw], received) == 1

    def keep_all(self, raws: Sequence[bytes], received: datetime) -> int:
        """Keep the bytes of mails, all or none; how many were new. Raises NoRoomError where there is no room for one."""
        with self._engine.begin() as connection:
            taken = list(map(Room(connection, self.limits, received).take, raws))
            if None in taken:
                raise NoRoomError("there is no room for more mails until those are read that came before")
        return sum(map(bool, taken))

    def take(self, raws: Sequence[bytes], received: datetime) -> list[bool | None]:
        """Keep the bytes of those mails for which there is room; for each whether it was new, None where it was not kept."""
        with self._engine.begin() as connection:
            return list(map(Room(connection, self.limits, received).take, raws))

    @property
    def together(self) -> int:
        """How many mails may be done in one transaction.

        With PostgreSQL one, as workers that hold several games could wait for each other for ever.
        """
        return TOGETHER if self._engine.dialect.name == "sqlite" else 1

    def attempt(self, numbers: Sequence[int], tries: int) -> bool:
        """Count that mails that were tried so often are tried once more, before they are; false where other workers have them all.

        Another worker that has counted a try since is at the mail, or will be at once. So a try counts one worker, and four
        workers that see a mail at the same moment do not seem to have died over it.
        """
        self.trying = numbers[0] if len(numbers) == 1 else 0
        with self._light.begin() as connection:
            return connection.execute(TRY, {"numbers": list(numbers), "before": tries}).rowcount > 0

    def spare(self, number: int) -> None:
        """Do not count the last try of a mail: it failed for want of the database, not for what the mail is."""
        tried = incoming.update().where(incoming.c.id == number, incoming.c.tries > 0)
        with self._engine.begin() as connection:
            connection.execute(tried.values(tries=incoming.c.tries - 1))

    # -- letters ------------------------------------------------------------------------------------------

    def send(self, letter: ToSend, send: Callable[[str, bytes], None], now: datetime) -> Sent | None:
        """Send a letter that waits, as `send` does with its address and bytes; None where it waits no longer, or others have it.

        It is claimed before anything is done with it, so that no other worker draws its pictures or sends it meanwhile. If
        the process dies, the claim ends. If it dies between sending and noting, the letter is sent once more.
        """
        with self._claimed(letter) as connection:
            if connection is None:
                return None
            row = connection.execute(LETTER, {"number": letter.number, "now": timestamp(now)}).first()
            if row is None:
                return None
            if self._file:
                connection.rollback()
            values: dict[str, Any] = {"sent": None, "given_up": None, "next_try": None, "tries": row.tries, "error": ""}
            refused = ""
            try:
                send(row.address, row.mail)
                values |= {"sent": timestamp(now)}
            except RefusedForGoodError as error:
                refused = str(error)
                values |= {"given_up": timestamp(now), "error": refused, "tries": row.tries + 1}
            except OSError as error:
                values |= {"next_try": delayed(now, row.tries), "error": str(error), "tries": row.tries + 1}
            self._note(connection, {"number": row.id, **values})
            return Sent(row.id, row.message_id, values["sent"] is not None, row.address, refused)

    @property
    def _file(self) -> str:
        """The file of a database of SQLite; "" for others."""
        return str(self._engine.url.database) if self._engine.dialect.name == "sqlite" else ""

    @contextmanager
    def _claimed(self, letter: ToSend) -> Iterator[Connection | None]:
        """A transaction that holds a letter; None where another worker has it.

        SQLite has one writer at a time. So there the transaction only reads, and a lock on a file holds the letter, and with
        it all that are about the same.
        """
        if not self._file:
            with self._engine.begin() as connection:
                yield connection
            return
        with claimed(self._file, letter.about) as is_mine:
            if not is_mine:
                yield None
                return
            with self._reader.connect() as connection:
                yield connection

    def _note(self, connection: Connection, values: dict[str, Any]) -> None:
        """Note whether a letter went out, in the transaction that holds it; for SQLite in one of its own."""
        if not self._file:
            connection.execute(NOTE, values)
            return
        with self._light.begin() as own:
            own.execute(NOTE, values)
