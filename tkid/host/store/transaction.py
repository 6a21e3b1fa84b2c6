"""Queries and changes within one transaction: a mail, a game, keys, letters, counts for an address."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from typing import Any

import sqlalchemy as sql
from attrs import asdict, field, frozen
from attrs.validators import min_len
from sqlalchemy.engine import Connection

from tkid.host.store import schema
from tkid.host.store.connection import NO_ANSWER, DatabaseError
from tkid.host.store.documents import Documents, FiledMails, TakenError
from tkid.host.store.retention import Retention
from tkid.host.store.schema import NEW, addresses, answered, games, incoming, keys, known, outgoing
from tkid.mail.envelope import MOST_HEADER_BYTES
from tkid.mail.hosted_game import HostedGame
from tkid.notation.text import make_storable

MESSAGE_ID = re.compile(rb"^message-id:\s*(<[!-~]+>)", re.IGNORECASE | re.MULTILINE)
MAX_QUOTED_LETTERS = 4


@frozen
class Incoming:
    """A mail that came in: its number, its bytes, and when it came.

    `tries` is how often it was tried, with this time. `oldest` is when the mail came that waits longest, this one or
    another. `in_vain` is how many mails with this sender's address in their From line played no turn on the day on which it
    came.
    """

    id: int
    raw: bytes
    received: datetime
    tries: int = 1
    oldest: datetime | None = None
    in_vain: int = 0


@frozen
class StoredGame:
    """A stored game: the record's text, the other memory of the desk (JSON), the time at which it is due next."""

    id: str
    record: str
    memory: str
    due: datetime | None = None
    over: bool = False

    def read_hosted(self) -> HostedGame:
        """Return the game. Raises ValueError, KeyError or TypeError if it is unreadable."""
        return HostedGame.read_stored(self.record, self.memory)

    def find_readable(self) -> HostedGame | None:
        """Return the game; None if it is unreadable, which `doctor` reports while the other games continue."""
        try:
            return self.read_hosted()
        except (ValueError, KeyError, TypeError):
            return None


@frozen
class Key:
    """The right that a key in our mails gives: to order for this seat of this game, at the turn it was made for.

    `word` is the key itself, if it was looked up.
    """

    game: str
    seat: int
    turn: int
    word: str = ""


@frozen
class KeyedGame:
    """The key of a mail, its game, and True if letters to the sender came back since the last mail."""

    key: Key
    game: StoredGame
    came_back: bool = True


@frozen
class Outgoing:
    """A letter as final bytes, with the Message-ID that it bears, the game it is about, and whom it goes to."""

    message_id: str = field(validator=min_len(1))
    game: str
    address: str
    mail: bytes


def read_message_id(mail: bytes) -> str:
    """Return the Message-ID of a letter, "" if it has none."""
    match = MESSAGE_ID.search(mail, 0, MOST_HEADER_BYTES)
    return match[1].decode("ascii") if match else ""


def _compare_column(column: sql.Column[Any], name: str = "") -> sql.ColumnElement[bool]:
    """Return the condition that a column equals a parameter, whose name differs if the column is also written."""
    return column == sql.bindparam(name or column.name)


