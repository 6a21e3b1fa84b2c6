"""Connecting to a host's database, SQLite or PostgreSQL; and its errors in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

WAIT_FOR_LOCK = 30_000
"""Milliseconds that SQLite waits for another writer."""
READS, LIGHT = "tkid_reads", "tkid_light"
"""Options of a connection: it only reads; what it writes may be lost when the power fails, not when the process dies."""

DatabaseError = sql.exc.SQLAlchemyError
"""What is raised when the database fails, and not what somebody has sent."""


class GoneError(OSError):
    """The database's file is not where it was."""


DATABASE_ERRORS = (DatabaseError, GoneError)
"""The errors of the database, and not of a transport or of the program."""


def connect(url: str) -> Engine:
    """The database at an address as SQLAlchemy reads them. Nothing is opened yet."""
    engine = sql.create_engine(url)
    if engine.dialect.name == "sqlite":
        sql.event.listen(engine, "connect", _set_up_sqlite)
        sql.event.listen(engine, "begin", _begin_sqlite)
    return engine


def never_create(engine: Engine) -> None:
    """From now on connect to a file of SQLite only where there is one."""
    if engine.dialect.name == "sqlite":
        sql.event.listen(engine, "do_connect", _only_existing)


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


def _only_existing(_: object, __: object, arguments: list[Any], keywords: dict[str, Any]) -> None:
    arguments[0] = f"file:{quote(str(Path(arguments[0]).resolve()))}?mode=rw"
    keywords["uri"] = True


def error_text(error: Exception) -> str:
    """An error in words, without the statement and its values, which may be a mail."""
    if isinstance(error, sql.exc.DBAPIError):
        reason = error.orig.args[0] if error.orig is not None and error.orig.args else type(error.orig).__name__
        return f"database: {reason.get('M', 'error') if isinstance(reason, dict) else reason}"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    return type(error).__name__
