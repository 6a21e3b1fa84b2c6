"""A host that is killed at every step of publishing and telling: pages are whole, hooks arrive, and turns come first."""

from __future__ import annotations

import shutil
import signal
from collections import Counter
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.host.looped import Clock, settle
from tests.host.looped import stands as host_stands
from tests.host.pages_killed import publish_and_die, publish_until, publishing
from tests.host.test_webhooks import Receiver, receiver
from tests.host.year.players import NAMES, TIME, examples, game, letters, reply
from tests.mail.mails import body
from tkid.host.published_folder import OWN, TEMPORARY
from tkid.host.transports import Maildir
from tkid.host.webhooks import list_waiting

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["tests.host.pages_killed"])
LATER = timedelta(minutes=10)
"""By then a webhook that was interrupted is due again."""


def published(folder: Path) -> dict[str, bytes]:
    """The files that a web server gives out, by path."""
    files = (file for file in (folder / "www").rglob("*") if file.is_file())
    return {file.relative_to(folder / "www").as_posix(): file.read_bytes() for file in files}


def pages(folder: Path) -> dict[str, bytes]:
    """The pages alone: without the mark of the folder, and what a dead publisher left behind."""
    return {path: content for path, content in published(folder).items() if OWN.fullmatch(path)}


def half_written(folder: Path) -> list[Path]:
    """The files that a dead publisher left behind."""
    return list((folder / "www").rglob(f"{TEMPORARY}*"))


def begun(folder: Path, url: str) -> None:
    """A host with a game that is published, whose first player has answered with the end of it, or with a turn."""
    with publishing(folder, Clock(), url) as loop:
        store = loop.database.open_store()
        loop.make(store, lambda _, __: None).open_game("game", game(1), TIME)
        store.close()
        settle(loop)


def stands(folder: Path, url: str) -> tuple[object, ...]:
    """The record, the letters by Message-ID, and how the mails ended."""
    with publishing(folder, Clock(), url) as loop:
        return host_stands(folder, loop)


def rounds(folder: Path, url: str, seconds: float) -> None:
    """Rounds until nothing is left to do, at a time."""
    clock = Clock()
    clock.set(seconds)
    with publishing(folder, clock, url) as loop:
        settle(loop)


def left(folder: Path, url: str) -> int:
    """How many webhooks are still to be sent."""
    with publishing(folder, Clock(), url) as loop:
        store = loop.database.open_store()
        with store.begin_transaction() as transaction:
            count = len(list_waiting(transaction))
        store.close()
        return count


def told(receiver: Receiver) -> Counter[tuple[str, bytes]]:
    """What a program was told, by id and text: how often each."""
    return Counter((letter.headers["webhook-id"], letter.body) for letter in receiver.letters)


@pytest.mark.exhaustive
@pytest.mark.parametrize("order", ["a turn", "resign"])
def test_killed_at_every_step_of_publishing(tmp_path: Path, order: str) -> None:
    """A round with a turn, or with the end of a game, that is never disturbed; and one that is killed and done again."""
    before, calm = tmp_path / "before", tmp_path / "calm"
    before.mkdir()
    with receiver() as program:
        begun(before, program.url)
        name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(before, n) if examples(mail))
        text = examples(letter)[0] if order == "a turn" else "yes"
        if order == "resign":
            Maildir(before / "in").add_mail(reply(letter, order, name, 2))
            rounds(before, program.url, 0)
            letter = next(mail for mail in letters(before, name) if "Do you want to resign?" in body(mail))
        Maildir(before / "in").add_mail(reply(letter, text, name))
        old = pages(before)
        shutil.copytree(before, calm)
        program.letters.clear()
        rounds(calm, program.url, 0)
        wanted, due, new = stands(calm, program.url), told(program), pages(calm)
        assert new != old
        assert due
        assert set(due.values()) == {1}
        points, again, died = 0, 0, True
        while died:
            folder = tmp_path / "disturbed"
            shutil.copytree(before, folder)
            program.letters.clear()
            process = FORKING.Process(target=publish_until, args=(folder, 0, program.url, points + 1))
            process.start()
            process.join()
            assert process.exitcode in {0, -signal.SIGKILL}
            died = process.exitcode != 0
            for path, content in pages(folder).items():
                assert content in {old.get(path), new.get(path)}, (points, path)
            readable = [file for file in half_written(folder) if file.stat().st_mode & 0o077]
            assert all(file.read_bytes() in new.values() for file in readable), points
            rounds(folder, program.url, 0)
            assert stands(folder, program.url) == wanted, points
            assert pages(folder) == new, points
            rounds(folder, program.url, LATER.total_seconds())
            assert told(program).keys() == due.keys(), points
            assert left(folder, program.url) == 0, points
            again += max(told(program).values()) > 1
            rounds(folder, program.url, timedelta(days=1).total_seconds())
            assert not half_written(folder), points
            assert pages(folder) == new, points
            shutil.rmtree(folder)
            points += died
    assert points > 40
    assert again, "no webhook was interrupted"
    print(f"killed at {points} points, a webhook sent again at {again} of them")  # noqa: T201 - the figure of the proof


@pytest.mark.slow
def test_a_turn_does_not_wait_for_pages_that_kill_the_host(tmp_path: Path) -> None:
    """The host dies each time that it publishes; its players get their letters."""
    begun(tmp_path, "http://127.0.0.1:1/")
    name, letter = next((n, mail) for n in NAMES[:2] for mail in letters(tmp_path, n) if examples(mail))
    Maildir(tmp_path / "in").add_mail(reply(letter, examples(letter)[0], name))
    for _ in range(2):
        process = FORKING.Process(target=publish_and_die, args=(tmp_path,))
        process.start()
        process.join()
        assert process.exitcode == -signal.SIGKILL
    assert [bool(letters(tmp_path, each)) for each in NAMES[:2]] == [True, True]
