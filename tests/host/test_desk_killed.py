"""A host that is killed after an outage, or at an order for all games: each game is changed once, everybody is told once."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from threading import Barrier, Thread

import pytest

from tests.host.desk_killed import GAMES, after_outage, killed_at, paused_by_owner
from tests.host.looped import settle
from tests.host.store.databases import needs_postgres
from tests.host.store.postgres import server
from tests.host.test_clock import clocked
from tests.host.test_downtime import Machine, at_work
from tests.host.year.players import HOST, NAMES, TIME, letters
from tests.mail.mails import body
from tests.shared.tables import sample
from tkid.host.chores import TimeWatch
from tkid.host.service import Host
from tkid.host.store.store import Store

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["tests.host.desk_killed"])
STRIDE = 5
"""Every so many steps the process is killed: each takes a process of its own."""


def begun(folder: Path) -> None:
    """A host with some games, whose players have read the first letters."""
    loop = at_work(folder, Machine())
    store = loop.database.open_store()
    for name in GAMES:
        loop.make(store, lambda _, __: None).open_game(name, clocked(), TIME)
    store.close()
    settle(loop)
    loop.close()
    for name in NAMES[:2]:
        letters(folder, name)


def lines(folder: Path, word: str) -> dict[str, int]:
    """How many lines with a word there are in each game."""
    store = Store(f"sqlite:///{folder / 'host.db'}")
    found = {game.id: game.record.count(word) for game in store.list_games()}
    store.close()
    return found


def told(folder: Path, name: str, words: str) -> int:
    """How many different letters with some words somebody has got: one that was sent twice has the same Message-ID."""
    return len({str(mail["Message-ID"]) for mail in letters(folder, name) if words in " ".join(body(mail).split())})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("work", "word", "words", "mails"),
    sample(
        [
            (after_outage, "# stood still", "The host was away", 1),
            (paused_by_owner, "# paused", "paused the game", len(GAMES)),
        ],
        2,
    ),
)
def test_killed_at_many_steps(tmp_path: Path, work: Callable[[Path], None], word: str, words: str, mails: int) -> None:
    before = tmp_path / "before"
    before.mkdir()
    begun(before)
    points, step, died = 0, 1, True
    while died:
        folder = tmp_path / "disturbed"
        shutil.copytree(before, folder)
        process = FORKING.Process(target=killed_at, args=(work, step, folder))
        process.start()
        process.join()
        assert process.exitcode in {0, -signal.SIGKILL}
        died = process.exitcode != 0
        if set(lines(folder, word).values()) == {0}:
            work(folder)  # it did not happen: whoever gave the order gives it again, and a host starts again
        after_outage(folder) if work is after_outage else _sent(folder)
        assert lines(folder, word) == dict.fromkeys(GAMES, 1), step
        assert [told(folder, name, words) for name in NAMES[:2]] == [mails, mails], step
        shutil.rmtree(folder)
        points, step = points + died, step + STRIDE
    assert points > 3
    print(f"killed at {points} points")  # noqa: T201 - the figure of the proof


def _sent(folder: Path) -> None:
    """The host sends what waits."""
    loop = at_work(folder, Machine(TIME))
    settle(loop)
    loop.close()


@pytest.mark.slow
@needs_postgres
def test_two_hosts_on_one_database_credit_an_outage_once(tmp_path: Path) -> None:
    with server() as url:
        store = Store.make_store(url)
        sent: list[str] = []
        host = Host(store, HOST, b"s" * 32, lambda to, _: sent.append(to))
        for name in GAMES:
            host.open_game(name, clocked(), TIME)
        machine = Machine()
        TimeWatch(machine, machine.uptime).begin_round(host)
        host.send_letters(TIME)
        sent.clear()
        machine.goes(timedelta(days=10))
        together = Barrier(2)

        def starts() -> None:
            watch = TimeWatch(machine, machine.uptime)
            together.wait()
            watch.begin_round(host)
            host.run_clocks(watch.read_time())
            watch.tell_absence(host)

        threads = [Thread(target=starts) for _ in range(2)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        host.send_letters(machine.now)
        assert [game.record.count("# stood still") for game in store.list_games()] == [1, 1, 1]
        assert sorted(sent) == ["ann@example.org", "bob@example.org"]
        paused_by_owner(tmp_path, url)
        assert [game.record.count("# paused") for game in store.list_games()] == [1, 1, 1]
        store.close()
