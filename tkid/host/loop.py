"""The loop of a host: fetch, carry out, look at the clocks, send; again and again, whatever fails meanwhile.

Each carrier, and the database, rests for a while when it fails, and the others go on. No error ends the loop.
"""

from __future__ import annotations

import errno
import re
import smtplib
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Protocol

from attrs import define, field, frozen

from tkid.host.health import Health
from tkid.host.log import Journal, without_quotes
from tkid.host.service import Host, Inbox
from tkid.host.store.connection import Database, is_of_database, told
from tkid.host.store.queries import WatchedStore
from tkid.host.store.store import QUARANTINED, Send
from tkid.host.transports.errors import CarrierError, RefusedForGoodError
from tkid.mail.inbound.envelope import MOST_HEADER_BYTES

DATABASE, ORDERS, CLOCKS = "database", "orders", "clocks"
"""Parts that every host has: the database, carrying out orders, and looking at clocks."""
OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}
SHORTEST_WAIT = 0.05
MOST_SENT = 20
"""Letters that go out in one round: drawing their pictures takes seconds, and mails that come in do not wait longer."""
WRITTEN_EACH = 1.0
"""Seconds between two times at which an unchanged health is written down."""


class Box(Inbox, Protocol):
    """An inbox that can wait for mails."""

    def wait(self, seconds: float) -> None:
        """Wait until there is news, or for so long at most."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


class Outlet(Protocol):
    """Where letters go out."""

    def send(self, address: str, mail: bytes) -> None:
        """Send a letter. Raises OSError where that cannot be done now."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


class Listener(Protocol):
    """Takes mails that are brought, as long as it is open."""

    def close(self) -> None:
        """Listen no more."""
        ...


Keep = Callable[[bytes], None]
MESSAGE_ID = re.compile(rb"^message-id:\s*(<[!-~]+>)", re.IGNORECASE | re.MULTILINE)


@frozen
class Transports:
    """How mails come and go, each with a name for people; each is made when it is needed, and anew after a failure.

    Making one raises OSError or ValueError where that cannot be done.
    """

    inboxes: Mapping[str, Callable[[], Box]]
    outlet: tuple[str, Callable[[], Outlet]]
    listener: tuple[str, Callable[[Keep], Listener]] | None = None


@define
class Done:
    """What a round has done, and whether something could not be done."""

    fetched: int = 0
    worked: int = 0
    ticked: int = 0
    sent: int = 0
    failed: bool = False

    @property
    def anything(self) -> bool:
        """Whether anything was done."""
        return bool(self.fetched or self.worked or self.ticked or self.sent)


class _DatabaseDownError(Exception):
    """The rest of a round needs the database, and it fails."""


class _OutletDownError(Exception):
    """No further letter can be sent in this round."""


