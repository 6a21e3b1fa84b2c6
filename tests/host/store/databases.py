"""Databases for tests: those of released versions, on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from sqlalchemy.engine import Engine

from tests.host.store import postgres
from tests.makers.databases import FOLDER
from tkid.host.log import make_file
from tkid.host.store import schema
from tkid.host.store.connection import connect_database

BYTES = re.compile(r"\bX'([0-9a-f]*)'")
NUMBERED = ("incoming", "outgoing")
needs_postgres = pytest.mark.skipif(
    postgres.tools() is None and not os.environ.get("TKID_REAL_SERVERS"),
    reason="PostgreSQL is not installed: apt-get install postgresql",
)
BOTH = [pytest.param("sqlite"), pytest.param("postgresql", marks=[needs_postgres, pytest.mark.slow])]
"""The kinds of database, as parameters of a test."""


def wipe(url: str) -> None:
    """Make a database on a server empty again."""
    engine = connect_database(url)
    with engine.begin() as connection:
        schema.drop_tables(connection)
    engine.dispose()


def load(url: str, version: int) -> None:
    """Fill an empty database with that of a released version; a file of SQLite is made."""
    engine = connect_database(url)
    if engine.dialect.name == "sqlite":
        make_file(Path(str(engine.url.database)))
    folder = FOLDER / str(version)
    text = "".join((folder / f"{name}.sql").read_text("utf-8") for name in (engine.dialect.name, "rows"))
    run(engine, text if engine.dialect.name == "sqlite" else BYTES.sub(r"'\\x\1'::bytea", text))
    if engine.dialect.name == "postgresql":
        for table in NUMBERED:
            run(engine, f"SELECT setval('{table}_id_seq', (SELECT max(id) FROM {table}))")  # noqa: S608 - our own
    engine.dispose()


def run(engine: Engine, text: str) -> None:
    """Run statements, one after another."""
    with engine.begin() as connection:
        for statement in re.split(r";\n(?=INSERT |CREATE |ALTER |UPDATE |DROP |\Z)", text):
            if statement.strip():
                connection.exec_driver_sql(
                    statement.replace("%", "%%") if "%" in statement and _counts(engine) else statement
                )


def _counts(engine: Engine) -> bool:
    """Whether a percent sign means something in a statement."""
    return engine.dialect.name == "postgresql"
