"""The tables of a host's database, and what their columns hold.

Small columns come before large ones, which SQLite would have to read through. A change of a table is also a step in
`migrations.py`, which makes the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite

NEW, DONE, FILED, SETTLED, QUARANTINED = "new", "done", "filed", "settled", "quarantined"
STATES = (NEW, DONE, FILED, QUARANTINED)
"""The states of a mail as they are counted: kept; carried out; filed; put aside, as the program failed over it.

Filed mails that nobody has to look at are SETTLED: somebody got a letter because of them, or they repeat a mail that had one.
"""

TABLES = sql.MetaData()
games = sql.Table(
    "games",
    TABLES,
    sql.Column("id", sql.String(64), primary_key=True),
    sql.Column("due", sql.String(32), index=True),
    sql.Column("over", sql.Boolean, nullable=False),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("error", sql.Text, nullable=False),
    sql.Column("memory", sql.Text, nullable=False),
    sql.Column("record", sql.Text, nullable=False),
)
incoming = sql.Table(
    "incoming",
    TABLES,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("digest", sql.String(64), nullable=False, unique=True),
    sql.Column("received", sql.String(32), nullable=False),
    sql.Column("state", sql.String(16), nullable=False),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("game", sql.String(64)),
    sql.Column("sender", sql.String(254), nullable=False, server_default=""),
    sql.Column("queue", sql.String(254), nullable=False, server_default=""),
    sql.Column("keyed", sql.Boolean, nullable=False, server_default=sql.false()),
    sql.Column("size", sql.Integer, nullable=False, server_default="0"),
    sql.Column("dropped", sql.String(32)),
    sql.Column("reason", sql.Text, nullable=False),
    sql.Column("raw", sql.LargeBinary, nullable=False),
    sql.Index("incoming_by_state", "state", "id", "received", "tries", "keyed", "queue"),
    sql.Index("incoming_kept", "dropped", "keyed", "state", "received", "id", "size"),
    sql.Index("incoming_by_queue", "queue", "dropped", "state", "id", "size"),
)
"""Mails that came in. `sender` is the address in the From line, "" where none is clear. `queue` is in whose turn the mail is
done: the game and seat of its key, or its sender. `keyed` says that a key was seen in it when it came, `size` how many bytes
it had, `dropped` when its bytes were forgotten (`raw` is empty then)."""
known = sql.Table(
    "known",
    TABLES,
    sql.Column("sender_and_id", sql.String(64), primary_key=True),
    sql.Column("game", sql.String(64), nullable=False, server_default=""),
    sql.Column("day", sql.String(10), nullable=False, server_default=""),
    sql.Index("known_by_game", "game", "day"),
)
"""The mails of senders by Message-ID, so that a copy is known again; of which game they are ("" for none), and since when."""
outgoing = sql.Table(
    "outgoing",
    TABLES,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("message_id", sql.String(200), nullable=False, unique=True),
    sql.Column("game", sql.String(64), nullable=False, index=True),
    sql.Column("address", sql.String(254), nullable=False),
    sql.Column("sent", sql.String(32)),
    sql.Column("given_up", sql.String(32)),
    sql.Column("came_back", sql.String(32)),
    sql.Column("next_try", sql.String(32)),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("error", sql.Text, nullable=False),
    sql.Column("mail", sql.LargeBinary, nullable=False),
    sql.Index("outgoing_to_be_sent", "sent", "given_up", "id"),
)
keys = sql.Table(
    "keys",
    TABLES,
    sql.Column("key", sql.String(32), primary_key=True),
    sql.Column("game", sql.String(64), nullable=False),
    sql.Column("seat", sql.Integer, nullable=False),
    sql.Column("turn", sql.Integer, nullable=False),
)
answered = sql.Table(
    "answered",
    TABLES,
    sql.Column("address", sql.String(254), primary_key=True),
    sql.Column("day", sql.String(10), primary_key=True),
    sql.Column("what", sql.String(64), primary_key=True),
    sql.Column("times", sql.Integer, nullable=False),
)
addresses = sql.Table(
    "addresses",
    TABLES,
    sql.Column("address", sql.String(254), primary_key=True),
    sql.Column("bounces", sql.Integer, nullable=False),
    sql.Column("since", sql.String(32), nullable=False),
    sql.Column("reason", sql.Text, nullable=False),
)
documents = sql.Table(
    "documents",
    TABLES,
    sql.Column("kind", sql.String(16), primary_key=True),
    sql.Column("id", sql.String(254), primary_key=True),
    sql.Column("due", sql.String(32)),
    sql.Column("data", sql.Text, nullable=False),
    sql.Index("documents_by_due", "kind", "due"),
)
club_keys = sql.Table(
    "club_keys",
    TABLES,
    sql.Column("key", sql.String(32), primary_key=True),
    sql.Column("address", sql.String(254), nullable=False),
    sql.Column("about", sql.String(400), nullable=False),
)
versions = sql.Table("tkid_schema", TABLES, sql.Column("version", sql.Integer, primary_key=True, autoincrement=False))
"""One row: the number of the last step in `migrations.py` that was taken."""
TO_BE_SENT = sql.and_(outgoing.c.sent.is_(None), outgoing.c.given_up.is_(None))
TO_BE_TRIED = sql.or_(outgoing.c.next_try.is_(None), outgoing.c.next_try <= sql.bindparam("now"))
FIRST_DELAY, LONGEST_DELAY = timedelta(minutes=1), timedelta(hours=6)
"""How long a letter waits that could not be sent, and a game that could not be looked at: first, and at most."""
DOUBLINGS = 10
"""After so many doublings a delay is longer than the longest."""
INSERTS: Mapping[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def insert_new(table: sql.Table, dialect: str) -> Any:
    """An INSERT of rows that are not there yet; for one that is, it does nothing."""
    return INSERTS[dialect](table).on_conflict_do_nothing().inline().execution_options(preserve_rowcount=True)


def timestamp(time: datetime) -> str:
    """A time in UTC, to the second, in a form in which earlier ones come first."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")


def delayed(now: datetime, tries: int) -> str:
    """When something is tried again that has failed so many times before: each time it takes twice as long."""
    return timestamp(now + min(FIRST_DELAY * 2 ** min(tries, DOUBLINGS), LONGEST_DELAY))


def first_key(rows: Iterable[Any], words: Sequence[str]) -> Any:
    """The row of the first word that is a key, of rows with keys among these words; None where no word is one."""
    by_key = {row.key: row for row in rows}
    return next((by_key[word] for word in words if word in by_key), None)


def storable(text: str) -> str:
    """A text as every database takes it: without NUL and halves of characters."""
    return text.replace("\0", "?").encode("utf-8", "replace").decode()
