"""Two machines with two workers each on one PostgreSQL server, disturbed at any moment."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from resource import RLIM_INFINITY, RLIMIT_FSIZE, prlimit
from time import monotonic, sleep
from typing import Any

import sqlalchemy as sql
from attrs import define, evolve, field

from tests.host.store.postgres import Postgres, stoppable
from tests.host.year.players import HOST, address, examples, game, reply
from tests.mail.mails import parsed
from tkid.host.directory import HostDirectory
from tkid.host.log import Log, open_log
from tkid.host.service import Host
from tkid.host.store.leases import CLOCK, list_machines
from tkid.host.store.schema import documents, outgoing
from tkid.host.store.store import Store
from tkid.host.transports import Maildir, TransportError, Wakeup
from tkid.mail.hosted_game import HostedGame
from tkid.record.format.model import Record

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["tests.host.machines"])
LEFT, RIGHT = "left", "right"
WORKERS = 2
"""Processes of each machine."""
GAMES, TURNS = 6, 4
"""Games that are played at a time, and turns of all of them in a round."""
LENGTH = 10
"""Turns that players write in a game; later on, the host may play forced turns by itself."""
PAUSE = 0.3
LONGEST = 180.0
"""Seconds after which a club that has not done its work has lost something; a letter that failed is tried again after a minute."""
APART = 20 * 60
"""Seconds by which the clocks of machines differ at most."""
HANGING_UP = "hanging-up"
"""The file that says that the mail server hangs up."""
TOLD = re.compile(r"\] Turn (\d+):")


@define
class CountedBoxes:
    """Letters go into a Maildir for each address; one that is sent twice is there twice."""

    folder: Path
    numbers: Iterator[int]
    """The numbers of the letters of a worker, which opens its boxes again after a fault."""

    def send_letter(self, to: str, mail: bytes) -> None:
        number = next(self.numbers)
        hangs_up = (self.folder.parent / HANGING_UP).exists()
        if hangs_up and number % 2:
            raise TransportError("the connection was closed before the letter was accepted")
        Maildir(self.folder / to).add_mail(mail, f"{os.getpid()}-{number}")
        if hangs_up:
            raise TransportError("the connection was closed before the server said that it has the letter")

    def close(self) -> None:
        """Nothing is held open."""


def worker(folder: Path, ahead: float) -> None:
    """A host process of a machine whose clock is some seconds ahead; a signal ends it."""
    os.environ["PGAPPNAME"] = folder.name
    stopped: list[int] = []
    numbers = count()
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    directory = HostDirectory.read_folder(folder, {})
    log = Log(open_log(folder / "log"), lambda: datetime.now(UTC) + timedelta(seconds=ahead))
    with closing(Wakeup()) as wakeup:
        loop = directory.open_loop(log, wakeup)
        loop.delivery.make = lambda: CountedBoxes(folder.parent / "sent", numbers)
        loop.run_until_stopped(lambda: bool(stopped), PAUSE)


@define
class Club:
    """A club on two machines, the mails it was sent, and the faults it had."""

    folder: Path
    server: Postgres
    rng: Random
    store: Store = field(init=False)
    processes: dict[str, list[Any]] = field(factory=dict)
    turns: Counter[str] = field(factory=Counter)
    read: dict[Path, tuple[str, EmailMessage]] = field(factory=dict)
    faults: Counter[str] = field(factory=Counter)
    longest: tuple[float, str] = (0.0, "")
    mails: int = 0
    last: str = "the start"

    def __attrs_post_init__(self) -> None:
        left, right = self.folder / LEFT, self.folder / RIGHT
        HostDirectory.create_folder(left, HOST, self.server.url, "")
        settings = (left / "host.toml").read_text("utf-8")
        (left / "host.toml").write_text(f"pictures = false\n{settings}", "utf-8")
        right.mkdir(mode=0o700)
        shutil.copy(left / "host.toml", right / "host.toml")
        HostDirectory.join_folder(right, self.server.url, RIGHT, {}, (left / "secret").read_bytes)
        self.store = Store(self.server.url)
        for machine in (LEFT, RIGHT):
            self.start(machine)

    @property
    def maker(self) -> Host:
        """A host that makes games, and does nothing else."""
        return Host(self.store, HOST, (self.folder / LEFT / "secret").read_bytes(), lambda _, __: None)

    def start(self, machine: str) -> None:
        """Start the workers of a machine, whose clock shows about the time."""
        ahead = self.rng.uniform(-APART, APART) if self.rng.random() < 0.5 else 0.0
        for _ in range(WORKERS - len(self.processes.get(machine, ()))):
            process = FORKING.Process(target=worker, args=(self.folder / machine, ahead))
            process.start()
            self.processes.setdefault(machine, []).append(process)

    def end(self, machine: str, number: signal.Signals, most: int = WORKERS) -> None:
        """End workers of a machine with a signal."""
        for process in self.processes[machine][:most]:
            os.kill(process.pid, number)
            process.join()
        del self.processes[machine][:most]

    # -- what is asked of it ----------------------------------------------------------------------------------

    def read_letters(self) -> Iterator[tuple[str, EmailMessage]]:
        """Every letter that went out: to whom, and the letter."""
        for file in sorted((self.folder / "sent").glob("*/new/*")):
            if file not in self.read:
                self.read[file] = file.parts[-3], parsed(file.read_bytes())
            yield self.read[file]

    def begin_games(self) -> None:
        """Begin games until enough are played."""
        for _ in range(GAMES - sum(turns < LENGTH for turns in self.turns.values())):
            number = len(self.turns)
            self.maker.open_game(f"game-{number}", give_addresses(game(number), number), datetime.now(UTC))
            self.turns[f"game-{number}"] = 0

    def write_turns(self) -> None:
        """Players answer letters; each mail comes through the mailbox of one of the machines, or of both."""
        asked = {}
        for to, letter in self.read_letters():
            found = TOLD.search(str(letter["Subject"]))
            if found and self._is_open(to, int(found[1])) and examples(letter):
                asked[str(letter["Message-ID"])] = (to, letter)
        for to, letter in self.rng.sample(list(asked.values()), min(TURNS, len(asked))):
            mail = reply(letter, self.rng.choice(examples(letter)), "X", self.mails)
            mail = mail.replace(b"x@example.org", to.encode())
            for machine in self.rng.choice(((LEFT,), (RIGHT,), (LEFT, RIGHT))):
                Maildir(self.folder / machine / "in").add_mail(mail, f"{self.mails}")
            self.mails += 1
            self.turns[self._name_game(to)] += 1

    def _is_open(self, to: str, turn: int) -> bool:
        return self.turns[self._name_game(to)] + 1 == turn <= LENGTH

    @staticmethod
    def _name_game(to: str) -> str:
        number = re.search(r"(\d+)@", to)
        assert number
        return f"game-{number[1]}"

    # -- what disturbs it -------------------------------------------------------------------------------------

    def disturb(self, kind: str) -> None:
        """Disturb it in a way, at any moment."""
        self.faults[kind] += 1
        self.last = kind
        sleep(self.rng.uniform(0, 0.6))
        FAULTS[kind](self, self.rng.choice((LEFT, RIGHT)))
        for machine in (LEFT, RIGHT):
            self.start(machine)

    def kill_worker(self, machine: str) -> None:
        self.end(machine, signal.SIGKILL, 1)

    def kill_machine(self, machine: str) -> None:
        """The other machine takes over all that the dead one had, except its own mailbox."""
        self.end(machine, signal.SIGKILL)
        self.wait_until(lambda: self.find_keeper() not in {"", machine}, "nobody took the clocks over")

    def stop_machine(self, machine: str) -> None:
        self.end(machine, signal.SIGTERM)

    def stop_database(self, _: str) -> None:
        self.server.stop()
        sleep(self.rng.uniform(0, 1))
        self.server.start()
        self.store.close()
        self.store = Store(self.server.url)

    def cut_off(self, machine: str) -> None:
        """A machine stands still, and the server ends its sessions, as it does when nobody answers; then it goes on."""
        for process in self.processes[machine]:
            os.kill(process.pid, signal.SIGSTOP)
        with self.store.engine.begin() as connection:
            ending = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = :name"
            connection.execute(sql.text(ending), {"name": machine})
        self.wait_until(lambda: self.find_keeper() not in {"", machine}, "nobody took the clocks over")
        for process in self.processes[machine]:
            os.kill(process.pid, signal.SIGCONT)

    def fill_disk(self, machine: str) -> None:
        """No process of a machine can write to a file, neither a letter nor its log; then there is room again."""
        for process in self.processes[machine]:
            prlimit(process.pid, RLIMIT_FSIZE, (0, RLIM_INFINITY))
        sleep(self.rng.uniform(0.5, 2))
        for process in self.processes[machine]:
            prlimit(process.pid, RLIMIT_FSIZE, (RLIM_INFINITY, RLIM_INFINITY))

    def hang_up(self, _: str) -> None:
        """The mail server closes connections, in turn before it takes a letter and after."""
        (self.folder / HANGING_UP).touch()
        sleep(self.rng.uniform(0.5, 2))
        (self.folder / HANGING_UP).unlink()

    def lose_mailbox(self, machine: str) -> None:
        """The mailbox of a machine is away, as a folder of the network can be."""
        box = self.folder / machine / "in"
        away = box.rename(box.with_name("away"))
        sleep(self.rng.uniform(0.5, 2))
        if box.exists():
            for file in box.glob("new/*"):
                file.rename(away / "new" / file.name)
            shutil.rmtree(box)
        away.rename(box)

    # -- what has to hold -------------------------------------------------------------------------------------

    def find_keeper(self) -> str:
        """The machine that runs the clocks; "" for none, or two."""
        names = [each.machine.name for each in list_machines(self.store.engine) if CLOCK in each.leases]
        return names[0] if len(names) == 1 else ""

    def is_done(self) -> bool:
        """Whether all mails were read and carried out, and all letters sent."""
        boxes = (self.folder / machine / "in" / "new" for machine in (LEFT, RIGHT))
        if any(any(box.iterdir()) for box in boxes):
            return False
        counts = self.store.count_mails()
        return not (counts["new"] or counts["unsent"])

    def wait_until(self, condition: Callable[[], bool], words: str) -> None:
        began = monotonic()
        while not condition():
            assert monotonic() - began < LONGEST, (words, self.faults, self.store.count_mails())
            for processes in self.processes.values():
                assert all(each.is_alive() for each in processes), "a worker ended by itself"
            sleep(0.05)
        self.longest = max(self.longest, (monotonic() - began, f"{words} after {self.last}"))

    def check(self) -> None:
        """No turn is lost or doubled, and everybody hears of everything once."""
        self.wait_until(self.is_done, "some work is left")
        counts = self.store.count_mails()
        assert (counts["done"], counts["quarantined"]) == (self.mails, 0), counts
        for stored in self.store.list_games():
            hosted = HostedGame.read_stored(stored.record, stored.memory)
            assert len(hosted.record.turns) == self.turns[stored.id], stored.id
            assert not hosted.replay.problems
        with self.store.engine.connect() as connection:
            wanted = Counter(
                (row.address, row.message_id)
                for row in connection.execute(sql.select(outgoing.c.address, outgoing.c.message_id))
            )
        sent = Counter((to, str(letter["Message-ID"])) for to, letter in self.read_letters())
        assert sent.keys() == wanted.keys()
        assert self.repeated <= 2 * WORKERS * sum(self.faults.values()), "more than one letter of each worker that died"

    @property
    def repeated(self) -> int:
        """Letters that went out twice, with the same Message-ID: a worker died between sending one and noting it."""
        sent = Counter(str(letter["Message-ID"]) for _, letter in self.read_letters())
        return sum(times - 1 for times in sent.values())

    def check_secret(self) -> None:
        """The secret is in the files `secret` alone."""
        secret = (self.folder / LEFT / "secret").read_bytes()
        with self.store.engine.connect() as connection:
            texts = [str(text).encode() for (text,) in connection.execute(sql.select(documents.c.data))]
        files = [file for file in self.folder.rglob("*") if file.is_file() and file.name != "secret"]
        for data in (*texts, *(file.read_bytes() for file in files)):
            assert secret not in data
            assert secret.hex().encode() not in data

    def close(self) -> None:
        for processes in self.processes.values():
            for process in processes:
                os.kill(process.pid, signal.SIGCONT)
                process.kill()
                process.join()
        self.store.close()


FAULTS: dict[str, Callable[[Club, str], None]] = {
    "a worker is killed": Club.kill_worker,
    "a machine is killed": Club.kill_machine,
    "a machine is stopped": Club.stop_machine,
    "the database stops": Club.stop_database,
    "a machine is cut off": Club.cut_off,
    "a machine's disk is full": Club.fill_disk,
    "the mail server hangs up": Club.hang_up,
    "a mailbox is away": Club.lose_mailbox,
}


def give_addresses(record: Record, number: int) -> Record:
    """A game whose players have addresses of their own."""
    seats = tuple(evolve(seat, address=address(f"{seat.name}{number}")) for seat in record.seats)
    headers = tuple(
        evolve(header, value=header.value.replace("@", f"{number}@")) if header.name == "Seat" else header
        for header in record.headers
    )
    return evolve(record, seats=seats, headers=headers)


@contextmanager
def club(folder: Path, seed: int) -> Iterator[Club]:
    """A club at work on two machines, with a server of its own."""
    with stoppable() as server:
        made = Club(folder, server, Random(seed))
        try:
            yield made
        finally:
            made.close()


def play_rounds(at: Club, rounds: int, each: Callable[[], None] = lambda: None) -> None:
    """Play turns, with a fault in each round; after it everything has to hold."""
    for number in range(rounds):
        at.begin_games()
        at.wait_until(at.is_done, "letters are left")
        at.write_turns()
        at.disturb(list(FAULTS)[number % len(FAULTS)])
        at.check()
        each()
    at.check_secret()
