"""The loop of a host: fetch mails, carry them out, look at clocks, send letters.

If a transport or the database fails, it rests for a while, and the other parts continue. No error ends the loop.
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
from typing import NoReturn, TypeVar

from attrs import asdict, define, field
from attrs.filters import exclude

from tkid.bots.roster import HOUSE
from tkid.host.chores import (
    AT_WORK,
    SECONDS,
    TimeWatch,
    carry_out_again,
    is_read,
    is_replayed,
    note_mailbox,
    read_again,
)
from tkid.host.health import Health, Monitor
from tkid.host.journal import NEVER, Journal, Said
from tkid.host.log import Log, drop_quotes
from tkid.host.service import Host
from tkid.host.store.connection import DATABASE_ERRORS, describe_database_error
from tkid.host.store.leases import CLOCK, Leases
from tkid.host.store.schema import QUARANTINED
from tkid.host.store.store import Database, Store
from tkid.host.store.transaction import read_message_id
from tkid.host.transports import Inbox, RefusedForGoodError, Send, Sender, Transport, TransportError, Transports

T = TypeVar("T")
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

    def send_waiting(self, host: Host, now: datetime, most: int | None) -> int:
        """Send the letters that wait, or at most some; return how many went out. Raises errors of the database only."""
        self.sent, self.refused = 0, []
        if not self.monitor.is_resting(self.name):
            try:
                host.send_letters(now, most)
            except _SenderDownError:
                pass
            except DATABASE_ERRORS:
                raise
            except Exception as error:  # noqa: BLE001 - no error ends the loop
                self.monitor.note_failure(self.name, error)
            for reason, times in Counter(host.missing_pictures).items():
                self.monitor.log.write_line("no-picture", letters=times, reason=reason)
            host.missing_pictures.clear()
        return self.sent

    def send_letter(self, address: str, mail: bytes) -> None:
        """Send a letter. If the sender itself fails, the round sends no more, and it does not count against the letter."""
        letter, said = read_message_id(mail), Said.read_letter(mail)
        if self.journal is not None and (self.journal.was_sent(letter) or self.journal.was_said(said)):
            self.monitor.log.write_line("letter-known", letter=letter, to=address)
            return
        try:
            if self._sender is None:
                self._sender = self.make()
            self._sender.send_letter(address, mail)
        except OSError as error:
            reason = describe_database_error(error)
            if _is_about_letter(error):
                self.refused.append(f"{address}: {reason}")
                self.monitor.log.write_line("letter-refused", letter=letter, to=address, reason=drop_quotes(reason))
                raise
            self.close()
            self.monitor.note_failure(self.name, error)
            raise _SenderDownError from error
        self.sent += 1
        if self.journal is not None:
            with suppress(OSError):  # it matters after a restore only
                self.journal.note_sent(letter, said)
        self.monitor.log.write_line("letter-sent", letter=letter, to=address)
        self.monitor.note_success(self.name)

    def close(self) -> None:
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
"""A task of each round apart from mails and clocks. It returns the number of things done, at once if nothing is due."""
SHORTEST_WAIT = 0.05
MAX_MAILS_PER_ROUND = 20
"""Maximum number of mails carried out in one round, so that letters go out meanwhile."""
MAX_LETTERS_PER_ROUND = 20
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
        return bool(self.fetched or self.worked or self.ticked or self.chores or self.sent)


class _DatabaseDownError(Exception):
    """The rest of a round needs the database, and it fails."""


@define
class Loop:
    """A host at work. `make` makes the host of a store and a way to send; `wait` sleeps until `wake` is called.

    `journal` notes which letters went out. `chores` are done in each round, each by its name, after the letters
    about turns have been sent, so that no turn waits for a chore. A chore that fails rests; the others continue.
    `leased` gives the lease that a chore needs, `leases` the leases of this process.
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
    watch: TimeWatch | None = None
    journal: Journal | None = None
    leases: Leases = field(factory=Leases)
    leased: Mapping[str, str] = field(factory=dict)
    health: Health = field(init=False)
    monitor: Monitor = field(init=False)
    delivery: Delivery = field(init=False)
    _host: Host | None = None
    _store: Store | None = None
    _inboxes: dict[str, Inbox] = field(factory=dict)
    _looked: dict[str, datetime] = field(factory=dict)
    _listener: Transport | None = None
    _spared: Counter[int] = field(factory=Counter)

    def __attrs_post_init__(self) -> None:
        self.health = Health.read_file(self.health_file) if self.health_file else Health()
        self.monitor = Monitor(self.health, self.health_file, self.log, self.now, self.rng)
        self.delivery = Delivery(*self.transports.sender, self.monitor, self.journal)
        listener = [self.transports.listener[0]] if self.transports.listener else []
        watched = [TIME] if self.watch is not None else []
        self.health.begin_with(
            (DATABASE, *self.transports.inboxes, *listener, self.delivery.name, *watched, ORDERS, CLOCKS, *self.chores)
        )

    def run_until_stopped(self, stopped: Callable[[], bool], pause: float) -> None:
        """Serve until stopped; between rounds without work, wait for at most some seconds."""
        self.log.write_line("begin")
        try:
            while not stopped():
                done = self.run_round(stopped)
                if not (done.anything or stopped()):
                    self._wait_for_news(pause)
        finally:
            self.close()
            self.log.write_line("end")

    def run_once(self) -> RoundResult:
        """Perform one round in which everything is tried, also parts that failed a moment ago, and look whether all is whole."""
        self.monitor.insists = True
        try:
            done = self.run_round(lambda: False)
            with suppress(_DatabaseDownError):
                if self._store is not None:
                    self._ask_database(self._store.check_pages)
            done.failed = done.failed or bool(self.health.find_part(DATABASE).error)
            return done
        finally:
            self.close()

    def deliver_once(self) -> int:
        """Send the waiting letters and do nothing else. Return how many went out."""
        self.monitor.insists = True
        try:
            with suppress(_DatabaseDownError):
                self._send_letters(self._open_host()[0])
        finally:
            self.close()
        return self.delivery.sent

    def run_round(self, stopped: Callable[[], bool]) -> RoundResult:
        """Fetch, carry out, look at the clocks, send, do the chores, send again. If told to stop, end after this step."""
        done = RoundResult()
        self.health.counts.rounds += 1
        self.health.last_round = self.now()
        with suppress(_DatabaseDownError):
            host, store = self._open_host()
            self._ask_database(self._renew_leases)
            replayed = self._ask_database(lambda: is_replayed(store))
            if replayed:
                self._watch_time(host)
            elif self.watch is not None:
                self.watch.forget_time()
            self._open_listener()
            mailboxes = list(map(self.transports.name_mailbox, self.transports.inboxes))
            for name in self.transports.inboxes:
                if not self.leases.has(self.transports.name_mailbox(name)):
                    self._close_inbox(name)
                elif not stopped():
                    done.fetched += self._try_step(name, partial(self._fetch_mails, host, store, name))
            if self._ask_database(lambda: is_read(store, mailboxes, self._read_time())):
                self._carry_out(host, store, done, stopped, replayed=replayed)
            if not stopped():
                done.sent = self._send_letters(host)
                done.failed = bool(self.delivery.refused)
            self._perform_chores(host, done, stopped)
            if self.watch is not None and not self.watch.believed:
                self._ask_database(lambda: self.leases.give_back({CLOCK}))  # to a machine whose clock is right
            self.monitor.note_success(DATABASE)
        done.failed |= bool(self.delivery.refused) or any(part.error for part in self.health.parts.values())
        if done.anything:
            self.log.write_line("round", **asdict(done, filter=exclude("failed")))
        self.health.counts.fetched += done.fetched
        self.health.counts.sent += done.sent
        self.monitor.write_health()
        return done

    def close(self) -> None:
        for name in list(self._inboxes):
            self._close_inbox(name)
        self.delivery.close()
        if self._listener is not None:
            self._listener.close()
        self._listener = None
        with suppress(*DATABASE_ERRORS):
            self.leases.close(is_stopped=True)
        self._forget_store()
        self.monitor.write_health(at_once=True)

    def _open_host(self) -> tuple[Host, Store]:
        """Return the host with its store. Raises _DatabaseDownError."""
        if self.monitor.is_resting(DATABASE):
            raise _DatabaseDownError
        try:
            if self._host is None or self._store is None:
                self._store = self.database.open_store()
                self._host = self.make(self._store, self.delivery.send_letter)
                if self.journal is not None:
                    self._host.fetched, self._host.drawing = self.journal.note_mail, self.journal.find_drawing
            self.database.check_file()
            for number in list(self._spared.elements()):
                self._store.forget_attempt(number)
                self._spared[number] -= 1
        except Exception as error:  # noqa: BLE001 - any failure is tried again
            self._close_database(error)
        return self._host, self._store

    def _renew_leases(self) -> None:
        """Take the leases that are free; another machine gets those of parts that fail here."""
        needed = {name: self.transports.name_mailbox(name) for name in self.transports.inboxes} | dict(self.leased)
        self.leases.renew({lease for name, lease in needed.items() if not self.monitor.is_resting(name)} | {CLOCK})

    def _read_time(self) -> datetime:
        return self.watch.read_time() if self.watch is not None else self.now()

    def _carry_out(
        self, host: Host, store: Store, done: RoundResult, stopped: Callable[[], bool], *, replayed: bool
    ) -> None:
        """Carry out mails and look at clocks; `replayed` is false if mails from before a restore are left."""
        if not (replayed or stopped()):
            done.worked = self._try_step(ORDERS, lambda: carry_out_again(host, self._read_time(), stopped))
            if not self._ask_database(lambda: is_replayed(store)):
                return
            self._watch_time(host)
        if not stopped():
            done.worked += self._try_step(ORDERS, lambda: self._work_on_mails(host, store))
        if self.leases.has(CLOCK) and not stopped():
            done.ticked = self._try_step(CLOCKS, partial(self._apply_clocks, host))

    def _perform_chores(self, host: Host, done: RoundResult, stopped: Callable[[], bool]) -> None:
        """Perform the chores, and send the letters that follow from them. Raises _DatabaseDownError."""
        for name, chore in self.chores.items():
            if not stopped() and (name not in self.leased or self.leases.has(self.leased[name])):
                done.chores += self._try_step(name, partial(chore, host, self._read_time()))
        if done.chores and not stopped():
            done.sent += self._send_letters(host)

    def _watch_time(self, host: Host) -> None:
        """Look at the time, if the host does that; after a restore only when the mails since then are carried out."""
        if self.watch is not None:
            self._try_step(TIME, partial(self.watch.begin_round, host))

    def _apply_clocks(self, host: Host) -> int:
        """Apply the clocks of games, unless the machine's is in doubt, and tell players of an absence."""
        if self.watch is None:
            return host.run_clocks(self.now(), SECONDS)
        ticked = host.run_clocks(self.watch.read_time(), SECONDS) if self.watch.believed else 0
        return ticked + self.watch.tell_absence(host)

    def _fetch_mails(self, host: Host, store: Store, name: str) -> int:
        """Fetch mails from an inbox, after a restore also older ones; return the number of new mails."""
        if name not in self._inboxes:
            self._inboxes[name] = self.transports.inboxes[name]()
        inbox, mailbox, now = self._inboxes[name], self.transports.name_mailbox(name), self._read_time()
        if abs(now - self._looked.get(mailbox, NEVER)) > AT_WORK / 3:
            note_mailbox(store, mailbox, now)
            self._looked[mailbox] = now
        new = read_again(store, mailbox, inbox, now, self.journal) + host.fetch_mails(inbox, now)
        if host.left:
            self.log.write_line("no-room", part=name, mails=len(host.left))
        return new

    def _ask_database(self, ask: Callable[[], T]) -> T:
        """Return what the database says. Raises _DatabaseDownError."""
        try:
            return ask()
        except DATABASE_ERRORS as error:
            self._close_database(error)

    def _work_on_mails(self, host: Host, store: Store) -> int:
        """Carry out the waiting mails, and log the result of each."""
        waiting = [mail.number for mail in store.list_waiting()]
        if not waiting:
            return 0
        try:
            return host.work_on_all(self._read_time(), None if self.monitor.insists else MAX_MAILS_PER_ROUND)
        except DATABASE_ERRORS:
            if store.trying:
                self._spared[store.trying] += 1
            raise
        finally:
            store.trying = 0
            with suppress(Exception):  # the log is not what matters when the database fails
                for mail in store.list_finished(waiting):
                    reason = drop_quotes(mail.reason.partition(":")[0] if mail.state == QUARANTINED else mail.reason)
                    self.log.write_line("mail", mail=mail.number, state=mail.state, game=mail.game, reason=reason)

    def _send_letters(self, host: Host) -> int:
        """Send waiting letters; return the number sent. Raises _DatabaseDownError."""
        for reason in HOUSE.failures:
            self.log.write_line("bot-failed", reason=reason)
        HOUSE.failures.clear()
        most = None if self.monitor.insists else MAX_LETTERS_PER_ROUND
        return self._ask_database(lambda: self.delivery.send_waiting(host, self._read_time(), most))

    def _open_listener(self) -> None:
        if self.transports.listener is None:
            return
        name, make = self.transports.listener

        def begin() -> None:
            if self._listener is None:
                self._listener = make(self._keep_mail)

        self._try_step(name, begin)

    def _keep_mail(self, mail: bytes) -> None:
        """Keep a mail that was delivered; called in other threads."""
        store = self._store
        if store is None:
            raise TransportError("the database is missing")
        self.database.check_file()
        store.keep_mail(mail, self._read_time())
        self.database.check_file()  # a file that was replaced meanwhile does not have it
        self.wake()

    def _wait_for_news(self, pause: float) -> None:
        """Wait for news at the first inbox that works, at most until a resting part is tried again."""
        now, next_try = self.now(), self.health.find_next_try()
        seconds = min(pause, (next_try - now).total_seconds()) if next_try else pause
        seconds = max(SHORTEST_WAIT, seconds)
        for name, inbox in list(self._inboxes.items()):
            left = self._host is not None and self._host.left  # they are there, and are no news
            if not (left or self.health.find_part(name).error or self.health.find_part(DATABASE).error):
                try:
                    inbox.wait_for_news(seconds)
                except Exception as error:  # noqa: BLE001 - it is tried again
                    self.monitor.note_failure(name, error)
                    self._close_inbox(name)
                return
        self.wait(seconds)

    def _try_step(self, name: str, step: Callable[[], int | None]) -> int:
        """Run a step of a part of the host; return how much it did, 0 if it rests or fails. Raises _DatabaseDownError."""
        if self.monitor.is_resting(name):
            return 0
        try:
            count = step() or 0
        except DATABASE_ERRORS as error:
            self._close_database(error)
        except Exception as error:  # noqa: BLE001 - no error ends the loop
            self.monitor.note_failure(name, error)
            self._close_inbox(name)
            return 0
        self.monitor.note_success(name)
        return count

    def _close_database(self, error: Exception) -> NoReturn:
        """Close the database, so that the next use opens it again. Raises _DatabaseDownError."""
        self._forget_store()
        self.monitor.note_failure(DATABASE, error)
        raise _DatabaseDownError from error

    def _forget_store(self) -> None:
        store, self._store, self._host = self._store, None, None
        with suppress(Exception):
            self.leases.close()
        if store is not None:
            with suppress(Exception):  # it fails already
                store.close()

    def _close_inbox(self, name: str) -> None:
        if name in self._inboxes:
            self._inboxes.pop(name).close()
