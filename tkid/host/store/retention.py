"""Check that there is room for a mail, and delete what is no longer needed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tkid.host.settings import Limits
from tkid.host.store import schema
from tkid.host.store.schema import answered, club_keys, format_timestamp, games, incoming, keys, known, outgoing
from tkid.mail.envelope import glance_at
from tkid.rulebook import cites

NO_KEY = ""
"""In the place of a key where a mail has none: its sender counts."""
AT_ONCE = 50
"""Mails that are dropped in one statement."""


SUM = sql.func.coalesce(sql.func.sum(incoming.c.size), 0)
IN_QUEUE = sql.and_(incoming.c.queue == sql.bindparam("in_queue"), incoming.c.dropped.is_(None))
OF_STRANGERS = sql.and_(incoming.c.dropped.is_(None), incoming.c.keyed.is_(False))
UNREAD, READ = incoming.c.state == schema.NEW, incoming.c.state != schema.NEW
STRANGERS_SIZE = sql.select(SUM).where(OF_STRANGERS)
NAMED: sql.BindParameter[Any] = sql.bindparam("words", expanding=True)
SEAT_QUEUE = keys.c.game + " " + sql.cast(keys.c.seat, sql.String)
QUEUES = sql.union_all(
    sql.select(keys.c.key, SEAT_QUEUE.label("queue")).where(keys.c.key.in_(NAMED)),
    sql.select(club_keys.c.key, club_keys.c.address).where(club_keys.c.key.in_(NAMED)),
    sql.select(sql.literal(NO_KEY), sql.bindparam("sender", type_=sql.String)),
).subquery("queues")
"""In whose turn a mail may be done: by each key of a seat or an address in it, and by its sender."""
IN_EACH = sql.select(SUM).where(incoming.c.queue == QUEUES.c.queue, incoming.c.dropped.is_(None))
SIZES = sql.select(
    QUEUES.c.key,
    QUEUES.c.queue,
    IN_EACH.scalar_subquery().label("kept"),
    IN_EACH.where(UNREAD).scalar_subquery().label("unread"),
)
OLDEST_IN_QUEUE = sql.select(incoming.c.id, incoming.c.size).where(IN_QUEUE, READ)
OLDEST_IN_QUEUE = OLDEST_IN_QUEUE.order_by(incoming.c.id).limit(AT_ONCE)
OLDEST_STRANGERS = sql.select(incoming.c.id, incoming.c.size).where(OF_STRANGERS, READ)
OLDEST_STRANGERS = OLDEST_STRANGERS.order_by(incoming.c.received, incoming.c.id).limit(AT_ONCE)
DROP = incoming.update().where(incoming.c.id.in_(sql.bindparam("numbers", expanding=True)))
DROP = DROP.values(raw=b"", dropped=sql.bindparam("now"))


class Room:
    """The room for mails within one transaction."""

    def __init__(self, connection: Connection, limits: Limits, now: datetime) -> None:
        self._connection, self._limits, self._now = connection, limits, format_timestamp(now)
        self._strangers: int | None = None

    @cites("mail.room")
    def take_mail(self, raw: bytes) -> bool | None:
        """Keep a mail: True where it is new, False where it is known already, None where there is no room for it now.

        Bytes of mails that were read are dropped for it, the oldest first; nothing is dropped that was not read.
        """
        sender, keys = glance_at(raw)
        words = (*keys, NO_KEY)
        key, queue, kept, unread = schema.find_first_key(self._connection, SIZES, words, sender=sender)
        keyed = key != NO_KEY
        if unread >= self._limits.share or not self._has_room(queue, kept, len(raw), keyed=keyed):
            return None
        row = {"digest": sha256(raw).hexdigest(), "received": self._now, "state": schema.NEW, "tries": 0, "reason": ""}
        row |= {"raw": raw, "sender": sender, "queue": queue, "keyed": keyed, "size": len(raw), "dropped": None}
        new = bool(self._connection.execute(schema.insert_new(incoming, self._connection.dialect.name), row).rowcount)
        if new and not keyed and self._strangers is not None:
            self._strangers += len(raw)
        return new

    def _has_room(self, queue: str, kept: int, size: int, *, keyed: bool) -> bool:
        self._drop_read(OLDEST_IN_QUEUE, kept + size - self._limits.share, keyed=keyed, in_queue=queue)
        if keyed:
            return True
        if self._strangers is None:
            self._strangers = int(self._connection.execute(STRANGERS_SIZE).scalar_one())
        self._drop_read(OLDEST_STRANGERS, self._strangers + size - self._limits.bytes, keyed=keyed)
        return self._strangers + size <= self._limits.bytes or not self._strangers

    def _drop_read(self, oldest: sql.Executable, wanted: int, *, keyed: bool, **values: object) -> None:
        """Drop the bytes of mails that were read until enough bytes are free, or no mail is left."""
        while wanted > 0 and (rows := self._connection.execute(oldest, values).all()):
            numbers = []
            for row in rows:
                if wanted > 0:
                    numbers.append(row.id)
                    wanted -= row.size
                    if not keyed and self._strangers is not None:
                        self._strangers -= row.size
            self._connection.execute(DROP, {"numbers": numbers, "now": self._now})


LETTERS_KEPT = timedelta(days=90)
"""Time for which the letters of the club and of games that are over can be compared with an answer."""
KEYS_KEPT = timedelta(days=400)
"""Time after a game's last letter for which its keys and its mails' Message-IDs are known; also for strangers' mails."""
DAYS_KEPT = timedelta(days=8)

