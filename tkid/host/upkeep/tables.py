"""The tables of a host's database as they are, of whichever version: which there are, and every row of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tkid.host.store.migrations import OURS
from tkid.host.store.schema import versions

PAGE = 50
"""Rows that are read from the database together: each may have a mail of megabytes."""


def tables_of(connection: Connection) -> list[sql.Table]:
    """The tables that a host's database has, but for the one with its version."""
    names = set(sql.inspect(connection).get_table_names()) & OURS - {versions.name}
    return [sql.Table(name, sql.MetaData(), autoload_with=connection) for name in sorted(names)]


def rows_of(connection: Connection, table: sql.Table) -> Iterator[sql.Row[Any]]:
    """The rows of a table in the order of its key, some at a time."""
    keys = list(table.primary_key.columns)
    query = sql.select(table).order_by(*keys).limit(PAGE)
    behind = sql.tuple_(*keys) > sql.tuple_(*(sql.bindparam(f"last_{key.name}", type_=key.type) for key in keys))
    page = connection.execute(query).all()
    while page:
        yield from page
        last = page[-1]._mapping  # noqa: SLF001 - the public name of a row's values
        page = connection.execute(query.where(behind), {f"last_{key.name}": last[key.name] for key in keys}).all()
