"""What a club keeps besides its games, as documents: members, games that gather players, tournaments; and its keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sql
from attrs import frozen
from sqlalchemy.engine import Connection

from tkid.host.store.limits import checked
from tkid.host.store.schema import INSERTS, club_keys, documents, first_key, insert_new, storable, timestamp


@frozen
class Document:
    """A value that the club keeps: its kind and id, its text (JSON), and when it is to be looked at again."""

    kind: str
    id: str
    data: str
    due: datetime | None = None


class TakenError(ValueError):
    """What is to be new has the name of something that is there."""


@frozen
class ClubKey:
    """What a key of a letter of the club shows: to which address it went, and what it was about."""

    address: str
    about: str


IS = sql.and_(documents.c.kind == sql.bindparam("of"), documents.c.id == sql.bindparam("named"))
SEEN = sql.select(documents).where(IS)
GET = SEEN.with_for_update()
OF_KIND = sql.select(documents).where(documents.c.kind == sql.bindparam("of")).order_by(documents.c.id)
DUE = OF_KIND.where(documents.c.due <= sql.bindparam("now")).with_for_update(skip_locked=True)
SOME = sql.select(documents).where(
    documents.c.kind.in_(sql.bindparam("kinds", expanding=True)),
    documents.c.id.in_(sql.bindparam("ids", expanding=True)),
)
DROP = documents.delete().where(IS)
KEYS = sql.select(club_keys).where(club_keys.c.key.in_(sql.bindparam("words", expanding=True)))


def _putting(dialect: str) -> Any:
    row = INSERTS[dialect](documents)
    changed = {"due": row.excluded.due, "data": row.excluded.data}
    return row.on_conflict_do_update(index_elements=["kind", "id"], set_=changed).inline()


PUT = {dialect: _putting(dialect) for dialect in INSERTS}
ADD = {dialect: insert_new(documents, dialect) for dialect in INSERTS}
ALLOW = {dialect: insert_new(club_keys, dialect) for dialect in INSERTS}


class Documents:
    """The documents of a club within one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = connection.dialect.name
        self._seen: dict[tuple[str, str], Document | None] = {}

    def get(self, kind: str, name: str) -> Document | None:
        """A document, held against other workers until the transaction ends."""
        row = self._connection.execute(GET, {"of": kind, "named": storable(name)}).first()
        return None if row is None else _document(row)

    def text(self, kind: str, name: str) -> str | None:
        """The text of a document, held as `get` holds it."""
        document = self.get(kind, name)
        return document.data if document else None

    def seen(self, kind: str, name: str) -> Document | None:
        """A document as it is now, or was when it was looked up; others may change it meanwhile."""
        if (kind, name) in self._seen:
            return self._seen[kind, name]
        row = self._connection.execute(SEEN, {"of": kind, "named": name}).first()
        return None if row is None else _document(row)

    def look_up(self, named: Iterable[tuple[str, str]]) -> None:
        """Read documents that will be asked for, by kind and id, with one question; those that were read are not read again."""
        wanted = [each for each in named if each not in self._seen]
        if wanted:
            kinds, ids = ({each[part] for each in wanted} for part in (0, 1))
            rows = map(_document, self._connection.execute(SOME, {"kinds": sorted(kinds), "ids": sorted(ids)}))
            found = {(document.kind, document.id): document for document in rows}
            self._seen |= {each: found.get(each) for each in wanted}

    def put(self, document: Document) -> None:
        """Keep a document, in the place of what was there. Raises ValueError where its name does not fit."""
        self._write(PUT, document)

    def add(self, document: Document) -> None:
        """Keep a new document.

        Raises TakenError where there is one of its name, even if another worker writes it at this moment, and ValueError
        where its name does not fit.
        """
        if not self._write(ADD, document):
            raise TakenError(f"there is already a {document.kind} {document.id}")

    def _write(self, statements: Mapping[str, Any], document: Document) -> int:
        """Write a document; how many rows were written."""
        self._seen.pop((document.kind, document.id), None)
        due = timestamp(document.due) if document.due else None
        values = {"kind": document.kind, "id": document.id, "data": storable(document.data), "due": due}
        return self._connection.execute(statements[self._dialect], checked(documents, values)).rowcount

    def drop(self, kind: str, name: str) -> None:
        """Forget a document."""
        self._seen.pop((kind, name), None)
        self._connection.execute(DROP, {"of": kind, "named": storable(name)})

    def every(self, kind: str) -> list[Document]:
        """All documents of a kind, by id."""
        return [_document(row) for row in self._connection.execute(OF_KIND, {"of": kind})]

    def due(self, kind: str, now: datetime) -> list[Document]:
        """Those of a kind that are to be looked at by now, held against other workers."""
        return [_document(row) for row in self._connection.execute(DUE, {"of": kind, "now": timestamp(now)})]

    def key(self, words: Sequence[str]) -> ClubKey | None:
        """What the first key of the club among some words shows."""
        if not words:
            return None
        row = first_key(self._connection.execute(KEYS, {"words": list(words)}), words)
        return None if row is None else ClubKey(row.address, row.about)

    def allow(self, given: Mapping[str, ClubKey]) -> None:
        """Make keys valid. Raises ValueError where what one is about does not fit."""
        rows = [checked(club_keys, {"key": key, "address": to.address, "about": to.about}) for key, to in given.items()]
        if rows:
            self._connection.execute(ALLOW[self._dialect], rows)


def _document(row: Any) -> Document:
    return Document(row.kind, row.id, row.data, datetime.fromisoformat(row.due) if row.due else None)
