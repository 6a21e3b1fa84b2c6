"""Opening a host's database: never a new one in the place of one that is gone; and its errors in words."""

from __future__ import annotations

import os
from pathlib import Path

import sqlalchemy as sql
from attrs import define

from tkid.host.store.queries import WatchedStore


class GoneError(OSError):
    """The database's file is not where it was."""


@define
class Database:
    """A host's database; `file` is the file of one of SQLite, None for a server's."""

    url: str
    file: Path | None = None
    _opened: os.stat_result | None = None

    @classmethod
    def at(cls, url: str) -> Database:
        """The database at an address as SQLAlchemy writes them. Raises ValueError where it is none that can be used."""
        try:
            found = sql.make_url(url)
            found.get_dialect()
        except sql.exc.ArgumentError:  # also where the kind of database is not known; the address may hold a password
            raise ValueError(
                "this is no address of a database such as postgresql+pg8000://tkid@localhost/tkid"
            ) from None
        if found.get_backend_name() not in {"sqlite", "postgresql"}:
            raise ValueError(f"{found.get_backend_name()} is not supported; use SQLite or PostgreSQL")
        try:
            found.get_dialect().import_dbapi()
        except ImportError as error:
            raise ValueError(f"{error.name} is not installed: pip install 'tkid[postgres]'") from None
        if found.get_backend_name() != "sqlite":
            return cls(url)
        if found.database in {None, "", ":memory:"}:
            raise ValueError("a database in memory is gone when the host stops; name a file, or leave this out")
        return cls(url, Path(str(found.database)).resolve())

    def create(self) -> None:
        """Make the database where there is none. Raises what SQLAlchemy raises."""
        WatchedStore(self.url).close()

    def open(self) -> WatchedStore:
        """The store. Raises GoneError, and what SQLAlchemy raises."""
        if self.file is not None:
            self._opened = self._stat()
        return WatchedStore(self.url)

    def check(self) -> None:
        """Make sure that what was opened is still there: nothing may be written to a file that lies elsewhere.

        Raises GoneError.
        """
        if self.file is not None and not (self._opened and os.path.samestat(self._stat(), self._opened)):
            raise GoneError(f"another file has taken the place of the database {self.file}")

    def _stat(self) -> os.stat_result:
        assert self.file is not None
        try:
            return self.file.stat()
        except OSError as error:
            raise GoneError(f"the database {self.file} is not there ({error.strerror}). Put it back") from None


def is_of_database(error: Exception) -> bool:
    """Whether an error is one of the database, and not of a carrier or of the program."""
    return isinstance(error, sql.exc.SQLAlchemyError | GoneError)


def told(error: Exception) -> str:
    """An error in words, without the statement and what it was to write: that may be a mail."""
    if isinstance(error, sql.exc.DBAPIError):
        said = error.orig.args[0] if error.orig is not None and error.orig.args else type(error.orig).__name__
        return f"database: {said.get('M', 'error') if isinstance(said, dict) else said}"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}"
    return type(error).__name__
