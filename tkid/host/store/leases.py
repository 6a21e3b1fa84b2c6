"""Leases for several machines on one PostgreSQL database: reading a mailbox, clocks, publishing.

A lease is a lock of a session. The server frees it when the process stops or dies, or when its machine cannot be reached for
half a minute. Mails, games and letters need no lease: the transaction that changes one locks it. SQLite has one machine.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from zlib import crc32

from attrs import define, field, frozen
from sqlalchemy.engine import Connection, Engine

from tkid import __version__
from tkid.club.values import Mailboxes
from tkid.host.store.connection import connect_database
from tkid.host.store.documents import Documents
from tkid.host.store.schema import UnusableError
from tkid.mail.model import Document, Stored

CLOCK, PAGES = "clocks", "pages"
"""The leases that every database has; each mailbox has one too."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""Pattern of the name of a machine."""
NOTED_EACH = timedelta(seconds=30)
"""Interval at which a machine notes that it works."""
REMEMBERED = timedelta(days=7)
"""Time for which a machine is listed that does not work."""
# 7406116 is the first number of all locks; the second one is that of a lease, a machine, or a machine's system
TIME = "SELECT clock_timestamp()"
TAKE = "SELECT key, pg_try_advisory_lock(7406116, key) FROM unnest(%(keys)s::int[]) AS key"
SHOW = "SELECT pg_advisory_lock_shared(7406116, key) FROM unnest(%(keys)s::int[]) AS key"
GIVE_BACK = "SELECT pg_advisory_unlock(7406116, key) FROM unnest(%(keys)s::int[]) AS key"
HELD = """SELECT pid, objid::bigint AS key, pid = pg_backend_pid() AS own FROM pg_locks WHERE locktype = 'advisory' AND granted
AND classid = 7406116 AND objsubid = 2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


def _make_number(name: str) -> int:
    return crc32(name.encode()) >> 1


@frozen
class Machine(Stored):
    """A machine that works for the host: when it was last seen, by the database's clock, and how many seconds its clock is ahead of it."""

    KIND = "machine"
    NAMED = "name"
    name: str
    seen: datetime
    ahead: float = 0.0
    version: str = ""
    is_stopped: bool = False


@frozen
class MachineState:
    """A machine, whether it is at work, its leases, and the mailboxes that only it can read and that nobody reads now."""

    machine: Machine
    is_at_work: bool
    leases: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


def make_fingerprint(secret: bytes) -> str:
    """Return a word that differs for each secret, and does not reveal it."""
    return hmac.new(secret, b"tkid secret 1", sha256).hexdigest()[:32]


@define
class Leases:
    """The leases of a process. Without a database of several machines, it has all of them.

    `node` is the name that its system has, `fingerprint` is that of the secret, `now` is the machine's clock.
    """

    url: str = ""
    machine: str = ""
    node: str = ""
    fingerprint: str = ""
    now: Callable[[], datetime] = datetime.now
    _held: set[str] = field(factory=set)
    _connection: Connection | None = None
    _engine: Engine | None = None
    _noted: datetime | None = None

    def has(self, lease: str) -> bool:
        return not self.url or lease in self._held

    def renew(self, wanted: Collection[str]) -> None:
        """Take the leases that are wanted and free, and give back the others. Raises UnusableError and the errors of the database."""
        if not self.url:
            return
        if self._connection is None:
            try:
                self._connect()
            except BaseException:
                self.close()
                raise
        assert self._connection is not None
        seen: datetime = self._connection.exec_driver_sql(TIME).scalar_one()
        self.give_back(self._held.difference(wanted))
        keys = {_make_number(each): each for each in set(wanted) - self._held}
        if keys:
            rows = self._connection.exec_driver_sql(TAKE, {"keys": list(keys)})
            self._held |= {keys[key] for key, is_taken in rows if is_taken}
        if self._noted is None or abs(seen - self._noted) >= NOTED_EACH:
            self._note_work(seen)

    def give_back(self, leases: Iterable[str]) -> None:
        given = self._held.intersection(leases)
        if self._connection is not None and given:
            self._connection.exec_driver_sql(GIVE_BACK, {"keys": list(map(_make_number, given))})
        self._held -= given

    def close(self, *, is_stopped: bool = False) -> None:
        """Give all leases back by ending the session; a machine that `is_stopped` gives them back first, and notes that it is not missed."""
        try:
            if is_stopped and self._connection is not None:
                self._note_work(self._connection.exec_driver_sql(TIME).scalar_one(), is_stopped=True)
                self.give_back(set(self._held))  # the server may take a while to notice the end of the session
        finally:
            if self._engine is not None:
                if self._connection is not None:
                    self._connection.invalidate()
                self._engine.dispose()
            self._engine = self._connection = self._noted = None
            self._held.clear()

    def _note_work(self, seen: datetime, *, is_stopped: bool = False) -> None:
        ahead = round((self.now() - seen).total_seconds(), 1)
        made = Machine(self.machine, seen, ahead, __version__, is_stopped)
        assert self._connection is not None
        Documents(self._connection).store_document(made.document)
        self._noted = seen

    def _connect(self) -> None:
        """Begin the session. Raises UnusableError if another machine has this one's name, or another secret."""
        self._engine = connect_database(self.url, isolation_level="AUTOCOMMIT")
        self._connection = self._engine.connect()
        own = {_make_number(f"machine {self.machine}"), _make_number(f"node {self.machine} {self.node}")}
        self._connection.exec_driver_sql(SHOW, {"keys": list(own)})
        others = _list_sessions(self._connection)
        if any(len(keys & own) == 1 for keys in others):
            raise UnusableError(
                f"another machine with the name {self.machine} is at work",
                "Write a name of its own into the file `machine` in the folder of one of them",
            )
        documents = Documents(self._connection)
        known = documents.get_text(*SECRET)
        if known != self.fingerprint:
            if others and known not in {None, UNKNOWN}:
                raise UnusableError(
                    "this folder has another secret than the machines at work",
                    "Copy the file `secret` from one of them. To use a new secret, stop all machines first",
                )
            documents.store_document(Document(*SECRET, self.fingerprint))


