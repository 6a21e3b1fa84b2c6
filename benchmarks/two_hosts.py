"""Two and four host processes on one database against one: `python -m benchmarks.two_hosts`, with PostgreSQL where it is installed.

A turn is played by mail in each of many games that have nothing in common, and the letters about it go out, to nobody, with
pictures and without. Hosts and server share the cores of the machine. So beside each figure stands how much of them was used,
and by the hosts: where one host uses half of them already, two cannot be twice as fast. What remains true on a larger machine is
the processor time of the hosts for a turn, how many statements a turn took, and how often a host waited for a lock of the
database that another one held.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from threading import Event, Thread
from time import perf_counter, process_time, sleep
from typing import Any

import sqlalchemy as sql
from attrs import frozen
from sqlalchemy.engine import Engine

from benchmarks.hosting import answered
from tests.host.store.databases import wipe
from tests.host.store.postgres import server, tools
from tests.host.year.players import HOST, TIME
from tests.shared.session import SHARED
from tkid.host.loop import MAX_LETTERS_PER_ROUND, MAX_MAILS_PER_ROUND
from tkid.host.service import Host
from tkid.host.store.schema import outgoing
from tkid.host.store.store import Store
from tkid.host.store.transaction import Key, StoredGame
from tkid.mail.letter_html import finish_letter

STARTING = get_context("forkserver")
TURNS = 40
"""Turns that a game has before the one that is played."""
WARM, PLAYED, PICTURED = 8, 60, 10
"""Games that are played before; games that are played; and games whose letters get pictures, which take as long as some turns."""
SECRET = b"s" * 32
ROUNDS = 3
WANTED = {2: 1.8, 4: 3.0}
"""How many times as fast as one so many hosts shall be, on as many cores and those of the server."""
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
PAUSE = 0.002
"""Seconds that a host waits which finds nothing to do while another one works, and between two looks at the locks."""


@frozen
class Taken:
    """What it took: seconds, the share of the machine's cores that was busy, and the share that the hosts used.

    `locked` is the share of their time in which hosts waited for a lock of the database, `cost` the processor time of all hosts,
    `statements` the number of their statements in the rounds that had something to do.
    """

    seconds: float
    busy: float
    hosts: float
    locked: float
    cost: float
    statements: int


def host(url: str, *, pictures: bool) -> Host:
    """A host of a database whose letters go to nobody."""
    return Host(Store(url), HOST, SECRET, lambda _, __: None, pictures=pictures)


def works(running: Host) -> bool:
    """A round of a host; whether there was anything to do."""
    return bool(running.work_on_all(TIME, MAX_MAILS_PER_ROUND) + running.send_letters(TIME, MAX_LETTERS_PER_ROUND))


def worker(url: str, pictures: bool, barrier: Barrier, results: SimpleQueue[Any]) -> None:  # noqa: FBT001 - called by name below
    """A host process: works until nothing is left, twice.

    It puts into the results when it began and ended the second time, its processor time, and the number of its statements.
    """
    running, counts = host(url, pictures=pictures), Counter[str]()

    def count(*event: Any) -> None:
        counts["all"] += event[2] not in {"BEGIN", "COMMIT"}  # psycopg sends some of these by itself

    sql.event.listen(Engine, "before_cursor_execute", count)
    for name in ("warm", "timed"):
        barrier.wait()
        begin, used, end, statements = perf_counter(), process_time(), perf_counter(), 0
        while True:
            before = counts["all"]
            if works(running):
                end = perf_counter()
                statements += counts["all"] - before
            elif running.store.list_waiting() or running.store.count_mails()["unsent"]:
                sleep(PAUSE)
            else:
                break
        for letter in every_letter(running.store) if name == "warm" else ():
            finish_letter(letter)  # so that each host knows the tiles that all games have in common
        barrier.wait()
    results.put((begin, end, process_time() - used, statements))
    running.store.close()


def every_letter(store: Store) -> list[bytes]:
    """All letters, also those that went out."""
    with store.engine.connect() as connection:
        return [bytes(mail) for (mail,) in connection.execute(sql.select(outgoing.c.mail))]


def busy() -> tuple[float, float]:
    """Seconds for which all cores of the machine were busy, and for which they could have been, since it was started."""
    user, nice, system, idle, iowait, *others = map(
        int, Path("/proc/stat").read_text("ascii").split("\n")[0].split()[1:9]
    )
    used = user + nice + system + sum(others)
    return used, used + idle + iowait


@cache
def prepared() -> tuple[tuple[StoredGame, dict[str, Key], bytes], ...]:
    """Games that wait for a turn, and the mails with the turns."""
    return tuple(islice(answered(TURNS, "two", SECRET), WARM + PLAYED))


def timed(*, pictures: bool) -> int:
    """In how many games a turn is timed."""
    return PICTURED if pictures else PLAYED


def measured(url: str, hosts: int, *, pictures: bool) -> Taken:
    """What so many hosts take to play a turn in games that are new to them, when they have done so in others before."""
    results, barrier = STARTING.SimpleQueue(), STARTING.Barrier(hosts + 1)
    workers = [STARTING.Process(target=worker, args=(url, pictures, barrier, results)) for _ in range(hosts)]
    for each in workers:
        each.start()
    maker = host(url, pictures=pictures)
    before = after = (0.0, 0.0)
    for some in (prepared()[:WARM], prepared()[WARM : WARM + timed(pictures=pictures)]):
        with maker.store.begin_transaction() as writing:
            for game, key, _ in some:
                writing.add_game(game)
                writing.allow_keys(key)
        maker.store.take_mails([mail for _, _, mail in some], TIME)
        before = busy()
        barrier.wait()
        with counted_locks(maker.store) as locks:
            barrier.wait()
        after = busy()
    figures = [results.get() for _ in workers]
    for each in workers:
        each.join()
    assert (
        not maker.store.count_mails()["new"]
        + maker.store.count_mails()["unsent"]
        + maker.store.count_mails()["quarantined"]
    )
    maker.store.close()
    begins, ends, used, statements = zip(*figures, strict=True)
    seconds = max(ends) - min(begins)
    share = (after[0] - before[0]) / (after[1] - before[1])
    locked = sum(locks) / max(1, len(locks)) / hosts
    return Taken(seconds, share, sum(used) / seconds / (os.cpu_count() or 1), locked, sum(used), sum(statements))


@contextmanager
def counted_locks(store: Store) -> Iterator[list[int]]:
    """Look again and again how many sessions wait for a lock; nothing is counted for SQLite."""
    found, over = list[int](), Event()

    def look() -> None:
        with store.engine.connect() as connection:
            while not over.wait(PAUSE):
                found.append(connection.execute(sql.text(WAITING)).scalar_one())
                connection.rollback()

    thread = Thread(target=look)
    if store.engine.dialect.name == "postgresql":
        thread.start()
    try:
        yield found
    finally:
        over.set()
        if thread.ident:
            thread.join()


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """An address of an empty database of each kind, those of a server by the library that connects to it."""
    with tempfile.TemporaryDirectory() as folder:
        found = {"SQLite": f"sqlite:///{folder}/host.db"}
        if tools() is None:
            print("two hosts            PostgreSQL is not installed: apt-get install postgresql")
            yield found
            return
        with server() as url:
            yield found | {"psycopg": url.replace("postgresql", "postgresql+psycopg")}


def report(kind: str, url: str, rounds: int, *, pictures: bool) -> None:
    """Print the figures of a database: one host, two and four in turn, several times."""
    taken: dict[int, list[Taken]] = {1: [], 2: [], 4: []}
    for _ in range(rounds):
        for hosts, each in taken.items():
            if kind != "SQLite":
                wipe(url)
            else:
                for file in Path(url.removeprefix("sqlite:///")).parent.iterdir():
                    file.unlink()
            Store.make_store(url).close()
            each.append(measured(url, hosts, pictures=pictures))
    what = "with pictures" if pictures else "without pictures"
    for hosts, wanted in WANTED.items():
        ratios = [one.seconds / more.seconds for one, more in zip(taken[1], taken[hosts], strict=True)]
        print(
            f"{hosts} hosts, {kind:8} {what:16} {median(ratios):5.2f} times as fast as one   wanted: {wanted}", end=""
        )
        print(f"   ({', '.join(f'{ratio:.2f}' for ratio in ratios)})")
    for hosts, each in taken.items():
        seconds = median(one.seconds for one in each)
        cores = f"{median(one.busy for one in each):.0%} of the cores busy, {median(one.hosts for one in each):.0%} by hosts"
        rate = timed(pictures=pictures) / seconds
        cost = median(one.cost for one in each) / timed(pictures=pictures)
        statements = median(one.statements for one in each) / timed(pictures=pictures)
        locked = f"{cost * 1000:.1f} ms and {statements:.1f} statements a turn, {median(one.locked for one in each):.1%} of the time waiting for a lock"
        print(f"  {hosts} host{'s' * (hosts > 1):1}              {rate:5.0f} turns/s, {cores}, {locked}", flush=True)


def main(words: list[str]) -> None:
    """Print the figures of all databases, or of some, `with` pictures and `without`, or only so; a number says how many rounds."""
    rounds = next((int(words.pop(at)) for at, word in enumerate(words) if word.isdigit()), ROUNDS)
    with SHARED, databases() as found:
        for kind, url in found.items():
            for word in ("without", "with"):
                if (kind in words or not {*found} & {*words}) and (word in words or not {"with", "without"} & {*words}):
                    report(kind, url, rounds, pictures=word == "with")


if __name__ == "__main__":
    main(sys.argv[1:])
