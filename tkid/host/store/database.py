"""Where a host's database is: opened there and nowhere else, never a new one in the place of one that is gone."""

from __future__ import annotations

import os
from pathlib import Path

import sqlalchemy as sql
from attrs import define

from tkid.host.store.connection import GoneError, address, found_file
from tkid.host.store.store import Store

EXTRAS = {"psycopg": "psycopg"}
"""The extra with which a library for PostgreSQL is installed, where it is not `postgres`."""


@define
class Database:
    """A host's database; `file` is the file of one of SQLite, None for a server's."""

    url: str
    file: Path | None = None
    _opened: os.stat_result | None = None

    @classmethod
    def at(cls, text: str) -> Database:
        """The database at an address as SQLAlchemy writes them. Raises ValueError where it is none that can be used."""
        try:
            url = address(text)
            url.get_dialect()
        except sql.exc.ArgumentError:  # also where the kind of database is not known; the address may hold a password
            raise ValueError("this is not the address of a database such as postgresql://tkid@localhost/tkid") from None
        if url.get_backend_name() not in {"sqlite", "postgresql"}:
            raise ValueError(f"{url.get_backend_name()} is not supported. Use SQLite or PostgreSQL")
        try:
            url.get_dialect().import_dbapi()
        except ImportError as error:
            raise ValueError(
                f"{error.name or url.get_driver_name()} is not installed: "
                f"run pip install '.[{EXTRAS.get(url.get_driver_name(), 'postgres')}]' in a copy of the source"
            ) from None
        if url.get_backend_name() != "sqlite":
            return cls(text)
        if url.database in {None, "", ":memory:"}:
            raise ValueError("a database in memory is lost when the host stops. Name a file, or leave this out")
        return cls(text, Path(str(url.database)).resolve())

    def create(self) -> None:
        """Make the database where there is none; a file is its owner's alone, and so are those that SQLite puts beside it.

        Raises OSError, and what SQLAlchemy raises.
        """
        Store.made(self.url).close()

    def open(self) -> Store:
        """The store. Raises GoneError, and what SQLAlchemy raises."""
        if self.file is not None:
            self._opened = found_file(self.file)
        return Store(self.url)

    def check(self) -> None:
        """Make sure that the open file is still the one at its place. Raises GoneError."""
        if self.file is not None and not (self._opened and os.path.samestat(found_file(self.file), self._opened)):
            raise GoneError(f"another file has replaced the database {self.file}")
