"""Two host processes on one PostgreSQL database, with many games at once: no turn is lost, and none doubled."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest

from tests.host.store.postgres import server, tools
from tests.host.year.players import HOST, TIME, address, examples, game, reply
from tkid.host.service import Host
from tkid.host.store.store import Store
from tkid.mail.game_service import HostedGame
from tkid.record.format.model import Record

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["tests.host.store.test_postgres"])
GAMES = 200
TURNS = 2
"""Turns of each game."""
MISSING = "PostgreSQL is not installed: apt-get install postgresql"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(tools() is None and not os.environ.get("TKID_REAL_SERVERS"), reason=MISSING),
]


def _send(folder: Path, to: str, mail: bytes) -> None:
    """A letter that is sent twice is there twice."""
    box = folder / to
    box.mkdir(exist_ok=True, parents=True)
    number = 0
    while True:
        try:
            with (box / f"{number}-{os.getpid()}").open("xb") as file:
                file.write(mail)
        except FileExistsError:
            number += 1
        else:
            return


def worker(url: str, folder: Path, stop: Path) -> None:
    """A host process: works until it is told to stop."""
    store = Store(url)
    host = Host(store, HOST, b"s" * 32, lambda to, mail: _send(folder, to, mail))
    while not stop.exists():
        host.work_on_all(TIME)
        host.send_letters(TIME)
    store.close()


@pytest.fixture
def database() -> Iterator[str]:
    with server() as url:
        yield url


@pytest.mark.exhaustive
def test_two_hosts_and_many_games(database: str, tmp_path: Path) -> None:
    from tests.mail.mails import parsed  # noqa: PLC0415 - the workers need none of it

    rng, sent, stop = Random(20261121), tmp_path / "sent", tmp_path / "stop"
    store = Store.make_store(database)
    maker = Host(store, HOST, b"s" * 32, lambda to, mail: _send(sent, to, mail))
    records = {f"game-{n}": _with_addresses(game(n), n) for n in range(GAMES)}
    for name, record in records.items():
        maker.open_game(name, record, TIME)
    workers = [FORKING.Process(target=worker, args=(database, sent, stop)) for _ in range(2)]
    for each in workers:
        each.start()
    answered: set[str] = set()
    written = 0
    while written < GAMES * TURNS:
        assert all(each.is_alive() for each in workers)
        for file in sorted(sent.glob("*/*")):
            if str(file) in answered:
                continue
            data = file.read_bytes()
            if not data.endswith(b"--\r\n"):
                continue  # it is being written
            answered.add(str(file))
            letter = parsed(data)
            turns = examples(letter)
            number = re.search(r"\] Turn (\d+):", str(letter["Subject"]))
            if turns and number and int(number[1]) <= TURNS:
                mail = reply(letter, rng.choice(turns), "X", written).replace(
                    b"x@example.org", file.parent.name.encode()
                )
                assert store.keep_mail(mail, TIME)
                written += 1
    while any(len(HostedGame.read_stored(g.record, g.memory).replay.record.turns) < TURNS for g in store.list_games()):
        assert all(each.is_alive() for each in workers)
    stop.touch()
    for each in workers:
        each.join()
    lengths = Counter(len(HostedGame.read_stored(g.record, g.memory).replay.record.turns) for g in store.list_games())
    assert lengths == {TURNS: GAMES}
    counts = store.count_mails()
    assert (counts["done"], counts["filed"], counts["quarantined"], counts["new"]) == (GAMES * TURNS, 0, 0, 0)
    maker.send_letters(TIME)
    ids = Counter(str(parsed(file.read_bytes())["Message-ID"]) for file in sent.glob("*/*"))
    assert set(ids.values()) == {1}, "a letter went out twice"
    store.close()
    print(f"{GAMES} games, {written} mails, {len(ids)} letters, two processes")  # noqa: T201 - the figures


def _with_addresses(record: Record, number: int) -> Record:
    """A game whose players have addresses of their own."""
    from attrs import evolve  # noqa: PLC0415

    seats = tuple(evolve(seat, address=address(f"{seat.name}{number}")) for seat in record.seats)
    headers = tuple(
        evolve(h, value=h.value.replace("@", f"{number}@")) if h.name == "Seat" else h for h in record.headers
    )
    return evolve(record, seats=seats, headers=headers)
