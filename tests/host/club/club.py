"""A club by mail, for weeks: a host in its folder with all that it does in a round, people, and time in steps of hours."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import TypeVar
from unittest.mock import patch

from attrs import define, field

from tests.cli import tkid
from tests.host.club.counted import Counts, counting, id_of
from tests.host.club.habits import AUTOMATIC, STRANGERS, WHO, WISHES, fields
from tests.host.club.owner import ORDERS, DeskOrder, Owner
from tests.host.club.people import Person
from tests.host.club.sight import Sight
from tests.host.year.players import HOST, letter
from tests.host.year.year import report
from tkid.host.chores import TimeWatch
from tkid.host.directory import HostDirectory
from tkid.host.journal import Journal
from tkid.host.log import Log
from tkid.host.loop import Loop
from tkid.host.service import Host
from tkid.host.store.store import Store
from tkid.host.transports import Maildir, Send, Transports
from tkid.mail.hosted_game import HostedGame, start_clock
from tkid.record.format.new_game import new_record

START = datetime(2027, 1, 4, 9, tzinfo=UTC)
STEP = timedelta(hours=8)
OWNER = "owner@games.example"
FIRST_NAMES = re.findall(
    r"\w+",
    "Ann Bob Cal Dee Eve Fay Gus Hal Ida Jon Kim Lou Max Nia Oda "
    "Pip Quin Ray Sue Tom Una Val Wim Xia Yan Zoe Abel Beth Cleo Dirk",
)
T = TypeVar("T")
MOST_A_DAY = 80
"""Letters to one address on one day; more are a loop."""


class LoopError(AssertionError):
    """The host writes to an address again and again."""


@define
class Clock:
    """A clock that stands until it is set, and the one of the machine's start beside it, which nobody sets."""

    now: datetime
    wrong: timedelta = timedelta()
    """By how much the first was set forward."""

    def __call__(self) -> datetime:
        return self.now

    def since_start(self) -> tuple[str, float]:
        """The machine's start, and the seconds since: the machine is never off."""
        return "one start", (self.now - self.wrong - START).total_seconds()


