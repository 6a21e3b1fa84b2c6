"""Restores a host from a backup: its database, its secret, and its settings where the folder has none.

A database that works is replaced in one transaction, so that a host that runs meanwhile sees the old state or the new one.
A file that is missing, empty or damaged is replaced by a new file; what was there is kept beside it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import groupby, islice
from pathlib import Path

import sqlalchemy as sql
from attrs import frozen
from sqlalchemy.engine import Connection, Engine

from tkid.club.restoration import KIND, NAME, Restoration
from tkid.files import sync_folder, whole_file
from tkid.host.directory import SECRET, HostDirectory
from tkid.host.privacy import make_file, make_folder
from tkid.host.publishing.changes import changed_everywhere
from tkid.host.settings import FILE as SETTINGS
from tkid.host.store import migrations
from tkid.host.store.claims import nobody_sends
from tkid.host.store.connection import DATABASE_ERRORS, READS, connect, error_text
from tkid.host.store.database import Database
from tkid.host.store.documents import Document, Documents
from tkid.host.store.schema import TO_BE_SENT, incoming, outgoing, timestamp
from tkid.host.transports.maildir import Maildir
from tkid.host.upkeep.backup import BackupError, Head, read_head, read_rows
from tkid.host.upkeep.integrity import damage
from tkid.host.upkeep.journal import Journal
from tkid.host.upkeep.tables import tables_of

ALSO = timedelta(days=30)
"""Mails are read again that came so long before the last one in the backup: a mailbox may have been out of reach."""
TOGETHER = 50
"""Rows that are written together."""
STORE = re.compile(r"^store\s*=.*\n?", re.MULTILINE)
HELD = {"games": "games", "incoming": "mails", "outgoing": "letters"}
"""The tables that are empty at a host that was made and never used, and what they hold."""
BESIDE = ("", "-wal", "-shm", "-journal")
NUMBERED = ("incoming", "outgoing")
"""Tables whose rows PostgreSQL numbers."""


@frozen
class Restored:
    """What a restore did: how many rows it wrote, when the backup was made, where what was replaced is kept now."""

    rows: int
    made: datetime
    kept: Path | None = None


def restore(
    file: Path,
    folder: Path,
    environ: Mapping[str, str],
    now: datetime,
    store: str = "",
    *,
    force: bool = False,
) -> Restored:
    """Restore a host in a folder; one that is there is replaced with `force` only.

    Args:
        file: the backup.
        folder: the host's folder, or a new one.
        environ: where passwords may be.
        now: the time.
        store: the database of a new folder, in place of the one in the backup.
        force: whether a host that is there may be replaced.

    Raises:
        BackupError: The file is no backup that can be restored, or the folder is somebody else's.
        SettingsError: The settings are wrong.
        OSError: A file cannot be read or written; or what the database raises.
    """
    head = read_head(file)
    if head.version > migrations.VERSION:
        raise BackupError(f"{file} was made by a newer tkid. Install that one to restore it")
    is_new = not (folder / SETTINGS).exists()
    settings = _settings(head, store) if is_new else ""
    if is_new:
        make_folder(folder)
        database = HostDirectory.of_text(folder, settings, environ).database
    else:
        directory = HostDirectory.read(folder, environ)
        if directory.settings.address.lower() != head.address.lower():
            raise BackupError(
                f"{folder} is the host {directory.settings.address}, and {file} is a backup of {head.address}. "
                "Restore it into another folder"
            )
        if store:
            raise BackupError(f"{folder} is a host already, with a database of its own. Leave out --store")
        database = directory.database
    found = _found(database, folder)
    if found is not None and found.used and not force:
        raise BackupError(f"{found.text}. With --force it is replaced by the backup. Nothing was changed")
    journal = Journal.of(folder)
    with _nobody_sends(database):
        journal.close_before_restore(now)
        _put(folder / SECRET, bytes.fromhex(head.secret))
        if found is None or found.works:
            rows = _replace_rows(database, file, head, now, journal)
            kept = None
        else:
            rows, kept = _replace_file(database, file, head, now, journal)
    for box in (folder / "in", folder / "out"):
        make_folder(box)
    Maildir(folder / "in")
    if is_new:
        _put(folder / SETTINGS, settings.encode())
    return Restored(rows, head.time, kept)


def _settings(head: Head, store: str) -> str:
    """The settings of a new folder; the database is another one where one is named."""
    if not store:
        return head.settings
    before, section, rest = re.split(r"(?m)(^\[|\Z)", head.settings, maxsplit=1)
    return f'{STORE.sub("", before).rstrip()}\nstore = "{store}"\n{section and chr(10)}{section}{rest}'


# -- what is there ----------------------------------------------------------------------------------------


@frozen
class _Found:
    """The database that is there: whether it works, whether it has anything in it, and both in words."""

    works: bool
    used: bool
    text: str


def _found(database: Database, folder: Path) -> _Found | None:
    """The database of the host in a folder, None for one without tables on a server. Raises BackupError, and what the server raises."""
    file = database.file
    if file is not None and (not file.exists() or not file.stat().st_size):
        return _Found(works=False, used=False, text="")
    engine = connect(database.url)
    reader = engine.execution_options(**{READS: True})
    try:
        with reader.connect() as connection:
            if migrations.version_of(connection) == 0 and file is None:
                return None
        migrations.readable(engine)
        if damaged := damage(engine, folder):
            raise migrations.UnusableError(damaged[0])
        with reader.connect() as connection:
            rows = {table.name: _count(connection, table) for table in tables_of(connection) if table.name in HELD}
    except DATABASE_ERRORS as error:
        if file is None:
            raise
        return _Found(
            works=False, used=True, text=f"There is a database that does not work: {error_text(error, folder)}"
        )
    finally:
        engine.dispose()
    held = ", ".join(f"{rows[name]} {what}" for name, what in HELD.items())
    return _Found(works=True, used=any(rows.values()), text=f"There is a host already: {held}")


def _count(connection: Connection, table: sql.Table) -> int:
    return int(connection.execute(sql.select(sql.func.count()).select_from(table)).scalar_one())


# -- writing ----------------------------------------------------------------------------------------------


def _replace_rows(database: Database, file: Path, head: Head, now: datetime, journal: Journal) -> int:
    """Put what a backup has in the place of all rows, in one transaction."""
    engine = connect(database.url)
    try:
        return _fill(engine, file, head, now, journal)
    finally:
        engine.dispose()


def _replace_file(
    database: Database, file: Path, head: Head, now: datetime, journal: Journal
) -> tuple[int, Path | None]:
    """Put a new file in the place of a database of SQLite that does not work; where what was there is kept now."""
    assert database.file is not None
    place = database.file
    new = place.with_name(f"{place.name}.restoring")
    for suffix in BESIDE:
        new.with_name(f"{new.name}{suffix}").unlink(missing_ok=True)
    make_file(new)
    engine = connect(f"sqlite:///{new}")
    try:
        rows = _fill(engine, file, head, now, journal)
    finally:
        engine.dispose()
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


def _fill(engine: Engine, file: Path, head: Head, now: datetime, journal: Journal) -> int:
    """Make the tables anew with the rows of a backup, and bring them to this program's version, in one transaction."""
    count = 0
    with engine.begin() as connection:
        migrations.lock(connection)
        migrations.clear(connection)
        migrations.build(connection, head.version)
        tables = {table.name: table for table in tables_of(connection)}
        for name, rows in groupby(read_rows(file), lambda row: row.table):
            while some := list(islice(rows, TOGETHER)):
                connection.execute(tables[name].insert(), [row.values for row in some])
                count += len(some)
        migrations.build(connection, migrations.VERSION, head.version)
        for name in NUMBERED if connection.dialect.name == "postgresql" else ():
            number = sql.func.coalesce(sql.func.max(tables[name].c.id), 0) + 1
            sequence = sql.func.pg_get_serial_sequence(name, "id")
            connection.execute(sql.select(sql.func.setval(sequence, number, sql.false())))
        _note(connection, head, now, journal)
    return count


