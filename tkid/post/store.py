"""The store of a host: mails that came in, games, letters to be sent, and who may order what. One database, two kinds.

SQLite by default, PostgreSQL by its address; one code path (SQLAlchemy Core). Everything that follows from a mail is
written in one transaction: the game as it stands, the letters as final bytes, and that the mail is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from typing import Any

import sqlalchemy as sql
from attrs import frozen
from sqlalchemy.engine import Connection, Engine

MOST_TRIES = 3
"""So often a mail is tried that makes the process die; then it is put aside."""
WAIT_FOR_LOCK = 30_000
"""Milliseconds that SQLite waits for another writer."""

NEW, DONE, FILED, QUARANTINED = "new", "done", "filed", "quarantined"

_tables = sql.MetaData()
_games = sql.Table(
    "games",
    _tables,
    sql.Column("id", sql.String(64), primary_key=True),
    sql.Column("record", sql.Text, nullable=False),
    sql.Column("memory", sql.Text, nullable=False),
    sql.Column("due", sql.String(32), index=True),
    sql.Column("over", sql.Boolean, nullable=False),
)
_incoming = sql.Table(
    "incoming",
    _tables,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("digest", sql.String(64), nullable=False, unique=True),
    sql.Column("raw", sql.LargeBinary, nullable=False),
    sql.Column("received", sql.String(32), nullable=False),
    sql.Column("state", sql.String(16), nullable=False, index=True),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("reason", sql.Text, nullable=False),
    sql.Column("game", sql.String(64)),
)
_known = sql.Table(
    "known",
    _tables,
    sql.Column("sender_and_id", sql.String(64), primary_key=True),
)
_outgoing = sql.Table(
    "outgoing",
    _tables,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("message_id", sql.String(200), nullable=False, unique=True),
    sql.Column("game", sql.String(64), nullable=False, index=True),
    sql.Column("address", sql.String(254), nullable=False),
    sql.Column("mail", sql.LargeBinary, nullable=False),
    sql.Column("sent", sql.String(32), index=True),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("error", sql.Text, nullable=False),
)
_keys = sql.Table(
    "keys",
    _tables,
    sql.Column("key", sql.String(32), primary_key=True),
    sql.Column("game", sql.String(64), nullable=False),
    sql.Column("seat", sql.Integer, nullable=False),
    sql.Column("turn", sql.Integer, nullable=False),
)


@frozen
class Incoming:
    """A mail that came in: its number, bytes, how often it was tried before."""

    id: int
    raw: bytes
    tries: int
    received: datetime


@frozen
class StoredGame:
    """A game as it is kept: the record's text, what the desk remembers besides (JSON), when it is due next."""

    id: str
    record: str
    memory: str
    due: datetime | None = None
    over: bool = False


@frozen
class Sent:
    """What became of sending a letter: its number, and whether it is gone."""

    number: int
    gone: bool


Send = Callable[[str, bytes], None]
"""Sends a mail to an address; raises OSError where that cannot be done now."""


@frozen
class Key:
    """What a key of a mail of ours allows: to order for this seat of this game; at the turn for which it was made."""

    game: str
    seat: int
    turn: int