@define
class Club:
    """A host, the people, and the mails between them."""

    folder: Path
    seed: int
    people: list[Person]
    owner: Owner
    rng: Random
    drawn: Random
    """What the host draws."""
    counts: Counts
    clock: Clock = field(factory=lambda: Clock(START))
    sent: list[tuple[str, bytes, datetime]] = field(factory=list)
    """Each letter that left the host: to whom, and when."""
    unread: dict[str, list[EmailMessage]] = field(factory=dict)
    bouncing: set[str] = field(factory=set)
    """Addresses from which everything comes back."""
    on_day: Counter[tuple[str, str]] = field(factory=Counter)
    outsiders: list[Person] = field(factory=list)
    """Strangers, and guests whom a member invited."""
    wrote: dict[str, tuple[str, datetime]] = field(factory=dict)
    """The mails of people, by Message-ID: whose each is, and when it came."""
    mails: int = 0
    """How many mails came."""
    automatic: set[str] = field(factory=set)
    """The mails of programs."""
    wishes: list[str] = field(factory=list)
    orders: list[DeskOrder] = field(factory=list)
    """What members and the owner have still to order before they begin from the start."""
    lost: list[tuple[datetime, datetime]] = field(factory=list)
    """The days that the host has lost: when a copy was made, and when the host was restored from it."""
    log: list[str] = field(factory=list)
    loop: Loop | None = None

    @property
    def home(self) -> Path:
        """The host's folder."""
        return self.folder / "club"

    @property
    def pages(self) -> Path:
        """The folder with the club's pages."""
        return self.folder / "pages"

    @property
    def everybody(self) -> list[Person]:
        """All who read letters."""
        return [*self.people, self.owner, *self.outsiders]

    def at_hand(self, address: str) -> set[str]:
        """All addresses from which somebody writes who has this one."""
        owner = next((person for person in self.everybody if address in person.addresses), None)
        return {*owner.addresses, f"{owner.name.lower()}@phone.example"} if owner else set()

    @property
    def blocked(self) -> set[str]:
        """The addresses of all who ever blocked the club."""
        return {address for person in self.everybody if person.blocked for address in person.addresses}

    def was_lost(self, moment: datetime) -> bool:
        """Whether a moment is in days that the host has lost, so that what it did then may have been done in another way."""
        return any(first <= moment <= last for first, last in self.lost)

    def digests(self, address: str) -> bool:
        """Whether somebody reads one mail a day."""
        return any(person.digested for person in self.everybody if address in person.addresses)

    # -- the host -----------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the host, in whatever folder it is now."""
        directory = HostDirectory.read_folder(self.home, {})

        def make(store: Store, send: Send) -> Host:
            host = directory.open_host(store, send)
            host.pictures = False
            return host

        transports = Transports({"in": lambda: Maildir(self.home / "in")}, ("out", lambda: self))
        self.loop = Loop(
            directory.database,
            make,
            transports,
            Log(self.log.append, self.clock),
            self.clock,
            lambda _: None,
            health_file=directory.health,
            chores=directory.list_chores(),
            rng=Random(self.seed),
            watch=TimeWatch(self.clock, self.clock.since_start),
            journal=Journal(self.home),
        )

    def stop(self) -> None:
        """Stop the host."""
        assert self.loop is not None
        self.loop.close()
        self.loop = None

    def work(self) -> None:
        """Rounds until there is nothing left to do."""
        assert self.loop is not None
        for _ in range(200):
            done = self.loop.run_round(lambda: False)
            if not (done.fetched or done.worked or done.sent or done.ticked or self._unsent()):
                return
        raise LoopError("the host does not come to rest")

    def _unsent(self) -> int:
        """How many letters wait that were never tried."""
        with self.store() as store:
            return store.count_mails()["unsent"] - len(store.list_unsent())

    def send_letter(self, to: str, mail: bytes) -> None:
        """The mail system: bring a letter, or report that it cannot be brought."""
        self.sent.append((to, mail, self.clock.now))
        day = (to, self.clock.now.date().isoformat())
        self.on_day[day] += 1
        if self.on_day[day] > MOST_A_DAY:
            raise LoopError(f"{to} got more than {MOST_A_DAY} letters on {day[1]}; the last:\n{mail.decode()}")
        if to in self.bouncing:
            self.deliver(report(to, mail))
        else:
            self.unread.setdefault(to, []).append(letter(mail))

    def close(self) -> None:
        """Let go of the mail system: nothing is held open."""

    def deliver(self, mail: bytes) -> None:
        """Put a mail into the host's inbox, with the time at which it came."""
        self.mails += 1
        box, name, named = Maildir(self.home / "in"), f"{self.mails:06}.tkid", id_of(mail)
        box.add_mail(mail, name)
        os.utime(box.path / "new" / name, (self.clock.now.timestamp(),) * 2)
        if b"\nAuto-Submitted: " in mail or not named:
            self.automatic.add(named)
        else:
            self.wrote[named] = mail.partition(b"<")[2].partition(b">")[0].decode(), self.clock.now

    @contextmanager
    def store(self) -> Iterator[Store]:
        """The database."""
        with HostDirectory.read_folder(self.home, {}).open_store() as store:
            yield store

    def command(self, *words: str | Path) -> str:
        """A command of whoever runs the host, beside the host that runs; what it prints."""
        done = tkid("host", *map(str, words))
        assert done.exit_code == 0, f"{' '.join(map(str, words))}: {done.output}"
        for box in sorted((self.home / "out").iterdir()):  # some commands send letters themselves
            out = Maildir(box)
            for name, mail in list(out.list_arrived()):
                self.send_letter(box.name, mail)
                out.mark_fetched(name)
        return done.output

    # -- time ---------------------------------------------------------------------------------------------

    def step(self, *, works: bool = True) -> None:
        """Some hours go by: people read and write, and the host works, if it does."""
        self.clock.now += STEP
        for person in self.everybody:
            if self.rng.random() < person.busy:
                for each in [mail for address in person.addresses for mail in self.unread.pop(address, [])]:
                    for mail in person.answer(each):
                        self.deliver(mail)
        if works:
            self.work()

    def something_new(self) -> None:
        """A member writes of their own accord: the next thing of the table for which there is what it needs."""
        person = self.rng.choice(self.people)
        others = [each for each in self.people if each is not person]
        with self.store() as store:
            known = Sight.of(store).for_person(person, others, self.rng)
        known["guest"] = f"guest{len(self.outsiders)}@guest.example"
        self.wishes = self.wishes or self._shuffled([text for often, text in WISHES for _ in range(often)])
        order = next((text for text in self.wishes if fields(text) <= set(known)), "")
        if not order:
            return
        self.wishes.remove(order)
        if "{new}" in order:
            person.addresses.append(known["new"])
        if "{guest}" in order:
            self._outsider(known["guest"], 0.9)
        self.deliver(person.begin(order.format_map(known)))

    def somebody_from_outside(self) -> None:
        """A stranger writes, or a program does."""
        if self.rng.random() < 0.5:
            headers, text = self.rng.choice(AUTOMATIC)
            person = self.rng.choice(self.people)
            sender = self.rng.choice(WHO).format(address=person.address)
            self.deliver(person.write(text, HOST, "News", f"Auto-Submitted: auto-generated\n{headers}\n", sender))
            return
        with self.store() as store:
            known = Sight.of(store).for_person(self.people[0], self.people[1:], self.rng)
        text = self.rng.choice([text for text in STRANGERS if fields(text) <= set(known)])
        stranger = self._outsider(f"stranger{len(self.outsiders)}@guest.example", self.rng.choice((0.0, 0.9)))
        for _ in range(self.rng.choice((1, 3))):
            self.deliver(stranger.write(text.format_map(known), HOST, "Hello"))

    def owner_orders(self) -> None:
        """The owner gives the next order of the table for which there is what it needs, by mail or by command."""
        with self.store() as store:
            known = Sight.of(store).for_owner(self.people, self.clock.now, self.rng)
        record, file = self._elsewhere(known["copy"]), self.folder / "elsewhere.tkid"
        file.write_bytes(record)
        known |= {"home": str(self.home), "file": str(file)}
        self.orders = self.orders or self._shuffled(ORDERS)
        if (found := self.owner.chosen(known, self.orders)) is None:
            return
        order, text, by_mail = found
        if "{alias}" in order.line:
            person = next(each for each in self.people if known["alias"].startswith(each.name.lower()))
            person.addresses.append(known["alias"])
        if by_mail:
            self.deliver(self.owner.desk_mail(text, record))
            return
        done = tkid("host", *text.split(","))
        assert done.exit_code == 0 or isinstance(done.exception, SystemExit), f"{text}: {done.exception}"
        self.work()

    def _elsewhere(self, name: str) -> bytes:
        """The record of a game of two members that began elsewhere."""
        seats = [f"{each.name} <{each.address}>" for each in self.rng.sample(self.people, 2)]
        record = new_record("second-edition", seats, self.rng.randbytes(32), title=name)
        return HostedGame.make_new(start_clock(record, self.clock.now)).record_text.encode()

    def _outsider(self, address: str, busy: float) -> Person:
        """Somebody who is not known here."""
        name = address.partition("@")[0].capitalize()
        self.outsiders.append(Person(name, address, Random(f"{self.seed} {name}"), busy))
        return self.outsiders[-1]

    def _shuffled(self, some: Sequence[T]) -> list[T]:
        return self.rng.sample(some, len(some))


