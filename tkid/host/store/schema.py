"""The tables of a host's database, and how it is connected to: SQLite or PostgreSQL.

Small columns stand before large ones, which SQLite would have to read through.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Engine

WAIT_FOR_LOCK = 30_000
"""Milliseconds that SQLite waits for another writer."""
NEW, DONE, FILED, QUARANTINED = "new", "done", "filed", "quarantined"
"""The states of a mail: kept; carried out; not answered; put aside, as the program failed over it."""
READS, LIGHT = "tkid_reads", "tkid_light"
"""Options of a connection: it only reads; what it writes may be lost when the power fails, not when the process dies."""

DatabaseError = sql.exc.SQLAlchemyError
"""What is raised when the database fails, and not what somebody has sent."""

TABLES = sql.MetaData()
games = sql.Table(
    "games",
    TABLES,
    sql.Column("id", sql.String(64), primary_key=True),
    sql.Column("due", sql.String(32), index=True),
    sql.Column("over", sql.Boolean, nullable=False),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("error", sql.Text, nullable=False),
    sql.Column("memory", sql.Text, nullable=False),
    sql.Column("record", sql.Text, nullable=False),
)
incoming = sql.Table(
    "incoming",
    TABLES,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("digest", sql.String(64), nullable=False, unique=True),
    sql.Column("received", sql.String(32), nullable=False),
    sql.Column("state", sql.String(16), nullable=False),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("game", sql.String(64)),
    sql.Column("reason", sql.Text, nullable=False),
    sql.Column("raw", sql.LargeBinary, nullable=False),
    sql.Index("incoming_by_state", "state", "id", "received", "tries"),
)
known = sql.Table("known", TABLES, sql.Column("sender_and_id", sql.String(64), primary_key=True))
outgoing = sql.Table(
    "outgoing",
    TABLES,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("message_id", sql.String(200), nullable=False, unique=True),
    sql.Column("game", sql.String(64), nullable=False, index=True),
    sql.Column("address", sql.String(254), nullable=False),
    sql.Column("sent", sql.String(32)),
    sql.Column("given_up", sql.String(32)),
    sql.Column("came_back", sql.String(32)),
    sql.Column("next_try", sql.String(32)),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("error", sql.Text, nullable=False),
    sql.Column("mail", sql.LargeBinary, nullable=False),
    sql.Index("outgoing_to_be_sent", "sent", "given_up", "id"),
)
keys = sql.Table(
    "keys",
    TABLES,
    sql.Column("key", sql.String(32), primary_key=True),
    sql.Column("game", sql.String(64), nullable=False),
    sql.Column("seat", sql.Integer, nullable=False),
    sql.Column("turn", sql.Integer, nullable=False),
)
answered = sql.Table(
    "answered",
    TABLES,
    sql.Column("address", sql.String(254), primary_key=True),
    sql.Column("day", sql.String(10), primary_key=True),
    sql.Column("what", sql.String(64), primary_key=True),
    sql.Column("times", sql.Integer, nullable=False),
)
addresses = sql.Table(
    "addresses",
    TABLES,
    sql.Column("address", sql.String(254), primary_key=True),
    sql.Column("bounces", sql.Integer, nullable=False),
    sql.Column("since", sql.String(32), nullable=False),
    sql.Column("reason", sql.Text, nullable=False),
)
TO_BE_SENT = sql.and_(outgoing.c.sent.is_(None), outgoing.c.given_up.is_(None))
INSERTS: Mapping[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def connect(url: str) -> Engine:
    """The database at an address as SQLAlchemy reads them. Nothing is opened yet."""
    engine = sql.create_engine(url)
    if engine.dialect.name == "sqlite":
        sql.event.listen(engine, "connect", _set_up_sqlite)
        sql.event.listen(engine, "begin", _begin_sqlite)
    return engine


def insert_new(table: sql.Table, dialect: str) -> Any:
    """An INSERT of rows that are not there yet; for one that is, it does nothing."""
    return INSERTS[dialect](table).on_conflict_do_nothing().inline().execution_options(preserve_rowcount=True)


def written(at: datetime) -> str:
    """A moment in UTC, to the second, in a form in which earlier ones come first."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")


def storable(text: str) -> str:
    """A text as every database takes it: without NUL and halves of characters."""
    return text.replace("\0", "?").encode("utf-8", "replace").decode()


def _set_up_sqlite(connection: Any, _: object) -> None:
    """Durable, readable while somebody writes, patient with other writers; transactions are begun by us."""
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", f"busy_timeout={WAIT_FOR_LOCK}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """Whoever is going to write takes the lock at once, so that no transaction fails half way for want of it."""
    options = connection.get_execution_options()
    if options.get(READS):
        connection.exec_driver_sql("BEGIN")
        return
    connection.exec_driver_sql(f"PRAGMA synchronous={'NORMAL' if options.get(LIGHT) else 'FULL'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")
