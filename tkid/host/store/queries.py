"""The store of a host with what its loop, its log, `host status` and `host metrics` ask of it besides."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sql
from attrs import frozen

from tkid.host.store.store import NEW, Store

_incoming = sql.table("incoming", *map(sql.column, ("id", "received", "state", "tries", "reason", "game")))
_outgoing = sql.table(
    "outgoing", *map(sql.column, ("id", "game", "address", "sent", "given_up", "next_try", "tries", "error"))
)
_games = sql.table("games", *map(sql.column, ("id", "over", "tries", "error")))

AT_ONCE = 500
"""Mails that are asked for in one statement."""


@frozen
class Became:
    """What became of a mail: its number, its state, why it was filed or put aside, and the game that it is about."""

    number: int
    state: str
    reason: str
    game: str


@frozen
class Unsent:
    """A letter that did not go out: its number, game and address, how often it was tried, and why that failed.

    It waits until `next_try`, or, where it was given up, for ever.
    """

    number: int
    game: str
    address: str
    tries: int
    error: str
    next_try: datetime | None
    given_up: bool


class WatchedStore(Store):
    """The database of a host, which remembers which mail is being tried; a file that is gone is not made anew."""

    trying = 0

    def __init__(self, url: str) -> None:
        super().__init__(url)
        if self._engine.dialect.name == "sqlite":
            sql.event.listen(self._engine, "do_connect", _only_existing)

    def attempt(self, number: int) -> int:
        """Count that a mail is tried once more."""
        self.trying = number
        return super().attempt(number)

    def spare(self, number: int) -> None:
        """Do not count the last try of a mail: it failed for want of the database, not for what the mail is."""
        with self._engine.begin() as connection:
            known = _incoming.update().where(_incoming.c.id == number, _incoming.c.tries > 0)
            connection.execute(known.values(tries=_incoming.c.tries - 1))

    def became(self, numbers: Sequence[int]) -> list[Became]:
        """What became of mails, of those that are done."""
        found = sql.select(_incoming.c.id, _incoming.c.state, _incoming.c.reason, _incoming.c.game)
        done = found.where(_incoming.c.state != NEW).order_by(_incoming.c.id)
        became: list[Became] = []
        with self._reading() as connection:
            for at in range(0, len(numbers), AT_ONCE):
                rows = connection.execute(done.where(_incoming.c.id.in_(numbers[at : at + AT_ONCE])))
                became += [Became(row.id, row.state, row.reason, row.game or "") for row in rows]
        return became

    def unsent(self) -> list[Unsent]:
        """The letters that did not go out, oldest first."""
        its = _outgoing.c
        columns = (its.id, its.game, its.address, its.tries, its.error, its.next_try, its.given_up)
        found = sql.select(*columns).where(its.sent.is_(None)).order_by(its.id)
        with self._reading() as connection:
            return [Unsent(*row[:5], _time(row[5]), row[6] is not None) for row in connection.execute(found)]

    def stuck_games(self) -> list[tuple[str, str]]:
        """The games whose clock could not be looked at: the game, and why."""
        found = sql.select(_games.c.id, _games.c.error).where(_games.c.tries > 0).order_by(_games.c.id)
        with self._reading() as connection:
            return [(str(game), str(why)) for game, why in connection.execute(found)]

    def sent(self) -> int:
        """How many letters went out."""
        found = sql.select(sql.func.count()).select_from(_outgoing).where(_outgoing.c.sent.is_not(None))
        with self._reading() as connection:
            return int(connection.execute(found).scalar_one())

    def game_counts(self) -> dict[str, int]:
        """How many games are being played, and how many are over."""
        found = sql.select(_games.c.over, sql.func.count()).group_by(_games.c.over)
        with self._reading() as connection:
            counted = {bool(over): int(n) for over, n in connection.execute(found)}
        return {"playing": counted.get(False, 0), "over": counted.get(True, 0)}


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _only_existing(_: object, __: object, arguments: list[Any], keywords: dict[str, Any]) -> None:
    """Connect to a file of SQLite only where there is one."""
    arguments[0] = f"file:{quote(str(Path(arguments[0]).resolve()))}?mode=rw"
    keywords["uri"] = True
