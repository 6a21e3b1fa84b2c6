"""Speed of a host, from the bytes of a mail to letters written and durable: with few games and with many, short and long.

`python -m benchmarks.hosting` runs it alone. The letters are written into the database; how long it takes to send them
depends on transports. `python -m benchmarks.hosting pages` plays from open pages instead: browsers that follow their games,
and load each page again that has changed; `pages 10` sends 10 moves a second. Host, pages and browsers share the cores of
the machine.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import tempfile
from asyncio import StreamReader, create_task, gather, open_connection
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from functools import cache
from json import dumps, loads
from multiprocessing import get_context
from pathlib import Path
from queue import SimpleQueue
from random import Random
from statistics import median
from time import perf_counter, process_time, sleep, thread_time
from typing import Any

import sqlalchemy
from attrs import define, evolve, field, frozen
from sqlalchemy.engine import Engine

from tests.host.machines import worker
from tests.host.store.postgres import server, tools
from tests.host.year.players import HOST, TIME, address, examples, game, host, reply
from tests.mail.mails import parsed
from tests.ports import free_port, wait_for_port
from tests.shared.strategies import record_of
from tkid.cli.app import GARBAGE
from tkid.host import web
from tkid.host.directory import HostDirectory
from tkid.host.log import Log
from tkid.host.service import Host
from tkid.host.store.store import Store
from tkid.host.store.transaction import Key, StoredGame
from tkid.mail.game_service import HostedGame, ask_for_turn, begin_game
from tkid.mail.hosted_game import Memory
from tkid.mail.marker import make_key
from tkid.mail.message import compose_mail
from tkid.record.format.model import Header, Record, Seat
from tkid.record.play.replay import replay

SEED = 20261121
GAMES = 100
"""Games in which a turn is played."""
STORED = (0, 1_000, 10_000)
LENGTHS = (10, 40, 80)
ROUNDS = 5
MOST_WITH_SERVER = 1.3
"""How many times as long as with SQLite a turn may take with PostgreSQL."""
OPEN_PAGES, MOVES, MOVES_A_SECOND, CORES = 500, 1000, 50, 2
"""Pages that are open, two for a game, and the moves that are sent from them, in all and in a second, and on how many processors."""
PATIENCE = 30
"""Seconds in which a process has to end by itself."""
BUSY_RESTS = (0.5, 1, 2, 4, 8)
"""Seconds that a browser waits after each answer by which the host is busy."""
STARTING = get_context("forkserver")


@frozen
class Taken:
    """What some turns took: each alone in ms, all at once a second, and the same in processor time; what one asked for."""

    alone: float
    rate: float
    work: float
    statements: float
    commits: float


@cache
def games(turns: int) -> tuple[HostedGame, ...]:
    """Games of four that have so many turns and go on; everybody was told of all of them."""
    rng, games_so_far = Random(SEED), list[HostedGame]()
    while len(games_so_far) < GAMES:
        record = record_of(rng, 4, 0.5)
        if len(record.turns) > turns:
            begun = evolve(record, turns=record.turns[:turns], end=())
            hosted = HostedGame.make_new(_addressed(begun, len(games_so_far)))
            memory = Memory.make_new(4, "struggles")
            for seat in range(4):
                memory = memory.with_seat(seat, told=turns)
            games_so_far.append(evolve(hosted, memory=evolve(memory, asked=hosted.turn_id)))
    return tuple(games_so_far)


def _addressed(record: Record, number: int) -> Record:
    """A record whose players have addresses that no players of another game have."""
    seats = tuple(Seat(seat.name, address(f"{seat.name}{number}")) for seat in record.seats)
    headers = tuple(header for header in record.headers if header.name != "Seat")
    stated = tuple(Header("Seat", f"{seat.name} <{seat.address}>") for seat in seats)
    return evolve(record, seats=seats, headers=(*headers, *stated))


@contextmanager
def filled(stored: int) -> Iterator[Host]:
    """A host with so many games besides those that are played."""
    first = begin_game(game(0), TIME).game
    with tempfile.TemporaryDirectory() as name, host(Path(name)) as running:
        with running.store.begin_transaction() as writing:
            for number in range(stored):
                writing.add_game(StoredGame(f"stored-{number}", first.record_text, first.memory_text))
        yield running


def answered(turns: int, name: str, secret: bytes) -> Iterator[tuple[StoredGame, dict[str, Key], bytes]]:
    """Games of that length, each waiting for a turn: as it is stored, the key to its turn, and the mail with the turn."""
    rng = Random(turns)
    for number, played in enumerate(games(turns)):
        letter, game_name = ask_for_turn(played.replay, TIME), f"{name}-{number}"
        assert letter is not None
        key = make_key(secret, game_name, letter.seat, letter.turn, letter.after)
        who = played.names[letter.seat]
        own = address(f"{who}{number}")
        asked = parsed(compose_mail(played.replay, letter, own, HOST, key=key))
        mail = reply(asked, rng.choice(examples(asked)), who, hash((name, number)) % 10**9)
        mail = mail.replace(f"<{address(who)}>".encode(), f"<{own}>".encode(), 1)
        stored = StoredGame(game_name, played.record_text, played.memory_text)
        yield stored, {key: Key(game_name, letter.seat, letter.turn)}, mail


def answers(running: Host, turns: int, name: str) -> list[bytes]:
    """Games of that length at a host, each waiting for the turn in a mail; the mails."""
    mails = []
    with running.store.begin_transaction() as writing:
        for stored, allowed, mail in answered(turns, name, running.secret):
            writing.add_game(stored)
            writing.allow_keys(allowed)
            mails.append(mail)
    return mails


def measured(running: Host, turns: int) -> Taken:
    """What turns take in games of that length: one mail after the other, and all mails at once."""
    counted: Counter[str] = Counter()
    alone = []
    answers(running, turns, f"warm-{turns}")
    singles = answers(running, turns, f"alone-{turns}")

    def count(*event: object) -> None:
        counted[str(event[2]).split()[0]] += 1

    def commit(_: object) -> None:
        counted["commit"] += 1

    events: list[tuple[str, Callable[..., None]]] = [("before_cursor_execute", count), ("commit", commit)]
    for name, listener in events:
        sqlalchemy.event.listen(Engine, name, listener)
    for mail in singles:
        start = perf_counter()
        running.store.keep_mail(mail, TIME)
        running.work_on_all(TIME)
        alone.append(perf_counter() - start)
    for name, listener in events:
        sqlalchemy.event.remove(Engine, name, listener)
    together = answers(running, turns, f"together-{turns}")
    start, used = perf_counter(), process_time()
    running.store.take_mails(together, TIME)
    running.work_on_all(TIME)
    taken, work = perf_counter() - start, process_time() - used
    assert running.store.count_mails()["done"] % (2 * GAMES) == 0
    statements = sum(counted.values()) - counted["commit"]
    return Taken(median(alone) * 1000, GAMES / taken, GAMES / work, statements / GAMES, counted["commit"] / GAMES)


def turn_with_server() -> None:
    """Print how long a turn takes with PostgreSQL, as a ratio to SQLite: each in turn, on databases that are empty at first."""
    if tools() is None:
        print("a turn, PostgreSQL   is not installed: apt-get install postgresql")
        return
    ratios: list[float] = []
    for _ in range(ROUNDS):
        with filled(0) as running:
            yardstick = measured(running, LENGTHS[0]).alone
        with server() as url, tempfile.TemporaryDirectory() as name, host(Path(name), url) as running:
            ratios.append(measured(running, LENGTHS[0]).alone / yardstick)
    rounds = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(
        f"a turn, PostgreSQL {median(ratios):15.2f} times as long as with SQLite   wanted: {MOST_WITH_SERVER}   ({rounds})",
        flush=True,
    )


@frozen
class OpenPage:
    """An open page: its game, its player's seat, and the number by which a proxy would tell its browser from others."""

    game: int
    seat: int
    keys: list[str]
    number: int

    @asynccontextmanager
    async def ask(self, port: int, method: str, path: str = "", data: bytes = b"") -> AsyncIterator[StreamReader]:
        """Send a request, again while the host is busy; give what comes back, behind its first line.

        Raises AssertionError for an answer that is none.
        """
        place = f"127.0.0.1:{port}"
        head = f"{method} /g/{self.keys[-1]}{path} HTTP/1.1\r\nHost: {place}\r\nOrigin: http://{place}\r\nConnection: close\r\n"
        head += f"X-Forwarded-For: 10.0.{self.number // 250}.{self.number % 250}\r\nContent-Type: application/json\r\n"
        for rest in (*BUSY_RESTS, 0):
            reader, writer = await open_connection("127.0.0.1", port, limit=1 << 20)
            writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
            status = (await reader.readline()).split()[1:2]
            if status != [b"503"] or not rest:
                break
            writer.close()
            await asyncio.sleep(rest)
        try:
            assert status == [b"200"], (status, await reader.read())
            yield reader
        finally:
            writer.close()


