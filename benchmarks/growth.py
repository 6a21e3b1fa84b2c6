"""Growth: processor time and memory of a host's work in clubs of 100 and 1,000 games, and how they grow with the club.

`python -m benchmarks.growth 100 1000 5000` names other sizes; `--store` with the address of an empty PostgreSQL database
measures there. A club has as many members as games; half of the games are over. The games are made of a few that were
played, with other names and addresses. Each piece of work has a process of its own. The exponent tells how cost grows from the
smallest club to the largest: 0 means not at all, and 1 means as the club does.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import log
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE, run
from time import perf_counter, process_time
from typing import Any

from attrs import evolve, frozen

from tests.host.large_club import fill_at_random, player, turn_mails
from tests.host.store.databases import wipe
from tests.host.year.players import HOST, TIME
from tkid.club.digest import DigestBook
from tkid.club.members import Member
from tkid.host.backup import restore_backup
from tkid.host.chores import send_due_digests
from tkid.host.directory import HostDirectory
from tkid.host.log import Log
from tkid.host.service import Host
from tkid.host.store.leases import PAGES
from tkid.host.transports import Wakeup

SEED = 20261129
SIZES = (100, 1_000)
KINDS = 6
"""Games that are played, of each kind: going on, and over."""
MEASURED = 12
"""Turns and digests that are measured; the figure is their median."""
MAILS = 3
"""Mails that come in the rounds after a restore."""
OTHER_NAMES = 10
"""One of so many members has a name at the club that is not the one in the games."""
NOW = TIME + timedelta(days=1)
WANTED: Mapping[str, str] = {
    "a turn": "25 ms", "a turn with pages": "45 ms", "a turn with pages and other names": "45 ms",
    "a mail after a restore": "5,000 ms", "a digest": "10 ms", "status": "1,500 ms", "host games": "100 MB",
    "publish": "120 MB",
}  # fmt: skip


@frozen
class Taken:
    """What a piece of work took: milliseconds of processor time, and megabytes of memory at most."""

    milliseconds: float
    megabytes: float = 0


def build_club(folder: Path, games: int, store: str) -> None:
    """Make the host with its games and members."""
    HostDirectory.create_folder(folder, HOST, store, "owner@example.org")
    with HostDirectory.read_folder(folder, {}).open_store() as opened:
        fill_at_random(opened, games, KINDS, Random(SEED))


def waiting_mails(host: Host, games: int) -> list[bytes]:
    """The mails with turns in some of the games."""
    numbers = range(0, games, 2)[:: max(1, games // 2 // (MEASURED + 2))]
    return list(turn_mails(host, [f"game-{number}" for number in numbers[: MEASURED + 2]]))


@contextmanager
def open_host(folder: Path) -> Iterator[tuple[HostDirectory, Host]]:
    """Open the host in a folder."""
    directory = HostDirectory.read_folder(folder, {})
    with directory.open_store() as store:
        yield directory, directory.open_host(store)


def measure_turns(folder: Path, games: int) -> float:
    """Return the time for a turn, with the chores of the round that follows."""
    with open_host(folder) as (directory, host):
        chores = [chore for name, chore in directory.list_chores().items() if name == PAGES]
        taken = []
        for mail in waiting_mails(host, games):
            begun = process_time()
            host.store.keep_mail(mail, NOW)
            host.work_on_all(NOW)
            for chore in chores:
                chore(host, NOW)
            taken.append(process_time() - begun)
        assert not host.store.count_mails()["filed"]
    return median(taken[2:]) * 1000


def measure_digests(folder: Path, _: int) -> float:
    """Return the time for a digest."""
    with open_host(folder) as (__, host):
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
    """Return the longest that a mail waits for the round that answers it, in the first rounds after a restore."""
    restore_backup(folder.parent / "first.backup", folder, {}, datetime.now(UTC), force=True)
    directory, rounds = HostDirectory.read_folder(folder, {}), []
    with open_host(folder) as (_, host):
        mails = waiting_mails(host, games)[:MAILS]
    with closing(Wakeup()) as wakeup, directory.open_store() as store:
        loop = directory.open_loop(Log(lambda _: None, lambda: datetime.now(UTC)), wakeup)
        try:
            for mail in (b"", *mails):
                if mail:
                    store.keep_mail(mail, datetime.now(UTC))
                begun = process_time()
                loop.run_round(lambda: False)
                rounds.append(process_time() - begun)
        finally:
            loop.close()
        assert store.count_mails()["new"] == 0
    return max(one + next_one for one, next_one in pairwise(rounds)) * 1000


def measure_yardstick(_: Path, __: int) -> float:
    """Return the time of a loop that needs nothing but the processor, which others may use too."""
    begun = process_time()
    for _round in range(20):
        sum(number * number for number in range(50_000))
    return (process_time() - begun) * 1000


WORK: Mapping[str, Callable[[Path, int], float]] = {
    "yardstick": measure_yardstick,
    "a turn": measure_turns,
    "a digest": measure_digests,
    "a mail after a restore": measure_restore,
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


LAUNCHER = """
import os, sys
_, status, used = os.wait4(os.posix_spawn(sys.executable, [sys.executable, *sys.argv[1:]], os.environ), 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(status != 0)
"""
"""Linux counts the memory of the process that starts another one as memory of the other one: this one is small."""


def run_command(*words: object) -> Taken:
    """Run a command of `tkid host`."""
    command = [sys.executable, "-I", "-S", "-c", LAUNCHER, "-m", "tkid", "host", *map(str, words)]
    printed = run(command, stdout=PIPE, text=True, check=True).stdout
    seconds, kilobytes = map(float, printed.splitlines()[-1].split())
    return Taken(seconds * 1000, kilobytes / 1024)


def set_up_pages(folder: Path) -> None:
    """Let the host publish pages."""
    settings = folder / "host.toml"
    settings.write_text(
        settings.read_text("utf-8")
        + f'pictures = false\n[pages]\nfolder = "{(folder / "www").resolve()}"\nurl = "https://club.example"\n',
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

    note("yardstick", measure("yardstick", folder, games))
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
    note("a mail after a restore", measure("a mail after a restore", folder, games))
    return found


def find_exponent(small: float, large: float, factor: float) -> float:
    """Return by which power of the club's size a cost grows."""
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
