"""Back up a host in one file, and restore it.

The file is compressed text with a JSON value on each line. First comes a head with the settings and the secret; then, for each
table, a line with its columns and a line for each row; last the number of rows and a checksum of all lines above.

A backup of changes has only the rows that differ from those in an earlier backup, and the keys of rows that are gone. The earlier
backup is in the same folder. A restore needs both files.

A restore replaces a working database in one transaction, so that a running host sees the old state or the new one. It
replaces a missing, empty or damaged file by a new one, and keeps the old file next to it.
"""

from __future__ import annotations

import gzip
import json
import os
import sqlite3
import zlib
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from datetime import datetime
from functools import partial
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sql
from attrs import asdict, evolve, frozen
from sqlalchemy.engine import Connection, Engine

from tkid.club.values import Mailboxes, Restoration
from tkid.files import open_whole_file, sync_folder
from tkid.host.chores import AT_WORK
from tkid.host.directory import SECRET, HostDirectory, replace_store, write_private
from tkid.host.journal import REREAD_BEFORE, Journal
from tkid.host.log import make_file, make_folder
from tkid.host.published_folder import note_all_changed
from tkid.host.settings import FILE as SETTINGS
from tkid.host.store import schema
from tkid.host.store.connection import (
    DATABASE_ERRORS,
    READS,
    REPLACE,
    WHOLE,
    connect_database,
    describe_database_error,
    name_folder,
)
from tkid.host.store.documents import Documents
from tkid.host.store.schema import documents, incoming, outgoing, versions
from tkid.host.store.store import Database, block_sending
from tkid.host.store.transaction import read_message_id
from tkid.host.transports import Maildir
from tkid.mail.model import Document

PAGE = 50
"""Rows that are read from the database together: each may have a mail of megabytes."""


def list_tables(connection: Connection) -> list[sql.Table]:
    """Return the tables that a host's database has, but for the one with its version."""
    names = set(sql.inspect(connection).get_table_names()) & schema.OURS - {versions.name}
    return [sql.Table(name, sql.MetaData(), autoload_with=connection) for name in sorted(names)]


def read_table_rows(connection: Connection, table: sql.Table) -> Iterator[sql.Row[Any]]:
    """Return the rows of a table in the order of its key, some at a time."""
    keys = list(table.primary_key.columns)
    query = sql.select(table).order_by(*keys).limit(PAGE)
    behind = sql.tuple_(*keys) > sql.tuple_(*(sql.bindparam(f"last_{key.name}", type_=key.type) for key in keys))
    page = connection.execute(query).all()
    while page:
        yield from page
        last = page[-1]._mapping  # noqa: SLF001 - the public name of a row's values
        page = connection.execute(query.where(behind), {f"last_{key.name}": last[key.name] for key in keys}).all()


MAX_FAULTS = 5
"""Maximum number of faults of a file to ask for; one is enough to restore it."""


def find_damage(engine: Engine, folder: Path) -> list[str]:
    """Return the damage in the database of the host in a folder, each as a sentence; it reads all of it."""
    way_out, place = f"Restore the last backup: {name_folder(REPLACE, folder)}", schema.describe_place(engine)
    try:
        with _begin_snapshot(engine) as connection:
            faults = _find_faults(connection)
            return [f"the database {place} is damaged: {fault}. {way_out}" for fault in faults]
    except DATABASE_ERRORS as error:
        return [f"the database {place} cannot be read: {describe_database_error(error, folder)}"]


def _find_faults(connection: Connection) -> Iterator[str]:
    if connection.dialect.name == "sqlite":
        found = [row[0] for row in connection.exec_driver_sql(f"PRAGMA integrity_check({MAX_FAULTS})")]
        if found != ["ok"]:
            yield from found[:MAX_FAULTS]
            return
    for table in list_tables(connection):
        count = _count_rows(connection, table)
        is_whole, read = WHOLENESS_CHECKS.get(table.name, lambda _: True), 0
        for row in read_table_rows(connection, table):
            read += 1
            if not is_whole(row):
                yield f"{table.name} has a row that is not as it was written ({row[0]})"
        if read != count:
            yield f"{table.name} has {count} rows, and {read} can be read"


