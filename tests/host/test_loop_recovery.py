"""A host whose disk is full, or whose database is locked or gone, loses nothing and goes on by itself."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy.engine import Engine

from tests.host.looped import SEED, Clock, Trouble, begin, looped, no_trouble, play, stands
from tests.host.store import postgres
from tests.host.year.players import HOST
from tkid.host.directory import HostDirectory
from tkid.host.health import Health
from tkid.host.loop import DATABASE, Loop
from tkid.host.store import connection
from tkid.host.store.connection import DatabaseError, describe_database_error

Stands = tuple[str, list[list[str]], dict[str, int]]


def calm(folder: Path) -> Stands:
    """How the game stands that nothing disturbs."""
    folder.mkdir()
    clock = Clock()
    loop, _ = looped(folder, clock)
    begin(loop)
    assert not any(play(folder, loop, clock, lambda _: no_trouble()))
    loop.close()
    return stands(folder, loop)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Stands:
    return calm(tmp_path_factory.mktemp("calm") / "host")


def disturbed(folder: Path, trouble: Trouble, url: str = "") -> tuple[Stands, list[bool], Loop, list[Any]]:
    """How a game stands with trouble at each mail; whether each was felt; the loop and its log."""
    clock = Clock()
    loop, log = looped(folder, clock, url)
    begin(loop)
    felt = play(folder, loop, clock, trouble)
    loop.close()
    return stands(folder, loop), felt, loop, log


# -- the disk is full -----------------------------------------------------------------------------------------


class Disk:
    """A disk that can be full: the database does not grow, and no other file can be written; what takes no room works."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.full, opening = False, Path.open

        def open_path(path: Path, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
            if self.full and set(mode) & set("wxa"):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
            return opening(path, mode, *args, **kwargs)

        patch.setattr(Path, "open", open_path)

    def limit(self, connection: Any) -> None:
        """At the beginning of each transaction: the database has as many pages as it may have, or as it likes."""
        if connection.dialect.name == "sqlite":
            pages = 1 if self.full else 1 << 30  # a limit below the present size is that size
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")


@pytest.mark.slow
def test_a_disk_that_is_full(tmp_path: Path, wanted: Stands, monkeypatch: pytest.MonkeyPatch) -> None:
    disk, rng = Disk(monkeypatch), Random(SEED)
    sqlalchemy.event.listen(Engine, "begin", disk.limit)

    @contextmanager
    def full(_: int) -> Iterator[None]:
        disk.full = rng.random() < 0.8
        yield
        disk.full = False

    try:
        found, felt, loop, log = disturbed(tmp_path, full)
    finally:
        sqlalchemy.event.remove(Engine, "begin", disk.limit)
    assert found == wanted
    assert sum(felt) > 2
    assert loop.health.find_part(DATABASE).error == ""
    reasons = {each["reason"] for each in log if each["event"] == "fails"}
    assert any("disk is full" in reason or "No space left" in reason for reason in reasons), reasons


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A file system of its own in memory, with room for a few games."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tkid", str(folder)], check=False, capture_output=True, text=True
    )
    if mounted.returncode and not os.environ.get("TKID_REAL_SERVERS"):
        pytest.skip(f"no small disk can be made here: {mounted.stderr.strip()}")
    assert mounted.returncode == 0, mounted.stderr
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, leave: int) -> Path:
    """Fill the disk but for so many bytes."""
    file = folder / "filler"
    with file.open("wb", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(b"x" * 4096)
    os.truncate(file, max(0, file.stat().st_size - leave))
    return file


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("mount") is None, reason="there is no program `mount`")
def test_a_small_disk_that_is_full(tmp_path: Path, wanted: Stands) -> None:
    """With no room at all, and with a little, so that a step fails in the middle."""
    rng = Random(SEED)
    with small_disk(tmp_path / "disk"):
        folder = tmp_path / "disk"

        @contextmanager
        def full(_: int) -> Iterator[None]:
            filler = fill(folder, rng.choice((0, 0, 4096, 16384, 32768, 65536)))
            yield
            filler.unlink()

        found, felt, _, log = disturbed(folder, full)
    assert found == wanted
    assert sum(felt) > 5
    reasons = {each["reason"] for each in log if each["event"] == "fails"}
    print(f"felt at {sum(felt)} of {len(felt)} mails: {sorted(reasons)}")  # noqa: T201 - what a full disk looked like


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("mount") is None, reason="there is no program `mount`")
def test_a_full_disk_is_called_one(tmp_path: Path) -> None:
    """Also where SQLite only says that it cannot read or write."""
    with small_disk(tmp_path / "disk"):
        folder = tmp_path / "disk" / "host"
        HostDirectory.create_folder(folder, HOST, "", "")
        fill(tmp_path / "disk", 0)
        with pytest.raises(DatabaseError) as raised, HostDirectory.read_folder(folder, {}).open_store():
            pass
        assert describe_database_error(raised.value) == "database: the disk is full"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_called_one_in_every_file(number: int) -> None:
    assert describe_database_error(OSError(number, "any words", "out/new")) == "out/new: the disk is full"


