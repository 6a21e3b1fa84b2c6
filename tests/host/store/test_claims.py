"""A letter is claimed before its pictures are drawn: each is drawn and sent by one host, and a dead host holds none."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

import pytest

from tests.host.year.players import HOST, TIME, unsent
from tkid.host import service
from tkid.host.service import Host
from tkid.host.store.store import Store, block_sending, claim_letters
from tkid.host.store.transaction import Outgoing, read_message_id
from tkid.mail.letter_html import Finished

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["tests.host.store.test_claims"])
SEED = 20261125
GAMES, LETTERS, DYING = 20, 120, 6
TAKES = 0.01
"""Seconds for which a letter is drawn."""


@pytest.fixture
def hosts(url: str) -> Iterator[tuple[Host, Host]]:
    """Two hosts on one database; nothing that they send goes anywhere."""
    stores = Store.make_store(url), Store(url)
    first, second = (Host(store, HOST, b"s" * 32, lambda _, __: None, pictures=True) for store in stores)
    yield first, second
    for store in stores:
        store.close()


def post(store: Store, *games: str) -> list[str]:
    """Letters about games, in this order; their Message-IDs. One about no game is about the club."""
    names = [f"<tkid.letter.{number}@games.example>" for number in range(len(games))]
    with store.begin_transaction() as writing:
        writing.post_letters(
            [
                Outgoing(
                    name, about, f"{about or 'club'}@example.org", f"Message-ID: {name}\r\n\r\nLetter\r\n".encode()
                )
                for name, about in zip(names, games, strict=True)
            ]
        )
    return names


def test_each_letter_is_drawn_by_one_host(hosts: tuple[Host, Host], monkeypatch: pytest.MonkeyPatch) -> None:
    """While one host draws a letter, another one draws and sends the others, and not that one."""
    names = post(hosts[0].store, "moor", "beck", "", "fell")
    drawn: list[str] = []

    def draw(mail: bytes) -> Finished:
        drawn.append(read_message_id(mail))
        if len(drawn) == 1:
            assert hosts[1].send_letters(TIME) == 3
        return Finished(mail)

    monkeypatch.setattr(service, "finish_letter", draw)
    assert hosts[0].send_letters(TIME) == 1
    assert drawn == names
    assert not unsent(hosts[0].store)


def test_letters_about_a_game_go_out_in_their_order(hosts: tuple[Host, Host]) -> None:
    post(hosts[0].store, "moor", "", "moor", "", "moor")
    went: list[str] = []

    def send(to: str, _: bytes) -> None:
        went.append(f"second {to}")

    def send_slowly(to: str, _: bytes) -> None:
        if not went:
            assert hosts[1].send_letters(TIME) == 2
        went.append(f"first {to}")

    hosts[0].send, hosts[1].send = send_slowly, send
    assert hosts[0].send_letters(TIME) == 3
    assert went == ["second club@example.org"] * 2 + ["first moor@example.org"] * 3


def test_letters_that_another_host_has_do_not_count(hosts: tuple[Host, Host]) -> None:
    """A host whose first letters are held by another one goes on to those behind them, up to the most of a round."""
    post(hosts[0].store, *["moor"] * (service.LETTERS_AT_ONCE + 1), "beck", "fell", "")
    counts: list[int] = []

    def send(_: str, __: bytes) -> None:
        if not counts:
            counts.append(hosts[1].send_letters(TIME, 2))

    hosts[0].send = send
    assert hosts[0].send_letters(TIME, 3) == 3
    assert counts == [2]
    assert len(unsent(hosts[0].store)) == service.LETTERS_AT_ONCE + 1 - 3 + 1


def _killed(_: bytes) -> Finished:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def _dies(url: str) -> None:
    """A host process that is killed while it draws."""
    service.finish_letter = _killed  # type: ignore[assignment,attr-defined] # only this process has it
    Host(Store(url), HOST, b"s" * 32, lambda _, __: None).send_letters(TIME)


def test_a_host_that_is_killed_while_it_draws_holds_no_letter(url: str, hosts: tuple[Host, Host]) -> None:
    names, went = post(hosts[0].store, "moor", "beck"), list[str]()
    process = FORKING.Process(target=_dies, args=(url,))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    hosts[0].send = lambda _, mail: went.append(read_message_id(mail))
    hosts[0].send_letters(TIME)
    assert went == names


def _sends(url: str, folder: Path, seed: int, begin: Barrier) -> None:
    """A host process that sends until nothing is left; with a seed it is killed at any moment of one of its first letters."""
    rng, store = Random(seed), Store(url)
    moments = {"drawing": 0, "sending": 0, "sent": 0}
    dies_at = rng.choice(list(moments)), rng.randrange(1, 6)

    def pass_by(moment: str) -> None:
        moments[moment] += 1
        if seed and (moment, moments[moment]) == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def draw(mail: bytes) -> Finished:
        sleep(TAKES)
        pass_by("drawing")
        return Finished(mail)

    def send(to: str, mail: bytes) -> None:
        pass_by("sending")
        with (folder / f"{os.getpid()}").open("ab") as file:
            file.write(f"{to} {read_message_id(mail)}\n".encode())
        pass_by("sent")

    service.finish_letter = draw  # type: ignore[assignment,attr-defined] # only this process has it
    at = Host(store, HOST, b"s" * 32, send)
    begin.wait()
    while unsent(store):
        at.send_letters(TIME, 5)
    store.close()


@pytest.mark.slow
def test_hosts_that_are_killed_lose_nothing_and_repeat_little(
    url: str, hosts: tuple[Host, Host], tmp_path: Path
) -> None:
    """Several hosts send at once, and all but one are killed: at most one letter a death goes out twice."""
    rng, folder, begin = Random(SEED), tmp_path / "sent", FORKING.Barrier(DYING + 1)
    folder.mkdir()
    names = post(hosts[0].store, *(f"game-{rng.randrange(GAMES)}" for _ in range(LETTERS)))
    seeds = [0, *(rng.randrange(1, 1 << 30) for _ in range(DYING))]
    processes = [FORKING.Process(target=_sends, args=(url, folder, seed, begin)) for seed in seeds]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    deaths = sum(process.exitcode == -signal.SIGKILL for process in processes[1:])
    assert sum(process.exitcode == 0 for process in processes) == len(processes) - deaths
    assert processes[0].exitcode == 0
    went = Counter(line.split()[1] for file in folder.iterdir() for line in file.read_text("ascii").splitlines())
    print(f"seed {SEED}: {deaths} deaths, {went.total()} letters of {LETTERS}")  # noqa: T201 - the figures
    assert deaths > DYING // 2
    assert set(went) == set(names)
    assert went.total() - LETTERS <= deaths


def test_nobody_sends_while_a_backup_is_restored(tmp_path: Path) -> None:
    """It waits for all who send, and keeps all others from it."""
    database, order = str(tmp_path / "host.db"), list[str]()

    def restore() -> None:
        with block_sending(database):
            order.append("restored")
            with claim_letters(database, "fell") as is_mine:
                assert not is_mine

    with (
        claim_letters(database, "moor") as one,
        claim_letters(database, "beck") as other,
        claim_letters(database, "moor") as again,
    ):
        assert (one, other, again) == (True, True, False)
        thread = Thread(target=restore)
        thread.start()
        thread.join(0.1)
        order.append("sent")
    thread.join()
    assert order == ["sent", "restored"]