def _note(connection: Connection, head: Head, now: datetime, journal: Journal) -> None:
    """Note that the host was restored, and which letters of the backup went out since."""
    last = connection.execute(sql.select(sql.func.max(incoming.c.received))).scalar_one_or_none()
    since = min(datetime.fromisoformat(last) if last else head.time, head.time) - ALSO
    note = Restoration(head.time, now, since)
    Documents(connection).put(Document(KIND, NAME, note.text))
    changed_everywhere(Documents(connection))
    waiting = connection.execute(sql.select(outgoing.c.id, outgoing.c.message_id).where(TO_BE_SENT)).all()
    sent = outgoing.update().where(outgoing.c.id == sql.bindparam("number")).values(sent=timestamp(now))
    for number, message_id in waiting:
        if journal.went_out(message_id):
            connection.execute(sent, {"number": number})


@contextmanager
def _nobody_sends(database: Database) -> Iterator[None]:
    """Wait until no process sends a letter of a database of SQLite, and keep them from it."""
    if database.file is None:
        yield
        return
    with nobody_sends(str(database.file)):
        yield


def _put(file: Path, data: bytes) -> None:
    """Put bytes into a file that is its owner's alone, whole or not at all."""
    if file.exists() and file.read_bytes() == data:
        return
    with whole_file(file) as written:
        written.write(data)
