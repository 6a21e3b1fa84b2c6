"""The store: open the database, query it, and claim letters to send.

SQLite by default, PostgreSQL by its address; one code path (SQLAlchemy Core). One transaction writes everything that follows
from a mail: the current game, the letters as final bytes, and that the mail is done.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from pathlib import Path
from typing import Any
from zlib import crc32

import sqlalchemy as sql
from attrs import define, frozen
from sqlalchemy.engine import Connection

from tkid.host.log import make_file, open_private
from tkid.host.settings import Limits
from tkid.host.store import schema
from tkid.host.store.connection import (
    LIGHT,
    NO_ANSWER,
    READS,
    REPLACE,
    GoneError,
    complete_address,
    connect_database,
    find_file,
    keep_log_ahead,
    use_single_statements,
)
from tkid.host.store.retention import Room
from tkid.host.store.schema import NEW, addresses, documents, games, incoming, keys, outgoing
from tkid.host.store.transaction import GAME, OLDEST, RUNNING, Key, StoredGame, Transaction, make_stored_game
from tkid.host.transports import NoRoomError, RefusedForGoodError
from tkid.mail.model import S
from tkid.notation.text import make_storable
from tkid.rulebook import cites

MAX_BOUNCES = 3
"""Number of returned letters to an address after which its player counts as not reached."""
MAILS_PER_QUERY = 500
MAX_MAILS_OF_SENDER = 2
"""Maximum number of mails of one sender carried out in a round: each may take a second."""
COUNT = sql.func.count()
WAITING = sql.select(incoming.c.id, incoming.c.tries, incoming.c.queue, incoming.c.keyed, incoming.c.received)
WAITING = WAITING.where(incoming.c.state == NEW).order_by(incoming.c.id)
FINISHED = (
    sql.select(incoming.c.id, incoming.c.state, incoming.c.reason, incoming.c.game)
    .where(incoming.c.state != NEW)
    .order_by(incoming.c.id)
)
OUTGOING = (
    sql.select(outgoing.c.id, outgoing.c.game, outgoing.c.address)
    .where(schema.TO_BE_SENT, schema.TO_BE_TRIED, outgoing.c.id > sql.bindparam("after"))
    .order_by(outgoing.c.id)
    .limit(sql.bindparam("most"))
)
UNSENT = (*(outgoing.c[name] for name in ("id", "game", "address", "tries", "error")), outgoing.c.given_up.is_not(None))
KEYED = (
    sql.select(*(keys.c.key, keys.c.game, keys.c.seat, keys.c.turn), games, sql.func.max(outgoing.c.id).label("last"))
    .join_from(keys, games, games.c.id == keys.c.game)
    .join(outgoing, outgoing.c.game == games.c.id, isouter=True)
    .where(keys.c.key == sql.bindparam("word"))
    .group_by(keys.c.key, games.c.id)
)
LETTERS_TO = (
    sql.select(outgoing.c.message_id, outgoing.c.mail)
    .where(
        outgoing.c.game == sql.bindparam("game"), outgoing.c.address == sql.bindparam("address"), outgoing.c.mail != b""
    )
    .order_by(outgoing.c.id.desc())
    .limit(sql.bindparam("most"))
)
WATCHED = (
    sql.select(games.c.id, games.c.due, sql.func.max(outgoing.c.id))
    .add_columns(sql.func.length(games.c.record), sql.func.length(games.c.memory))
    .join_from(games, outgoing, outgoing.c.game == games.c.id, isouter=True)
    .where(games.c.id.in_(sql.bindparam("watched", expanding=True)))
    .group_by(games.c.id)
)
OWN_KEYS = sql.select(keys.c.key).where(
    keys.c.key.in_(sql.bindparam("words", expanding=True)),
    keys.c.game == sql.bindparam("game"),
    keys.c.seat == sql.bindparam("seat"),
)
STATE = sql.select(incoming.c.state).where(incoming.c.digest == sql.bindparam("digest"))
DUE = sql.select(games.c.id).where(games.c.due <= sql.bindparam("now")).order_by(games.c.due)


@frozen
class Waiting:
    """A mail that is still to be done: its number, how often it was tried, in whose turn it is done, whether by a key, and when it came."""

    number: int
    tries: int
    queue: str = ""
    keyed: bool = False
    received: str = ""


@frozen
class Finished:
    """A mail that is done: its number and state, why it was filed or put aside, and its game."""

    number: int
    state: str
    reason: str
    game: str


@frozen
class ToSend:
    """A letter that waits: its number, and the game that it is about, or its address where it is about none."""

    number: int
    about: str


@frozen
class Unsent:
    """A letter that did not go out: it waits until `next_try`, or, where it was given up, for ever."""

    number: int
    game: str
    address: str
    tries: int
    error: str
    given_up: bool


@frozen
class LetterCounts:
    """Numbers of letters: sent, waiting, of these `failing` ones that were tried in vain, and those that were given up."""

    sent: int
    waiting: int
    failing: int
    given_up: int


@frozen
class Unreachable:
    """An address from which letters come back: how many did since its player last wrote, when the last, and why."""

    address: str
    bounces: int
    since: str
    reason: str


@cites("mail.turns")
def sort_in_turn(waiting: Sequence[Waiting], most: int | None = None) -> list[Waiting]:
    """Sort mails into the order in which they are carried out: first one of each sender, then another of each, and so on.

    A sender's own mails stay in order. Of those in the same place, mails with a key come first, then those that
    came first. `most` is the size of a round, which has only a few mails of each sender.
    """
    places = Counter[tuple[bool, str]]()
    ranked = []
    for mail in waiting:
        place = places[mail.keyed, mail.queue]
        places[mail.keyed, mail.queue] += 1
        if most is None or place < MAX_MAILS_OF_SENDER:
            ranked.append((place, not mail.keyed, mail.number, mail))
    return [mail for *_, mail in sorted(ranked, key=lambda ranks: ranks[:3])][:most]


SENDING = ".sending"
"""End of the name of a lock file: senders of letters share its lock; an exclusive lock stops all sending."""
MAX_SENT_AT_ONCE = 8
"""Maximum number of letters sent at once: a game's letters share one of these locks, chosen by its name."""
WORKING = ".working"
"""End of the name of another one: the worker that carries out mails has its lock."""
FILES = (WORKING, SENDING, *(f"{SENDING}-{place}" for place in range(MAX_SENT_AT_ONCE)))
"""End of the names of all these files."""


