"""Queries for the club's documents, filed mails, and the players of games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any

import sqlalchemy as sql
from attrs import asdict, frozen
from sqlalchemy.engine import Connection

from tkid.club.members import MEMBER_KIND
from tkid.club.tournament import TOURNAMENT_KIND
from tkid.host.store import schema
from tkid.host.store.schema import addresses, check_row, club_keys, documents, format_timestamp, games, incoming
from tkid.mail.model import Document, S
from tkid.notation.text import make_storable
from tkid.rulebook import cites


class TakenError(ValueError):
    """Something new has the name of something that is there."""


@frozen
class ClubKey:
    """The content of a key of a letter of the club: the address to which it went, and its subject."""

    address: str
    about: str


IS = sql.and_(documents.c.kind == sql.bindparam("of"), documents.c.id == sql.bindparam("named"))
SEE = sql.select(documents).where(IS)
GET = SEE.with_for_update()
OF_KIND = sql.select(documents).where(documents.c.kind == sql.bindparam("of")).order_by(documents.c.id)
DUE = OF_KIND.where(documents.c.due <= sql.bindparam("now")).with_for_update(skip_locked=True)
SOME = sql.select(documents).where(
    documents.c.kind.in_(sql.bindparam("kinds", expanding=True)),
    documents.c.id.in_(sql.bindparam("ids", expanding=True)),
)
DROP = documents.delete().where(IS)
KEYS = sql.select(club_keys).where(club_keys.c.key.in_(sql.bindparam("words", expanding=True)))

ON_PAGES = frozenset({MEMBER_KIND, TOURNAMENT_KIND})
PEOPLE = "people"


class Documents:
    """The documents of a club within one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = connection.dialect.name
        self._seen: dict[tuple[str, str], Document | None] = {}
        self._has_changed_people = False

    def get_document(self, kind: str, name: str) -> Document | None:
        """Return a document, held against other workers until the transaction ends."""
        row = self._connection.execute(GET, {"of": kind, "named": make_storable(name)}).first()
        return None if row is None else _make_document(row)

    def get_text(self, kind: str, name: str) -> str | None:
        """Return the text of a document, held as `get_document` holds it."""
        document = self.get_document(kind, name)
        return document.data if document else None

    def find_value(self, of: type[S], name: str = "") -> S | None:
        """Return a stored value, held as `get_document` holds it. The host has one value of some classes, without a name."""
        text = self.get_text(of.KIND, name or of.NAME)
        return of.read_text(text) if text else None

    def list_values(self, of: type[S]) -> list[S]:
        """Return all values of a class, by id."""
        return [of.read_text(each.data) for each in self.list_documents(of.KIND)]

    def see_text(self, kind: str, name: str) -> Document | None:
        """Return a document as it is now, or was when it was looked up; others may change it meanwhile."""
        if (kind, name) in self._seen:
            return self._seen[kind, name]
        row = self._connection.execute(SEE, {"of": kind, "named": name}).first()
        return None if row is None else _make_document(row)

    def look_up(self, named: Iterable[tuple[str, str]]) -> None:
        """Read documents that will be asked for, by kind and id, with one question; those that were read are not read again."""
        wanted = [each for each in named if each not in self._seen]
        if wanted:
            kinds, ids = ({each[part] for each in wanted} for part in (0, 1))
            rows = map(_make_document, self._connection.execute(SOME, {"kinds": sorted(kinds), "ids": sorted(ids)}))
            found = {(document.kind, document.id): document for document in rows}
            self._seen |= {each: found.get(each) for each in wanted}

    def store_document(self, document: Document) -> None:
        """Store a document in place of an earlier one, or as a new one, or drop it.

        Raises TakenError where there is one of a new one's name, even if another worker writes it at this moment, and
        ValueError where its name does not fit.
        """
        if document.how == "drop":
            self.drop_document(document.kind, document.id)
            return
        due = format_timestamp(document.due) if document.due else None
        values = {"kind": document.kind, "id": document.id, "data": make_storable(document.data), "due": due}
        statement = schema.insert_or_change(documents, self._dialect, "due", "data")
        if document.how == "new":
            statement = schema.insert_new(documents, self._dialect)
        if not self._connection.execute(statement, check_row(documents, values)).rowcount and document.how == "new":
            raise TakenError(f"there is already a {document.kind} {document.id}")
        self._note_change(document.kind, document.id)

    def drop_document(self, kind: str, name: str) -> None:
        self._connection.execute(DROP, {"of": kind, "named": make_storable(name)})
        self._note_change(kind, name)

    def _note_change(self, kind: str, name: str) -> None:
        self._seen.pop((kind, name), None)
        self._has_changed_people |= kind in ON_PAGES

    def find_people_word(self) -> str:
        """Return a word that is another one after each change of members or tournaments."""
        noted = self.see_text("host", PEOPLE)
        return noted.data if noted else ""

    def note_people(self) -> None:
        """Note that members or tournaments have changed: at the end, so that no transaction waits for another one with this note."""
        if self._has_changed_people:
            self.store_document(Document("host", PEOPLE, token_hex(8)))

    def list_documents(self, kind: str) -> list[Document]:
        return [_make_document(row) for row in self._connection.execute(OF_KIND, {"of": kind})]

    def list_due(self, kind: str, now: datetime) -> list[Document]:
        """Return those of a kind that are to be looked at by now, held against other workers."""
        return list(map(_make_document, self._connection.execute(DUE, {"of": kind, "now": format_timestamp(now)})))

    def find_key(self, words: Sequence[str]) -> ClubKey | None:
        """Return the content of the first key of the club among some words."""
        row = schema.find_first_key(self._connection, KEYS, words)
        return None if row is None else ClubKey(row.address, row.about)

    def allow_keys(self, given: Mapping[str, ClubKey]) -> None:
        """Make keys valid. Raises ValueError if a subject does not fit."""
        rows = [check_row(club_keys, {"key": key, **asdict(to)}) for key, to in given.items()]
        if rows:
            self._connection.execute(schema.insert_new(club_keys, self._dialect), rows)