OVER = sql.select(games.c.id).where(games.c.over)
DECIDED = sql.or_(incoming.c.keyed.is_(False), incoming.c.game.is_(None), incoming.c.game.in_(OVER))
OLD_MAILS = (
    sql.select(incoming.c.id)
    .where(incoming.c.dropped.is_(None), incoming.c.keyed.in_(sql.bindparam("keyed", expanding=True)))
    .where(
        incoming.c.state.in_((schema.DONE, schema.FILED, schema.SETTLED)),
        incoming.c.received < sql.bindparam("before"),
        DECIDED,
    )
    .limit(AT_ONCE)
)
OLD_LETTERS = (
    sql.select(outgoing.c.id)
    .where(sql.func.coalesce(outgoing.c.sent, outgoing.c.given_up) < sql.bindparam("before"), outgoing.c.mail != b"")
    .where(sql.or_(outgoing.c.game == "", outgoing.c.game.in_(OVER)))
    .limit(AT_ONCE)
)
EMPTY = outgoing.update().where(outgoing.c.id.in_(sql.bindparam("numbers", expanding=True))).values(mail=b"")
RECENT = sql.and_(
    outgoing.c.game == games.c.id,
    sql.func.coalesce(outgoing.c.sent, outgoing.c.given_up, sql.bindparam("before")) >= sql.bindparam("before"),
)
LONG_OVER = OVER.where(~sql.exists().where(RECENT))
OLD_KEYS = keys.delete().where(keys.c.game.in_(LONG_OVER))
OLD_KNOWN = known.delete().where(known.c.game.in_(LONG_OVER))
OLD_VISITS = known.delete().where(known.c.game == "", known.c.day != "", known.c.day < sql.bindparam("day"))
OLD_ROWS = incoming.delete().where(
    incoming.c.dropped.is_not(None),
    incoming.c.keyed.is_(False),
    incoming.c.state.in_((schema.FILED, schema.SETTLED)),
    incoming.c.received < sql.bindparam("before"),
)
OLD_COUNTS = answered.delete().where(answered.c.day < sql.bindparam("day"))
KNOWN = sql.select(incoming.c.digest).where(
    incoming.c.digest.in_(sql.bindparam("digests", expanding=True)), incoming.c.state != schema.NEW
)
FILED_WITHOUT_KEY = sql.and_(incoming.c.state.in_((schema.FILED, schema.SETTLED)), incoming.c.keyed.is_(False))
"""A filed mail about which nobody was asked."""
DONE_WITH = KNOWN.where(sql.or_(FILED_WITHOUT_KEY, incoming.c.dropped.is_not(None)))


class Retention:
    """Forgetting within one transaction; each call forgets a bounded part, and returns how much that was."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @cites("mail.kept-for")
    def drop_mails(self, now: datetime, days: int) -> int:
        """Drop the bytes of mails that were read long ago, but not those of games that go on, or that were put aside."""
        values = {"keyed": [False, True], "before": format_timestamp(now - timedelta(days=days))}
        numbers = list(self._connection.execute(OLD_MAILS, values).scalars())
        if numbers:
            self._connection.execute(DROP, {"numbers": numbers, "now": format_timestamp(now)})
        return len(numbers)

    @cites("mail.kept-for")
    def drop_letters(self, now: datetime) -> int:
        """Drop the bytes of letters that went out long ago, of the club and of games that are over."""
        before = {"before": format_timestamp(now - LETTERS_KEPT)}
        numbers = list(self._connection.execute(OLD_LETTERS, before).scalars())
        if numbers:
            self._connection.execute(EMPTY, {"numbers": numbers})
        return len(numbers)

    @cites("mail.kept-for")
    def forget_keys(self, now: datetime) -> int:
        """Forget the keys of games that are long over, and with them by which Message-IDs copies of their mails are known.

        A copy that comes later has no key, so it is filed as the mail of a stranger.
        """
        before = {"before": format_timestamp(now - KEYS_KEPT)}
        known_ones = self._connection.execute(OLD_KNOWN, before).rowcount
        return known_ones + self._connection.execute(OLD_KEYS, before).rowcount

    @cites("mail.kept-for")
    def forget_rows(self, now: datetime) -> int:
        """Forget mails of strangers altogether, and the counts of a day."""
        before, day = format_timestamp(now - KEYS_KEPT), (now - DAYS_KEPT).date().isoformat()
        visits = self._connection.execute(OLD_VISITS, {"day": before[: len(day)]}).rowcount
        rows = self._connection.execute(OLD_ROWS, {"before": before}).rowcount
        return visits + rows + self._connection.execute(OLD_COUNTS, {"day": day}).rowcount

    def list_read(self, digests: Sequence[str]) -> dict[str, bool]:
        """Return the mails that were read, by digest; and whether nothing of theirs would be done again."""
        values = {"digests": list(digests)}
        needless = set(self._connection.execute(DONE_WITH, values).scalars())
        return {digest: digest in needless for digest in self._connection.execute(KNOWN, values).scalars()}