@contextmanager
def claim_letters(database: str, about: str) -> Iterator[bool]:
    """Claim the letters about a game; yield False if another process has a letter with the same lock, or blocks sending."""
    with (
        _lock_file(database + SENDING, LOCK_SH | LOCK_NB) as is_open,
        _lock_file(f"{database}{SENDING}-{crc32(about.encode()) % MAX_SENT_AT_ONCE}", LOCK_EX | LOCK_NB) as is_mine,
    ):
        yield is_open and is_mine


@contextmanager
def block_sending(database: str) -> Iterator[None]:
    """Wait until nobody sends letters, and keep everybody from it."""
    with _lock_file(database + SENDING, LOCK_EX):
        yield


@contextmanager
def _lock_file(path: str, operation: int) -> Iterator[bool]:
    try:
        file = open(path, "wb", opener=open_private)  # noqa: SIM115 - it is closed below
    except OSError as error:
        raise GoneError(f"{path}: {error.strerror}") from None
    with file as lock:
        try:
            flock(lock, operation)
        except BlockingIOError:
            yield False
            return
        yield True


MAILS_PER_TRANSACTION = 20
"""Number of mails in one transaction of SQLite, whose writers wait for each other anyway."""

TRY = incoming.update().where(incoming.c.id.in_(sql.bindparam("numbers", expanding=True)), incoming.c.state == NEW)
TRY = TRY.values(tries=incoming.c.tries + 1)
LETTER = (
    sql.select(outgoing.c.id, outgoing.c.message_id, outgoing.c.address, outgoing.c.tries, outgoing.c.mail)
    .where(outgoing.c.id == sql.bindparam("number"), schema.TO_BE_SENT, schema.TO_BE_TRIED)
    .with_for_update(skip_locked=True)
)
NOTE = outgoing.update().where(outgoing.c.id == sql.bindparam("number"))