SECRET = "host", "secret"
"""The document that shows which secret the machines have. In a database of an earlier version it is UNKNOWN."""
UNKNOWN = "made"


def _list_sessions(connection: Connection) -> list[set[int]]:
    sessions: dict[int, set[int]] = {}
    for row in connection.exec_driver_sql(HELD):
        if not row.own:
            sessions.setdefault(row.pid, set()).add(row.key)
    return list(sessions.values())


def list_machines(engine: Engine) -> list[MachineState]:
    """Return the machines that work for the host, or did a few days ago; none for a database of SQLite."""
    if engine.dialect.name == "sqlite":
        return []
    with engine.connect() as connection:
        documents = Documents(connection)
        oldest = connection.exec_driver_sql(TIME).scalar_one() - REMEMBERED
        machines, sessions = documents.list_values(Machine), _list_sessions(connection)
        boxes = documents.see_text(Mailboxes.KIND, Mailboxes.NAME)
    mailboxes = Mailboxes.read_text(boxes.data).seen if boxes else ()
    found = []
    for machine in machines:
        held = [keys for keys in sessions if _make_number(f"machine {machine.name}") in keys]
        leases = [each for each in (CLOCK, PAGES, *mailboxes) if any(_make_number(each) in keys for keys in held)]
        unread = () if held else [each for each in mailboxes if each.startswith(f"Maildir {machine.name}:")]
        if held or machine.seen > oldest:
            found.append(MachineState(machine, bool(held), tuple(leases), tuple(unread)))
    return found


def join_machines(engine: Engine, wanted: str, kept: str, usual: str, secret: bytes) -> str:
    """Add a machine with the host's secret; return its name: the `wanted` one, the one it `kept`, or one like the `usual` one.

    It takes the place of a machine with the wanted name that is not at work. Raises UnusableError and the errors of the database.
    """
    states = {each.machine.name: each for each in list_machines(engine)}
    with engine.begin() as connection:
        documents = Documents(connection)
        known = documents.get_text(*SECRET)
        if known in {None, UNKNOWN}:
            raise UnusableError(
                "the database does not know the host's secret yet",
                "Run the host on its first machine with this version, then try again",
            )
        if known != make_fingerprint(secret):
            raise UnusableError("this is not the secret of the host in that database", "Nothing was changed")
        if wanted in states and states[wanted].is_at_work and wanted != kept:
            raise UnusableError(
                f"a machine with the name {wanted} is at work", "Choose another --name. Nothing was changed"
            )
        plain = re.sub(r"[^A-Za-z0-9._-]", "-", usual)[:36].lstrip("._-") or "machine"
        names = (plain, *(f"{plain}-{number}" for number in range(2, len(states) + 3)))
        name = wanted or kept or next(each for each in names if each not in states)
        seen = connection.exec_driver_sql(TIME).scalar_one()
        documents.store_document(Machine(name, seen, is_stopped=True).document)
    return name
