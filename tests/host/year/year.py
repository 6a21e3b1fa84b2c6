"""Months of games by mail in seconds: a host, a mail system that is not to be relied on, players made of code, and time.

Time goes in steps of an hour. What arrives meanwhile lies in the host's inbox; the host does a round at the next step;
once its machine is down for more than a day. Each game has its own seed, from which its players and all their doings
come, so a game goes the same way alone.
"""

from __future__ import annotations

import heapq
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from attrs import define, evolve, field, frozen

from tests.host.year.people import CHARACTERS, DAY, HOUR, RELIABLE, Gone, Got, Person, Todo
from tests.host.year.players import HOST, host
from tkid.host.service import Host
from tkid.host.transports import Maildir, RefusedForGoodError
from tkid.mail.game_service import HostedGame, apply_owner_note
from tkid.record.clock import CLOCK
from tkid.record.clock_notes import Resumed, StandIn
from tkid.record.format.model import Header, Record
from tkid.record.format.new_game import new_record

START = datetime(2027, 1, 4, 9, tzinfo=UTC)
STEP = HOUR
DOWN, UP = START + 8 * DAY, START + 8 * DAY + 30 * HOUR
"""In this time the host's machine is down; mails wait."""
LONGEST = 3 * 365 * DAY
"""A game that is not at rest by then is stuck."""
OWNER = "owner@games.example"
MOST_HELP = 2
"""So often a game is helped on by whoever keeps the host."""
MOST_A_DAY = 60
"""Letters to one address on one day; more are a loop."""
NAMES = ("Ann", "Bob", "Cal", "Dee")
CODES = ("second-edition", "second-edition-advanced")
TERMS = (
    ("2 days a turn, 1 day grace, remind after 1 day, then pass, adjourn after 3", 2 * DAY),
    ("3 days a turn, then pass, stand-in after 2", 3 * DAY),
    ("36 hours a turn, no reminder, then adjourn", 36 * HOUR),
    ("1 day a turn, 12 hours grace, then stand-in", DAY),
    ("20 days for 10 turns, 1 day grace", 3 * DAY),
    ("8 days for 10 turns, remind after 20 hours, then pass", DAY),
    ("2 days a turn, then pass, 10 days away", 2 * DAY),
)
"""Terms of clocks, and the time in which a player means to answer."""
NO_CLOCK = ("", DAY)
MESSAGE_ID = re.compile(rb"(?im)^message-id: *(<[^>]+>)")


class LoopError(AssertionError):
    """The host writes to an address again and again."""


@frozen
class Table:
    """A game to be played: its name, its record before the first turn, and who sits there."""

    name: str
    record: Record
    people: tuple[Person, ...]

    @classmethod
    def of(cls, seed: int) -> Table:
        """The game of a seed. Sixteen seeds in a row have every character among them."""
        rng = Random(f"table {seed}")
        characters = [CHARACTERS[seed % len(CHARACTERS)], *rng.choices(CHARACTERS, k=rng.randint(1, 3))]
        rng.shuffle(characters)
        unclocked = rng.random() < 0.5 and set(characters) <= set(RELIABLE)
        terms, time = NO_CLOCK if unclocked else rng.choice(TERMS)
        people: list[Person] = []
        for character, name in zip(characters, NAMES, strict=False):
            address = f"{name.lower()}.{seed}@example.org"
            people.append(character(name, address, (), f"{name} {seed}", time))
        for person in people:
            person.others = tuple(other for other in people if other is not person)
        seats = [f"{person.name} <{person.address}>" for person in people]
        record = new_record(CODES[rng.randrange(2)], seats, rng.randbytes(32), title=f"game-{seed}")
        record = evolve(record, headers=(*record.headers, *([Header(CLOCK, terms)] if terms else [])))
        return cls(f"game-{seed}", record, tuple(people))


@frozen
class Chair:
    """Who plays a seat of a game."""

    game: str
    seat: int
    person: Person


@frozen(order=True)
class Arrival:
    """Something that arrives somewhere: sorted by time, then by the game, then as it was begun."""

    at: datetime
    game: str
    number: int
    todo: Todo = field(order=False)