@define
class Traffic:
    """What open pages do: how long the host took to answer a move, to tell other pages of it, and to show a page, in s."""

    port: int
    games: list[list[tuple[int, str]]]
    pages: list[OpenPage]
    moved: list[float] = field(factory=list)
    heard: list[float] = field(factory=list)
    shown: list[float] = field(factory=list)
    sent: dict[int, float] = field(factory=dict)
    locks: defaultdict[int, asyncio.Lock] = field(factory=lambda: defaultdict(asyncio.Lock))
    opened: int = 0
    loading: int = 0

    async def follow(self, page: OpenPage) -> None:
        """Follow a game; load the page again when it changes."""
        async with page.ask(self.port, "GET", "/live") as events:
            while line := await events.readline():
                if line != b"data: changed\n":
                    continue
                self.opened += 1
                if self.opened <= len(self.pages):  # it is told at once, when it begins to follow
                    continue
                self.heard.append(perf_counter() - self.sent[page.game])
                begin, self.loading = perf_counter(), self.loading + 1
                await self.load(page)
                self.shown.append(perf_counter() - begin)
                self.loading -= 1

    async def load(self, page: OpenPage) -> None:
        """Load a page; again if its player sends a turn meanwhile, which gives it another key."""
        key, lock = page.keys[-1], self.locks[page.game]
        is_moving = lock.locked()
        try:
            async with page.ask(self.port, "GET") as shown:
                await shown.read()
        except AssertionError:
            if key == page.keys[-1] and not (is_moving or lock.locked()):
                raise
            await asyncio.sleep(0.05)
            await self.load(page)

    async def wait_until(self, following: list[asyncio.Task[None]], done: Callable[[], bool]) -> None:
        """Wait until something is done. Raises the error of a page that could not be followed."""
        while not done():
            for each in following:
                if each.done():
                    each.result()
            await asyncio.sleep(0.05)

    async def move(self, number: int, turn: int) -> None:
        """Send a turn of a game from the page of its player."""
        seat, text = self.games[number][turn]
        page = next(each for each in self.pages if (each.game, each.seat) == (number, seat))
        async with self.locks[number]:  # the turn before it may still be on its way
            self.sent[number] = begin = perf_counter()
            data = dumps({"text": text, "token": f"{number * 100 + turn:032x}", "about": ""}).encode()
            async with page.ask(self.port, "POST", "", data) as answer:
                told = await answer.read()
            self.moved.append(perf_counter() - begin)
            page.keys.append(loads(told.partition(b"\r\n\r\n")[2])["next"])

    async def run(self, wanted: float) -> float:
        """Open all pages, then send so many moves a second; return how many a second were answered. Wait until all see them."""
        following = [create_task(self.follow(page)) for page in self.pages]
        await self.wait_until(following, lambda: self.opened >= len(self.pages))
        begin, moves = perf_counter(), []
        for place in range(MOVES):
            await asyncio.sleep(max(0, begin + place / wanted - perf_counter()))
            moves.append(create_task(self.move(place % len(self.games), place // len(self.games))))
        await gather(*moves)
        rate = len(moves) / (perf_counter() - begin)
        await asyncio.sleep(2 * web.GLANCE)
        await self.wait_until(following, lambda: not self.loading)
        for each in following:
            each.cancel()
        return rate


def serve_timed(folder: Path, results: SimpleQueue[Any]) -> None:
    """Serve the pages of a host until told to stop; put the processor time of it and of its parts into a queue, in s."""
    used: Counter[str] = Counter()

    def measure(owner: Any, name: str, kind: str) -> None:
        call = getattr(owner, name)

        def measured(*args: Any, **kwargs: Any) -> Any:
            begin = thread_time()
            try:
                return call(*args, **kwargs)
            finally:
                used[kind] += thread_time() - begin  # type: ignore[assignment]

        setattr(owner, name, measured)

    measure(web.Web, "_show_page", "handing pages over")
    measure(web.Web, "_take_text", "playing turns")
    measure(web.Watch, "_read_stamps", "looking for changes")
    gc.set_threshold(GARBAGE, *gc.get_threshold()[1:])  # as for the command
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # the server passes the signal on when it has stopped
    try:
        web.serve(HostDirectory.read_folder(folder, {}), Log(lambda _: None, lambda: datetime.now(UTC)))
    finally:
        drawn = _count_children()
        results.put({"the pages": process_time() + drawn, **used, "drawing pages": drawn})


def work_timed(folder: Path, results: SimpleQueue[Any]) -> None:
    """Work as a host until told to stop; put the processor time into a queue, in s."""
    gc.set_threshold(GARBAGE, *gc.get_threshold()[1:])
    worker(folder, 0.0)
    results.put({"the host": process_time()})


def _count_children() -> float:
    """Return the processor time of the processes that have ended and that this one started, in s."""
    used = os.times()
    return used.children_user + used.children_system


def open_pages(folder: Path, port: int) -> Traffic:
    """Begin games at a host whose first letters are written, with a page for each player."""
    rng, lines, pages = Random(SEED), list[list[tuple[int, str]]](), list[OpenPage]()
    HostDirectory.create_folder(folder, HOST, "", "")
    place = f'[web]\naddress = "http://127.0.0.1:{port}"\nlisten = "127.0.0.1:{port}"\n'
    (folder / "host.toml").write_text(f"pictures = false\n{(folder / 'host.toml').read_text('utf-8')}{place}", "utf-8")
    store = Store(f"sqlite:///{folder / 'host.db'}")
    running = HostDirectory.read_folder(folder, {}).open_host(store)
    while len(lines) < OPEN_PAGES // 2:
        played = record_of(rng, 2)
        if len(played.turns) <= MOVES // (OPEN_PAGES // 2):
            continue
        name = f"open-{len(lines)}"
        running.open_game(name, _addressed(evolve(played, turns=(), end=()), len(lines)), datetime.now(UTC))
        for seat, player in enumerate(played.names):
            ((_, letter),) = store.list_letters_to(name, address(f"{player}{len(lines)}"), 1)
            key = str(parsed(letter)["Reply-To"]).partition("+")[2].partition("@")[0]
            pages.append(OpenPage(len(lines), seat, [key], len(pages)))
        moments = replay(played).moments[1:]
        lines.append([(m.turn.seat, m.line.split(" ", 2)[2]) for m in moments if m.turn])
    store.close()
    return Traffic(port, lines, pages)


def pages_at_work(wanted: float = MOVES_A_SECOND) -> None:
    """Print how a host with open pages does while so many turns a second are sent from them."""
    with tempfile.TemporaryDirectory() as name:
        folder, port, results = Path(name) / "host", free_port(), STARTING.SimpleQueue()
        traffic = open_pages(folder, port)
        parts = [
            STARTING.Process(target=serve_timed, args=(folder, results)),
            STARTING.Process(target=work_timed, args=(folder, results)),
        ]
        try:
            for each in parts:
                each.start()
            wait_for_port(port)
            while not (folder / "status.json").exists():
                assert all(each.is_alive() for each in parts)
                sleep(0.05)
            begin, used = perf_counter(), process_time()
            rate, used = asyncio.run(traffic.run(wanted)), process_time() - used
            for each in parts:
                each.terminate()
            costs, seconds = results.get() | results.get(), perf_counter() - begin
        finally:
            for each in parts:
                if each.pid:
                    each.terminate()
                    each.join(PATIENCE)
                    each.kill()
                    each.join()
    print(f"{OPEN_PAGES} open pages      {rate:15.0f} moves/s   wanted: {wanted:g}")
    for what, times in (("a move is answered", traffic.moved), ("others hear of it", traffic.heard), ("their page is there", traffic.shown)):  # fmt: skip
        ranked = sorted(times)
        print(f"  {what:20} after {median(ranked):5.2f} s, 1 in 20 after {ranked[len(ranked) * 19 // 20]:5.2f} s")
    moves, costs["browsers"] = len(traffic.moved), used
    shares = ", ".join(f"{what} {cost / moves * 1000:.0f}" for what, cost in costs.items())
    work = sum(costs[what] for what in ("the pages", "the host", "browsers"))
    print(f"  {work / moves * 1000:.0f} ms of a processor for each move ({shares}) in {seconds:.0f} s", flush=True)
    possible = CORES * moves / work
    print(f"  {CORES} processors would do {possible:.0f} moves/s: {possible / MOVES_A_SECOND:.2f} of those wanted")
    print(f"  {len(traffic.shown) / moves:.1f} pages loaded for each move")


def main() -> None:
    """Print the figures."""
    if sys.argv[1:2] == ["pages"]:
        pages_at_work(*map(float, sys.argv[2:3]))
        return
    for stored in STORED:
        with filled(stored) as running:
            for turns in LENGTHS if stored == STORED[-1] else LENGTHS[:1]:
                taken = measured(running, turns)
                figures = f"{taken.alone:6.1f} ms a turn   wanted: under 25; {taken.rate:5.0f} turns/s   wanted: 100"
                print(f"host, {stored:6,} games, {turns:2} turns  {figures}")
                statements = (
                    f"{taken.statements:.1f} statements and {taken.commits:.1f} commits for a mail that comes alone"
                )
                print(f"  {taken.work:.0f} turns in a second of processor time; {statements}")
    turn_with_server()
    pages_at_work()


if __name__ == "__main__":
    main()
