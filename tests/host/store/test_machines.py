"""Several machines on one PostgreSQL database: how one joins, which of them does what, and what happens when one dies."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sql

from tests.cli import tkid
from tests.host.looped import Clock, looped, never
from tests.host.machines import FAULTS, LEFT, RIGHT, club, play_rounds
from tests.host.store.databases import needs_postgres
from tests.host.store.postgres import server
from tests.host.year.players import HOST, TIME, game
from tkid.host.chores import TimeWatch
from tkid.host.directory import HostDirectory
from tkid.host.log import Log
from tkid.host.loop import CLOCKS
from tkid.host.settings import SettingsError
from tkid.host.status import list_machine_states
from tkid.host.store.connection import DATABASE_ERRORS
from tkid.host.store.leases import CLOCK, PAGES, Leases, make_fingerprint
from tkid.host.store.schema import UnusableError
from tkid.host.store.store import Store
from tkid.host.transports import Maildir, Transports, Wakeup

pytestmark = [pytest.mark.slow, needs_postgres]
MAILBOX = "IMAP tkid INBOX"
WANTED = {CLOCK, PAGES, MAILBOX}


@pytest.fixture
def address() -> Iterator[str]:
    """The address of an empty database."""
    with server() as url:
        yield url


@pytest.fixture
def left(address: str, tmp_path: Path) -> Path:
    """The folder of the first machine."""
    HostDirectory.create_folder(tmp_path / LEFT, HOST, address, "")
    (tmp_path / LEFT / "machine").write_text(f"{LEFT}\n")
    return tmp_path / LEFT


@pytest.fixture
def right(left: Path, address: str, tmp_path: Path) -> Path:
    """The folder of a machine that has joined."""
    folder = tmp_path / RIGHT
    folder.mkdir(mode=0o700)
    shutil.copy(left / "host.toml", folder / "host.toml")
    HostDirectory.join_folder(folder, address, RIGHT, {}, (left / "secret").read_bytes)
    return folder


def make_leases(folder: Path, now: datetime | None = None) -> Leases:
    """The leases of a process that works with a folder."""
    return HostDirectory.read_folder(folder, {}).make_leases(lambda: now or datetime.now(UTC))


def states(folder: Path) -> dict[str, Any]:
    """The states of the machines, by name."""
    with HostDirectory.read_folder(folder, {}).open_store() as store:
        return {each["name"]: SimpleNamespace(**each) for each in list_machine_states(store)}


# -- joining --------------------------------------------------------------------------------------------------


def join(monkeypatch: pytest.MonkeyPatch, secret: bytes, *words: str | Path) -> Any:
    """What the command says, with the secret on its standard input."""
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: False, buffer=BytesIO(secret)))
    from tkid.cli import host  # noqa: PLC0415 - the command line is loaded by those who need it

    monkeypatch.setattr(
        host, "sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: False, buffer=BytesIO(secret)))
    )
    return tkid("host", "join", *map(str, words))


def test_a_machine_joins_with_the_secret_on_standard_input(
    left: Path, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, secret = tmp_path / "new", (left / "secret").read_bytes()
    refused = join(monkeypatch, secret, address, folder)
    assert f"{folder / 'host.toml'} is missing. Copy it from the first machine" in refused.output
    folder.mkdir(mode=0o700)
    settings = f'address = "{HOST}"\nstore = "postgresql://elsewhere/tkid"\n\n[club]\nname = "The club"\n'
    (folder / "host.toml").write_text(settings)
    for wrong, words in (
        (b"s" * 32, "this is not the secret of the host"),
        (b"s", "it has 1 bytes in place of 32"),
        (b"", "Send its file `secret` to standard input"),
    ):
        refused = join(monkeypatch, wrong, address, folder)
        assert refused.exit_code != 0
        assert words in refused.output
        assert [file.name for file in folder.iterdir()] == ["host.toml"]
        assert (folder / "host.toml").read_text() == settings
    done = join(monkeypatch, secret, address, folder, "--name", RIGHT)
    assert done.exit_code == 0, done.output
    assert "the machine right can work for" in done.output
    assert secret.hex() not in done.output
    joined = HostDirectory.read_folder(folder, {})
    assert (joined.settings.store, joined.settings.club.name, joined.machine) == (address, "The club", RIGHT)
    assert joined.read_secret() == secret
    assert {file.name: file.stat().st_mode & 0o077 for file in folder.iterdir()}.items() >= {
        "secret": 0,
        "machine": 0,
    }.items()
    assert not states(left)[RIGHT].at_work


def test_who_may_not_join(left: Path, right: Path, address: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"`tkid host join STORE .*third`, with this address as STORE"):
        HostDirectory.create_folder(tmp_path / "third", HOST, address, "")
    assert list((tmp_path / "third").iterdir()) == []
    secret = (left / "secret").read_bytes
    with pytest.raises(SettingsError, match="a file of SQLite is for one machine"):
        HostDirectory.join_folder(right, f"sqlite:///{tmp_path}/host.db", "", {}, secret)
    with pytest.raises(SettingsError, match="use at most 40 letters"):
        HostDirectory.join_folder(right, address, "to the right", {}, secret)
    shutil.copy(left / "host.toml", tmp_path / "third" / "host.toml")
    with closing(make_leases(right)) as working:
        working.renew(())
        with pytest.raises(UnusableError, match="a machine with the name right is at work"):
            HostDirectory.join_folder(tmp_path / "third", address, RIGHT, {}, secret)
    HostDirectory.join_folder(tmp_path / "third", address, RIGHT, {}, secret)
    assert HostDirectory.read_folder(tmp_path / "third", {}).machine == RIGHT, "it replaces one that is not at work"


def test_a_name_is_found_for_a_machine_without_one(left: Path, address: str, tmp_path: Path) -> None:
    usual = next(name for name in states(left) if name != LEFT)
    for number in (2, 3):
        folder = tmp_path / f"{number}"
        folder.mkdir(mode=0o700)
        shutil.copy(left / "host.toml", folder / "host.toml")
        for _ in range(2):  # a second time changes nothing
            HostDirectory.join_folder(folder, address, "", {}, (left / "secret").read_bytes)
            assert HostDirectory.read_folder(folder, {}).machine == f"{usual}-{number}"


def test_a_machine_with_another_secret_does_no_work(left: Path, right: Path) -> None:
    """A new secret is taken when all machines have stopped."""
    (right / "secret").write_bytes(b"s" * 32)
    with closing(make_leases(left)) as working, closing(make_leases(right)) as other:
        working.renew(WANTED)
        with pytest.raises(UnusableError, match="another secret than the machines at work"):
            other.renew(WANTED)
        working.close()
        other.renew(WANTED)
        assert other.has(CLOCK)
        with pytest.raises(UnusableError, match="another secret"):
            working.renew(WANTED)


def test_two_machines_have_two_names(left: Path) -> None:
    """A folder that was copied to another machine would leave its own mailbox unread there."""
    with closing(make_leases(left)) as one, closing(make_leases(left)) as same, closing(make_leases(left)) as copied:
        copied.node = "elsewhere"
        for each in (one, same):
            each.renew(WANTED)
        with pytest.raises(UnusableError, match="another machine with the name left is at work"):
            copied.renew(WANTED)


# -- leases ---------------------------------------------------------------------------------------------------


def test_each_lease_has_one_machine(left: Path, right: Path) -> None:
    with closing(make_leases(left)) as first, closing(make_leases(right)) as second:
        first.renew({CLOCK, MAILBOX})
        second.renew(WANTED)
        assert [[each.has(lease) for lease in (CLOCK, MAILBOX, PAGES)] for each in (first, second)] == [
            [True, True, False],
            [False, False, True],
        ]
        first.renew({CLOCK})
        second.renew(WANTED)
        assert second.has(MAILBOX), "what is not wanted any more is given back"
        first.close(is_stopped=True)
        second.renew(WANTED)
        assert all(map(second.has, WANTED))
        assert {name: (each.at_work, each.leases) for name, each in states(left).items() if name in {LEFT, RIGHT}} == {
            LEFT: (False, []),
            RIGHT: (True, [CLOCK, PAGES]),
        }


def test_the_lease_of_a_machine_that_is_cut_off_is_taken_over(left: Path, right: Path, address: str) -> None:
    with closing(make_leases(left)) as first, closing(make_leases(right)) as second, closing(Store(address)) as store:
        first.renew(WANTED)
        with store.engine.begin() as connection:
            ending = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
            assert connection.execute(sql.text(ending)).rowcount > 0
        while not second.has(CLOCK):
            second.renew(WANTED)
        (problem,) = states(left)[LEFT].problems
        assert "machine left: it died, or cannot reach the database, since" in problem
        assert "Other machines do its work" in problem
        assert problem in tkid("host", "status", str(right)).output.splitlines()[0]
        with pytest.raises(DATABASE_ERRORS):
            first.renew(WANTED)
        first.close()
        first.renew(WANTED)
        assert not any(map(first.has, WANTED)), "it comes back, and takes nothing away"
        assert states(left)[LEFT].problems == []


def test_a_clock_that_differs_from_that_of_the_database(left: Path, right: Path) -> None:
    slow = datetime.now(UTC) - timedelta(minutes=5)
    with closing(make_leases(left, slow)) as first, closing(make_leases(right)) as second:
        first.renew(WANTED)
        second.renew(WANTED)
        found = states(left)
        assert -302 < found[LEFT].clock_ahead < -299
        assert abs(found[RIGHT].clock_ahead) < 2
        assert found[LEFT].problems == [
            "machine left: its clock is 5 minutes slow, compared with the database's. Set it."
        ]
        shown = tkid("host", "status", str(right)).output
        assert shown.startswith("machine left: its clock is 5 minutes slow")
        assert "machine left: runs the clocks, publishes the pages; seen on " in shown
        assert "machine right: shares mails and letters; seen on " in shown


# -- the loop -------------------------------------------------------------------------------------------------


@pytest.fixture
def two(left: Path, right: Path, address: str) -> Iterator[list[Any]]:
    """The loops of both machines, with one mailbox that both can read; `looks` counts who looked into it."""
    with ExitStack() as stack:
        loops = []
        for folder in (left, right):
            clock = Clock(datetime.now(UTC))
            watch = TimeWatch(clock, lambda: ("start", 0.0), folder.name)
            loop, _ = looped(folder, clock, address, leases=make_leases(folder, clock.now), watch=watch)
            loop.transports = Transports(
                {"shared": partial(Maildir, left.parent / "shared")}, loop.transports.sender, None, {"shared": MAILBOX}
            )
            stack.callback(loop.close)
            loops.append(loop)
        yield loops


def test_one_machine_reads_the_mailbox_that_all_have(two: list[Any]) -> None:
    first, second = two
    for number, worker in enumerate((first, first, second, second)):
        Maildir(Path(first.transports.inboxes["shared"]().path)).add_mail(
            b"From: eve@example.org\n\nHello %d\n" % number
        )
        if worker is second and number == 2:
            assert second.run_round(never).fetched == 0, "the other one reads it"
            first.close()
        assert worker.run_round(never).fetched == 1
    assert second.leases.has(CLOCK)


def test_a_machine_that_cannot_read_the_mailbox_leaves_it_to_another(two: list[Any]) -> None:
    first, second = two
    first.run_round(never)

    class Broken:
        def list_arrived(self, _: object) -> list[Any]:
            raise OSError("the server does not answer")

        def close(self) -> None:
            """Nothing is open."""

    first._inboxes["shared"] = Broken()  # noqa: SLF001 - it breaks while it is open
    Maildir(Path(first.transports.inboxes["shared"]().path)).add_mail(b"From: eve@example.org\n\nHello\n")
    assert first.run_round(never).failed
    first.run_round(never)
    assert second.run_round(never).fetched == 1


def test_a_doubtful_clock_leaves_the_games_to_a_right_one(two: list[Any]) -> None:
    first, second = two
    for loop in two:
        loop.run_round(never)
    assert (first.leases.has(CLOCK), second.leases.has(CLOCK)) == (True, False)
    first.now.now += timedelta(days=10)
    for loop in two:
        loop.run_round(never)
    assert not first.watch.believed
    assert (first.leases.has(CLOCK), second.leases.has(CLOCK)) == (False, True)
    assert second.health.find_part(CLOCKS).since is not None


def test_a_program_without_leases_works_beside(two: list[Any]) -> None:
    """An earlier version of the program reads mails and runs clocks too; the database keeps both from doing a thing twice."""
    first, old = two
    old.leases = Leases()
    store = old.database.open_store()
    old.make(store, lambda _, __: None).open_game("game", game(1), TIME)
    for number in range(4):
        Maildir(Path(first.transports.inboxes["shared"]().path)).add_mail(
            b"From: eve@example.org\n\nHello %d\n" % number
        )
        (first, old)[number % 2].run_round(never)
    assert (store.count_mails()["filed"], store.count_mails()["new"], store.count_mails()["unsent"]) == (4, 0, 0)
    store.close()


def test_sqlite_has_no_leases(tmp_path: Path) -> None:
    """One machine has all of them, and nothing is asked of the database."""
    folder = tmp_path / "games"
    HostDirectory.create_folder(folder, HOST, "", "")
    directory = HostDirectory.read_folder(folder, os.environ)
    with closing(Wakeup()) as wakeup:
        leases = directory.open_loop(Log(lambda _: None, lambda: TIME), wakeup).leases
    leases.renew(())
    assert leases.has(CLOCK)
    assert states(folder) == {}
    assert not (folder / "machine").exists()


# -- faults ---------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_two_machines_that_are_disturbed_lose_and_double_nothing(tmp_path: Path) -> None:
    """`python -m benchmarks.faults` does the same two hundred times."""
    with club(tmp_path, 20261128) as at:
        play_rounds(at, len(FAULTS))
        assert at.mails > 0


def test_a_fingerprint_is_no_secret() -> None:
    secret = b"s" * 32
    assert len(make_fingerprint(secret)) == len(secret)
    assert make_fingerprint(secret) != make_fingerprint(b"t" * 32)
    assert secret.decode() not in make_fingerprint(secret)