WHOLENESS_CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "incoming": lambda row: not row.raw or sha256(row.raw).hexdigest() == row.digest,
    "outgoing": lambda row: not row.mail or _is_letter(row.mail, row.message_id),
}
"""Checks that the rows of a table are as they were written: a database keeps no checksums of large values."""


def _is_letter(stored: bytes, message_id: str) -> bool:
    try:
        letter = schema.PackedLetter.process_result_value(stored) or b""
    except zlib.error:
        return False
    return read_message_id(letter) == message_id and b"\0" not in letter


LAST = "backup"
"""The document of the host that says when the last backup was made."""
FORM, PARTIAL = 1, 2
"""The forms of backups that this program writes and reads: of all rows, or of what changed since an earlier one."""
LEVEL = 6


class BackupError(ValueError):
    """A backup that cannot be made or restored: the reason, and a fix."""


@frozen
class Head:
    """The first line of a backup, with the version of its database, the text of `host.toml`, and the secret in hex digits.

    It may have only what changed `since` an earlier one, a file beside it, whose checksum is its `seal`.
    """

    version: int
    made: str
    address: str
    settings: str
    secret: str
    form: int = FORM
    since: str = ""
    seal: str = ""

    @property
    def time(self) -> datetime:
        return datetime.fromisoformat(self.made)


class Row(NamedTuple):
    """A row of a table, by the names of its columns, and its line; if it is `gone`, only its key is known."""

    table: str
    values: dict[str, Any]
    line: bytes = b""
    gone: bool = False


def back_up(
    directory: HostDirectory,
    file: Path,
    now: datetime,
    *,
    replace: bool = False,
    since: Path | None = None,
    step: Callable[[], None] = lambda: None,
) -> tuple[Path, int]:
    """Make a backup of a host, which may be at work, of all or of what changed `since` an earlier backup.

    Return the file and how many rows it has. In a folder, the file gets a name with the time; `step` is called after each row.

    Raises BackupError, SettingsError, OSError, and what the database raises.
    """
    if file.is_dir():
        file /= f"{directory.folder.resolve().name}-{now:%Y%m%dT%H%M%SZ}.backup"
    if file.exists() and not replace:
        raise BackupError(f"{file} exists already. Choose another name, or add --force")
    text, secret = (directory.folder / SETTINGS).read_text("utf-8"), directory.read_secret()
    engine = connect_database(directory.database.url)
    try:
        version = schema.find_readable_version(engine)
        if damaged := find_damage(engine, directory.folder):
            raise BackupError(f"Nothing was written: {damaged[0]}")
        head = Head(version, schema.format_timestamp(now), directory.settings.address, text, secret.hex())
        earlier = list[Path]()
        if since:
            earlier, last = _list_chain(since)
            head = _continue_backup(head, since, last, file, earlier)
        rows = write_backup(engine, file, head, step, earlier)
        if version == schema.VERSION:
            with engine.begin() as connection:
                made = json.dumps({"made": head.made, "file": str(file)})
                Documents(connection).store_document(Document("host", LAST, made))
    finally:
        engine.dispose()
    return file, rows


def _continue_backup(head: Head, since: Path, earlier: Head, file: Path, chain: Sequence[Path]) -> Head:
    """Return the head of a backup of what changed since an earlier one, the last of a chain. Raises BackupError."""
    if since.resolve().parent != file.resolve().parent or file.resolve() in {each.resolve() for each in chain}:
        raise BackupError(f"{file}: choose another file in the same folder as {since}, which is needed to restore it")
    if (earlier.address, earlier.version) != (head.address, head.version):
        raise BackupError(
            f"{since} is of another host, or of another version of its database. Make a backup of everything"
        )
    return evolve(head, form=PARTIAL, since=since.name, seal=_read_seal(since))