@frozen
class Sent:
    """A letter that was tried: its Message-ID, whether it is gone; to whom, and why it never will be."""

    message_id: str
    gone: bool
    address: str
    refused: str = ""


class Store:
    """The database of a host. `url` is an address as SQLAlchemy reads them. Opening it never makes a database.

    `trying` is the number of the mail that was last tried alone (0 for none), `limits` how much room there is for mails.
    """

    def __init__(self, url: str) -> None:
        self.engine = connect_database(url)
        self._singly = use_single_statements(self.engine)
        self._reader = self._singly.execution_options(**{READS: True})
        self._light = self._singly.execution_options(**{LIGHT: True})
        self.limits = Limits()
        self.trying = 0
        try:
            schema.check_version(self.engine)
            keep_log_ahead(self.engine)
        except BaseException:
            self.close()
            raise

    @classmethod
    def make_store(cls, url: str) -> Store:
        """Return the store; make a missing file of SQLite, and missing tables. Raises GoneError and SQLAlchemy's."""
        engine = connect_database(url)
        try:
            if engine.dialect.name == "sqlite":
                make_file(Path(str(engine.url.database)))
            schema.create_tables(engine)
        finally:
            engine.dispose()
        return cls(url)

    def close(self) -> None:
        self.engine.dispose()
        self._singly.dispose()

    def check_pages(self) -> None:
        """Make sure that the pages of an SQLite file are whole, as far as that is quickly seen. Raises UnusableError."""
        if self._file and (fault := self._read_rows(sql.text("PRAGMA quick_check(1)"))[0][0]) != "ok":
            raise schema.UnusableError(f"the database {self._file} is damaged: {fault}", f"Restore it: {REPLACE}")

    @contextmanager
    def begin_transaction(self) -> Iterator[Transaction]:
        """Begin a transaction: everything written in it is kept, or nothing."""
        with self.engine.begin() as connection:
            transaction = Transaction(connection)
            yield transaction
            transaction.documents.note_people()

    def keep_mail(self, raw: bytes, received: datetime) -> bool:
        """Keep the bytes of a mail before all else; return False if they are known already. Raises NoRoomError."""
        with self.engine.begin() as connection:
            is_new = Room(connection, self.limits, received).take_mail(raw)
            if is_new is None:
                raise NoRoomError("there is no room for more mails until the host has read the earlier ones")
        return is_new

    def take_mails(self, raws: Sequence[bytes], received: datetime) -> list[bool | None]:
        """Keep the bytes of those mails for which there is room; return for each whether it was new, None if it was not kept."""
        with self.engine.begin() as connection:
            return list(map(Room(connection, self.limits, received).take_mail, raws))

    @property
    def together(self) -> int:
        """Maximum number of mails in one transaction: with PostgreSQL one, or workers could block each other."""
        return MAILS_PER_TRANSACTION if self.engine.dialect.name == "sqlite" else 1

    @contextmanager
    def begin_attempt(self, numbers: Sequence[int]) -> Iterator[Transaction | None]:
        """Begin a transaction for mails; None where they are done, or another worker is at them.

        With PostgreSQL it is a transaction for the first mail that no other worker has; its number is in `trying`.

        A lock shows that no other worker lives that has begun. So the attempts that are counted, each before it begins,
        are those of workers that died. The system frees the lock of a worker that dies.
        """
        self.trying = 0
        if self._file:
            with _lock_file(self._file + WORKING, LOCK_EX | LOCK_NB) as is_mine:
                if not (is_mine and self.count_attempt(numbers)):
                    yield None
                    return
                with self.begin_transaction() as transaction:
                    yield transaction
            return
        with self.begin_transaction() as transaction:
            left = list(numbers)
            while left and (number := transaction.claim_mail(left)):
                left = [] if self.count_attempt([number]) else left[left.index(number) + 1 :]
            yield transaction if self.trying else None

    def count_attempt(self, numbers: Sequence[int]) -> bool:
        """Count one more attempt at mails, and keep the count even after a crash; return False if all are done."""
        with self._light.begin() as connection:
            is_counted = connection.execute(TRY, {"numbers": list(numbers)}).rowcount > 0
        self.trying = numbers[0] if is_counted and len(numbers) == 1 else 0
        return is_counted

    def forget_attempt(self, number: int) -> None:
        """Uncount the last attempt at a mail: the database failed, not the mail."""
        tried = incoming.update().where(incoming.c.id == number, incoming.c.tries > 0)
        with self.engine.begin() as connection:
            connection.execute(tried.values(tries=incoming.c.tries - 1))

    def send_again(self, address: str = "") -> list[tuple[str, str]]:
        """Let letters to an address go out with the next round; "" for all addresses.

        These are letters that wait for another try, and the last one of each game if it was given up or came back. Return its game, "" for one of the club, and its address. A letter whose text is no longer kept is left alone.
        """
        last = sql.select(sql.func.max(outgoing.c.id)).group_by(outgoing.c.game, outgoing.c.address)
        lost = sql.or_(outgoing.c.given_up.is_not(None), outgoing.c.came_back.is_not(None))
        chosen = sql.or_(outgoing.c.next_try.is_not(None), sql.and_(outgoing.c.id.in_(last), lost))
        query = sql.select(outgoing.c.id, outgoing.c.game, outgoing.c.address).where(chosen)
        query = query.where(outgoing.c.mail != b"").order_by(outgoing.c.id)
        if address:
            query = query.where(sql.func.lower(outgoing.c.address) == address.lower())
        waiting = {"sent": None, "given_up": None, "came_back": None, "next_try": None, "tries": 0, "error": ""}
        with self.engine.begin() as connection:
            rows = connection.execute(query).all()
            connection.execute(outgoing.update().where(outgoing.c.id.in_([row.id for row in rows])).values(waiting))
        return [(row.game, row.address) for row in rows]

    def send_letter(self, letter: ToSend, send: Callable[[str, bytes], None], now: datetime) -> Sent | None:
        """Send a letter that waits, as `send` does with its address and bytes; None where it waits no longer, or others have it.

        It is claimed before anything is done with it, so that no other worker draws its pictures or sends it meanwhile. If
        the process dies, the claim ends. If it dies between sending and noting, the letter is sent once more.
        """
        with self._claim_letter(letter) as connection:
            if connection is None:
                return None
            row = connection.execute(LETTER, {"number": letter.number, "now": schema.format_timestamp(now)}).first()
            if row is None:
                return None
            if self._file:
                connection.rollback()
            values: dict[str, Any] = {"sent": None, "given_up": None, "next_try": None, "tries": row.tries, "error": ""}
            refused = ""
            try:
                send(row.address, row.mail)
                values |= {"sent": schema.format_timestamp(now)}
            except RefusedForGoodError as error:
                refused = str(error)
                values |= {"given_up": schema.format_timestamp(now), "error": refused, "tries": row.tries + 1}
            except OSError as error:
                values |= {
                    "next_try": schema.find_next_try(now, row.tries),
                    "error": str(error),
                    "tries": row.tries + 1,
                }
            self._note_sent(connection, {"number": row.id, **values})
            return Sent(row.message_id, values["sent"] is not None, row.address, refused)

    @property
    def _file(self) -> str:
        """The file of an SQLite database; "" for others."""
        return str(self.engine.url.database) if self.engine.dialect.name == "sqlite" else ""

    @contextmanager
    def _claim_letter(self, letter: ToSend) -> Iterator[Connection | None]:
        """Yield a transaction that holds a letter; None if another worker has it.

        SQLite has one writer at a time. So there the transaction only reads, and a lock on a file holds the letter,
        and with it all that are about the same.
        """
        if not self._file:
            with self.engine.begin() as connection:
                yield connection
            return
        with claim_letters(self._file, letter.about) as is_mine:
            if not is_mine:
                yield None
                return
            with self._reader.connect() as connection:
                yield connection

    def _note_sent(self, connection: Connection, values: dict[str, Any]) -> None:
        """Note whether a letter went out, in the transaction that holds it; for SQLite in one of its own."""
        if not self._file:
            connection.execute(NOTE, values, execution_options=NO_ANSWER)
            return
        with self._light.begin() as own:
            own.execute(NOTE, values)

    def _read_rows(self, query: sql.Executable, **values: object) -> Sequence[Any]:
        with self._reader.connect() as connection:
            return connection.execute(query, values).all()

    def list_waiting(self) -> list[Waiting]:
        """Return the mails that are still to be done, oldest first."""
        return [Waiting(*row) for row in self._read_rows(WAITING)]

    def find_oldest_waiting(self) -> datetime | None:
        """Return when the longest waiting mail came; None if none waits."""
        ((received,),) = self._read_rows(OLDEST)
        return datetime.fromisoformat(received) if received else None

    def list_finished(self, numbers: Sequence[int]) -> list[Finished]:
        rows: list[Any] = []
        for start in range(0, len(numbers), MAILS_PER_QUERY):
            rows += self._read_rows(FINISHED.where(incoming.c.id.in_(numbers[start : start + MAILS_PER_QUERY])))
        return [Finished(row.id, row.state, row.reason, row.game or "") for row in rows]

    def list_put_aside(self) -> list[tuple[int, str]]:
        """Return the mails over which the program failed: number and reason."""
        query = sql.select(incoming.c.id, incoming.c.reason).where(incoming.c.state == schema.QUARANTINED)
        return [(number, reason) for number, reason in self._read_rows(query)]

    def list_latest(self, most: int) -> list[tuple[datetime, bytes]]:
        """Return the mails that came last, newest first: when each came, and its bytes; without those that are no longer kept."""
        query = sql.select(incoming.c.received, incoming.c.raw).order_by(incoming.c.id.desc()).limit(most)
        rows = self._read_rows(query)
        return [(datetime.fromisoformat(row.received), row.raw) for row in rows if row.raw]

    def count_mails(self) -> dict[str, int]:
        """Count the mails in each state, and the letters that wait ("unsent")."""
        states = self._read_rows(sql.select(incoming.c.state, COUNT).group_by(incoming.c.state))
        ((unsent,),) = self._read_rows(sql.select(COUNT).select_from(outgoing).where(schema.TO_BE_SENT))
        counts = dict.fromkeys((*schema.STATES, schema.SETTLED), 0) | dict(map(tuple, states))
        counts[schema.FILED] += counts.pop(schema.SETTLED)
        return counts | {"unsent": unsent}

    def get_document_text(self, kind: str, name: str) -> str | None:
        query = sql.select(documents.c.data).where(documents.c.kind == kind, documents.c.id == name)
        return next((str(row.data) for row in self._read_rows(query)), None)

    def list_document_texts(self, kind: str, prefix: str) -> list[str]:
        """Return the texts of the documents of a kind whose ids have a prefix, by id."""
        which = documents.c.kind == kind, documents.c.id.startswith(prefix, autoescape=True)
        query = sql.select(documents.c.data).where(*which).order_by(documents.c.id)
        return [row.data for row in self._read_rows(query)]

    def find_value(self, of: type[S]) -> S | None:
        """Return the host's only value of a class."""
        text = self.get_document_text(of.KIND, of.NAME)
        return of.read_text(text) if text else None

    def list_due_games(self, now: datetime) -> list[str]:
        return [name for (name,) in self._read_rows(DUE, now=schema.format_timestamp(now))]

    def get_game(self, game: str) -> StoredGame | None:
        return next(map(make_stored_game, self._read_rows(GAME, id=make_storable(game))), None)

    def find_keyed(self, word: str) -> tuple[Key, StoredGame, int] | None:
        """Return the right that a key gives, its game, and the number of the last letter about that game."""
        rows = self._read_rows(KEYED, word=word)
        found = [(Key(row.game, row.seat, row.turn, row.key), make_stored_game(row), row.last or 0) for row in rows]
        return found[0] if found else None

    def read_stamps(self, watched: Sequence[str]) -> dict[str, object]:
        """Return for each of some games what differs after a change of it."""
        return {row.id: tuple(row[1:]) for row in self._read_rows(WATCHED, watched=list(watched))}

    def list_letters_to(self, game: str, address: str, most: int) -> list[tuple[str, bytes]]:
        """Return the last letters about a game to an address, newest first: Message-ID and bytes."""
        rows = self._read_rows(LETTERS_TO, game=game, address=address, most=most)
        return [(row.message_id, bytes(row.mail)) for row in rows]

    def list_own_keys(self, game: str, seat: int, words: Sequence[str]) -> set[str]:
        return {str(key) for (key,) in self._read_rows(OWN_KEYS, game=game, seat=seat, words=list(words))}

    def find_mail_state(self, digest: str) -> str:
        """Return the state of a mail by the digest of its bytes, "" for an unknown one."""
        return next((str(row.state) for row in self._read_rows(STATE, digest=digest)), "")

    def list_games(self) -> list[StoredGame]:
        return [make_stored_game(row) for row in self._read_rows(sql.select(games).order_by(games.c.id))]

    def list_next_running(self, most: int | None) -> list[StoredGame]:
        """Return the running games by name, at most some of them: those at which the host looks next."""
        some = sql.select(games.c.id).where(games.c.over.is_(False)).order_by(games.c.due.is_(None), games.c.due)
        query = sql.select(games).where(games.c.id.in_(some.limit(most))).order_by(games.c.id)
        return [make_stored_game(row) for row in self._read_rows(query)]

    def list_game_names(self) -> list[str]:
        return [name for (name,) in self._read_rows(sql.select(games.c.id).order_by(games.c.id))]

    def find_next_running(self, after: str) -> str:
        """Return the name of the running game behind another one, "" for none."""
        rows = self._read_rows(RUNNING.where(games.c.id > make_storable(after)).limit(1))
        return str(rows[0].id) if rows else ""

    def list_stuck_games(self) -> list[tuple[str, int, str]]:
        """Return the games whose clock could not be looked at: the game, how often in a row, and why."""
        query = sql.select(games.c.id, games.c.tries, games.c.error).where(games.c.tries > 0).order_by(games.c.id)
        return [(game, tries, error) for game, tries, error in self._read_rows(query)]

    def count_games(self) -> dict[str, int]:
        """Count the games that are played, and those that are over."""
        counts = dict(map(tuple, self._read_rows(sql.select(games.c.over, COUNT).group_by(games.c.over))))
        return {"playing": counts.get(False, 0), "over": counts.get(True, 0)}

    def list_due_documents(self, kind: str, now: datetime) -> list[str]:
        """Return the documents of a kind that are to be looked at by now, by id; the longest overdue first."""
        is_due = sql.and_(documents.c.kind == kind, documents.c.due <= schema.format_timestamp(now))
        query = sql.select(documents.c.id).where(is_due).order_by(documents.c.due, documents.c.id)
        return [name for (name,) in self._read_rows(query)]

    def list_outgoing(self, now: datetime, after: int, most: int) -> list[ToSend]:
        """Return the next letters that wait, with numbers above `after`."""
        rows = self._read_rows(OUTGOING, now=schema.format_timestamp(now), after=after, most=most)
        return [ToSend(row.id, row.game or row.address) for row in rows]

    def find_oldest_unsent(self) -> tuple[str, str, bytes] | None:
        """Return the letter that has waited longest: its address, why it did not go out yet, its bytes."""
        columns = (outgoing.c.address, outgoing.c.error, outgoing.c.mail)
        rows = self._read_rows(sql.select(*columns).where(schema.TO_BE_SENT).order_by(outgoing.c.id).limit(1))
        return next(((row.address, row.error, row.mail) for row in rows), None)

    def list_letters(self, game: str) -> list[tuple[str, str, str]]:
        """Return the letters of a game, oldest first: Message-ID, address, and when it went out ("" if it waits)."""
        columns = (outgoing.c.message_id, outgoing.c.address, outgoing.c.sent)
        rows = self._read_rows(sql.select(*columns).where(outgoing.c.game == game).order_by(outgoing.c.id))
        return [(message_id, address, sent or "") for message_id, address, sent in rows]

    def list_unsent(self, most: int | None = None) -> list[Unsent]:
        """Return `most` letters that did not go out: first those that were given up, then those that failed; the oldest first."""
        order = outgoing.c.given_up.is_(None), outgoing.c.tries == 0, outgoing.c.id
        rows = self._read_rows(sql.select(*UNSENT).where(outgoing.c.sent.is_(None)).order_by(*order).limit(most))
        return [Unsent(*row) for row in rows]

    def count_letters(self) -> LetterCounts:
        ((sent,),) = self._read_rows(sql.select(COUNT).select_from(outgoing).where(outgoing.c.sent.is_not(None)))
        waits, failed = schema.TO_BE_SENT, outgoing.c.tries > 0
        query = sql.select(COUNT, COUNT.filter(waits), COUNT.filter(waits, failed)).where(outgoing.c.sent.is_(None))
        ((unsent, waiting, failing),) = self._read_rows(query)
        return LetterCounts(sent, waiting, failing, unsent - waiting)

    def list_unreachable(self) -> list[Unreachable]:
        """Return the addresses from which enough letters came back to show that their players can't be reached."""
        query = sql.select(addresses).where(addresses.c.bounces >= MAX_BOUNCES).order_by(addresses.c.address)
        return [Unreachable(*row) for row in self._read_rows(query)]


