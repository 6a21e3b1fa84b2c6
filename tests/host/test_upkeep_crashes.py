"""An upgrade, a backup or a restore that is killed at any step leaves what was there, or is done; and can be done again."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest

from tests.host.killed import call_until
from tests.host.store import databases
from tests.host.year.players import NAMES, TIME, examples, game, host, letters, reply
from tkid.host.backup import back_up, read_backup_head, read_rows, restore_backup
from tkid.host.directory import HostDirectory
from tkid.host.store import schema
from tkid.host.store.connection import connect_database
from tkid.host.store.store import Store

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["tests.host.test_upkeep_crashes"])
SEED = 20261122


def upgraded(folder: Path) -> None:
    engine = connect_database(f"sqlite:///{folder / 'host.db'}")
    schema.upgrade_tables(engine)
    engine.dispose()


def backed_up(folder: Path) -> None:
    back_up(HostDirectory.read_folder(folder, {}), folder / "copy.backup", TIME, replace=True)


def restored(folder: Path, copy: Path, *, force: bool) -> None:
    restore_backup(copy, folder, {}, TIME, force=force)


def killed(call: Callable[..., object], arguments: tuple[object, ...], step: int) -> bool:
    """Whether a call was killed at a step; false where it ended before."""
    process = FORKING.Process(target=call_until, args=(call, arguments, step))
    process.start()
    process.join()
    assert process.exitcode in {0, -signal.SIGKILL}
    return process.exitcode != 0


def version(folder: Path) -> int:
    """The version of a host's database."""
    engine = connect_database(f"sqlite:///{folder / 'host.db'}")
    try:
        return schema.find_readable_version(engine)
    finally:
        engine.dispose()


def turns(folder: Path) -> list[str]:
    """The records of a host's games."""
    store = Store(f"sqlite:///{folder / 'host.db'}")
    found = [each.record for each in store.list_games()]
    store.close()
    return found


@pytest.mark.exhaustive
def test_an_upgrade(tmp_path: Path) -> None:
    step, died, versions = 1, True, []
    while died:
        folder = tmp_path / str(step)
        folder.mkdir()
        databases.load(f"sqlite:///{folder / 'host.db'}", 1)
        died = killed(upgraded, (folder,), step)
        versions.append(version(folder))
        upgraded(folder)
        assert len(turns(folder)) == 2
        shutil.rmtree(folder)
        step += 1
    assert versions == sorted(versions), "an older version came after a newer one"
    assert set(versions) == {1, schema.VERSION}
    print(f"killed at {step - 2} steps")  # noqa: T201 - the figure of the proof


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A host with a game, a backup of it, and a turn since."""
    folder = tmp_path / "games"
    HostDirectory.create_folder(folder, "tkid@games.example", "", "")
    with host(folder) as at:
        at.open_game("game", game(1), TIME)
        at.send_letters(TIME)
    back_up(HostDirectory.read_folder(folder, {}), tmp_path / "copy.backup", TIME)
    with host(folder) as at:
        name, mail = next((n, mail) for n in NAMES[:2] for mail in letters(folder, n) if examples(mail))
        at.store.keep_mail(reply(mail, Random(SEED).choice(examples(mail)), name), TIME)
        at.work_on_all(TIME)
        at.send_letters(TIME)
    return folder


@pytest.mark.exhaustive
def test_a_backup(played: Path, tmp_path: Path) -> None:
    step, died = 1, True
    while died:
        folder = Path(shutil.copytree(played, tmp_path / str(step)))
        died = killed(backed_up, (folder,), step)
        file = folder / "copy.backup"
        if file.exists():
            read_backup_head(file)
        assert turns(folder) == turns(played)
        backed_up(folder)
        assert sum(1 for _ in read_rows(file)) > 5
        shutil.rmtree(folder)
        step += 1
    assert step > 4
    print(f"killed at {step - 2} steps")  # noqa: T201 - the figure of the proof


def whole(folder: Path) -> None:
    """The host as it is."""


def empty(folder: Path) -> None:
    """The database is an empty file."""
    for file in folder.glob("host.db*"):
        file.unlink()
    (folder / "host.db").touch()


def damaged(folder: Path) -> None:
    """A page of the database is overwritten."""
    with (folder / "host.db").open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(4096))


def gone(folder: Path) -> None:
    """The whole folder is gone."""
    shutil.rmtree(folder)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "before",
    [whole, gone, empty, damaged],
    ids=lambda each: each.__name__,
)
def test_a_restore(played: Path, tmp_path: Path, before: Callable[[Path], None]) -> None:
    copy, old = tmp_path / "copy.backup", turns(played)
    step, died, states = 1, True, []
    while died:
        folder = Path(shutil.copytree(played, tmp_path / str(step)))
        before(folder)
        died = killed(partial(restored, force=True), (folder, copy), step)
        if before is whole:
            states.append(turns(folder))
            assert len(states[-1]) == 1
        restored(folder, copy, force=True)
        assert (now := turns(folder)) != old
        assert len(now) == 1
        assert not list(folder.glob("*.restoring*"))
        assert (folder / "secret").read_bytes() == (bytes.fromhex(read_backup_head(copy).secret))
        shutil.rmtree(folder)
        step += 1
    if before is whole:
        assert states[0] == old
        assert states[-1] == now
        assert sum(one != other for one, other in pairwise(states)) == 1, "a state in between"
    assert step > 8
    print(f"killed at {step - 2} steps")  # noqa: T201 - the figure of the proof
