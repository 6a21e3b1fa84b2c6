"""Whether a database is whole: its pages and indexes where it is a file, and every row of every table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

from tkid.host.store.connection import DATABASE_ERRORS, READS, REPLACE, error_text, in_folder
from tkid.host.store.migrations import place
from tkid.host.store.transaction import message_id
from tkid.host.upkeep.tables import rows_of, tables_of

MOST = 5
"""Faults of a file that are asked for; one is enough to restore it."""


def damage(engine: Engine, folder: Path) -> list[str]:
    """What is damaged in the database of the host in a folder, each as a sentence; it reads all of it."""
    way_out = f"Restore the last backup: {in_folder(REPLACE, folder)}"
    try:
        with engine.execution_options(**{READS: True}).connect() as connection:
            return [f"the database {place(engine)} is damaged: {fault}. {way_out}" for fault in _faults(connection)]
    except DATABASE_ERRORS as error:
        return [f"the database {place(engine)} cannot be read: {error_text(error, folder)}"]


def _faults(connection: Connection) -> Iterator[str]:
    if connection.dialect.name == "sqlite":
        found = [row[0] for row in connection.exec_driver_sql(f"PRAGMA integrity_check({MOST})")]
        if found != ["ok"]:
            yield from found[:MOST]
            return
    for table in tables_of(connection):
        count = connection.execute(sql.select(sql.func.count()).select_from(table)).scalar_one()
        is_whole, read = WHOLE.get(table.name, lambda _: True), 0
        for row in rows_of(connection, table):
            read += 1
            if not is_whole(row):
                yield f"{table.name} has a row that is not as it was written ({row[0]})"
        if read != count:
            yield f"{table.name} has {count} rows, and {read} can be read"


def _is_whole_mail(row: Any) -> bool:
    """Whether a mail has the bytes that it came with; those of old ones are no longer kept."""
    return not row.raw or sha256(row.raw).hexdigest() == row.digest


def _is_whole_letter(row: Any) -> bool:
    """Whether a letter still begins as it was written, and nothing has been blotted out."""
    return not row.mail or (message_id(row.mail) == row.message_id and b"\0" not in row.mail)


WHOLE: Mapping[str, Callable[[Any], bool]] = {"incoming": _is_whole_mail, "outgoing": _is_whole_letter}
"""How the rows of a table show that they are as they were written: a database keeps no checksums of large values."""
