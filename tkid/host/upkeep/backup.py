"""A backup: everything that a host keeps, in one file that is the same for SQLite and PostgreSQL.

The file is compressed text, a JSON value on each line: a head with the settings and the secret; the rows of each table below
a line with its columns; and a line with the number of rows and a checksum of all lines above it.
"""

from __future__ import annotations

import gzip
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from attrs import asdict, frozen
from sqlalchemy.engine import Connection, Engine

from tkid.files import whole_file
from tkid.host.directory import HostDirectory
from tkid.host.settings import FILE as SETTINGS
from tkid.host.store import migrations
from tkid.host.store.connection import READS, WHOLE, connect
from tkid.host.store.documents import Document, Documents
from tkid.host.store.schema import timestamp
from tkid.host.upkeep.integrity import damage
from tkid.host.upkeep.tables import rows_of, tables_of

LAST = "backup"
"""The document of the host that says when the last backup was made."""
FORM = 1
"""The form of backups that this program writes and reads."""
LEVEL = 6


class BackupError(ValueError):
    """A file is no backup that can be restored, or none can be made: why, and the way out."""


@frozen
class Head:
    """What a backup begins with.

    Attributes:
        version: The version of the database.
        made: When the backup was made.
        address: The host's address.
        settings: The text of `host.toml`.
        secret: The secret of the host's keys, in hex digits.
    """

    version: int
    made: str
    address: str
    settings: str
    secret: str
    form: int = FORM

    @property
    def time(self) -> datetime:
        """When the backup was made."""
        return datetime.fromisoformat(self.made)


class Row(NamedTuple):
    """A row of a table, by the names of its columns."""

    table: str
    values: dict[str, Any]


@frozen
class Made:
    """A backup that was made: the file, how many rows it has, and the version of the database."""

    file: Path
    rows: int
    version: int


def back_up(directory: HostDirectory, file: Path, now: datetime, *, replace: bool = False) -> Made:
    """Make a backup of a host, which may be at work. In a folder, the file gets a name with the time.

    Raises BackupError, SettingsError, OSError, and what the database raises.
    """
    if file.is_dir():
        file /= f"{directory.folder.resolve().name}-{now:%Y%m%dT%H%M%SZ}.backup"
    if file.exists() and not replace:
        raise BackupError(f"{file} exists already. Choose another name, or add --force")
    text, secret = (directory.folder / SETTINGS).read_text("utf-8"), directory.secret()
    engine = connect(directory.database.url)
    try:
        version = migrations.readable(engine)
        if damaged := damage(engine, directory.folder):
            raise BackupError(f"Nothing was written: {damaged[0]}")
        head = Head(version, timestamp(now), directory.settings.address, text, secret.hex())
        rows = write_backup(engine, file, head)
        if version == migrations.VERSION:
            with engine.begin() as connection:
                Documents(connection).put(Document("host", LAST, json.dumps({"made": head.made, "file": str(file)})))
    finally:
        engine.dispose()
    return Made(file, rows, version)


# -- writing ----------------------------------------------------------------------------------------------


def write_backup(engine: Engine, file: Path, head: Head) -> int:
    """Write a backup of a database as it is at one moment, whole or not at all; how many rows it has.

    Others may work with the database meanwhile. Raises OSError and what the database raises.
    """
    with whole_file(file) as opened, gzip.GzipFile("", "wb", LEVEL, opened, 0) as packed, _snapshot(engine) as reading:
        digest, count = sha256(), 0
        for line in _lines(reading, head):
            data = (json.dumps(line, separators=(",", ":")) + "\n").encode("ascii")
            digest.update(data)
            packed.write(data)
            count += isinstance(line, list)
        packed.write((json.dumps({"rows": count, "sha256": digest.hexdigest()}) + "\n").encode("ascii"))
    return count


def _lines(connection: Connection, head: Head) -> Iterator[dict[str, Any] | list[Any]]:
    yield {"tkid-backup": FORM} | asdict(head)
    for table in tables_of(connection):
        yield {"table": table.name, "columns": list(table.columns.keys())}
        for row in rows_of(connection, table):
            yield [_packed(value) for value in row]


@contextmanager
def _snapshot(engine: Engine) -> Iterator[Connection]:
    """A transaction that sees the database as it is when it begins, whatever others write."""
    options = WHOLE if engine.dialect.name == "postgresql" else {READS: True}
    with engine.execution_options(**options).connect() as connection, connection.begin():
        yield connection


def _packed(value: Any) -> Any:
    """A value as JSON has it: bytes are a list with their text in base 64."""
    return [b64encode(value).decode("ascii")] if isinstance(value, bytes) else value


# -- reading ----------------------------------------------------------------------------------------------


def read_head(file: Path) -> Head:
    """The head of a backup whose checksum is right. Raises BackupError, and OSError where the file cannot be read."""
    for _ in read_rows(file):
        pass
    with _opened(file) as lines:
        return _head(file, next(lines))


def read_rows(file: Path) -> Iterator[Row]:
    """The rows of a backup. Raises BackupError, at the end too where the checksum is wrong, and OSError."""
    with _opened(file) as lines:
        first = next(lines, b"")
        _head(file, first)
        digest, count, table, columns, end = sha256(first), 0, "", list[str](), None
        for line in lines:
            value = _json(file, line)
            if end is not None:
                raise BackupError(f"{file} goes on behind its end. {DAMAGED}")
            if isinstance(value, dict) and "sha256" in value:
                end = value
                continue
            digest.update(line)
            if isinstance(value, dict) and {"table", "columns"} <= value.keys():
                table, columns = value["table"], value["columns"]
            else:
                count += 1
                yield Row(table, _values(file, columns, value))
    if end is None:
        raise BackupError(f"{file} breaks off. {DAMAGED}")
    if end != {"rows": count, "sha256": digest.hexdigest()}:
        raise BackupError(f"{file}: the checksum is wrong. {DAMAGED}")


LONGEST_ROW = 1 << 28
"""Maximum length of a row with a mail in it: a longer one is cut, and then it is damaged."""
DAMAGED = "The backup is damaged: take another one"
NO_BACKUP = "This is not a backup of a host. `tkid host backup` makes one"


def _head(file: Path, line: bytes) -> Head:
    try:
        value = dict(json.loads(line))
        form = value.pop("tkid-backup")
        if form != FORM:
            raise BackupError(f"{file} was made by a newer tkid. Install that one to restore it")
        return Head(**value)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        if isinstance(error, BackupError):
            raise
        raise BackupError(f"{file}: {NO_BACKUP}") from None


def _json(file: Path, line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise BackupError(f"{file}: a line cannot be read. {DAMAGED}") from None


@contextmanager
def _opened(file: Path) -> Iterator[Iterator[bytes]]:
    """The lines of a backup. Raises BackupError where it is not compressed, or broken."""
    try:
        with gzip.open(file, "rb") as lines:
            yield iter(partial(lines.readline, LONGEST_ROW), b"")
    except gzip.BadGzipFile as error:
        raise BackupError(f"{file}: {DAMAGED if 'CRC' in str(error) else NO_BACKUP}") from None
    except (EOFError, zlib.error):
        raise BackupError(f"{file} breaks off, or cannot be unpacked. {DAMAGED}") from None


def _values(file: Path, columns: Sequence[str], values: Any) -> dict[str, Any]:
    try:
        return dict(zip(columns, map(_unpacked, values), strict=True))
    except (ValueError, TypeError, LookupError):
        raise BackupError(f"{file}: a line cannot be read. {DAMAGED}") from None


def _unpacked(value: Any) -> Any:
    return b64decode(value[0]) if isinstance(value, list) else value
