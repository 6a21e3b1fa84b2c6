"""The tables of the database, their limits and their versions.

`STEPS` make the tables, their indexes and defaults. Small columns come before large ones, which SQLite would have to read
through. A released version never changes: `fixtures/databases/` has a database of each. The tables here have the columns of
the last version, and a test compares the two.

SQLite takes texts of any length, PostgreSQL does not. PostgreSQL takes no NUL, and neither takes half a character.
"""

from __future__ import annotations

import json
import re
import sqlite3
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from typing import Any
from zlib import compress, decompress

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.schema import DropTable

from tkid.host.store.connection import FOLDER, READS, REPLACE, RESTORE, GoneError
from tkid.notation.text import make_storable

NEW, DONE, FILED, SETTLED, QUARANTINED = "new", "done", "filed", "settled", "quarantined"
STATES = (NEW, DONE, FILED, QUARANTINED)
"""The states of a mail as they are counted: kept; carried out; filed; put aside, as the program failed over it.

Filed mails that need no attention are SETTLED: somebody got a letter because of them, or they repeat a mail that had one.
"""

TABLES = sql.MetaData()
COLUMN_TYPES: Mapping[type, type[sql.types.TypeEngine[Any]]] = {
    str: sql.Text, int: sql.Integer, bool: sql.Boolean, bytes: sql.LargeBinary,
}  # fmt: skip


class PackedLetter(sql.types.TypeDecorator[bytes]):
    """The bytes of a letter. Since version 3 they are compressed, and begin with an x; older ones begin with `From:`."""

    impl, cache_ok = sql.LargeBinary, True

    def process_bind_param(self, value: bytes | None, _: object) -> bytes | None:
        return compress(value) if value else value

    @staticmethod
    def process_result_value(value: bytes | None, _: object = None) -> bytes | None:
        """Return the letter. Raises zlib.error if it is damaged."""
        return decompress(value) if value and value[:1] == b"x" else value


def _make_table(name: str, primary: Sequence[str], **columns: type | int) -> sql.Table:
    """Return a table by the types of its columns; a number is the most characters of a text."""
    types = {each: sql.String(of) if isinstance(of, int) else COLUMN_TYPES.get(of, of) for each, of in columns.items()}
    return sql.Table(name, TABLES, *(sql.Column(each, of, primary_key=each in primary) for each, of in types.items()))


games = _make_table("games", ["id"], id=64, due=32, over=bool, tries=int, error=str, memory=str, record=str)
incoming = _make_table(
    "incoming", ["id"], id=int, digest=64, received=32, state=16, tries=int, game=64, sender=254, queue=254, keyed=bool,
    size=int, dropped=32, reason=str, raw=bytes,
)  # fmt: skip
"""Mails that came in. `sender` is the address in the From line, "" where none is clear. `queue` is in whose turn the mail is
done: the game and seat of its key, or its sender. `keyed` says that a key was seen in it when it came, `size` how many bytes
it had, `dropped` when its bytes were forgotten (`raw` is empty then)."""
known = _make_table("known", ["sender_and_id"], sender_and_id=64, game=64, day=10)
"""The mails of senders by Message-ID, to recognise copies; each with its game ("" for none) and its time."""
outgoing = _make_table(
    "outgoing", ["id"], id=int, message_id=200, game=64, address=254, sent=32, given_up=32, came_back=32, next_try=32,
    tries=int, error=str, mail=PackedLetter,
)  # fmt: skip
keys = _make_table("keys", ["key"], key=32, game=64, seat=int, turn=int)
answered = _make_table("answered", ["address", "day", "what"], address=254, day=10, what=64, times=int)
addresses = _make_table("addresses", ["address"], address=254, bounces=int, since=32, reason=str)
documents = _make_table("documents", ["kind", "id"], kind=16, id=254, due=32, data=str)
club_keys = _make_table("club_keys", ["key"], key=32, address=254, about=400)
players = _make_table("players", ["address", "game"], address=254, game=64)
"""The games in whose record an address is, in lower case; in some of them another player may have it by now."""
versions = _make_table("tkid_schema", ["version"], version=int)
"""The versions of the database that a program may need to work with it. The highest is its own, the last of the `STEPS` taken."""
TO_BE_SENT = sql.and_(outgoing.c.sent.is_(None), outgoing.c.given_up.is_(None))
TO_BE_TRIED = sql.or_(outgoing.c.next_try.is_(None), outgoing.c.next_try <= sql.bindparam("now"))
FIRST_DELAY, LONGEST_DELAY = timedelta(minutes=1), timedelta(hours=6)
"""How long a letter waits that could not be sent, and a game that could not be looked at: first, and at most."""
DOUBLINGS = 10
"""Number of doublings after which a delay is longer than the longest."""