@define
class Database:
    """A host's database; `file` is the file of one of SQLite, None for a server's."""

    url: str
    file: Path | None = None
    _opened: os.stat_result | None = None

    @classmethod
    def make_at(cls, text: str) -> Database:
        """Return the database at an address as SQLAlchemy writes them. Raises ValueError if it cannot be used."""
        try:
            url = complete_address(text)
            url.get_dialect()
        except sql.exc.ArgumentError:  # also where the kind of database is not known; the address may hold a password
            raise ValueError("this is not the address of a database such as postgresql://tkid@localhost/tkid") from None
        if url.get_backend_name() not in {"sqlite", "postgresql"}:
            raise ValueError(f"{url.get_backend_name()} is not supported. Use SQLite or PostgreSQL")
        try:
            url.get_dialect().import_dbapi()
        except ImportError as error:
            raise ValueError(
                f"{error.name or url.get_driver_name()} is not installed: run pip install '.[postgres]' in a copy of the source"
            ) from None
        if url.get_backend_name() != "sqlite":
            return cls(text)
        if url.database in {None, "", ":memory:"}:
            raise ValueError("a database in memory is lost when the host stops. Name a file, or leave this out")
        return cls(text, Path(str(url.database)).resolve())

    def create_database(self) -> None:
        """Create the database unless it exists, for its owner only. Raises OSError, and what SQLAlchemy raises."""
        Store.make_store(self.url).close()

    def open_store(self) -> Store:
        """Open the store. Raises GoneError, and the errors of SQLAlchemy."""
        if self.file is not None:
            self._opened = find_file(self.file)
        return Store(self.url)

    def check_file(self) -> None:
        """Make sure that the open file is still the one at its place. Raises GoneError."""
        if self.file is not None and not (self._opened and os.path.samestat(find_file(self.file), self._opened)):
            raise GoneError(f"another file has replaced the database {self.file}")