class Store:
    """The database of a host. `url` is an address as SQLAlchemy reads them."""

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        _tables.create_all(self._engine)

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """A transaction: all that is written in it is kept, or nothing."""
        with self._engine.begin() as connection:
            yield Writing(connection)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            yield connection.execution_options(tkid_reads=True)

    def keep(self, raw: bytes, received: datetime) -> bool:
        """Keep the bytes of a mail before anything is done with them; false where they are known already."""
        values = {"digest": sha256(raw).hexdigest(), "raw": raw, "received": received.isoformat()}
        with self._engine.begin() as connection:
            try:
                with connection.begin_nested():
                    connection.execute(_incoming.insert().values(**values, state=NEW, tries=0, reason=""))
            except sql.exc.IntegrityError:  # it is there, or another worker is keeping it at this moment
                return False
        return True

    def waiting(self) -> list[int]:
        """The numbers of the mails that are still to be done, oldest first."""
        with self._reading() as connection:
            found = sql.select(_incoming.c.id).where(_incoming.c.state == NEW).order_by(_incoming.c.id)
            return list(connection.execute(found).scalars())

    def attempt(self, number: int) -> int:
        """Count that a mail is tried once more, before it is; how often by now, 0 where another worker has it."""
        with self._engine.begin() as connection:
            row = sql.select(_incoming.c.tries).where(_incoming.c.id == number, _incoming.c.state == NEW)
            tries = connection.execute(row.with_for_update(skip_locked=True)).scalar_one_or_none()
            if tries is None:
                return 0
            connection.execute(_incoming.update().where(_incoming.c.id == number).values(tries=tries + 1))
            return int(tries) + 1

    def due(self, now: datetime) -> list[str]:
        """The games in which something is due by now."""
        with self._reading() as connection:
            found = sql.select(_games.c.id).where(_games.c.due <= now.isoformat()).order_by(_games.c.due)
            return list(connection.execute(found).scalars())

    def send_next(self, send: Send, at: datetime, after: int = 0) -> Sent | None:
        """Send the next letter that waits, with a number above `after`; None where there is none.

        No other worker sends it meanwhile. If the process dies between sending and noting, it is sent once more.
        """
        with self._engine.begin() as connection:
            found = (
                sql.select(_outgoing.c.id, _outgoing.c.address, _outgoing.c.mail)
                .where(_outgoing.c.sent.is_(None), _outgoing.c.id > after)
                .order_by(_outgoing.c.id)
                .limit(1)
            )
            row = connection.execute(found.with_for_update(skip_locked=True)).first()
            if row is None:
                return None
            noted = _outgoing.update().where(_outgoing.c.id == row.id)
            try:
                send(row.address, row.mail)
            except OSError as error:
                connection.execute(noted.values(tries=_outgoing.c.tries + 1, error=str(error)))
                return Sent(row.id, gone=False)
            connection.execute(noted.values(sent=at.isoformat()))
            return Sent(row.id, gone=True)

    def game(self, game: str) -> StoredGame | None:
        """A game as it stands."""
        with self._reading() as connection:
            return _game(connection, game, lock=False)

    def games(self) -> list[StoredGame]:
        """Every game."""
        with self._reading() as connection:
            return [_stored(row) for row in connection.execute(sql.select(_games).order_by(_games.c.id))]

    def counts(self) -> dict[str, int]:
        """How many mails are in which state, and how many letters wait."""
        with self._reading() as connection:
            by_state = sql.select(_incoming.c.state, sql.func.count()).group_by(_incoming.c.state)
            counts = dict.fromkeys((NEW, DONE, FILED, QUARANTINED), 0)
            counts |= {str(state): int(n) for state, n in connection.execute(by_state)}
            unsent = sql.select(sql.func.count()).select_from(_outgoing).where(_outgoing.c.sent.is_(None))
            return counts | {"unsent": int(connection.execute(unsent).scalar_one())}

    def letters(self, game: str) -> list[tuple[str, str, str]]:
        """The letters of a game, oldest first: Message-ID, address, and when it went out ("" where it waits)."""
        with self._reading() as connection:
            columns = (_outgoing.c.message_id, _outgoing.c.address, _outgoing.c.sent)
            found = sql.select(*columns).where(_outgoing.c.game == game).order_by(_outgoing.c.id)
            return [(str(named), str(to), str(sent or "")) for named, to, sent in connection.execute(found)]

    def troubles(self) -> list[tuple[int, str, str]]:
        """Mails put aside, and letters that failed: number, what, why."""
        with self._reading() as connection:
            mails = sql.select(_incoming.c.id, _incoming.c.state, _incoming.c.reason).where(
                _incoming.c.state == QUARANTINED
            )
            letters = sql.select(_outgoing.c.id, _outgoing.c.address, _outgoing.c.error).where(
                _outgoing.c.sent.is_(None), _outgoing.c.tries > 0
            )
            return [
                (int(n), str(what), str(why))
                for n, what, why in (*connection.execute(mails), *connection.execute(letters))
            ]


