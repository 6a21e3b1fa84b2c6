"""Several workers on one database: each mail is tried by one of them, and one may look at the whole while the others write."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sql
from sqlalchemy.engine import Engine

from tests.host.year.players import HOST, NAMES, TIME, examples, game, host, letters, reply
from tkid.host import backup
from tkid.host.backup import back_up, read_rows, restore_backup
from tkid.host.directory import HostDirectory
from tkid.host.service import MAX_TRIES, Host
from tkid.host.settings import SettingsError
from tkid.host.status import find_all
from tkid.host.store.connection import GoneError
from tkid.host.store.store import WORKING, Store
from tkid.host.store.transaction import Transaction

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["tests.host.store.test_several"])


# -- backups --------------------------------------------------------------------------------------------------


@contextmanager
def full_work(store: Store) -> Iterator[None]:
    """A host at work: a mail comes and is read between any question that counts the rows of a table and the next one."""
    at, numbers, working = Host(store, HOST, b"s" * 32, lambda _, __: None), count(), list[int]()

    def work(*event: Any) -> None:
        if "count(" in event[2] and not working:
            working.append(1)
            assert store.keep_mail(f"From: eve{next(numbers)}@example.org\n\nHello\n".encode(), TIME)
            at.work_on_all(TIME)
            working.clear()

    sql.event.listen(Engine, "after_cursor_execute", work)
    try:
        yield
    finally:
        sql.event.remove(Engine, "after_cursor_execute", work)


def test_a_host_at_full_work_is_backed_up_examined_and_restored(url: str, tmp_path: Path) -> None:
    """Nothing that is written meanwhile is taken for damage."""
    folder, file = tmp_path / "games", tmp_path / "copy.backup"
    HostDirectory.create_folder(folder, HOST, url, "")
    directory, store = HostDirectory.read_folder(folder, os.environ), Store(url)
    with full_work(store):
        _, rows = back_up(directory, file, TIME)
        assert rows == sum(1 for _ in read_rows(file))
        assert [each.text for each in find_all(directory, TIME, offline=True) if each.check == "database"] == [""]
        assert restore_backup(file, folder, os.environ, TIME, force=True).kept is None
    assert store.count_mails()["filed"] > 0
    store.close()


def _killed_in_backup(folder: Path, file: Path) -> None:
    """A backup whose process is killed when its first lines are written."""

    def kill(*_: object) -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError

    module = vars(backup)
    hashing = module["sha256"]
    module["sha256"] = lambda *data: hashing(*data) if data else SimpleNamespace(update=kill)
    back_up(HostDirectory.read_folder(folder, {}), file, TIME)


def test_a_backup_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    folder, copies = tmp_path / "games", tmp_path / "copies"
    HostDirectory.create_folder(folder, HOST, "", "")
    copies.mkdir()
    process = FORKING.Process(target=_killed_in_backup, args=(folder, copies / "copy.backup"))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert list(copies.iterdir()) == []
    back_up(HostDirectory.read_folder(folder, {}), copies / "copy.backup", TIME)
    assert [(file.name, file.stat().st_mode & 0o777) for file in copies.iterdir()] == [("copy.backup", 0o600)]


# -- attempts -------------------------------------------------------------------------------------------------


def waiting_turn(at: Host, folder: Path) -> None:
    """A game begins, and its first turn waits."""
    at.open_game("game", game(1), TIME)
    at.send_letters(TIME)
    ((name, asked),) = [(name, mail) for name in NAMES for mail in letters(folder, name) if examples(mail)]
    assert at.store.keep_mail(reply(asked, Random(1).choice(examples(asked)), name), TIME)


def test_workers_that_come_one_after_another_do_not_seem_to_die(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each lists the mail while the one before it is between counting its attempt and reading the mail."""
    with host(tmp_path, url) as at:
        waiting_turn(at, tmp_path)
        others = [Host(Store(url), HOST, b"s" * 32, lambda _, __: None) for _ in range(MAX_TRIES + 1)]
        left, counted = list(others), Store.count_attempt

        def count_attempt(store: Store, *values: Any) -> bool:
            is_counted = counted(store, *values)
            if left:
                left.pop().work_on_all(TIME)
            return is_counted

        monkeypatch.setattr(Store, "count_attempt", count_attempt)
        at.work_on_all(TIME)
        while left:
            left.pop().work_on_all(TIME)
        assert at.store.list_put_aside() == []
        assert at.store.count_mails()["done"] == 1
        for each in others:
            each.store.close()


def test_a_lock_that_cannot_be_taken_is_no_fault_of_the_mail(tmp_path: Path) -> None:
    """Nothing is put aside, and no attempt is counted."""
    with host(tmp_path) as at:
        waiting_turn(at, tmp_path)
        (tmp_path / f"host.db{WORKING}").mkdir()
        with pytest.raises(GoneError, match=f"host.db{WORKING}: Is a directory"):
            at.work_on_all(TIME)
        assert ([mail.tries for mail in at.store.list_waiting()], at.store.trying) == ([0], 0)
        (tmp_path / f"host.db{WORKING}").rmdir()
        at.work_on_all(TIME)
        assert at.store.count_mails()["done"] == 1


def _killed(_: Transaction, __: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _dies(url: str) -> None:
    """A worker that is killed as it begins to read a mail."""
    Transaction.get_mail = _killed  # type: ignore[assignment,method-assign] # only this process has it
    Host(Store(url), HOST, b"s" * 32, lambda _, __: None).work_on_all(TIME)


def test_a_death_counts_at_once_and_holds_no_mail(url: str, tmp_path: Path) -> None:
    with host(tmp_path, url) as at:
        waiting_turn(at, tmp_path)
        for deaths in range(1, MAX_TRIES + 1):
            process = FORKING.Process(target=_dies, args=(url,))
            process.start()
            process.join()
            assert process.exitcode == -signal.SIGKILL
            assert [mail.tries for mail in at.store.list_waiting()] == [deaths]
        at.work_on_all(TIME)
        assert [reason for _, reason in at.store.list_put_aside()] == [f"the program crashed on it {MAX_TRIES} times"]


# -- folders --------------------------------------------------------------------------------------------------


def test_a_database_has_one_secret(url: str, tmp_path: Path) -> None:
    """A second folder for it needs a copy of the secret, or `tkid host join`; the letters of one are known to the other."""
    first, second = tmp_path / "first", tmp_path / "second"
    way_out = (
        "copy the file `secret` .* to .*second/secret" if "sqlite" in url else "write `tkid host join STORE .*second`"
    )
    HostDirectory.create_folder(first, HOST, url, "")
    for _ in range(2):
        with pytest.raises(SettingsError, match=way_out):
            HostDirectory.create_folder(second, HOST, url, "")
        assert list(second.iterdir()) == []
    shutil.copy(first / "secret", second / "secret")
    HostDirectory.create_folder(second, HOST, url, "")
    assert (second / "secret").read_bytes() == (first / "secret").read_bytes()
    assert HostDirectory.read_folder(second, {}).read_secret() == HostDirectory.read_folder(first, {}).read_secret()


def test_a_host_of_an_earlier_version_has_a_secret_too(url: str, tmp_path: Path) -> None:
    with host(tmp_path, url) as at:
        at.open_game("game", game(1), TIME)
    with pytest.raises(SettingsError, match="this database has a host"):
        HostDirectory.create_folder(tmp_path / "second", HOST, url, "")
    with host(tmp_path, url) as at, at.store.begin_transaction() as transaction:
        assert transaction.documents.get_document("host", "secret") is None, "nothing was changed"