@pytest.mark.parametrize("number", sorted(set(errno.errorcode) - {errno.ENOSPC, errno.EDQUOT}))
def test_no_other_error_is_called_a_full_disk(number: int) -> None:
    """Also if its number is the one that SQLite has for a full disk."""
    assert describe_database_error(OSError(number, "any words", "out/new")) == "out/new: any words"


def test_a_database_that_cannot_be_written_is_called_one(tmp_path: Path) -> None:
    HostDirectory.create_folder(tmp_path / "host", HOST, "", "")
    with HostDirectory.read_folder(tmp_path / "host", {}).open_store() as store, store.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only = ON")
        with pytest.raises(DatabaseError) as raised:
            connection.exec_driver_sql("DELETE FROM incoming")
    told = describe_database_error(raised.value)
    assert (
        told
        == "database: the host cannot write to its file or folder. `tkid host doctor DIR` names what it can't write"
    )


# -- the database is locked or gone ---------------------------------------------------------------------------


@pytest.mark.slow
def test_a_database_that_is_locked(tmp_path: Path, wanted: Stands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "WAIT_FOR_LOCK", 20)

    @contextmanager
    def locked(_: int) -> Iterator[None]:
        other = sqlite3.connect(tmp_path / "host.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        yield
        told = Health.read_file(tmp_path / "status.json").parts[DATABASE]
        assert told.error == "database is locked"
        assert told.failures == 4
        other.execute("ROLLBACK")
        other.close()

    found, felt, _, log = disturbed(tmp_path, locked)
    assert all(felt)
    assert found == wanted
    works = [each for each in log if each["event"] == "works" and each["part"] == DATABASE]
    assert len(works) == len(felt) + 1, "at the beginning, and each time after the trouble"


@pytest.mark.slow
def test_a_database_that_is_moved_away_and_back(tmp_path: Path, wanted: Stands) -> None:
    file, away = tmp_path / "host.db", tmp_path / "away.db"

    @contextmanager
    def gone(_: int) -> Iterator[None]:
        file.rename(away)
        yield
        assert not file.exists(), "a new database has taken the place of the one that is gone"
        away.rename(file)

    found, felt, _, log = disturbed(tmp_path, gone)
    assert all(felt)
    assert found == wanted
    assert any("is missing (No such file or directory). Put it back" in each.get("reason", "") for each in log)


def test_a_database_that_a_copy_replaces(tmp_path: Path, wanted: Stands) -> None:
    """Somebody puts a copy back: nothing more is written to the file that was open before."""
    file = tmp_path / "host.db"

    @contextmanager
    def replaced(_: int) -> Iterator[None]:
        with sqlite3.connect(file) as source, sqlite3.connect(tmp_path / "copy.db") as copy:
            source.backup(copy)
        for name in ("host.db", "host.db-wal", "host.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / "copy.db").rename(file)
        yield

    found, felt, _, log = disturbed(tmp_path, replaced)
    assert all(felt)
    assert found == wanted
    assert any("another file has replaced the database" in each.get("reason", "") for each in log)


@pytest.mark.slow
@pytest.mark.skipif(
    postgres.tools() is None and not os.environ.get("TKID_REAL_SERVERS"),
    reason="PostgreSQL is not installed: apt-get install postgresql",
)
def test_a_database_server_that_stops_and_starts_again(tmp_path: Path, wanted: Stands) -> None:
    with postgres.stoppable() as server:

        @contextmanager
        def stopped(number: int) -> Iterator[None]:
            if number % 3 == 1:
                server.stop()
                yield
                server.start()
            else:
                yield

        found, felt, _, _ = disturbed(tmp_path, stopped, server.url)
        assert [number for number, each in enumerate(felt) if each] == [n for n in range(len(felt)) if n % 3 == 1]
        assert found == wanted