MAILS_LOCK = 7_406_115
"""The first number of the locks on PostgreSQL of mails that are carried out; the second is the mail's own."""
CLAIM = sql.text(f"""SELECT number FROM unnest(CAST(:numbers AS int[])) AS number WHERE CASE WHEN EXISTS (SELECT 1 FROM incoming
WHERE id = number AND state = '{NEW}') THEN pg_try_advisory_xact_lock({MAILS_LOCK}, number) END LIMIT 1""")  # noqa: S608 - our own words
waiting = incoming.alias("waiting")
OLDEST = sql.select(sql.func.min(incoming.c.received)).where(incoming.c.state == NEW)
THAT_DAY = answered.c.day == sql.func.substr(incoming.c.received, 1, 10)
IN_VAIN = sql.select(answered.c.times).where(answered.c.address == incoming.c.sender, THAT_DAY, answered.c.what == "")
MAIL = (
    sql.select(
        *(incoming.c.id, incoming.c.raw, incoming.c.received, incoming.c.tries),
        sql.select(sql.func.min(waiting.c.received)).where(waiting.c.state == NEW).scalar_subquery().label("oldest"),
        IN_VAIN.correlate(incoming).scalar_subquery().label("in_vain"),
    )
    .where(_compare_column(incoming.c.id), incoming.c.state == NEW)
    .with_for_update(skip_locked=True, of=incoming)
)
FINISH = incoming.update().where(_compare_column(incoming.c.id, "number")).execution_options(**NO_ANSWER)
KEYS = sql.select(keys).where(keys.c.key.in_(sql.bindparam("words", expanding=True)))
BIND_KEYS = keys.update().where(_compare_column(keys.c.game, "of"), keys.c.turn > sql.bindparam("last"))
GAME = sql.select(games).where(_compare_column(games.c.id))
LOCKED_GAME = GAME.with_for_update()
DUE_GAME = GAME.where(games.c.due <= sql.bindparam("now")).with_for_update(skip_locked=True)
KEYED_GAME = (
    sql.select(
        *(keys.c.key, keys.c.game, keys.c.seat, keys.c.turn, games),
        sql.exists().where(_compare_column(addresses.c.address)).label("came_back"),
    )
    .join_from(keys, games, games.c.id == keys.c.game)
    .where(keys.c.key.in_(sql.bindparam("words", expanding=True)))
    .order_by(games.c.id)
    .with_for_update(of=games)
)
RUNNING = sql.select(games.c.id).where(games.c.over.is_(False)).order_by(games.c.id)
SAVE = games.update().where(_compare_column(games.c.id, "game")).execution_options(**NO_ANSWER)
TRIES = sql.select(games.c.tries).where(_compare_column(games.c.id))
FORGET_DAYS = answered.delete().where(_compare_column(answered.c.address), answered.c.day < sql.bindparam("day"))
TIMES = sql.select(answered.c.times).where(
    _compare_column(answered.c.address), _compare_column(answered.c.day), _compare_column(answered.c.what)
)
LETTER = sql.select(outgoing.c.game, outgoing.c.address, outgoing.c.came_back).where(
    _compare_column(outgoing.c.message_id)
)
ANSWERED = sql.select(outgoing.c.message_id, outgoing.c.address, outgoing.c.mail).where(
    outgoing.c.message_id.in_(sql.bindparam("answered", expanding=True))
)
NEAREST = (
    outgoing.c.message_id.in_(sql.bindparam("answered", expanding=True)).desc(),
    outgoing.c.message_id.like(sql.bindparam("turn")).desc(),
    outgoing.c.id.desc(),
)
QUOTED = (
    sql.select(outgoing.c.id)
    .where(_compare_column(outgoing.c.game), _compare_column(outgoing.c.address))
    .order_by(*NEAREST)
)
LETTERS = sql.select(outgoing.c.mail).where(outgoing.c.id.in_(QUOTED.limit(MAX_QUOTED_LETTERS))).order_by(*NEAREST)
CAME_BACK = outgoing.update().where(_compare_column(outgoing.c.message_id, "letter"))
REACHED = addresses.delete().where(_compare_column(addresses.c.address))
NAMED = sql.select(games.c.id).where(sql.func.lower(games.c.id) == sql.bindparam("named")).limit(1)
PLAYING = (
    sql.select(schema.players.c.address)
    .distinct()
    .join(games, games.c.id == schema.players.c.game)
    .where(games.c.over.is_(False), schema.players.c.address > sql.bindparam("after"))
    .order_by(schema.players.c.address)
    .limit(sql.bindparam("most"))
)
GAMES_AT = sql.select(schema.players.c.game).where(_compare_column(schema.players.c.address))
ALL_GAMES_OF = sql.select(games).where(games.c.id.in_(GAMES_AT)).order_by(games.c.id)
GAMES_OF = ALL_GAMES_OF.where(sql.or_(games.c.over.is_(False), games.c.id.in_(sql.bindparam("some", expanding=True))))
BOUNCES = sql.select(addresses.c.bounces).where(_compare_column(addresses.c.address))