def _list_chain(file: Path) -> tuple[list[Path], Head]:
    """Return the backups from which a backup is restored: one of everything, and those of changes; and its head. Raises BackupError."""
    chain, last = [file], read_backup_head(file)
    head = last
    while head.since:
        before = file.with_name(head.since)
        earlier = read_backup_head(before) if before.exists() else None
        if earlier is None or _read_seal(before) != head.seal:
            raise BackupError(
                f"{chain[0]} has only what changed since {before}. Put that backup, as it was made, beside it"
            )
        chain.insert(0, before)
        head = earlier
    return chain, last


def _read_seal(file: Path) -> str:
    """Return the checksum of a backup that is whole."""
    with _open_lines(file) as lines:
        return str(json.loads(deque(lines, 1)[0])["sha256"])


def write_backup(
    engine: Engine, file: Path, head: Head, step: Callable[[], None] = lambda: None, earlier: Sequence[Path] = ()
) -> int:
    """Write a backup of a database as it is at one moment, whole or not at all. Return its number of rows.

    It leaves out what is in `earlier` ones. Others may work with the database meanwhile. Raises OSError and what the database
    raises.
    """
    with (
        open_whole_file(file) as opened,
        gzip.GzipFile("", "wb", LEVEL, opened, 0) as packed,
        _begin_snapshot(engine) as reading,
        closing(sqlite3.connect("")) as known,
    ):
        digest, count = sha256(), 0
        _note_rows(known, earlier, {table.name: _list_keys(table) for table in list_tables(reading)})
        for line in _write_lines(reading, head, known if earlier else None):
            data = _encode_line(line)
            digest.update(data)
            packed.write(data)
            count += isinstance(line, list)
            step()
        packed.write((json.dumps({"rows": count, "sha256": digest.hexdigest()}) + "\n").encode("ascii"))
    return count


def _write_lines(
    connection: Connection, head: Head, known: sqlite3.Connection | None
) -> Iterator[dict[str, Any] | list[Any]]:
    """Yield the values of the lines; the bytes of a row are a list with their text in base 64. Leave out rows that are `known`."""
    yield {"tkid-backup": head.form} | asdict(head, filter=lambda _, value: value != "")
    for table in list_tables(connection):
        yield {"table": table.name, "columns": list(table.columns.keys())}
        for row in read_table_rows(connection, table):
            line = [[b64encode(value).decode("ascii")] if isinstance(value, bytes) else value for value in row]
            key = [value for column, value in zip(table.columns, row, strict=True) if column.primary_key]
            if known is None or not _forget_row(known, _name_row(table.name, key), line):
                yield line
        if known is not None:
            yield {"table": table.name, "columns": _list_keys(table), "gone": True}
            yield from (json.loads(name)[1:] for (name,) in known.execute(GONE, (table.name,)))


GONE = "SELECT name FROM rows WHERE json_extract(name, '$[0]') = ? ORDER BY name"
"""Selects the rows of a table that were in an earlier backup and are in the database no more."""


def _note_rows(known: sqlite3.Connection, files: Sequence[Path], keys: Mapping[str, Sequence[str]]) -> None:
    """Note the rows in earlier backups, each by its table and key, with a digest, in a file that nobody else sees."""
    known.execute("CREATE TABLE rows (name TEXT PRIMARY KEY, digest BLOB) WITHOUT ROWID")
    for file in files:
        for row in read_rows(file):
            name = _name_row(row.table, [row.values[key] for key in keys[row.table]])
            known.execute("DELETE FROM rows WHERE name = ?", (name,))
            if not row.gone:
                known.execute("INSERT INTO rows VALUES (?, ?)", (name, sha256(row.line).digest()))


