"""Connect to SQLite, or to PostgreSQL with psycopg."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Container, Mapping
from contextlib import ExitStack, closing, suppress
from errno import EDQUOT, ENOSPC
from pathlib import Path
from shlex import quote as shell_word
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine, ExecutionContext

if TYPE_CHECKING:
    import psycopg

_OPTION = "tkid_no_answer"
NO_ANSWER = {_OPTION: True}
"""Options of a statement whose answer is not needed, not even the number of rows.

If it fails, the next statement raises the error, or the commit does.
"""


def send_together(engine: Engine, *, begins: bool) -> None:
    """Make PostgreSQL take such statements together; a library in C that is too old for that waits for each, and means the same.

    `begins` is true if the engine has transactions.
    """
    library = engine.dialect.loaded_dbapi
    if library.Pipeline.is_supported():
        pipelines = _Pipelines(library.Error)
        if begins:
            sql.event.listen(engine, "connect", pipelines.take_over)
            sql.event.listen(engine, "begin", pipelines.begin)
        sql.event.listen(engine, "do_execute", lambda cursor, *given: pipelines.send(cursor, cursor.execute, *given))
        sql.event.listen(
            engine, "do_executemany", lambda cursor, *given: pipelines.send(cursor, cursor.executemany, *given)
        )
        sql.event.listen(engine, "commit", pipelines.commit)
        sql.event.listen(engine, "rollback", pipelines.roll_back)


class _Pipelines:
    """The connections on which statements wait for an answer, each with what ends the waiting."""

    def __init__(self, error: type[Exception]) -> None:
        self._error = error
        self._open: dict[psycopg.Connection[Any], ExitStack] = {}

    @staticmethod
    def take_over(connection: psycopg.Connection[Any], _: object) -> None:
        """Keep psycopg from beginning transactions: it would wait until each has begun."""
        connection.autocommit = True

    @staticmethod
    def begin(connection: Connection) -> None:
        """Send the beginning of a transaction together with its first statement, unless psycopg begins it in a way of its own."""
        driver = connection.connection.driver_connection
        if driver and driver.autocommit and "isolation_level" not in connection.get_execution_options():
            connection.exec_driver_sql("BEGIN", execution_options=NO_ANSWER)

    def commit(self, connection: Connection) -> None:
        """Send the end of the transaction together with the statements that wait. psycopg has none to end then."""
        if connection.connection.driver_connection in self._open:
            connection.exec_driver_sql("COMMIT")

    def roll_back(self, connection: Connection) -> None:
        """Wait for no answer any more: nothing is kept."""
        if not connection.invalidated:
            self._give_up(connection.connection.driver_connection)

    def send(
        self, cursor: psycopg.Cursor[Any], execute: Callable[..., Any], statement: str, given: Any, of: ExecutionContext
    ) -> bool:
        """Send a statement in SQLAlchemy's place, and wait if its answer is needed; return True, as SQLAlchemy asks."""
        needs_answer = _OPTION not in of.execution_options
        if not needs_answer and cursor.connection not in self._open:
            self._open[cursor.connection] = ExitStack()
            self._open[cursor.connection].enter_context(cursor.connection.pipeline())
        try:
            execute(statement, given)
        except BaseException:
            self._give_up(cursor.connection)
            raise
        if needs_answer:
            self._open.pop(cursor.connection, ExitStack()).close()
        return True

    def _give_up(self, connection: Any) -> None:
        with suppress(self._error):
            self._open.pop(connection, ExitStack()).close()


WAIT_FOR_LOCK = 30_000
"""Milliseconds that SQLite waits for another writer."""
JOURNAL = 4 << 20
"""Bytes to which SQLite cuts its journal, which a large mail makes long."""
READS, LIGHT = "tkid_reads", "tkid_light"
"""Options of a connection: it only reads; what it writes may be lost when the power fails, not when the process dies."""