class Transaction:
    """One transaction. Its statements are made only once, because making one takes longer than running it.

    `posted` counts the letters that were put into the outgoing mail.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = connection.dialect.name
        self.documents = Documents(connection)
        self.filed = FiledMails(connection)
        self.retention = Retention(connection)
        self.posted = 0

    @contextmanager
    def begin_part(self) -> Iterator[None]:
        """Begin a part of the transaction that is undone alone if something is raised in it, unless the database fails."""
        part = self._connection.begin_nested()
        try:
            yield
        except DatabaseError:
            raise
        except BaseException:
            part.rollback()
            raise
        part.commit()

    def claim_mail(self, numbers: Sequence[int]) -> int | None:
        """Lock the first of some mails that is still to be done and that no other worker has, on PostgreSQL; return its number."""
        number: int | None = self._connection.execute(CLAIM, {"numbers": list(numbers)}).scalar()
        return number

    def get_mail(self, number: int) -> Incoming | None:
        """Return a mail that is still to be done, held against other workers; None if another has it or it is done."""
        row = self._connection.execute(MAIL, {"id": number}).first()
        if row is None:
            return None
        received, oldest = datetime.fromisoformat(row.received), datetime.fromisoformat(row.oldest)
        return Incoming(row.id, row.raw, received, row.tries, oldest, row.in_vain or 0)

    def finish_mail(self, number: int, state: str, reason: str = "", game: str | None = None) -> None:
        values = {"number": number, "state": state, "reason": make_storable(reason), "game": game}
        self._connection.execute(FINISH, values)

    def find_oldest_waiting(self) -> datetime | None:
        """Return when the longest waiting mail came; None if none waits."""
        received = self._connection.execute(OLDEST).scalar_one_or_none()
        return datetime.fromisoformat(str(received)) if received else None

    def is_first_time(self, sender: str, message_id: str, game: str = "", day: str = "") -> bool:
        """Return True if no mail of this sender with this Message-ID was known; it is known from now on.

        It is known for as long as the keys of its game are; without a game, for a time from the day on, or for ever.
        """
        named = sha256(make_storable(f"{sender}\n{message_id}").encode()).hexdigest()
        row = {"sender_and_id": named, "game": game, "day": day}
        return bool(self._connection.execute(schema.insert_new(known, self._dialect), row).rowcount)

    def find_key(self, words: Sequence[str]) -> Key | None:
        """Return the right of the first key among some words."""
        row = schema.find_first_key(self._connection, KEYS, words)
        return None if row is None else Key(row.game, row.seat, row.turn, row.key)

    def allow_keys(self, given: Mapping[str, Key]) -> None:
        rows = [{"key": key, "game": to.game, "seat": to.seat, "turn": to.turn} for key, to in given.items()]
        if rows:
            self._connection.execute(schema.insert_new(keys, self._dialect, **NO_ANSWER), rows)

    def bind_keys(self, game: str, turn: int) -> None:
        """Make the keys of a game that were made for later turns good for this turn at most."""
        self._connection.execute(BIND_KEYS, {"of": game, "last": turn, "turn": turn})

    def get_keyed_game(self, words: Sequence[str], sender: str) -> KeyedGame | None:
        """Return the right of the first key among some words in a mail, and its game, held against other workers."""
        row = schema.find_first_key(self._connection, KEYED_GAME, words, address=sender)
        if row is None:
            return None
        return KeyedGame(Key(row.game, row.seat, row.turn, row.key), make_stored_game(row), bool(row.came_back))

    def get_game(self, game: str) -> StoredGame | None:
        """Return a game, held against other workers until the transaction ends."""
        row = self._connection.execute(LOCKED_GAME, {"id": make_storable(game)}).first()
        return None if row is None else make_stored_game(row)

    def list_running(self) -> list[str]:
        """Return the names of the running games, in the order in which a worker takes several of them."""
        return [str(name) for (name,) in self._connection.execute(RUNNING)]

    def list_playing(self, after: str, most: int) -> list[str]:
        """Return the next addresses in the records of running games, in their order."""
        return [str(address) for (address,) in self._connection.execute(PLAYING, {"after": after, "most": most})]

    def get_due_game(self, game: str, now: datetime) -> StoredGame | None:
        """Return a game in which something is due, held against other workers; None if another has it or has done it."""
        row = self._connection.execute(DUE_GAME, {"id": game, "now": schema.format_timestamp(now)}).first()
        return None if row is None else make_stored_game(row)

    def list_all_games_of(self, address: str) -> list[StoredGame]:
        """Return the games whose record has an address, by name, without holding them. Another player may have the address by now."""
        return [make_stored_game(row) for row in self._connection.execute(ALL_GAMES_OF, {"address": address.lower()})]

    def list_games_of(self, address: str, ended: Sequence[str] = ()) -> list[StoredGame]:
        """Return those of them that are running, and some that have ended."""
        values = {"some": list(ended), "address": address.lower()}
        return [make_stored_game(row) for row in self._connection.execute(GAMES_OF, values)]

    def is_name_taken(self, name: str) -> bool:
        """Return True if a game has a name, capitals aside."""
        return self._connection.execute(NAMED, {"named": name.lower()}).first() is not None

    def add_game(self, game: StoredGame) -> None:
        """Keep a new game.

        Raises TakenError where there is one of its name, even if another worker writes it at this moment, and ValueError
        where it does not fit into the database.
        """
        row = schema.check_row(games, {"id": game.id, **_make_values(game)})
        if not self._connection.execute(schema.insert_new(games, self._dialect), row).rowcount:
            raise TakenError(f"there is already a game {game.id}")
        self._note_players(game.record, game.id)

    def save_game(self, game: StoredGame) -> None:
        """Keep a game as it is now. Raises ValueError if it does not fit into the database."""
        self._connection.execute(SAVE, {"game": game.id, **schema.check_row(games, _make_values(game))})
        self._note_players(game.record.partition("\n\n")[2], game.id)

    def _note_players(self, record: str, game: str) -> None:
        """Note the addresses in a record; those in its header never change."""
        if rows := schema.list_players(record, game):
            self._connection.execute(schema.insert_new(schema.players, self._dialect, **NO_ANSWER), rows)

    def postpone_game(self, game: str, error: str, now: datetime) -> None:
        tries = int(self._connection.execute(TRIES, {"id": game}).scalar_one())
        due = schema.find_next_try(now, tries)
        values = {"game": game, "due": due, "tries": tries + 1, "error": make_storable(error)}
        self._connection.execute(SAVE, values)

    def post_letters(self, letters: Sequence[Outgoing]) -> None:
        """Put letters into the outgoing mail, each once. Raises ValueError if one does not fit into the database."""
        rows = [schema.check_row(outgoing, {**asdict(each), **UNTRIED}) for each in letters]
        if rows:
            self._connection.execute(schema.insert_new(outgoing, self._dialect, **NO_ANSWER), rows)
        self.posted += len(rows)

    def count_event(self, address: str, day: str, what: str) -> int:
        """Count one more of something for an address on a day; return the count. Earlier days are forgotten."""
        row = schema.check_row(answered, {"address": address, "day": day, "what": what})
        self._connection.execute(FORGET_DAYS, {"address": address, "day": day})
        self._connection.execute(schema.insert_or_change(answered, self._dialect, counts="times"), row)
        return int(self._connection.execute(TIMES, row).scalar_one())

    def find_letter(self, message_id: str) -> tuple[str, str] | None:
        """Return the game and the address of a letter of ours that has not come back before."""
        row = self._connection.execute(LETTER, {"message_id": make_storable(message_id)}).first()
        return None if row is None or row.came_back else (str(row.game), str(row.address))

    def list_quotable_letters(self, game: str, address: str, answered: Sequence[str], turn: int) -> list[bytes]:
        """Return a few letters about a game to an address that a mail may quote.

        Those with the Message-IDs that it answers come first, then those about a turn, then the latest stored ones.
        """
        values = {
            "game": game,
            "address": address,
            "answered": list(map(make_storable, answered)),
            "turn": f"<tkid.%.{turn}.%",
        }
        return [bytes(row.mail) for row in self._connection.execute(LETTERS, values) if row.mail]

    def find_answered_letter(self, parents: Sequence[str], address: str) -> bytes:
        """Return the nearest letter to an address (in lower case) among the mails that a mail answers, b"" for none."""
        rows = self._connection.execute(ANSWERED, {"answered": list(map(make_storable, parents))}) if parents else ()
        own = {row.message_id: bytes(row.mail) for row in rows if row.address.lower() == address}
        return next((own[each] for each in parents if each in own), b"")

    def note_bounce(self, message_id: str, address: str, reason: str, now: datetime) -> int:
        """Note that a letter to an address came back; return how many did since its player last wrote."""
        self._connection.execute(CAME_BACK, {"letter": message_id, "came_back": schema.format_timestamp(now)})
        row = {"address": address, "since": schema.format_timestamp(now), "reason": make_storable(reason)}
        schema.check_row(addresses, row)
        insert = schema.insert_or_change(addresses, self._dialect, "since", "reason", counts="bounces")
        self._connection.execute(insert, row)
        return int(self._connection.execute(BOUNCES, {"address": address}).scalar_one())

    def note_reached(self, address: str) -> None:
        """Note that a player has written: letters that came back before do not count any more."""
        self._connection.execute(REACHED, {"address": address})


UNTRIED = {"tries": 0, "error": ""}


def make_stored_game(row: Any) -> StoredGame:
    due = datetime.fromisoformat(row.due) if row.due else None
    return StoredGame(row.id, row.record, row.memory, due, row.over)


def _make_values(game: StoredGame) -> dict[str, Any]:
    due = schema.format_timestamp(game.due) if game.due else None
    return {"record": game.record, "memory": game.memory, "due": due, "over": game.over, **UNTRIED}
