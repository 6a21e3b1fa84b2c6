"""The versions of a host's database, each a step from the one before; and which version a database has.

A version that was released never changes: `fixtures/databases/` has a database of each. `schema.py` describes the last
one for those who read and write, and a test compares the two.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.schema import DropTable

from tkid.host.store.connection import FOLDER, READS, REPLACE, RESTORE, GoneError
from tkid.host.store.schema import TABLES, versions

TYPES = {
    "sqlite": {"number": "INTEGER NOT NULL", "bytes": "BLOB"},
    "postgresql": {"number": "SERIAL NOT NULL", "bytes": "BYTEA"},
}
"""What the kinds of database call a number that counts up, and bytes."""
STEPS: Mapping[int, Sequence[str]] = {
    1: (
        """CREATE TABLE games (id VARCHAR(64) NOT NULL, due VARCHAR(32), "over" BOOLEAN NOT NULL,
        tries INTEGER NOT NULL, error TEXT NOT NULL, memory TEXT NOT NULL, record TEXT NOT NULL, PRIMARY KEY (id))""",
        "CREATE INDEX ix_games_due ON games (due)",
        """CREATE TABLE incoming (id {number}, digest VARCHAR(64) NOT NULL, received VARCHAR(32) NOT NULL,
        state VARCHAR(16) NOT NULL, tries INTEGER NOT NULL, game VARCHAR(64), reason TEXT NOT NULL,
        raw {bytes} NOT NULL, PRIMARY KEY (id), UNIQUE (digest))""",
        "CREATE INDEX incoming_by_state ON incoming (state, id, received, tries)",
        "CREATE TABLE known (sender_and_id VARCHAR(64) NOT NULL, PRIMARY KEY (sender_and_id))",
        """CREATE TABLE outgoing (id {number}, message_id VARCHAR(200) NOT NULL, game VARCHAR(64) NOT NULL,
        address VARCHAR(254) NOT NULL, sent VARCHAR(32), given_up VARCHAR(32), came_back VARCHAR(32),
        next_try VARCHAR(32), tries INTEGER NOT NULL, error TEXT NOT NULL, mail {bytes} NOT NULL,
        PRIMARY KEY (id), UNIQUE (message_id))""",
        "CREATE INDEX ix_outgoing_game ON outgoing (game)",
        "CREATE INDEX outgoing_to_be_sent ON outgoing (sent, given_up, id)",
        """CREATE TABLE keys ("key" VARCHAR(32) NOT NULL, game VARCHAR(64) NOT NULL, seat INTEGER NOT NULL,
        turn INTEGER NOT NULL, PRIMARY KEY ("key"))""",
        """CREATE TABLE answered (address VARCHAR(254) NOT NULL, day VARCHAR(10) NOT NULL, what VARCHAR(64) NOT NULL,
        times INTEGER NOT NULL, PRIMARY KEY (address, day, what))""",
        """CREATE TABLE addresses (address VARCHAR(254) NOT NULL, bounces INTEGER NOT NULL,
        since VARCHAR(32) NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (address))""",
    ),
    2: (
        """CREATE TABLE documents (kind VARCHAR(16) NOT NULL, id VARCHAR(254) NOT NULL, due VARCHAR(32),
        data TEXT NOT NULL, PRIMARY KEY (kind, id))""",
        "CREATE INDEX documents_by_due ON documents (kind, due)",
        """CREATE TABLE club_keys ("key" VARCHAR(32) NOT NULL, address VARCHAR(254) NOT NULL,
        about VARCHAR(400) NOT NULL, PRIMARY KEY ("key"))""",
        "ALTER TABLE incoming ADD COLUMN sender VARCHAR(254) DEFAULT '' NOT NULL",
        "ALTER TABLE incoming ADD COLUMN queue VARCHAR(254) DEFAULT '' NOT NULL",
        "ALTER TABLE incoming ADD COLUMN keyed BOOLEAN DEFAULT FALSE NOT NULL",
        "ALTER TABLE incoming ADD COLUMN size INTEGER DEFAULT 0 NOT NULL",
        "ALTER TABLE incoming ADD COLUMN dropped VARCHAR(32)",
        "UPDATE incoming SET size = length(raw), keyed = (state <> 'filed' OR game IS NOT NULL)",
        "DROP INDEX incoming_by_state",
        "CREATE INDEX incoming_by_state ON incoming (state, id, received, tries, keyed, queue)",
        "CREATE INDEX incoming_kept ON incoming (dropped, keyed, state, received, id, size)",
        "CREATE INDEX incoming_by_queue ON incoming (queue, dropped, state, id, size)",
        "ALTER TABLE known ADD COLUMN game VARCHAR(64) DEFAULT '' NOT NULL",
        "ALTER TABLE known ADD COLUMN day VARCHAR(10) DEFAULT '' NOT NULL",
        "CREATE INDEX known_by_game ON known (game, day)",
        "CREATE TABLE tkid_schema (version INTEGER NOT NULL, PRIMARY KEY (version))",
        "INSERT INTO tkid_schema (version) VALUES (2)",
    ),
}
"""The statements that make each version of the one before; the first makes an empty database a host's."""
VERSION = max(STEPS)
"""The version that this program works with."""
FIRST_TABLES = frozenset({"games", "incoming", "known", "outgoing", "keys", "answered", "addresses"})
"""The tables of the first version, by which it is known."""
OURS = FIRST_TABLES | TABLES.tables.keys()
"""The tables of every version."""
NEWEST = sql.select(sql.func.max(versions.c.version))
LOCK = 7_406_115_100
"""The number of the lock on PostgreSQL that two migrations never hold at once."""


