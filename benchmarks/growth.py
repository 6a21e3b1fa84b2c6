"""Growth: processor time and memory of a host's work in clubs of 100 and 1,000 games, and how they grow with the club.

`python -m benchmarks.growth 100 1000 5000` names other sizes; `--store` with the address of an empty PostgreSQL database
measures there. A club has as many members as games; half of the games are over. The games are made of a few that were
played, with other names and addresses. Each piece of work has a process of its own. The exponent tells how cost grows from the
smallest club to the largest: 0 means not at all, and 1 means as the club does.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from math import log
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from subprocess import DEVNULL, Popen
from time import perf_counter, process_time
from typing import Any

from attrs import evolve, frozen

from tests.club.clubs import START, hosted
from tests.host.store.databases import wipe
from tests.host.year.players import HOST, TIME, examples, reply
from tests.mail.mails import parsed
from tkid.club.digest import DigestBook
from tkid.club.members import Member
from tkid.host.backup import back_up
from tkid.host.chores import send_due_digests
from tkid.host.directory import HostDirectory
from tkid.host.service import Host
from tkid.host.store.transaction import Key, StoredGame
from tkid.host.transports import Wakeup
from tkid.mail.game_service import HostedGame, ask_for_turn
from tkid.mail.marker import make_key
from tkid.mail.message import compose_mail
from tkid.mail.order_machine import Document
from tkid.record.format.model import Header, Seat
from tkid.record.play.writer import write_record

SEED = 20261129
SIZES = (100, 1_000)
TEMPLATES = 6
"""Games that are played, of each kind: going on, and over."""
MEASURED = 12
"""Turns and digests that are measured; the figure is their median."""
PLAYERS = ("Ann Archer", "Bob Baker", "Cal Carter", "Dee Dyer")
OTHER_NAMES = 10
"""One of so many members has a name at the club that is not the one in the games."""
NOW = TIME + timedelta(days=1)
WANTED: Mapping[str, str] = {
    "a turn": "25 ms", "a turn with pages": "45 ms", "a turn with pages and other names": "45 ms",
    "first mail after a restore": "5,000 ms", "a digest": "10 ms", "status": "1,500 ms", "host games": "100 MB",
    "publish": "120 MB",
}  # fmt: skip


@frozen
class Taken:
    """What a piece of work took: milliseconds of processor time, megabytes of memory at most, and bytes written."""

    milliseconds: float
    megabytes: float = 0
    size: int = 0


@cache
def templates() -> tuple[HostedGame, ...]:
    """Games of two and four players, in turn one that goes on and one that is over."""
    people = [f"{name} <{name.split()[0].lower()}@example.org>" for name in PLAYERS]
    made = []
    for number in range(TEMPLATES):
        some = people[: 2 + 2 * (number % 2)]
        for turns in (8 + 2 * number, None):
            made.append(hosted(some, seed=f"{SEED} {number}", turns=turns, start=START + timedelta(days=number)))
    return tuple(made)


def player(number: int) -> Seat:
    """A player by number: name and address."""
    name = PLAYERS[number % len(PLAYERS)]
    return Seat(f"{name} {number}", f"{name.split()[0].lower()}{number}@example.org")


def copy_game(template: HostedGame, seats: Sequence[Seat]) -> HostedGame:
    """Return a game with other players; its hashes are made again, and it has no seal, as nobody has drawn it."""
    of = template.record
    headers = [header for header in of.headers if header.name not in {"Seat", "Seal"}]
    headers += [Header("Seat", f"{seat.name} <{seat.address}>") for seat in seats]
    turns = tuple(evolve(turn, hash="") for turn in of.turns)
    record = evolve(of, seats=tuple(seats), headers=tuple(headers), turns=turns)
    made = HostedGame.read_stored(write_record(record), template.memory_text)
    memory = made.memory
    for seat in made.seats:
        memory = memory.with_seat(seat, told=made.turns)
    return evolve(made, memory=evolve(memory, asked=made.turn_id))


def build_club(folder: Path, games: int, store: str) -> None:
    """Make the host with its games, members and digests."""
    HostDirectory.create_folder(folder, HOST, store, "owner@example.org")
    directory, rng = HostDirectory.read_folder(folder, {}), Random(SEED)
    with directory.open_store() as opened:
        for first in range(0, games, 500):
            with opened.begin_transaction() as transaction:
                for number in range(first, min(games, first + 500)):
                    template = templates()[number % len(templates())]
                    seats = [player(each) for each in rng.sample(range(games), len(template.seats))]
                    made = copy_game(template, seats)
                    over = made.time.over
                    transaction.add_game(StoredGame(f"game-{number}", made.record_text, made.memory_text, None, over))
                    own = player(number)
                    transaction.documents.store_document(Member.make_new(own.address, own.name).document)


def waiting_mails(host: Host, games: int) -> Iterator[tuple[str, bytes]]:
    """Yield games that wait for a turn, and the mails with the turns; their keys are made."""
    numbers = [number for number in range(0, games, 2)][:: max(1, games // 2 // (MEASURED + 2))]
    for number in numbers[: MEASURED + 2]:
        stored = host.store.get_game(f"game-{number}")
        assert stored is not None
        game = stored.read_hosted()
        letter = ask_for_turn(game.replay, TIME)
        assert letter is not None
        key = make_key(host.secret, stored.id, letter.seat, letter.turn, letter.after)
        seat = game.record.seats[letter.seat]
        with host.store.begin_transaction() as transaction:
            transaction.allow_keys({key: Key(stored.id, letter.seat, letter.turn)})
        asked = parsed(compose_mail(game.replay, letter, seat.address, HOST, key=key))
        mail = reply(asked, examples(asked)[0], "Xyz", number + 1_000_000 * game.turns)
        yield stored.id, mail.replace(b"Xyz <xyz@example.org>", f"{seat.name} <{seat.address}>".encode(), 1)


@contextmanager
def open_host(folder: Path) -> Iterator[tuple[HostDirectory, Host]]:
    directory = HostDirectory.read_folder(folder, {})
    with directory.open_store() as store:
        yield directory, directory.open_host(store)


def measure_turns(folder: Path, games: int) -> float:
    """Return the time for a turn, with the chores of the round that follows."""
    with open_host(folder) as (directory, host):
        chores = {name: chore for name, chore in directory.list_chores().items() if name in {"pages"}}
        taken = []
        for _, mail in list(waiting_mails(host, games)):
            begun = process_time()
            host.store.keep_mail(mail, NOW)
            host.work_on_all(NOW)
            for chore in chores.values():
                chore(host, NOW)
            taken.append(process_time() - begun)
        assert not host.store.count_mails()["filed"]
    return median(taken[2:]) * 1000


def measure_digests(folder: Path, games: int) -> float:
    with open_host(folder) as (_, host):
        taken = []
        for number in range(MEASURED):
            book = DigestBook(player(number).address, 7)
            with host.store.begin_transaction() as transaction:
                transaction.documents.store_document(evolve(book.document, due=NOW))
            begun = process_time()
            send_due_digests(host, NOW)
            taken.append(process_time() - begun)
    return median(taken) * 1000


def measure_restore(folder: Path, games: int) -> float:
    """Return the time until a mail that comes while a host restores is answered, in its first rounds after a restore."""
    from tkid.host.backup import restore_backup

    backup = next(folder.parent.glob("first.backup"))
    restore_backup(backup, folder, {}, datetime.now(UTC), force=True)
    directory = HostDirectory.read_folder(folder, {})
    with open_host(folder) as (_, host):
        mail = next(iter(waiting_mails(host, games)))[1]
    from tkid.host.log import Log

    with closing(Wakeup()) as wakeup:
        loop = directory.open_loop(Log(lambda _: None, lambda: datetime.now(UTC)), wakeup)
        try:
            begun = process_time()
            loop.run_round(lambda: False)
            first = process_time() - begun
            with directory.open_store() as store:
                store.keep_mail(mail, datetime.now(UTC))
            begun = process_time()
            while True:
                loop.run_round(lambda: False)
                with directory.open_store() as store:
                    if store.count_mails()["new"] == 0:
                        break
            second = process_time() - begun
        finally:
            loop.close()
    return max(first, second) * 1000


WORK: Mapping[str, Callable[[Path, int], float]] = {
    "a turn": measure_turns,
    "a digest": measure_digests,
    "a round after a restore": measure_restore,
}
PROCESSES = get_context("spawn")


def _run_work(name: str, folder: Path, games: int, results: Any) -> None:
    results.put((WORK[name](folder, games), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def measure(name: str, folder: Path, games: int) -> Taken:
    """Do a piece of work in a process of its own."""
    results = PROCESSES.SimpleQueue()
    worker = PROCESSES.Process(target=_run_work, args=(name, folder, games, results))
    worker.start()
    worker.join()
    assert worker.exitcode == 0
    return Taken(*results.get())


def run_command(*words: object) -> Taken:
    """Run a command of `tkid host`."""
    process = Popen([sys.executable, "-m", "tkid", "host", *map(str, words)], stdout=DEVNULL)  # noqa: S603
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, words
    return Taken((used.ru_utime + used.ru_stime) * 1000, used.ru_maxrss / 1024)


def set_up_pages(folder: Path) -> None:
    settings = folder / "host.toml"
    settings.write_text(
        settings.read_text("utf-8")
        + 'pictures = false\n[pages]\nfolder = "%s"\nurl = "https://club.example"\n' % (folder / "www").resolve(),
        "utf-8",
    )


def give_other_names(folder: Path, games: int) -> None:
    """Give some members a name at the club that is not the one in their games."""
    with open_host(folder) as (_, host), host.store.begin_transaction() as transaction:
        for number in range(0, games, OTHER_NAMES):
            address = player(number).address
            transaction.documents.store_document(Member.make_new(address, f"Other {number}").document)


def measure_club(folder: Path, games: int, store: str) -> dict[str, Taken]:
    """Return what each piece of work takes in a club of so many games."""
    begun = perf_counter()
    build_club(folder, games, store)
    print(f"# {games} games: made in {perf_counter() - begun:.0f} s", flush=True)
    found: dict[str, Taken] = {}

    def note(name: str, taken: Taken) -> None:
        found[name] = taken
        print(f"# {games} games: {name}: {taken.milliseconds:.0f} ms, {taken.megabytes:.0f} MB", flush=True)

    first = folder.parent / "first.backup"
    note("backup", run_command("backup", folder, first))
    note("status", run_command("status", folder))
    note("a digest", measure("a digest", folder, games))
    note("a turn", measure("a turn", folder, games))
    set_up_pages(folder)
    note("publish", run_command("publish", folder))
    note("a turn with pages", measure("a turn", folder, games))
    give_other_names(folder, games)
    run_command("publish", folder)
    note("a turn with pages and other names", measure("a turn", folder, games))
    note("host games", run_command("games", folder))
    note("a second backup", run_command("backup", folder, folder.parent / "second.backup"))
    note("a round after a restore", measure("a round after a restore", folder, games))
    return found


def find_exponent(small: float, large: float, factor: float) -> float:
    return log(max(large, 1e-9) / max(small, 1e-9)) / log(factor)


def main() -> None:
    """Print the table."""
    parser = ArgumentParser()
    parser.add_argument("sizes", nargs="*", type=int)
    parser.add_argument("--store", default="")
    given = parser.parse_args()
    sizes = sorted(given.sizes or SIZES)
    found: dict[int, dict[str, Taken]] = {}
    for games in sizes:
        if given.store:
            wipe(given.store)
        with tempfile.TemporaryDirectory() as name:
            found[games] = measure_club(Path(name) / "club", games, given.store)
    print(f"growth, seed {SEED}   " + "  ".join(f"{games:>16,} games" for games in sizes) + "  exponent  wanted")
    for name in found[sizes[0]]:
        row = [found[games][name] for games in sizes]
        cells = "  ".join(f"{each.milliseconds:10,.0f} ms {each.megabytes:5,.0f} MB" for each in row)
        factor = sizes[-1] / sizes[0]
        exponent = find_exponent(row[0].milliseconds, row[-1].milliseconds, factor) if factor > 1 else 0
        print(f"{name:34}{cells}  {exponent:7.2f}   {WANTED.get(name, '')}")


if __name__ == "__main__":
    main()