WHOLE: Mapping[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
"""Options of a connection to PostgreSQL that sees the database as it is at one moment; a transaction of SQLite always does."""

DatabaseError = sql.exc.SQLAlchemyError
"""Errors of the database itself, and not of the things that somebody has sent."""


FOLDER = "{folder}"
"""Placeholder for the host's folder in a fix, as the database does not know its folder."""
RESTORE = f"`tkid host restore FILE {FOLDER}`, with your last backup as FILE"
"""Advice on restoring a host whose database is missing or empty."""
EXAMINE = f"`tkid host doctor {FOLDER}` names what it can't write"
"""Advice on a host that may not write to its database."""
REPLACE = f"`tkid host restore FILE {FOLDER} --force`, with your last backup as FILE"
"""Advice on restoring a host with a file that does not work. The present file is kept beside the new one."""

SESSION = """SELECT set_config(name, value, false) FROM pg_settings JOIN (VALUES ('default_toast_compression', 'lz4'),
('tcp_keepalives_idle', '15'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'), ('tcp_user_timeout', '30000'))
AS wanted (name, value) USING (name) WHERE value <> 'lz4' OR 'lz4' = ANY (enumvals)"""
"""Settings of a session. LZ4 needs version 14, and a server that was built with it; its own method takes several times as long.

The server ends the session, with its transaction and its locks, if the machine cannot be reached for half a minute.
"""
ALIVE = {
    "connect_timeout": 10,
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""Settings of our end of a connection, which fails too if the server cannot be reached for half a minute."""


class GoneError(OSError):
    """The database's file is missing: the reason, and a fix."""

    def __init__(self, reason: str, way_out: str = "") -> None:
        super().__init__(reason)
        self.reason, self.way_out = reason, way_out

    def __str__(self) -> str:
        return self.describe_error(None)

    def describe_error(self, folder: Path | None) -> str:
        """Return the error in words, with the needs of the host in a folder."""
        return f"{self.reason}. {name_folder(self.way_out, folder)}" if self.way_out else self.reason


def name_folder(way_out: str, folder: Path | None) -> str:
    """Return a hint for the host in a folder, so that its command can be copied."""
    return way_out.replace(FOLDER, shell_word(str(folder.resolve())) if folder else "DIR")


def find_file(file: Path) -> os.stat_result:
    """Return the known facts of a file of SQLite. Raises GoneError if the file doesn't exist."""
    try:
        return file.stat()
    except OSError as error:
        raise GoneError(
            f"the database {file} is missing ({error.strerror})",
            f"Put it back, or restore it: {RESTORE}. To begin again without its games, make a host in a new folder: "
            "`tkid host init`",
        ) from None


DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
"""Messages of SQLite for a file that is damaged, or no database."""
DATABASE_ERRORS = (DatabaseError, GoneError)
"""The errors of the database, and not of a transport or of the program."""


def complete_address(url: str | sql.URL) -> sql.URL:
    """Return an address with its library, which is always psycopg for PostgreSQL. Raises SQLAlchemy's errors."""
    read = sql.make_url(url)
    return read.set(drivername="postgresql+psycopg") if read.get_backend_name() == "postgresql" else read


def connect_database(url: str | sql.URL, **options: Any) -> Engine:
    """Return the database at an address as SQLAlchemy reads them. Nothing is opened yet."""
    address = complete_address(url)
    if address.get_backend_name() == "postgresql":
        options["connect_args"] = {name: value for name, value in ALIVE.items() if name not in address.query}
    engine = sql.create_engine(address, **options)
    if engine.dialect.name == "sqlite":
        sql.event.listen(engine, "do_connect", _OneFile())
        sql.event.listen(engine, "connect", _prepare_sqlite)
        sql.event.listen(engine, "begin", _begin_sqlite)
        return engine
    send_together(engine, begins="isolation_level" not in options)
    sql.event.listen(engine, "connect", _set_up_session)
    return engine


def use_single_statements(engine: Engine) -> Engine:
    """Return the same database for statements that are each a transaction of their own: nothing begins or ends one.

    What such a statement writes may be lost when the power fails, not when the process dies. SQLite does the same
    with READS and LIGHT: there it costs nothing to begin a transaction.
    """
    if engine.dialect.name == "sqlite":
        return engine
    single = connect_database(engine.url, isolation_level="AUTOCOMMIT")
    sql.event.listen(single, "connect", _do_not_wait_for_disk)
    return single


def _do_not_wait_for_disk(connection: Any, _: object) -> None:
    with closing(connection.cursor()) as cursor:
        cursor.execute("SET synchronous_commit TO off")


def _set_up_session(connection: Any, _: object) -> None:
    with closing(connection.cursor()) as cursor:
        cursor.execute(SESSION)
    connection.commit()


def keep_log_ahead(engine: Engine) -> None:
    """Make a file of SQLite, which is known to be ours by now, one that can be read while somebody writes."""
    if engine.dialect.name == "sqlite":
        with closing(engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA journal_mode=WAL")


def _prepare_sqlite(connection: Any, _: object) -> None:
    """Make SQLite wait for other writers and begin no transactions. Write nothing: the file may belong to another program."""
    connection.isolation_level = None
    for pragma in (f"journal_size_limit={JOURNAL}", f"busy_timeout={WAIT_FOR_LOCK}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """Begin with the lock if the transaction will write, so that none fails half-way for lack of it."""
    options = connection.get_execution_options()
    if options.get(READS):
        connection.exec_driver_sql("BEGIN")
        return
    connection.exec_driver_sql(f"PRAGMA synchronous={'NORMAL' if options.get(LIGHT) else 'FULL'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _restore_rights(file: Path, found: os.stat_result) -> None:
    """Give the files beside a database its rights: SQLite made them read-only if the database was, and the database has been fixed since."""
    for beside in (file.with_name(f"{file.name}{suffix}") for suffix in ("-wal", "-shm")):
        with suppress(FileNotFoundError):
            if found.st_mode & ~beside.stat().st_mode & stat.S_IWUSR:
                try:
                    beside.chmod(stat.S_IMODE(found.st_mode))
                except PermissionError as error:
                    raise GoneError(f"{beside} cannot be written, and the database can ({error.strerror})") from None


class _OneFile:
    """Connects to a file of SQLite only where there is one, and always to the same one."""

    def __init__(self) -> None:
        self._first: os.stat_result | None = None

    def __call__(self, _: object, __: object, arguments: list[Any], keywords: dict[str, Any]) -> None:
        file = Path(arguments[0]).resolve()
        found = find_file(file)
        if self._first is not None and not os.path.samestat(found, self._first):
            raise GoneError(f"another file has replaced the database {file}")
        self._first = found
        _restore_rights(file, found)
        arguments[0] = f"file:{quote(str(file))}?mode=rw"
        keywords["uri"] = True


FULL_DISK: Mapping[str, Container[object]] = {
    "errno": {ENOSPC, EDQUOT},
    "sqlite_errorcode": {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE},
    "sqlstate": {"53100"},
}
"""Codes of errors that a full disk causes, by where they are: the numbers of the system and of SQLite overlap."""


def _is_disk_full(error: object) -> bool:
    """Return True for any error that a full disk causes; SQLite calls that of its file in shared memory an I/O error."""
    return any(getattr(error, name, None) in codes for name, codes in FULL_DISK.items())


def describe_database_error(error: Exception, folder: Path | None = None) -> str:
    """Describe an error of the host in a folder in words, without the statement and its values, which may be a mail."""
    if isinstance(error, sql.exc.DBAPIError):
        if _is_disk_full(error.orig):
            return "database: the disk is full"
        reason = error.orig.args[0] if error.orig is not None and error.orig.args else type(error.orig).__name__
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_READONLY:
            return f"database: the host cannot write to its file or folder. {name_folder(EXAMINE, folder)}"
        message, *_ = str(reason).split("\n")
        text = f"database: {message}"
        return f"{text}. Restore it: {name_folder(REPLACE, folder)}" if code in DAMAGED else text
    if isinstance(error, GoneError):
        return error.describe_error(folder)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{'the disk is full' if _is_disk_full(error) else error.strerror or error}"
    return type(error).__name__