def _insert(table: sql.Table, dialect: str) -> Any:
    """Return an INSERT of a kind of database: to import what PostgreSQL needs takes a while."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)


@cache
def insert_new(table: sql.Table, dialect: str, **options: object) -> Any:
    """Return an INSERT of new rows, with some options; it does nothing for a row that exists."""
    row = _insert(table, dialect).on_conflict_do_nothing().inline()
    return row.execution_options(preserve_rowcount=True, **options)


@cache
def insert_or_change(table: sql.Table, dialect: str, *changed: str, counts: str = "") -> Any:
    """Return an INSERT of a row that changes columns of one that exists; in `counts` a new row has 1, and each other adds 1."""
    row = _insert(table, dialect)
    values = {name: row.excluded[name] for name in changed} | ({counts: table.c[counts] + 1} if counts else {})
    row = row.values({counts: 1}) if counts else row
    return row.on_conflict_do_update(index_elements=list(table.primary_key), set_=values).inline()


def format_timestamp(time: datetime) -> str:
    """Format a time in UTC, to the second, in a form in which earlier ones come first."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")


def find_next_try(now: datetime, tries: int) -> str:
    """Return when something is tried again that has failed some times before: each time it takes twice as long."""
    return format_timestamp(now + min(FIRST_DELAY * 2 ** min(tries, DOUBLINGS), LONGEST_DELAY))


def find_first_key(connection: Connection, query: sql.Select[Any], words: Sequence[str], **values: object) -> Any:
    """Return the row of the first word that is a key, by a query for rows with keys among `words`; None if no word is one."""
    rows = connection.execute(query, {"words": list(words), **values}) if words else ()
    by_key = {row.key: row for row in rows}
    return next((by_key[word] for word in words if word in by_key), None)


TYPES = {
    "sqlite": {"number": "INTEGER NOT NULL", "bytes": "BLOB"},
    "postgresql": {"number": "SERIAL NOT NULL", "bytes": "BYTEA"},
}
"""Names in each kind of database of a number that counts up, and of bytes."""
_READ = tomllib.loads(files(__package__).joinpath("steps.toml").read_text("utf-8"))
BESIDE: frozenset[int] = frozenset(_READ.pop("beside"))
"""Versions that only add: a program that needs the version before can go on working with the database."""
STEPS: Mapping[int, Sequence[str]] = {int(version): statements for version, statements in _READ.items()}
"""The statements that make each version of the one before; the first makes an empty database a host's."""
VERSION = max(STEPS)
"""The version that this program works with."""
WITH_PLAYERS = 3
"""The first version with a table of players: they are read from the records of its games."""
FIRST_TABLES = frozenset({"games", "incoming", "known", "outgoing", "keys", "answered", "addresses"})
"""The tables of the first version, by which it is known."""
OURS = FIRST_TABLES | TABLES.tables.keys()
"""The tables of every version."""
LOCK = 7_406_115_100
"""The number of the lock on PostgreSQL that two migrations never hold at once."""


def list_players(record: str, game: str) -> list[dict[str, str]]:
    """Return the rows of the addresses in a record, or in a part of it: players, earlier ones, and stand-ins."""
    return [{"address": each, "game": game} for each in sorted(set(re.findall(r"<([^<>\s]{1,254})>", record.lower())))]


class UnusableError(GoneError):
    """There is something where the database should be, but nothing that this program can work with."""