@contextmanager
def club(folder: Path, seed: int, people: int, store: str = "") -> Iterator[Club]:
    """A club of so many people, with a running host; `store` is its database where that is not in its folder."""
    rng, drawn = Random(seed), Random(f"{seed} host")
    members = [
        Person(name, f"{name.lower()}@example.org", Random(f"{seed} {name}"), rng.choice((0.5, 0.8, 0.95)))
        for name in FIRST_NAMES[:people]
    ]
    clock, host_of = Clock(START), HostDirectory.open_host

    def seeded(directory: HostDirectory, store: Store, send: Send = lambda _, __: None) -> Host:
        host = host_of(directory, store, send)
        host.draw = lambda: drawn.randbytes(32)
        return host

    with ExitStack() as stack:
        counts = stack.enter_context(counting())
        stack.enter_context(patch.object(HostDirectory, "open_host", seeded))
        for module in ("host", "host_games", "host_rounds"):
            stack.enter_context(patch(f"tkid.cli.{module}.get_time", clock))
        made = Club(
            folder, seed, members, Owner("Owner", OWNER, Random(f"{seed} owner"), 0.95), rng, drawn, counts, clock
        )
        made.command("init", made.home, "--address", HOST, "--owner", OWNER, *(("--store", store) if store else ()))
        (made.home / "secret").write_bytes(rng.randbytes(32))  # so that a seed tells all
        settings = made.home / "host.toml"
        settings.write_text(
            settings.read_text("utf-8")
            + '\n[club]\nname = "Camelot"\nwelcome = "everybody"\ncredit-hours = 12\n\n[pages]\nfolder = "../pages"\n',
            "utf-8",
        )
        made.start()
        stack.callback(lambda: made.stop() if made.loop is not None else None)
        yield made
