"""Speed of a host, from the bytes of a mail to letters written and durable: with few games and with many, short and long.

`python -m benchmarks.hosting` runs it alone. The letters are written into the database; how long it takes to send them
depends on transports.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

import sqlalchemy
from attrs import evolve, frozen
from sqlalchemy.engine import Engine

from tests.host.store.postgres import server, tools
from tests.host.year.players import HOST, TIME, address, examples, game, host, reply
from tests.mail.mails import parsed
from tests.shared.strategies import record_of
from tkid.host.service import Host
from tkid.host.store.transaction import Key, StoredGame
from tkid.mail.game_service import HostedGame, ask_for_turn, begin_game
from tkid.mail.hosted_game import Memory
from tkid.mail.marker import make_key
from tkid.mail.message import compose_mail
from tkid.record.format.model import Header, Record, Seat

SEED = 20261121
GAMES = 100
"""Games in which a turn is played."""
STORED = (0, 1_000, 10_000)
LENGTHS = (10, 40, 80)
ROUNDS = 5
MOST_WITH_SERVER = 1.3
"""How many times as long as with SQLite a turn may take with PostgreSQL."""


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
    running.store.keep_all(together, TIME)
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


def main() -> None:
    """Print the figures."""
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


if __name__ == "__main__":
    main()