def find_version(connection: Connection) -> int:
    """Return the version of a database; 0 if it has no tables at all. Raises UnusableError if it is another program's."""
    return max(find_versions(connection), default=0)


def find_versions(connection: Connection) -> set[int]:
    """Return the versions that a database serves: a program works with it if it needs one of them. An empty one serves none.

    Raises UnusableError if it is another program's.
    """
    names = set(sql.inspect(connection).get_table_names())
    if versions.name in names:
        return set(connection.execute(sql.select(versions.c.version)).scalars()) or {1}
    if names >= FIRST_TABLES:
        return {1}
    if names:
        some = ", ".join(sorted(names)[:3])
        raise UnusableError(
            f"the database {describe_place(connection.engine)} is not a host's: it has the tables of another program ({some})",
            f"Correct `store` in host.toml, put the host's own database back, or restore it: {REPLACE}",
        )
    return set()


def check_version(engine: Engine) -> None:
    """Make sure that this program can work with a database. Raises UnusableError and the errors of the database."""
    found = _read_versions(engine)
    version = max(found)
    if version > VERSION and VERSION not in found:
        raise _report_newer(engine, version)
    if version < VERSION:
        raise UnusableError(
            f"the database {describe_place(engine)} is of version {version}, and this program needs version {VERSION}",
            f"Upgrade it: `tkid host upgrade {FOLDER}`",
        )


def find_readable_version(engine: Engine) -> int:
    """Return the version of a database that this program can read as a whole, and upgrade. Raises UnusableError."""
    version = max(_read_versions(engine))
    if version > VERSION:
        raise _report_newer(engine, version)
    return version


def _read_versions(engine: Engine) -> set[int]:
    with _check_file(engine), engine.execution_options(**{READS: True}).connect() as connection:
        found = find_versions(connection)
    if not found:
        raise UnusableError(
            f"the database {describe_place(engine)} is empty",
            f"Put the host's own database back, or restore it: {RESTORE}. To begin again without its "
            "games, make a host in a new folder: `tkid host init`, with `--store` for a database on a server",
        )
    return found


def create_tables(engine: Engine) -> None:
    """Make the tables in an empty database; a host's database stays as it is.

    Raises UnusableError if it belongs to another program or version, and what the database raises.
    """
    with _check_file(engine), engine.begin() as connection:
        lock_tables(connection)
        if find_version(connection) == 0:
            apply_steps(connection, VERSION)
    check_version(engine)


def upgrade_tables(engine: Engine) -> int:
    """Bring a database to this program's version, in one transaction; return its earlier version. Raises UnusableError."""
    find_readable_version(engine)
    with engine.begin() as connection:
        lock_tables(connection)
        version = find_version(connection)
        apply_steps(connection, VERSION, version)
    return version


def apply_steps(connection: Connection, version: int, before: int = 0) -> None:
    """Take the steps from one version to another, within a transaction."""
    for number in range(before + 1, version + 1):
        for statement in STEPS[number]:
            connection.exec_driver_sql(statement.format(**TYPES[connection.dialect.name]))
        if number == WITH_PLAYERS:
            found = connection.execute(sql.select(games.c.id, games.c.record)).all()
            if rows := [row for game, record in found for row in list_players(record, game)]:
                connection.execute(players.insert(), rows)
            _move_proposals(connection)
    if version > max(before, 1):
        oldest = next(number for number in range(version, 0, -1) if number not in BESIDE)
        connection.execute(versions.delete())
        connection.execute(versions.insert(), [{"version": number} for number in range(oldest, version + 1)])


