"""What can be asked of a host's database without a change: mails and whose is next, games, letters, and how many of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sql
from attrs import frozen
from sqlalchemy.engine import Engine

from tkid.host.store.connection import READS
from tkid.host.store.schema import (
    FILED,
    NEW,
    QUARANTINED,
    SETTLED,
    STATES,
    TO_BE_SENT,
    TO_BE_TRIED,
    addresses,
    documents,
    games,
    incoming,
    outgoing,
    storable,
    timestamp,
)
from tkid.host.store.transaction import GAME, OLDEST, StoredGame, stored_game
from tkid.rulebook import cites

MOST_BOUNCES = 3
"""When so many letters to an address came back, its player is not reached."""
AT_ONCE = 500
"""Mails that are asked for in one statement."""
MOST_OF_ONE = 2
"""Mails of one sender that are done in a round: each of them may take a second."""
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
    .where(TO_BE_SENT, TO_BE_TRIED, outgoing.c.id > sql.bindparam("after"))
    .order_by(outgoing.c.id)
    .limit(sql.bindparam("most"))
)
UNSENT = (
    *(outgoing.c[name] for name in ("id", "game", "address", "tries", "error", "next_try")),
    outgoing.c.given_up.is_not(None),
)
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
    next_try: str | None
    given_up: bool


@frozen
class Unreachable:
    """An address from which letters come back: how many did since its player last wrote, when the last, and why."""

    address: str
    bounces: int
    since: str
    reason: str


@cites("mail.turns")
def in_turn(waiting: Sequence[Waiting], most: int | None = None) -> list[Waiting]:
    """Mails in the order in which they are done: first one of each sender, then another of each, and so on.

    A sender's own mails stay in order. Of those in the same place, mails with a key come first, then those that came first.

    Args:
        waiting: all mails that wait, in the order in which they came.
        most: how many there are in a round; a round has only a few of each sender. None for all.
    """
    places = Counter[tuple[bool, str]]()
    ranked = []
    for mail in waiting:
        place = places[mail.keyed, mail.queue]
        places[mail.keyed, mail.queue] += 1
        if most is None or place < MOST_OF_ONE:
            ranked.append((place, not mail.keyed, mail.number, mail))
    return [mail for *_, mail in sorted(ranked, key=lambda ranks: ranks[:3])][:most]


class Queries:
    """Reads a host's database, in a transaction for each question."""

    def __init__(self, engine: Engine) -> None:
        self._reader = engine.execution_options(**{READS: True})

    def _rows(self, query: sql.Executable, **values: object) -> Sequence[Any]:
        with self._reader.connect() as connection:
            return connection.execute(query, values).all()

    # -- mails --------------------------------------------------------------------------------------------

    def waiting(self) -> list[Waiting]:
        """The mails that are still to be done, oldest first."""
        return [Waiting(*row) for row in self._rows(WAITING)]

    def oldest_waiting(self) -> datetime | None:
        """When the mail came that waits longest; None where none does."""
        ((received,),) = self._rows(OLDEST)
        return datetime.fromisoformat(received) if received else None

    def finished(self, numbers: Sequence[int]) -> list[Finished]:
        """Those of some mails that are done."""
        rows: list[Any] = []
        for start in range(0, len(numbers), AT_ONCE):
            rows += self._rows(FINISHED.where(incoming.c.id.in_(numbers[start : start + AT_ONCE])))
        return [Finished(row.id, row.state, row.reason, row.game or "") for row in rows]

    def put_aside(self) -> list[tuple[int, str]]:
        """The mails over which the program failed: number and reason."""
        query = sql.select(incoming.c.id, incoming.c.reason).where(incoming.c.state == QUARANTINED)
        return [(number, reason) for number, reason in self._rows(query)]

    def latest(self, most: int) -> list[tuple[datetime, bytes]]:
        """The mails that came last, newest first: when each came, and its bytes; without those that are no longer kept."""
        rows = self._rows(sql.select(incoming.c.received, incoming.c.raw).order_by(incoming.c.id.desc()).limit(most))
        return [(datetime.fromisoformat(row.received), row.raw) for row in rows if row.raw]

    def counts(self) -> dict[str, int]:
        """How many mails are in which state, and how many letters wait ("unsent")."""
        states = self._rows(sql.select(incoming.c.state, COUNT).group_by(incoming.c.state))
        ((unsent,),) = self._rows(sql.select(COUNT).select_from(outgoing).where(TO_BE_SENT))
        counts = dict.fromkeys((*STATES, SETTLED), 0) | dict(map(tuple, states))
        counts[FILED] += counts.pop(SETTLED)
        return counts | {"unsent": unsent}

    def document(self, kind: str, name: str) -> str | None:
        """The text of a document that the club keeps."""
        query = sql.select(documents.c.data).where(documents.c.kind == kind, documents.c.id == name)
        return next((str(row.data) for row in self._rows(query)), None)

    # -- games --------------------------------------------------------------------------------------------

    def due(self, now: datetime) -> list[str]:
        """The games in which something is due by now."""
        return [name for (name,) in self._rows(DUE, now=timestamp(now))]

    def game(self, game: str) -> StoredGame | None:
        """A game as it stands."""
        return next(map(stored_game, self._rows(GAME, id=storable(game))), None)

    def games(self) -> list[StoredGame]:
        """Every game."""
        return [stored_game(row) for row in self._rows(sql.select(games).order_by(games.c.id))]

    def game_names(self) -> list[str]:
        """The names of all games."""
        return [name for (name,) in self._rows(sql.select(games.c.id).order_by(games.c.id))]

    def stuck_games(self) -> list[tuple[str, int, str]]:
        """The games whose clock could not be looked at: the game, how often in a row, and why."""
        query = sql.select(games.c.id, games.c.tries, games.c.error).where(games.c.tries > 0).order_by(games.c.id)
        return [(game, tries, error) for game, tries, error in self._rows(query)]

    def game_counts(self) -> dict[str, int]:
        """How many games are being played, and how many are over."""
        counts = dict(map(tuple, self._rows(sql.select(games.c.over, COUNT).group_by(games.c.over))))
        return {"playing": counts.get(False, 0), "over": counts.get(True, 0)}

    def documents_due(self, kind: str, now: datetime) -> list[str]:
        """The documents of a kind that are to be looked at by now, by id; the longest overdue first."""
        query = sql.select(documents.c.id).where(documents.c.kind == kind, documents.c.due <= timestamp(now))
        return [name for (name,) in self._rows(query.order_by(documents.c.due, documents.c.id))]

    # -- letters ------------------------------------------------------------------------------------------

    def outgoing(self, now: datetime, after: int, most: int) -> list[ToSend]:
        """The next letters that wait, with numbers above `after`."""
        return [
            ToSend(row.id, row.game or row.address)
            for row in self._rows(OUTGOING, now=timestamp(now), after=after, most=most)
        ]

    def oldest_unsent(self) -> tuple[str, str, bytes] | None:
        """The letter that has waited longest: to whom, why it did not go out yet, its bytes."""
        columns = (outgoing.c.address, outgoing.c.error, outgoing.c.mail)
        rows = self._rows(sql.select(*columns).where(TO_BE_SENT).order_by(outgoing.c.id).limit(1))
        return next(((row.address, row.error, row.mail) for row in rows), None)

    def letters(self, game: str) -> list[tuple[str, str, str]]:
        """The letters of a game, oldest first: Message-ID, address, and when it went out ("" where it waits)."""
        columns = (outgoing.c.message_id, outgoing.c.address, outgoing.c.sent)
        rows = self._rows(sql.select(*columns).where(outgoing.c.game == game).order_by(outgoing.c.id))
        return [(message_id, address, sent or "") for message_id, address, sent in rows]

    def unsent(self) -> list[Unsent]:
        """The letters that did not go out, oldest first."""
        rows = self._rows(sql.select(*UNSENT).where(outgoing.c.sent.is_(None)).order_by(outgoing.c.id))
        return [Unsent(*row) for row in rows]

    def sent(self) -> int:
        """How many letters went out."""
        ((count,),) = self._rows(sql.select(COUNT).select_from(outgoing).where(outgoing.c.sent.is_not(None)))
        return int(count)

    def unreachable(self) -> list[Unreachable]:
        """The addresses from which so many letters came back that their players are not reached."""
        query = sql.select(addresses).where(addresses.c.bounces >= MOST_BOUNCES).order_by(addresses.c.address)
        return [Unreachable(*row) for row in self._rows(query)]