def _forget_row(known: sqlite3.Connection, name: str, line: list[Any]) -> bool:
    """Forget a row that is still there; return True if it is as it was."""
    found = known.execute("DELETE FROM rows WHERE name = ? RETURNING digest", (name,)).fetchone()
    return found is not None and found[0] == sha256(_encode_line(line)).digest()


def _list_keys(table: sql.Table) -> list[str]:
    return [column.name for column in table.columns if column.primary_key]


def _name_row(table: str, key: Sequence[Any]) -> str:
    return json.dumps([table, *key])


def _encode_line(line: dict[str, Any] | list[Any]) -> bytes:
    return (json.dumps(line, separators=(",", ":")) + "\n").encode("ascii")


@contextmanager
def _begin_snapshot(engine: Engine) -> Iterator[Connection]:
    """Begin a transaction that sees the database as it is now, regardless of later writes."""
    options = WHOLE if engine.dialect.name == "postgresql" else {READS: True}
    with engine.execution_options(**options).connect() as connection, connection.begin():
        yield connection


def read_backup_head(file: Path) -> Head:
    """Read the head of a backup whose checksum is right. Raises BackupError, and OSError if the file is unreadable."""
    for _ in read_rows(file):
        pass
    with _open_lines(file) as lines:
        return _read_head(file, next(lines))


def read_rows(file: Path) -> Iterator[Row]:
    """Read the rows of a backup. Raises BackupError, also at the end if the checksum is wrong, and OSError."""
    with _open_lines(file) as lines:
        first = next(lines, b"")
        _read_head(file, first)
        digest, count, table, columns, gone, end = sha256(first), 0, "", list[str](), False, None
        for line in lines:
            value = _read_json(file, line)
            if end is not None:
                raise BackupError(f"{file} has extra text after its end. {DAMAGED}")
            if isinstance(value, dict) and "sha256" in value:
                end = value
                continue
            digest.update(line)
            if isinstance(value, dict) and {"table", "columns"} <= value.keys():
                table, columns, gone = value["table"], value["columns"], value.get("gone", False)
            else:
                count += 1
                yield Row(table, _read_values(file, columns, value), line, gone)
    if end is None:
        raise BackupError(f"{file} is truncated. {DAMAGED}")
    if end != {"rows": count, "sha256": digest.hexdigest()}:
        raise BackupError(f"{file}: the checksum is wrong. {DAMAGED}")


MAX_ROW_LENGTH = 1 << 28
"""Maximum length of a row with a mail in it: a longer one is cut, and then it is damaged."""
DAMAGED = "The backup is damaged: take another one"
NO_BACKUP = "This is not a backup of a host. `tkid host backup` makes one"


def _read_head(file: Path, line: bytes) -> Head:
    try:
        value = dict(json.loads(line))
        form = value.pop("tkid-backup")
        head = Head(**value) if form in {FORM, PARTIAL} else None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BackupError(f"{file}: {NO_BACKUP}") from None
    if head is None:
        raise BackupError(f"{file} was made by a newer tkid. Install that one to restore it")
    return head