def _move_proposals(connection: Connection) -> None:
    """Keep all that waits for a `yes` as proposals: orders of the owner, other mails, changes of address; each for a week."""
    old = sql.or_(documents.c.kind == "asked", sql.and_(documents.c.kind == "host", documents.c.id == "orders"))
    rows = connection.execute(sql.select(documents).where(sql.or_(old, documents.c.kind == "member"))).all()
    connection.execute(documents.delete().where(old))
    found = [each for row in rows for each in _list_waiting(connection, row, json.loads(row.data))]
    for subject, each in found:
        named = "\n".join(("0", "", "False", *each["lines"], each["until"], *each["people"]))
        name, due = sha256(named.encode("utf-8", "replace")).hexdigest()[:10], datetime.fromisoformat(each["until"])
        row = {"kind": "proposal", "id": name, "due": format_timestamp(due), "data": json.dumps(each)}
        connection.execute(insert_new(documents, connection.dialect.name), row)
        about = f"{'address' if each['kind'] == 'move' else 'asked'} {name}"
        connection.execute(club_keys.update().where(club_keys.c.about == subject).values(about=about))


def _list_waiting(connection: Connection, row: Any, data: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the proposals that were in a document: the subject of their letters, and their data."""
    week = timedelta(days=7)
    for each in data.get("pending", ()) if row.kind == "host" else ():
        subject, until = f"desk {each['name']}", (datetime.fromisoformat(each["time"]) + week).isoformat()
        asked = connection.execute(sql.select(club_keys.c.address).where(club_keys.c.about == subject).limit(1))
        kept = {"lines": each["lines"], "until": until, "people": [asked.scalar_one_or_none() or ""], "about": "desk"}
        yield subject, {"kind": "mail", **kept}
    if row.kind == "asked":
        yield f"asked {row.id}", {"kind": "mail", "people": [data.pop("address")], **data}
    if move := data.get("move") if row.kind == "member" else None:
        people, until = [data["address"], move["to"]], (datetime.fromisoformat(move["since"]) + week).isoformat()
        agreed = [place for place, each in enumerate(people) if each in move.get("agreed", ())]
        kept = {"lines": ["address yes"], "until": until, "people": people, "agreed": agreed}
        yield f"address {people[0]} {move['since']}", {"kind": "move", **kept}


def drop_tables(connection: Connection) -> None:
    """Drop all tables of a host, within a transaction. Raises UnusableError if there are tables of another program."""
    version = find_version(connection)
    if version > VERSION:
        raise _report_newer(connection.engine, version)
    for name in sorted(OURS & set(sql.inspect(connection).get_table_names())):
        connection.execute(DropTable(sql.Table(name, sql.MetaData())))


def lock_tables(connection: Connection) -> None:
    """Wait until no other process changes the tables; SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")


def describe_place(engine: Engine) -> str:
    """Name the place of a database, without its password."""
    if engine.dialect.name == "sqlite":
        return str(engine.url.database)
    return engine.url.render_as_string(hide_password=True)


@contextmanager
def _check_file(engine: Engine) -> Iterator[None]:
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
            f"{describe_place(engine)} is not a database, or its beginning is damaged",
            f"Put the host's own database back, or restore it: {REPLACE}",
        ) from None


def _report_newer(engine: Engine, version: int) -> UnusableError:
    return UnusableError(
        f"the database {describe_place(engine)} is of version {version}, and this program knows versions up to {VERSION}",
        f"Install the newer tkid again, or restore a backup that this version made: {REPLACE}",
    )


NAMES: Mapping[str, str] = {
    "games.id": "the name of the game", "game": "the name of the game", "address": "the address",
    "message_id": "the Message-ID", "about": "what the letter is about",
}  # fmt: skip
"""Words of people for a column, of one table or of any; other columns have their own names."""


def check_row(table: sql.Table, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values of a row. Raises ValueError if one does not fit."""
    for column in table.columns:
        value = values.get(column.name)
        if isinstance(value, str) and (fault := explain_unfit(column, value)):
            raise ValueError(fault)
    return values


def explain_unfit(column: sql.Column[Any], text: str) -> str:
    """Explain why a text does not fit into a column; "" if it does."""
    named = NAMES.get(f"{column.table.name}.{column.name}") or NAMES.get(column.name)
    name = named or f"{column.name} in {column.table.name}"
    most = getattr(column.type, "length", None)
    if most is not None and len(text) > most:
        return f"{name} has {len(text)} characters, and at most {most} fit. Choose a shorter one"
    if text != make_storable(text):
        return f"{name} has a character that cannot be stored. Leave it out"
    return ""