@define
class Loop:
    """A host at work. `make` makes the host of a store and a way to send; `wait` sleeps, and wakes when the bell rings."""

    database: Database
    make: Callable[[WatchedStore, Send], Host]
    ways: Transports
    journal: Journal
    now: Callable[[], datetime]
    wait: Callable[[float], object]
    ring: Callable[[], None] = lambda: None
    health_file: Path | None = None
    rng: Random = field(factory=Random)
    health: Health = field(init=False)
    refused: list[str] = field(factory=list)
    """What became of letters that were refused when letters were sent last."""
    _host: Host | None = None
    _store: WatchedStore | None = None
    _boxes: dict[str, Box] = field(factory=dict)
    _outlet: Outlet | None = None
    _listener: Listener | None = None
    _spared: Counter[int] = field(factory=Counter)
    _sent: int = 0
    _insists: bool = False
    _written: datetime | None = None
    _changed: bool = False

    def __attrs_post_init__(self) -> None:
        self.health = Health.read(self.health_file) if self.health_file else Health()
        listener = [self.ways.listener[0]] if self.ways.listener else []
        names = (DATABASE, *self.ways.inboxes, *listener, self.ways.outlet[0], ORDERS, CLOCKS)
        self.health.begin(names)

    # -- rounds -------------------------------------------------------------------------------------------

    def run(self, stopped: Callable[[], bool], pause: float) -> None:
        """Work until told to stop; between rounds in which nothing is to be done, wait for so many seconds at most."""
        self.journal.note("begin")
        try:
            while not stopped():
                done = self.round(stopped)
                if not (done.anything or stopped()):
                    self._wait(pause)
        finally:
            self.close()
            self.journal.note("end")

    def once(self) -> Done:
        """One round in which everything is tried, also what failed a moment ago."""
        self._insists = True
        try:
            return self.round(lambda: False)
        finally:
            self.close()

    def deliver_once(self) -> int:
        """Send what waits and nothing else; how many letters went out."""
        self._insists = True
        try:
            with suppress(_DatabaseDownError):
                self._deliver(self._opened()[0])
        finally:
            self.close()
        return self._sent

    def round(self, stopped: Callable[[], bool]) -> Done:
        """Fetch, carry out, look at the clocks, send. Told to stop, it ends after the step that is being done."""
        done = Done()
        self.health.counts["rounds"] += 1
        self.health.last_round = self.now()
        with suppress(_DatabaseDownError):
            host, store = self._opened()
            self._listen()
            for name in self.ways.inboxes:
                if not stopped():
                    done.fetched += self._try(name, partial(self._fetch, host, name))
            if not stopped():
                done.worked = self._try(ORDERS, lambda: self._work(host, store))
            if not stopped():
                done.ticked = self._try(CLOCKS, lambda: host.tick(self.now()))
            if not stopped():
                done.sent = self._deliver(host)
            self._works(DATABASE)
        done.failed = bool(self.refused) or any(part.error for part in self.health.parts.values())
        if done.anything:
            counts = {"fetched": done.fetched, "worked": done.worked, "ticked": done.ticked, "sent": done.sent}
            self.journal.note("round", **counts)
        self.health.counts["fetched"] += done.fetched
        self.health.counts["sent"] += done.sent
        self._write_health()
        return done

    def close(self) -> None:
        """Let go of everything."""
        for box in self._boxes.values():
            box.close()
        self._boxes.clear()
        if self._outlet is not None:
            self._outlet.close()
        if self._listener is not None:
            self._listener.close()
        self._outlet = self._listener = None
        self._forget_store()
        self._changed = True
        self._write_health()

    # -- the steps of a round -----------------------------------------------------------------------------

    def _opened(self) -> tuple[Host, WatchedStore]:
        """The host with its store. Raises _DatabaseDownError."""
        if self._rests(DATABASE):
            raise _DatabaseDownError
        try:
            if self._host is None or self._store is None:
                self._store = self.database.open()
                self._host = self.make(self._store, self._send)
            self.database.check()
            for number in list(self._spared.elements()):
                self._store.spare(number)
                self._spared[number] -= 1
        except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again
            self._database_fails(error)
        assert self._host is not None
        assert self._store is not None
        return self._host, self._store

    def _fetch(self, host: Host, name: str) -> int:
        """Fetch what an inbox has; how many mails were new."""
        if name not in self._boxes:
            self._boxes[name] = self.ways.inboxes[name]()
        return host.fetch(self._boxes[name], self.now())

    def _work(self, host: Host, store: WatchedStore) -> int:
        """Carry out the mails that wait, and write down what became of them."""
        waiting = store.waiting()
        if not waiting:
            return 0
        try:
            return host.work(self.now())
        except Exception as error:
            if is_of_database(error) and store.trying:
                self._spared[store.trying] += 1
            raise
        finally:
            store.trying = 0
            with suppress(Exception):  # the log is not what matters when the database fails
                for mail in store.became(waiting):
                    reason = without_quotes(mail.reason.partition(":")[0] if mail.state == QUARANTINED else mail.reason)
                    self.journal.note("mail", mail=mail.number, state=mail.state, game=mail.game, reason=reason)

    def _deliver(self, host: Host) -> int:
        """Send what waits; how many letters went out. Raises _DatabaseDownError."""
        name = self.ways.outlet[0]
        self._sent, self.refused = 0, []
        if not self._rests(name):
            try:
                host.deliver(self.now(), None if self._insists else MOST_SENT)
            except _OutletDownError:
                pass
            except Exception as error:  # noqa: BLE001 - no error ends the loop
                if is_of_database(error):
                    self._database_fails(error)
                self._fails(name, error)
            for reason, times in Counter(host.wanting).items():
                self.journal.note("no-picture", letters=times, reason=reason)
            host.wanting.clear()
        return self._sent

    def _send(self, address: str, mail: bytes) -> None:
        """Send a letter. Where the outlet itself fails, the round sends no more, and it does not count against the letter."""
        name, make = self.ways.outlet
        found = MESSAGE_ID.search(mail[:MOST_HEADER_BYTES])
        letter = found[1].decode("ascii") if found else ""
        try:
            if self._outlet is None:
                self._outlet = make()
            self._outlet.send(address, mail)
        except OSError as error:
            if _is_about_letter(error):
                self.refused.append(f"{address}: {told(error)}")
                self.journal.note("letter-refused", letter=letter, to=address, reason=without_quotes(told(error)))
                raise
            if self._outlet is not None:
                self._outlet.close()
            self._outlet = None
            self._fails(name, error)
            raise _OutletDownError from error
        self._sent += 1
        self.journal.note("letter-sent", letter=letter, to=address)
        self._works(name)

    def _listen(self) -> None:
        """Listen for mails that are brought, where the host does that."""
        if self.ways.listener is None:
            return
        name, make = self.ways.listener

        def begin() -> int:
            if self._listener is None:
                self._listener = make(self._keep)
            return 0

        self._try(name, begin)

    def _keep(self, mail: bytes) -> None:
        """Keep a mail that was brought; called in other threads."""
        store = self._store
        if store is None:
            raise CarrierError("the database is not there")
        self.database.check()
        store.keep(mail, self.now())
        self.ring()

    def _wait(self, pause: float) -> None:
        """Wait for news where somebody tells of it, until the next try of what rests at most."""
        now, next_try = self.now(), self.health.next_try()
        seconds = min(pause, (next_try - now).total_seconds()) if next_try else pause
        seconds = max(SHORTEST_WAIT, seconds)
        for name, box in list(self._boxes.items()):
            if not (self.health.part(name).error or self.health.part(DATABASE).error):
                try:
                    box.wait(seconds)
                except Exception as error:  # noqa: BLE001 - it is tried again
                    self._fails(name, error)
                    self._close_box(name)
                return
        self.wait(seconds)

    # -- what works and what fails ------------------------------------------------------------------------

    def _try(self, name: str, step: Callable[[], int]) -> int:
        """Do a step of a part of the host; 0 where it rests or fails. Raises _DatabaseDownError."""
        if self._rests(name):
            return 0
        try:
            count = step()
        except Exception as error:  # noqa: BLE001 - no error ends the loop
            if is_of_database(error):
                self._database_fails(error)
            self._fails(name, error)
            self._close_box(name)
            return 0
        self._works(name)
        return count

    def _rests(self, name: str) -> bool:
        return not self._insists and self.health.part(name).rests(self.now())

    def _works(self, name: str) -> None:
        if self.health.part(name).worked(self.now()):
            self._changed = True
            self.journal.note("works", part=name)

    def _fails(self, name: str, error: Exception) -> None:
        part = self.health.part(name)
        part.failed_now(self.now(), told(error).removeprefix(f"{name}: "), self.rng)
        self._changed = True
        tries = part.next_try.isoformat(timespec="seconds") if part.next_try else ""
        self.journal.note("fails", part=name, reason=part.error, failures=part.failures, next_try=tries)

    def _database_fails(self, error: Exception) -> None:
        """Let go of the database, so that it is opened anew. Raises _DatabaseDownError."""
        self._forget_store()
        self._fails(DATABASE, error)
        raise _DatabaseDownError from error

    def _forget_store(self) -> None:
        store, self._store, self._host = self._store, None, None
        if store is not None:
            with suppress(Exception):  # it fails already
                store.close()

    def _close_box(self, name: str) -> None:
        box = self._boxes.pop(name, None)
        if box is not None:
            box.close()

    def _write_health(self) -> None:
        """Write down how everything works, at once where that has changed, else now and then."""
        now = self.now()
        recent = self._written is not None and 0 <= (now - self._written).total_seconds() < WRITTEN_EACH
        if self.health_file is None or (recent and not self._changed):
            return
        with suppress(OSError):  # where the disk is full, this is not what matters
            self.health.write(self.health_file)
        self._written, self._changed = now, False


def _is_about_letter(error: OSError) -> bool:
    """Whether only this letter cannot be sent, and others can."""
    if isinstance(error, CarrierError):
        refused = isinstance(error.__cause__, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError)
        return refused or isinstance(error, RefusedForGoodError)
    return error.errno not in OF_THE_DISK