class Writing:
    """What can be done within one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def mail(self, number: int) -> Incoming | None:
        """A mail that is still to be done, held against other workers; None where another has it or it is done."""
        found = sql.select(_incoming.c.id, _incoming.c.raw, _incoming.c.tries, _incoming.c.received).where(
            _incoming.c.id == number, _incoming.c.state == NEW
        )
        row = self._connection.execute(found.with_for_update(skip_locked=True)).first()
        return None if row is None else Incoming(row[0], row[1], row[2], datetime.fromisoformat(row[3]))

    def finish(self, number: int, state: str, reason: str = "", game: str | None = None) -> None:
        """Note what became of a mail."""
        values = {"state": state, "reason": reason, "game": game}
        self._connection.execute(_incoming.update().where(_incoming.c.id == number).values(values))

    def reason(self, number: int) -> str:
        """Why a mail was filed or put aside; "" where it was not."""
        found = sql.select(_incoming.c.reason).where(_incoming.c.id == number)
        return str(self._connection.execute(found).scalar_one_or_none() or "")

    def first_time(self, sender: str, message_id: str) -> bool:
        """Whether no mail of this sender with this Message-ID was known; it is from now on."""
        named = sha256(f"{sender}\n{message_id}".encode()).hexdigest()
        if self._connection.execute(sql.select(_known).where(_known.c.sender_and_id == named)).first():
            return False
        self._connection.execute(_known.insert().values(sender_and_id=named))
        return True

    def key(self, key: str) -> Key | None:
        """What a key allows."""
        found = sql.select(_keys.c.game, _keys.c.seat, _keys.c.turn).where(_keys.c.key == key)
        row = self._connection.execute(found).first()
        return None if row is None else Key(*row)

    def game(self, game: str) -> StoredGame | None:
        """A game, held against other workers until the transaction ends."""
        return _game(self._connection, game, lock=True)

    def add(self, game: StoredGame) -> None:
        """Keep a new game."""
        self._connection.execute(_games.insert().values(id=game.id, **_values(game)))

    def save(self, game: StoredGame) -> None:
        """Keep a game as it stands now."""
        self._connection.execute(_games.update().where(_games.c.id == game.id).values(**_values(game)))

    def allow(self, key: str, what: Key) -> None:
        """Make a key valid."""
        if self.key(key) is None:
            self._connection.execute(_keys.insert().values(key=key, game=what.game, seat=what.seat, turn=what.turn))

    def post(self, message_id: str, game: str, address: str, mail: bytes) -> None:
        """Put a letter of a game into the outgoing mail, once."""
        known = sql.select(_outgoing.c.id).where(_outgoing.c.message_id == message_id)
        if self._connection.execute(known).first() is None:
            values = {"message_id": message_id, "game": game, "address": address, "mail": mail, "tries": 0, "error": ""}
            self._connection.execute(_outgoing.insert().values(**values))


def _engine(url: str) -> Engine:
    engine = sql.create_engine(url)
    if engine.dialect.name == "sqlite":
        sql.event.listen(engine, "connect", _set_up_sqlite)
        sql.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _: object) -> None:
    """Durable, readable while somebody writes, patient with other writers; transactions are begun by us."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={WAIT_FOR_LOCK}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """Whoever is going to write takes the lock at once, so that no transaction fails half way for want of it."""
    reads = connection.get_execution_options().get("tkid_reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def _game(connection: Connection, game: str, *, lock: bool) -> StoredGame | None:
    found = sql.select(_games).where(_games.c.id == game)
    row = connection.execute(found.with_for_update() if lock else found).first()
    return None if row is None else _stored(row)


def _stored(row: Any) -> StoredGame:
    due = datetime.fromisoformat(row.due) if row.due else None
    return StoredGame(row.id, row.record, row.memory, due, row.over)


def _values(game: StoredGame) -> dict[str, Any]:
    due = game.due.isoformat() if game.due else None
    return {"record": game.record, "memory": game.memory, "due": due, "over": game.over}
