"""Fetch mails, carry them out, look at clocks, send letters; again and again.

Each transport, and the database, rests for a while when it fails, and the others go on. No error ends the loop.
"""

from __future__ import annotations

import errno
import smtplib
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import NoReturn

from attrs import asdict, define, field
from attrs.filters import exclude

from tkid.host.chores import Watch, carry_out_again, is_read, is_replayed, read_again
from tkid.host.health import Health, Monitor
from tkid.host.journal import Journal, Said
from tkid.host.log import Log, without_quotes
from tkid.host.service import Host
from tkid.host.store.connection import DATABASE_ERRORS, error_text
from tkid.host.store.schema import QUARANTINED
from tkid.host.store.store import Database, Store
from tkid.host.store.transaction import read_message_id
from tkid.host.transports import Inbox, RefusedForGoodError, Send, Sender, Transport, TransportError, Transports

OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}


class _SenderDownError(Exception):
    """No further letter can be sent in this round."""


@define
class Delivery:
    """The letters that go out in a round: how many were sent, and, in words, those that were refused."""

    name: str
    make: Callable[[], Sender]
    monitor: Monitor
    journal: Journal | None = None
    sent: int = 0
    refused: list[str] = field(factory=list)
    _sender: Sender | None = None

    def deliver(self, host: Host, now: datetime, most: int | None) -> int:
        """Send the letters that wait, or at most some; return how many went out. Raises errors of the database only."""
        self.sent, self.refused = 0, []
        if not self.monitor.rests(self.name):
            try:
                host.deliver(now, most)
            except _SenderDownError:
                pass
            except DATABASE_ERRORS:
                raise
            except Exception as error:  # noqa: BLE001 - no error ends the loop
                self.monitor.fails(self.name, error)
            for reason, times in Counter(host.missing_pictures).items():
                self.monitor.log.note("no-picture", letters=times, reason=reason)
            host.missing_pictures.clear()
        return self.sent

    def send(self, address: str, mail: bytes) -> None:
        """Send a letter. If the sender itself fails, the round sends no more, and it does not count against the letter."""
        letter, said = read_message_id(mail), Said.of(mail)
        if self.journal is not None and (self.journal.went_out(letter) or self.journal.was_said(said)):
            self.monitor.log.note("letter-known", letter=letter, to=address)
            return
        try:
            if self._sender is None:
                self._sender = self.make()
            self._sender.send(address, mail)
        except OSError as error:
            reason = error_text(error)
            if _is_about_letter(error):
                self.refused.append(f"{address}: {reason}")
                self.monitor.log.note("letter-refused", letter=letter, to=address, reason=without_quotes(reason))
                raise
            self.close()
            self.monitor.fails(self.name, error)
            raise _SenderDownError from error
        self.sent += 1
        if self.journal is not None:
            with suppress(OSError):  # it matters after a restore only
                self.journal.note(letter, said)
        self.monitor.log.note("letter-sent", letter=letter, to=address)
        self.monitor.works(self.name)

    def close(self) -> None:
        """Close the sender."""
        if self._sender is not None:
            self._sender.close()
        self._sender = None


def _is_about_letter(error: OSError) -> bool:
    if isinstance(error, TransportError):
        refused = isinstance(error.__cause__, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError)
        return refused or isinstance(error, RefusedForGoodError)
    return error.errno not in OF_THE_DISK


DATABASE, TIME, ORDERS, CLOCKS = "database", "time", "orders", "clocks"
"""Parts that every host has: the database, the host's own time, carrying out orders, and looking at clocks."""
Chore = Callable[[Host, datetime], int]
"""A task of each round besides mails and clocks; returns how many things it did, at once if nothing is due."""
SHORTEST_WAIT = 0.05
MOST_WORKED = 20
"""Maximum number of mails carried out in one round, so that letters go out meanwhile."""
MOST_SENT = 20
"""Maximum number of letters sent in one round: drawing their pictures takes seconds, and mails should not wait longer."""


@define
class RoundResult:
    """Number of mails, games, chores and letters of a round, and whether something could not be done."""

    fetched: int = 0
    worked: int = 0
    ticked: int = 0
    chores: int = 0
    sent: int = 0
    failed: bool = False

    @property
    def anything(self) -> bool:
        """True if anything was done."""
        return bool(self.fetched or self.worked or self.ticked or self.chores or self.sent)


class _DatabaseDownError(Exception):
    """The rest of a round needs the database, and it fails."""