def _read_json(file: Path, line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise BackupError(f"{file}: a line cannot be read. {DAMAGED}") from None


@contextmanager
def _open_lines(file: Path) -> Iterator[Iterator[bytes]]:
    """Read the lines of a backup. Raises BackupError if it is not compressed, or broken."""
    try:
        with gzip.open(file, "rb") as lines:
            yield iter(partial(lines.readline, MAX_ROW_LENGTH), b"")
    except gzip.BadGzipFile as error:
        raise BackupError(f"{file}: {DAMAGED if 'CRC' in str(error) else NO_BACKUP}") from None
    except (EOFError, zlib.error):
        raise BackupError(f"{file} is truncated, or cannot be unpacked. {DAMAGED}") from None


def _read_values(file: Path, columns: Sequence[str], values: Any) -> dict[str, Any]:
    try:
        unpacked = [b64decode(value[0]) if isinstance(value, list) else value for value in values]
        return dict(zip(columns, unpacked, strict=True))
    except (ValueError, TypeError, LookupError):
        raise BackupError(f"{file}: a line cannot be read. {DAMAGED}") from None


ROWS_PER_STATEMENT = 50
HELD = {"games": "games", "incoming": "mails", "outgoing": "letters"}
"""The tables that are empty at a host that was made and never used, and what they hold."""
BESIDE = ("", "-wal", "-shm", "-journal")
NUMBERED = ("incoming", "outgoing")
"""Tables whose rows PostgreSQL numbers."""


@frozen
class Restored:
    """The result of a restore: how many rows it wrote, when the backup was made, where the replaced files are kept."""

    rows: int
    made: datetime
    kept: Path | None = None


def restore_backup(
    file: Path, folder: Path, environ: Mapping[str, str], now: datetime, store: str = "", *, force: bool = False
) -> Restored:
    """Restore a host in a folder; one that is there is replaced with `force` only.

    In a new folder, `store` replaces the database in the backup. Raises BackupError if the file cannot be restored
    or the folder is somebody else's, SettingsError, OSError, and what the database raises.
    """
    chain, head = _list_chain(file)
    if head.version > schema.VERSION:
        raise BackupError(f"{file} was made by a newer tkid. Install that one to restore it")
    is_new = not (folder / SETTINGS).exists()
    settings = (replace_store(head.settings, store) if store else head.settings) if is_new else ""
    if is_new:
        make_folder(folder)
        database = HostDirectory.read_folder(folder, environ, settings).database
    else:
        directory = HostDirectory.read_folder(folder, environ)
        if directory.settings.address.lower() != head.address.lower():
            raise BackupError(
                f"{folder} is the host {directory.settings.address}, and {file} is a backup of {head.address}. "
                "Restore it into another folder"
            )
        if store:
            raise BackupError(f"{folder} is a host already, with a database of its own. Leave out --store")
        database = directory.database
    works, held = _find_database(database, folder)
    if held and not force:
        raise BackupError(f"{held}. With --force it is replaced by the backup. Nothing was changed")
    journal = Journal(folder)
    with block_sending(str(database.file)) if database.file is not None else nullcontext():
        journal.close_before_restore(now)
        write_private(folder / SECRET, bytes.fromhex(head.secret))
        if works:
            rows, kept = _fill_tables(database.url, chain, head, now, journal), None
        else:
            rows, kept = _replace_file(database, chain, head, now, journal)
    for box in (folder / "in", folder / "out"):
        make_folder(box)
    Maildir(folder / "in")
    if is_new:
        write_private(folder / SETTINGS, settings.encode())
    return Restored(rows, head.time, kept)


def _find_database(database: Database, folder: Path) -> tuple[bool, str]:
    """Return whether the database of the host in a folder works, and what would be lost with it, "" for nothing.

    Raises BackupError, and what the server raises.
    """
    file = database.file
    if file is not None and (not file.exists() or not file.stat().st_size):
        return False, ""
    engine = connect_database(database.url)
    reader = engine.execution_options(**{READS: True})
    try:
        with reader.connect() as connection:
            if schema.find_version(connection) == 0 and file is None:
                return True, ""
        schema.find_readable_version(engine)
        if damaged := find_damage(engine, folder):
            raise schema.UnusableError(damaged[0])
        with reader.connect() as connection:
            tables = [table for table in list_tables(connection) if table.name in HELD]
            rows = {table.name: _count_rows(connection, table) for table in tables}
    except DATABASE_ERRORS as error:
        if file is None:
            raise
        return False, f"There is a database that does not work: {describe_database_error(error, folder)}"
    finally:
        engine.dispose()
    held = ", ".join(f"{rows[name]} {what}" for name, what in HELD.items())
    return True, f"There is a host already: {held}" if any(rows.values()) else ""


def _count_rows(connection: Connection, table: sql.Table) -> int:
    return int(connection.execute(sql.select(sql.func.count()).select_from(table)).scalar_one())


def _replace_file(
    database: Database, chain: Sequence[Path], head: Head, now: datetime, journal: Journal
) -> tuple[int, Path | None]:
    assert database.file is not None
    place = database.file
    new = place.with_name(f"{place.name}.restoring")
    for suffix in BESIDE:
        new.with_name(f"{new.name}{suffix}").unlink(missing_ok=True)
    make_file(new)
    rows = _fill_tables(f"sqlite:///{new}", chain, head, now, journal)
    with new.open("rb") as opened:
        os.fsync(opened.fileno())
    aside = place.with_name(f"{place.name}.before-{now:%Y%m%dT%H%M%S}")
    for suffix in BESIDE:
        beside = place.with_name(f"{place.name}{suffix}")
        if beside.exists():
            beside.rename(f"{aside}{suffix}")
    new.rename(place)
    sync_folder(place.parent)
    return rows, aside if aside.exists() else None


def _fill_tables(url: str, chain: Sequence[Path], head: Head, now: datetime, journal: Journal) -> int:
    """Make the tables again with the rows of backups, and upgrade them to this program's version, in one transaction."""
    count, engine = 0, connect_database(url)
    with ExitStack() as stack:
        stack.callback(engine.dispose)
        connection = stack.enter_context(engine.begin())
        schema.lock_tables(connection)
        at_work = _list_mailboxes(connection, now)
        schema.drop_tables(connection)
        schema.apply_steps(connection, head.version)
        tables = {table.name: table for table in list_tables(connection)}
        for file in chain:
            if file != chain[0]:
                for row in read_rows(file):
                    table = tables[row.table]
                    key = (column == sql.bindparam(column.name) for column in table.primary_key.columns)
                    count -= connection.execute(table.delete().where(*key), row.values).rowcount
            kept = (row for row in read_rows(file) if not row.gone)
            for name, rows in groupby(kept, lambda row: row.table):
                while some := list(islice(rows, ROWS_PER_STATEMENT)):
                    connection.execute(tables[name].insert(), [row.values for row in some])
                    count += len(some)
        schema.apply_steps(connection, schema.VERSION, head.version)
        for name in NUMBERED if connection.dialect.name == "postgresql" else ():
            number = sql.func.coalesce(sql.func.max(tables[name].c.id), 0) + 1
            sequence = sql.func.pg_get_serial_sequence(name, "id")
            connection.execute(sql.select(sql.func.setval(sequence, number, sql.false())))
        _note_restore(connection, head, now, journal, at_work)
    return count


def _list_mailboxes(connection: Connection, now: datetime) -> tuple[str, ...]:
    """Return the mailboxes with which machines are at work, by the database that is replaced."""
    if documents.name not in sql.inspect(connection).get_table_names():
        return ()
    known = Documents(connection).find_value(Mailboxes) or Mailboxes()
    return tuple(name for name, seen in known.seen.items() if now - seen < AT_WORK)


def _note_restore(
    connection: Connection, head: Head, now: datetime, journal: Journal, at_work: tuple[str, ...]
) -> None:
    last = connection.execute(sql.select(sql.func.max(incoming.c.received))).scalar_one_or_none()
    since = min(datetime.fromisoformat(last) if last else head.time, head.time) - REREAD_BEFORE
    Documents(connection).store_document(Mailboxes(dict.fromkeys(at_work, now)).document)
    Documents(connection).store_document(Restoration(head.time, now, since, awaited=at_work).document)
    note_all_changed(Documents(connection))
    waiting = connection.execute(sql.select(outgoing.c.id, outgoing.c.message_id).where(schema.TO_BE_SENT)).all()
    sent = outgoing.update().where(outgoing.c.id == sql.bindparam("number")).values(sent=schema.format_timestamp(now))
    for number, message_id in waiting:
        if journal.was_sent(message_id):
            connection.execute(sent, {"number": number})