@define
class Year:
    """A host with its games, and all the mails between it and the players."""

    folder: Path
    host: Host
    tables: tuple[Table, ...]
    inbox: Maildir
    now: datetime = START
    chairs: dict[str, Chair] = field(factory=dict)
    """Everybody who is written to, by address."""
    arrivals: list[Arrival] = field(factory=list)
    numbers: Iterator[int] = field(factory=count)
    sent: list[tuple[str, Got]] = field(factory=list)
    """Each letter that left the host, with the address it went to."""
    refused: Counter[str] = field(factory=Counter)
    """How often the mail system would not take a letter to an address for now."""
    on_day: Counter[tuple[str, date]] = field(factory=Counter)
    mails: int = 0
    """How many mails reached the host."""
    left: dict[str, str] = field(factory=dict)
    """How each game ended or rests that nobody goes on with; "" for one that waits for somebody for ever."""
    helped: Counter[str] = field(factory=Counter)
    """How often whoever keeps the host has helped a game on."""

    def run(self) -> None:
        """Play until every game is at rest: over, adjourned, or with a seat that is offered, and no mail on its way."""
        for table in self.tables:
            self.chairs |= {p.address: Chair(table.name, seat, p) for seat, p in enumerate(table.people)}
            self.host.open_game(table.name, table.record, self.now)
        self._strangers()
        self.host.send_letters(self.now)
        while self.now < START + LONGEST:
            self.now += STEP
            self._arrive()
            if not DOWN <= self.now < UP:
                self._look()
            if (self.now - START) % DAY == timedelta() and self._rests():
                return

    def done(self) -> list[tuple[str, bytes]]:
        """The mails that the host carried out, each with its game."""
        with closing(sqlite3.connect(self.folder / "host.db")) as database:
            return list(database.execute("SELECT game, raw FROM incoming WHERE state = 'done'"))

    def _look(self) -> None:
        """One round of the host."""
        self.host.fetch_mails(self.inbox, self.now)
        self.host.work_on_all(self.now)
        self.host.run_clocks(self.now)
        self.host.send_letters(self.now)

    def _arrive(self) -> None:
        """Put what has arrived by now into the inbox."""
        while self.arrivals and self.arrivals[0].at <= self.now:
            arrival = heapq.heappop(self.arrivals)
            for part, mail in enumerate(arrival.todo.write()):
                self.mails += 1
                name = f"{arrival.at:%Y%m%d%H%M%S}.{arrival.game}.{arrival.number:06}.{part}"
                self.inbox.add_mail(mail, name)

    # -- whoever keeps the host ---------------------------------------------------------------------------

    def _rests(self) -> bool:
        """Whether nothing will happen any more. Games that do not go on by themselves are helped on, or left."""
        counts = self.host.store.count_mails()
        if DOWN <= self.now < UP or counts["new"] or counts["unsent"]:
            return False
        waited_for = {arrival.game for arrival in self.arrivals}
        for game in self.host.store.list_games():
            if game.due is None and game.id not in waited_for and game.id not in self.left:
                at = HostedGame.read_stored(game.record, game.memory)
                how = ending(at)
                if how not in {"adjourned", "offered"} or not self._help(game.id, at):
                    self.left[game.id] = how
        return not waited_for and len(self.left) == len(self.tables)

    def _help(self, name: str, at: HostedGame) -> bool:
        """Give the seat to somebody else, or let the game go on; whether anything was done."""
        lot, seat = Random(f"help {name} {self.helped[name]}"), at.replay.position.to_act
        if self.helped[name] == MOST_HELP or seat is None or lot.random() < 0.4:
            return False
        self.helped[name] += 1
        moment, kind = at.round_moment(self.now), lot.choice(["bot", "guest", "same"])
        lines: list[StandIn | Resumed] = []
        if kind == "bot" or not at.time.seats[seat].plays:
            lines.append(StandIn(seat, "Merlin", moment, bot=True))
        elif kind == "guest" or not at.time.adjourned:
            guest = self._guest(name, seat)
            lines.append(StandIn(seat, guest.name, moment, guest.address))
        for line in [*lines, *([Resumed(moment)] if at.time.adjourned else [])]:
            self.host.change_game(name, lambda at, line=line: apply_owner_note(at, line, self.now))  # type: ignore[misc]
        return True

    def _guest(self, name: str, seat: int) -> Person:
        """Somebody who takes a seat over."""
        table = next(table for table in self.tables if table.name == name)
        others = tuple(person for other, person in enumerate(table.people) if other != seat)
        known = f"Guest{self.helped[name]}"
        address = f"{known.lower()}.{name}@example.org"
        person = Person(known, address, others, address, table.people[seat].time)
        self.chairs[address] = Chair(name, seat, person)
        return person

    # -- the mail system ----------------------------------------------------------------------------------

    def send(self, to: str, mail: bytes) -> None:
        """Take a letter of the host's, not always at once; bring it, or report that it cannot be brought."""
        lot = Random(f"{to} {MESSAGE_ID.findall(mail)[0]!r} {self.refused[to]}")
        if lot.random() < 0.03:
            self.refused[to] += 1
            raise OSError("451 try again later")
        chair = self.chairs.get(to)
        moved = chair is not None and isinstance(chair.person, Gone) and chair.person.has_moved
        if moved and Random(to).random() < 0.4:
            raise RefusedForGoodError(f"{to}: 550 no such user")
        letter = Got(mail, self.now + timedelta(minutes=lot.randint(0, 9)))
        self.sent.append((to, letter))
        self.on_day[to, self.now.date()] += 1
        if self.on_day[to, self.now.date()] > MOST_A_DAY:
            raise LoopError(
                f"{to} got more than {MOST_A_DAY} letters on {self.now:%Y-%m-%d}; the last:\n{mail.decode()}"
            )
        if chair is not None and moved:
            after = timedelta(minutes=lot.randint(1, 300))
            self._expect(chair.game, [Todo(self.now + after, lambda: [report(to, mail)])])
        elif chair is not None:
            Maildir(self.folder / "out" / to).add_mail(mail)
            self._expect(chair.game, chair.person.read(letter))

    def _expect(self, game: str, todo: list[Todo]) -> None:
        for each in todo:
            heapq.heappush(self.arrivals, Arrival(each.at, game, next(self.numbers), each))

    def _strangers(self) -> None:
        """Mails of people who have nothing to do with any game."""
        for day in range(1, 12):
            sender = f"stranger-{day % 4}@elsewhere.example"
            orders = ("Pass", "help", "Dear Sir or Madam, I have an offer for you.", "resign")[day % 4]
            mail = f"From: {sender}\nTo: {HOST}\nSubject: hello\nMessage-ID: <{day}@elsewhere.example>\n\n{orders}\n"
            self._expect("", [Todo(START + day * DAY, partial(list, [mail.encode()]))])