class UnusableError(GoneError):
    """There is something where the database should be, but nothing that this program can work with."""


def version_of(connection: Connection) -> int:
    """The version of a database; 0 where it has no tables at all. Raises UnusableError where it is another program's."""
    names = set(sql.inspect(connection).get_table_names())
    if versions.name in names:
        return int(connection.execute(NEWEST).scalar_one() or 1)
    if names >= FIRST_TABLES:
        return 1
    if names:
        some = ", ".join(sorted(names)[:3])
        raise UnusableError(
            f"the database {place(connection.engine)} is not a host's: it has the tables of another program ({some})",
            f"Correct `store` in host.toml, put the host's own database back, or restore it: {REPLACE}",
        )
    return 0


def check(engine: Engine) -> None:
    """Make sure that a database is one of this program's version. Raises UnusableError and what the database raises."""
    version = readable(engine)
    if version < VERSION:
        raise UnusableError(
            f"the database {place(engine)} is of version {version}, and this program needs version {VERSION}",
            f"Upgrade it: `tkid host upgrade {FOLDER}`",
        )


def readable(engine: Engine) -> int:
    """The version of a database that this program can read and upgrade, which may be an older one. Raises UnusableError."""
    with _no_other_file(engine), engine.execution_options(**{READS: True}).connect() as connection:
        version = version_of(connection)
    if version == 0:
        raise UnusableError(
            f"the database {place(engine)} is empty",
            f"Put the host's own database back, or restore it: {RESTORE}. To begin again without its "
            "games, make a host in a new folder: `tkid host init`, with `--store` for a database on a server",
        )
    if version > VERSION:
        raise _newer(engine, version)
    return version


def create(engine: Engine) -> None:
    """Make the tables in an empty database; a host's database stays as it is.

    Raises UnusableError where it is another program's or of another version, and what the database raises.
    """
    with _no_other_file(engine), engine.begin() as connection:
        lock(connection)
        if version_of(connection) == 0:
            build(connection, VERSION)
    check(engine)


def upgrade(engine: Engine) -> int:
    """Bring a database to this program's version, in one transaction; which version it had. Raises UnusableError."""
    readable(engine)
    with engine.begin() as connection:
        lock(connection)
        version = version_of(connection)
        build(connection, VERSION, version)
    return version


def build(connection: Connection, version: int, before: int = 0) -> None:
    """Take the steps from one version to another, within a transaction."""
    for number in range(before + 1, version + 1):
        for statement in STEPS[number]:
            connection.exec_driver_sql(statement.format(**TYPES[connection.dialect.name]))
    if version > max(before, 1):
        connection.execute(versions.update().values(version=version))


def clear(connection: Connection) -> None:
    """Drop all tables of a host, within a transaction. Raises UnusableError where there are those of another program."""
    version = version_of(connection)
    if version > VERSION:
        raise _newer(connection.engine, version)
    for name in sorted(OURS & set(sql.inspect(connection).get_table_names())):
        connection.execute(DropTable(sql.Table(name, sql.MetaData())))


def lock(connection: Connection) -> None:
    """Wait until no other process changes the tables; SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")


def place(engine: Engine) -> str:
    """Where a database is, without its password."""
    if engine.dialect.name == "sqlite":
        return str(engine.url.database)
    return engine.url.render_as_string(hide_password=True)


@contextmanager
def _no_other_file(engine: Engine) -> Iterator[None]:
    """Say in words that a file is not a database. Raises UnusableError.

    SQLite itself has to find out. A process that opens the file beside SQLite and closes it gives up the locks of its
    other connections, and then another process takes the log away under them.
    """
    try:
        yield
    except (sql.exc.DatabaseError, sqlite3.DatabaseError) as error:
        if getattr(getattr(error, "orig", error), "sqlite_errorcode", 0) != sqlite3.SQLITE_NOTADB:
            raise
        raise UnusableError(
            f"{place(engine)} is not a database, or its beginning is damaged",
            f"Put the host's own database back, or restore it: {REPLACE}",
        ) from None


def _newer(engine: Engine, version: int) -> UnusableError:
    """The error with a database that a newer program has made."""
    return UnusableError(
        f"the database {place(engine)} is of version {version}, and this program knows versions up to {VERSION}",
        f"Install the newer tkid again, or restore a backup that this version made: {REPLACE}",
    )
