"""What a host forgets in time: the bytes of mails that were read, of letters of games that are over, old keys and counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from tkid.host.store.room import AT_ONCE, DROP
from tkid.host.store.schema import (
    DONE,
    FILED,
    NEW,
    SETTLED,
    answered,
    games,
    incoming,
    keys,
    known,
    outgoing,
    timestamp,
)
from tkid.rulebook import cites

LETTERS_KEPT = timedelta(days=90)
"""So long the letters of the club and of games that are over can be compared with an answer."""
KEYS_KEPT = timedelta(days=400)
"""So long after the last letter of a game its keys are known, and its mails by Message-ID; and mails of strangers."""
DAYS_KEPT = timedelta(days=8)
"""So long what was counted on a day is kept."""

OVER = sql.select(games.c.id).where(games.c.over)
DECIDED = sql.or_(incoming.c.keyed.is_(False), incoming.c.game.is_(None), incoming.c.game.in_(OVER))
OLD_MAILS = (
    sql.select(incoming.c.id)
    .where(incoming.c.dropped.is_(None), incoming.c.keyed.in_(sql.bindparam("keyed", expanding=True)))
    .where(incoming.c.state.in_((DONE, FILED, SETTLED)), incoming.c.received < sql.bindparam("before"), DECIDED)
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
    incoming.c.state.in_((FILED, SETTLED)),
    incoming.c.received < sql.bindparam("before"),
)
OLD_COUNTS = answered.delete().where(answered.c.day < sql.bindparam("day"))
DONE_WITH = sql.select(incoming.c.digest).where(
    incoming.c.digest.in_(sql.bindparam("digests", expanding=True)),
    sql.or_(
        sql.and_(
            incoming.c.state.in_((FILED, SETTLED)), incoming.c.keyed.is_(False)
        ),  # of one with a key, its player was asked
        sql.and_(incoming.c.state != NEW, incoming.c.dropped.is_not(None)),
    ),
)
KNOWN = sql.select(incoming.c.digest).where(
    incoming.c.digest.in_(sql.bindparam("digests", expanding=True)), incoming.c.state != NEW
)


class Retention:
    """What is forgotten within one transaction; each call forgets a bounded part, and says how much that was."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @cites("mail.kept-for")
    def mails(self, now: datetime, days: int) -> int:
        """Drop the bytes of mails that were read long ago, but not those of games that go on, or that were put aside."""
        values = {"keyed": [False, True], "before": timestamp(now - timedelta(days=days))}
        numbers = list(self._connection.execute(OLD_MAILS, values).scalars())
        if numbers:
            self._connection.execute(DROP, {"numbers": numbers, "now": timestamp(now)})
        return len(numbers)

    @cites("mail.kept-for")
    def letters(self, now: datetime) -> int:
        """Drop the bytes of letters that went out long ago, of the club and of games that are over."""
        numbers = list(self._connection.execute(OLD_LETTERS, {"before": timestamp(now - LETTERS_KEPT)}).scalars())
        if numbers:
            self._connection.execute(EMPTY, {"numbers": numbers})
        return len(numbers)

    @cites("mail.kept-for")
    def keys(self, now: datetime) -> int:
        """Forget the keys of games that are long over, and with them by which Message-IDs copies of their mails are known.

        A copy that comes later has no key, so it is filed as the mail of a stranger.
        """
        before = {"before": timestamp(now - KEYS_KEPT)}
        known_ones = self._connection.execute(OLD_KNOWN, before).rowcount
        return known_ones + self._connection.execute(OLD_KEYS, before).rowcount

    @cites("mail.kept-for")
    def rows(self, now: datetime) -> int:
        """Forget mails of strangers altogether, and what was counted on a day."""
        before, day = timestamp(now - KEYS_KEPT), (now - DAYS_KEPT).date().isoformat()
        visits = self._connection.execute(OLD_VISITS, {"day": before[: len(day)]}).rowcount
        rows = self._connection.execute(OLD_ROWS, {"before": before}).rowcount
        return visits + rows + self._connection.execute(OLD_COUNTS, {"day": day}).rowcount

    def read(self, digests: Sequence[str]) -> dict[str, bool]:
        """Which mails were read, by digest; and whether nothing of theirs would be done again."""
        values = {"digests": list(digests)}
        needless = set(self._connection.execute(DONE_WITH, values).scalars())
        return {digest: digest in needless for digest in self._connection.execute(KNOWN, values).scalars()}