@define
class Loop:
    """A host at work. `make` makes the host of a store and a way to send; `wait` sleeps until `wake` is called.

    `journal` notes which letters went out. `chores` are done in each round, each by its name, after the letters
    about turns have been sent, so that no turn waits for a chore. A chore that fails rests; the others continue.
    """

    database: Database
    make: Callable[[Store, Send], Host]
    transports: Transports
    log: Log
    now: Callable[[], datetime]
    wait: Callable[[float], object]
    wake: Callable[[], None] = lambda: None
    health_file: Path | None = None
    chores: Mapping[str, Chore] = field(factory=dict)
    rng: Random = field(factory=Random)
    watch: Watch | None = None
    journal: Journal | None = None
    health: Health = field(init=False)
    monitor: Monitor = field(init=False)
    delivery: Delivery = field(init=False)
    _host: Host | None = None
    _store: Store | None = None
    _inboxes: dict[str, Inbox] = field(factory=dict)
    _listener: Transport | None = None
    _spared: Counter[int] = field(factory=Counter)

    def __attrs_post_init__(self) -> None:
        self.health = Health.read(self.health_file) if self.health_file else Health()
        self.monitor = Monitor(self.health, self.health_file, self.log, self.now, self.rng)
        self.delivery = Delivery(*self.transports.sender, self.monitor, self.journal)
        listener = [self.transports.listener[0]] if self.transports.listener else []
        watched = [TIME] if self.watch is not None else []
        self.health.begin(
            (DATABASE, *self.transports.inboxes, *listener, self.delivery.name, *watched, ORDERS, CLOCKS, *self.chores)
        )

    # -- rounds -------------------------------------------------------------------------------------------

    def run(self, stopped: Callable[[], bool], pause: float) -> None:
        """Work until told to stop; between rounds without work, wait for at most some seconds."""
        self.log.note("begin")
        try:
            while not stopped():
                done = self.round(stopped)
                if not (done.anything or stopped()):
                    self._wait(pause)
        finally:
            self.close()
            self.log.note("end")

    def once(self) -> RoundResult:
        """Run one round in which everything is tried, also parts that failed a moment ago."""
        self.monitor.insists = True
        try:
            return self.round(lambda: False)
        finally:
            self.close()

    def deliver_once(self) -> int:
        """Send what waits and nothing else; how many letters went out."""
        self.monitor.insists = True
        try:
            with suppress(_DatabaseDownError):
                self._deliver(self._opened()[0])
        finally:
            self.close()
        return self.delivery.sent

    def round(self, stopped: Callable[[], bool]) -> RoundResult:
        """Fetch, carry out, look at the clocks, send, do the chores, send again. If told to stop, end after this step."""
        done = RoundResult()
        self.health.counts.rounds += 1
        self.health.last_round = self.now()
        with suppress(_DatabaseDownError):
            host, store = self._opened()
            replayed = self._is_replayed(store)
            if replayed:
                self._watch_time(host)
            elif self.watch is not None:
                self.watch.forget()
            self._listen()
            for name in self.transports.inboxes:
                if not stopped():
                    done.fetched += self._try(name, partial(self._fetch, host, store, name))
            if self._is_read(store):
                self._carry_out(host, store, done, stopped, replayed=replayed)
            if not stopped():
                done.sent = self._deliver(host)
                done.failed = bool(self.delivery.refused)
            self._do_chores(host, done, stopped)
            self.monitor.works(DATABASE)
        done.failed = (
            done.failed or bool(self.delivery.refused) or any(part.error for part in self.health.parts.values())
        )
        if done.anything:
            self.log.note("round", **asdict(done, filter=exclude("failed")))
        self.health.counts.fetched += done.fetched
        self.health.counts.sent += done.sent
        self.monitor.write()
        return done

    def close(self) -> None:
        """Close the host and its transports."""
        for name in list(self._inboxes):
            self._close_inbox(name)
        self.delivery.close()
        if self._listener is not None:
            self._listener.close()
        self._listener = None
        self._forget_store()
        self.monitor.write(at_once=True)

    # -- the steps of a round -----------------------------------------------------------------------------

    def _opened(self) -> tuple[Host, Store]:
        """Return the host with its store. Raises _DatabaseDownError."""
        if self.monitor.rests(DATABASE):
            raise _DatabaseDownError
        try:
            if self._host is None or self._store is None:
                self._store = self.database.open()
                self._host = self.make(self._store, self.delivery.send)
                if self.journal is not None:
                    self._host.fetched, self._host.drawing = self.journal.note_mail, self.journal.drawing
            self.database.check()
            for number in list(self._spared.elements()):
                self._store.spare(number)
                self._spared[number] -= 1
        except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
            self._database_fails(error)
        return self._host, self._store

    def _time(self) -> datetime:
        return self.watch.time() if self.watch is not None else self.now()

    def _carry_out(
        self, host: Host, store: Store, done: RoundResult, stopped: Callable[[], bool], *, replayed: bool
    ) -> None:
        """Carry out mails and look at clocks; `replayed` is false where mails are left that came before a restore."""
        if not (replayed or stopped()):
            done.worked = self._try(ORDERS, lambda: carry_out_again(host, self._time(), stopped))
            if not self._is_replayed(store):
                return
            self._watch_time(host)
        if not stopped():
            done.worked += self._try(ORDERS, lambda: self._work(host, store))
        if not stopped():
            done.ticked = self._try(CLOCKS, partial(self._tick, host))

    def _do_chores(self, host: Host, done: RoundResult, stopped: Callable[[], bool]) -> None:
        """Run the chores, and send the letters that follow from them. Raises _DatabaseDownError."""
        for name, chore in self.chores.items():
            if not stopped():
                done.chores += self._try(name, partial(chore, host, self._time()))
        if done.chores and not stopped():
            done.sent += self._deliver(host)

    def _watch_time(self, host: Host) -> None:
        """Look at the time, where the host does that; after a restore when the mails that came since are carried out."""
        if self.watch is not None:
            self._try(TIME, partial(self._look, self.watch, host))

    @staticmethod
    def _look(watch: Watch, host: Host) -> int:
        """Look whether the host was away, or the machine's clock jumped, before anything is done by the clock."""
        watch.begin(host)
        return 0

    def _tick(self, host: Host) -> int:
        """Look at the clocks of games, unless the machine's is not believed, and tell players of an absence."""
        if self.watch is None:
            return host.tick(self.now())
        ticked = host.tick(self.watch.time()) if self.watch.believed else 0
        return ticked + self.watch.tell(host)

    def _fetch(self, host: Host, store: Store, name: str) -> int:
        """Fetch what an inbox has, after a restore what it had before too; how many mails were new."""
        if name not in self._inboxes:
            self._inboxes[name] = self.transports.inboxes[name]()
        inbox = self._inboxes[name]
        again = read_again(store, name, inbox, self._time(), self.journal.fetched if self.journal else dict)
        new = again + host.fetch(inbox, self._time())
        if host.left:
            self.log.note("no-room", part=name, mails=len(host.left))
        return new

    def _is_read(self, store: Store) -> bool:
        try:
            return is_read(store, self.transports.inboxes)
        except DATABASE_ERRORS as error:
            self._database_fails(error)

    def _is_replayed(self, store: Store) -> bool:
        try:
            return is_replayed(store)
        except DATABASE_ERRORS as error:
            self._database_fails(error)

    def _work(self, host: Host, store: Store) -> int:
        """Carry out the mails that wait, and write into the log how each ended."""
        waiting = [mail.number for mail in store.waiting()]
        if not waiting:
            return 0
        try:
            return host.work(self._time(), None if self.monitor.insists else MOST_WORKED)
        except DATABASE_ERRORS:
            if store.trying:
                self._spared[store.trying] += 1
            raise
        finally:
            store.trying = 0
            with suppress(Exception):  # the log is not what matters when the database fails
                for mail in store.finished(waiting):
                    reason = without_quotes(mail.reason.partition(":")[0] if mail.state == QUARANTINED else mail.reason)
                    self.log.note("mail", mail=mail.number, state=mail.state, game=mail.game, reason=reason)

    def _deliver(self, host: Host) -> int:
        """Send what waits; how many letters went out. Raises _DatabaseDownError."""
        try:
            return self.delivery.deliver(host, self._time(), None if self.monitor.insists else MOST_SENT)
        except DATABASE_ERRORS as error:
            self._database_fails(error)

    def _listen(self) -> None:
        """Listen for mails over LMTP, if the host does that."""
        if self.transports.listener is None:
            return
        name, make = self.transports.listener

        def begin() -> int:
            if self._listener is None:
                self._listener = make(self._keep)
            return 0

        self._try(name, begin)

    def _keep(self, mail: bytes) -> None:
        """Keep a mail that was brought; called in other threads."""
        store = self._store
        if store is None:
            raise TransportError("the database is missing")
        self.database.check()
        store.keep(mail, self._time())
        self.database.check()  # a file that was replaced meanwhile does not have it
        self.wake()

    def _wait(self, pause: float) -> None:
        """Wait for news at the first inbox that works, until the next try of a part that rests at most."""
        now, next_try = self.now(), self.health.next_try()
        seconds = min(pause, (next_try - now).total_seconds()) if next_try else pause
        seconds = max(SHORTEST_WAIT, seconds)
        for name, inbox in list(self._inboxes.items()):
            left = self._host is not None and self._host.left  # they are there, and are no news
            if not (left or self.health.part(name).error or self.health.part(DATABASE).error):
                try:
                    inbox.wait(seconds)
                except Exception as error:  # noqa: BLE001 - it is tried again
                    self.monitor.fails(name, error)
                    self._close_inbox(name)
                return
        self.wait(seconds)

    # -- a part that fails --------------------------------------------------------------------------------

    def _try(self, name: str, step: Callable[[], int]) -> int:
        """Run a step of a part of the host; return 0 if it rests or fails. Raises _DatabaseDownError."""
        if self.monitor.rests(name):
            return 0
        try:
            count = step()
        except DATABASE_ERRORS as error:
            self._database_fails(error)
        except Exception as error:  # noqa: BLE001 - no error ends the loop
            self.monitor.fails(name, error)
            self._close_inbox(name)
            return 0
        self.monitor.works(name)
        return count

    def _database_fails(self, error: Exception) -> NoReturn:
        """Close the database, so that the next use opens it again. Raises _DatabaseDownError."""
        self._forget_store()
        self.monitor.fails(DATABASE, error)
        raise _DatabaseDownError from error

    def _forget_store(self) -> None:
        store, self._store, self._host = self._store, None, None
        if store is not None:
            with suppress(Exception):  # it fails already
                store.close()

    def _close_inbox(self, name: str) -> None:
        if name in self._inboxes:
            self._inboxes.pop(name).close()