def _make_document(row: Any) -> Document:
    return Document(row.kind, row.id, row.data, datetime.fromisoformat(row.due) if row.due else None)


MAX_LISTED_MAILS = 200
COLUMNS = (incoming.c.id, incoming.c.raw, incoming.c.received, incoming.c.state, incoming.c.reason, incoming.c.dropped)
AT_REST = incoming.c.state.in_((schema.FILED, schema.SETTLED, schema.QUARANTINED))
LISTED = sql.select(*COLUMNS).where(AT_REST).order_by(incoming.c.id.desc()).limit(MAX_LISTED_MAILS)
OPEN = LISTED.where(incoming.c.state != schema.SETTLED)
ONE = sql.select(*COLUMNS).where(AT_REST, incoming.c.id == sql.bindparam("number")).with_for_update()
BACK = sql.select(addresses.c.address, addresses.c.reason).where(
    sql.func.lower(addresses.c.address).in_(sql.bindparam("of", expanding=True))
)
NAMES = sql.select(games.c.id).order_by(games.c.over, games.c.id)


@frozen
class StoredMail:
    """A mail that was filed or put aside: its number, bytes, when it came, its state and why.

    Where `is_dropped`, the host has dropped the bytes to keep room, and `raw` is empty.
    """

    number: int
    raw: bytes
    received: datetime
    state: str
    reason: str
    is_dropped: bool = False


class FiledMails:
    """Filed mails, names of games and letters that came back, within a transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @cites("club.desk.filed")
    def list_latest(self, *, settled: bool = True) -> list[StoredMail]:
        """Return the mails that were filed or put aside, the latest first: all, or those that still wait for somebody."""
        return [_make_filed(row) for row in self._connection.execute(LISTED if settled else OPEN)]

    def get_mail(self, number: int) -> StoredMail | None:
        """Return one of them, held against other workers; None if none has this number."""
        row = self._connection.execute(ONE, {"number": number}).first()
        return None if row is None else _make_filed(row)

    def list_returned(self, of: list[str]) -> list[tuple[str, str]]:
        """Return those of some addresses from which letters came back, with the reasons."""
        rows = self._connection.execute(BACK, {"of": [address.lower() for address in of]})
        return [(str(address), str(reason)) for address, reason in rows]

    def list_games(self) -> list[str]:
        """Return the names of all games, running ones first."""
        return [str(name) for (name,) in self._connection.execute(NAMES)]


def _make_filed(row: Any) -> StoredMail:
    received = datetime.fromisoformat(row.received)
    return StoredMail(row.id, bytes(row.raw or b""), received, row.state, row.reason, bool(row.dropped))