def report(to: str, mail: bytes) -> bytes:
    """A delivery report: the letter could not be brought to an address."""
    text = f"This message was created automatically. A letter could not be delivered to {to}: no such user.\n"
    return (
        (
            "Return-Path: <>\nFrom: Mail Delivery System <Mailer-Daemon@mx.example.org>\n"
            f"To: {HOST}\nSubject: Mail delivery failed: returning message to sender\nAuto-Submitted: auto-replied\n"
            f"X-Failed-Recipients: {to}\nMIME-Version: 1.0\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="=_report"\n\n'
            f"--=_report\nContent-Type: text/plain; charset=us-ascii\n\n{text}\n"
            "--=_report\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n"
            f"Action: failed\nFinal-Recipient: rfc822;{to}\nStatus: 5.1.1\n"
            "Diagnostic-Code: smtp; 550 5.1.1 no such user\n\n--=_report\nContent-Type: message/rfc822\n\n"
        ).encode()
        + mail.replace(b"\r\n", b"\n")
        + b"\n--=_report--\n"
    )


def ending(at: HostedGame) -> str:
    """How a game ended, or why it rests; "" where it does neither."""
    position, time = at.replay.position, at.time
    if position.ending is not None:
        return str(position.ending)
    if time.winners:
        return "resigned"
    if time.adjourned:
        return "adjourned"
    return "offered" if any(name.endswith(" stand-in") for name in at.memory.done[-1:]) else ""


@contextmanager
def year(folder: Path, seeds: range | list[int]) -> Iterator[Year]:
    """The games of some seeds, played to their end."""
    with host(folder) as at:
        played = Year(folder, at, tuple(map(Table.of, seeds)), Maildir(folder / "in"))
        at.send, at.owner = played.send, OWNER
        played.run()
        yield played
