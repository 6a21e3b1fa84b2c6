"""A database that is missing, empty, of another kind or another program's: every command says so, and no mail is lost."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from shutil import copytree

import pytest

from tests.cli import tkid
from tests.host.looped import SEED, Clock, begin, looped, never, settle, stands
from tests.host.year.players import NAMES, TIME, examples, game, host, letters, reply
from tests.shared.tables import each_row
from tkid.host.loop import DATABASE
from tkid.host.transports import Maildir


def gone(file: Path) -> None:
    """Nothing is there."""


def empty(file: Path) -> None:
    """A file without bytes, as a full disk or a careless copy leaves it."""
    file.touch()


def text(file: Path) -> None:
    """Something that is no database."""
    file.write_text("<html>The page was not found</html>", "utf-8")


def foreign(file: Path) -> None:
    """The database of another program."""
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE bookmarks (address TEXT)")


def newer(file: Path) -> None:
    """The database of a version to come."""
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE tkid_schema (version INTEGER)")
        database.execute("INSERT INTO tkid_schema VALUES (99)")


INSTEAD: dict[Callable[[Path], None], str] = {
    gone: "is missing (No such file or directory). Put it back, or restore it: `tkid host restore FILE ",
    empty: "is empty. Put the host's own database back, or restore it: `tkid host restore FILE ",
    text: "is not a database, or its beginning is damaged",
    foreign: "has the tables of another program (bookmarks)",
    newer: "is of version 99, and this program knows versions up to",
}


def disturb(folder: Path, instead: Callable[[Path], None]) -> None:
    """Move the database aside, and put something in its place."""
    (folder / "aside").mkdir()
    for file in list(folder.glob("host.db*")):
        file.rename(folder / "aside" / file.name)
    instead(folder / "host.db")


def mend(folder: Path) -> None:
    """Put the database back."""
    for file in list(folder.glob("host.db*")):
        file.unlink()
    for file in list((folder / "aside").iterdir()):
        file.rename(folder / file.name)
    (folder / "aside").rmdir()


@each_row("instead", INSTEAD, ids=lambda instead: instead.__name__)
def test_the_loop_takes_no_mail_and_goes_on_when_the_file_is_back(
    tmp_path_factory: pytest.TempPathFactory, instead: Callable[[Path], None]
) -> None:
    folder, clock = tmp_path_factory.mktemp("host"), Clock()
    loop, log = looped(folder, clock)
    begin(loop)
    asked = next(mail for name in NAMES[:2] for mail in letters(folder, name) if examples(mail))
    name = str(asked["To"]).split()[0]
    before = stands(folder, loop)[2]
    disturb(folder, instead)
    Maildir(folder / "in").add_mail(reply(asked, Random(SEED).choice(examples(asked)), name, 1))
    for seconds in (1, 3, 7, 15):
        clock.set(seconds)
        assert loop.run_round(never).failed
        assert len(list((folder / "in" / "new").iterdir())) == 1, "the mail was taken"
    assert INSTEAD[instead] in loop.health.find_part(DATABASE).error
    assert not list(folder.glob("host.db-*"))
    mend(folder)
    clock.set(60)
    settle(loop)
    assert loop.health.find_part(DATABASE).error == ""
    assert not list((folder / "in" / "new").iterdir())
    after = stands(folder, loop)[2]
    assert after["done"] == before["done"] + 1
    loop.close()
    assert any(INSTEAD[instead] in each.get("reason", "") for each in log)


COMMANDS = (
    ("status", "{}"),
    ("doctor", "{}"),
    ("once", "{}"),
    ("mail", "{}", "winter"),
    ("export", "{}", "winter"),
    ("new-game", "{}", "Ann <ann@example.org>", "Bob <bob@example.org>"),
    ("stand-in", "{}", "winter", "Ann", "Cal <cal@example.org>"),
    ("resume", "{}", "winter"),
    ("metrics", "{}"),
    ("upgrade", "{}"),
    ("backup", "{}", "{}/copy.backup"),
)


def test_every_command_says_so(tmp_path: Path) -> None:
    made = tmp_path / "games"
    assert tkid("host", "init", made, "--address", "tkid@games.example").exit_code == 0
    mails = made / "in" / "new"
    (mails / "one").write_bytes(b"From: ann@example.org\n\nhello\n")
    for number, (instead, reason) in enumerate(INSTEAD.items()):
        folder = Path(copytree(made, tmp_path / str(number)))
        disturb(folder, instead)
        begin = reason.partition(". ")[0]
        for command in COMMANDS:
            result = tkid("host", *(word.format(folder) for word in command))
            assert result.exit_code not in {0, None}, (instead, command)
            assert result.stderr.count(begin) == 1, (instead, command, result.stderr)
            assert f" {folder}" in result.stderr.partition("`tkid host restore FILE")[2], (instead, command)
            assert "DIR" not in result.stderr
            assert f"{folder / 'host.db'}: the database" not in result.stderr, "it is named once"
            assert len(list((folder / "in" / "new").iterdir())) == 1, (instead, command)
        received = tkid("host", "receive", folder, stdin=b"From: bob@example.org\n\nhello\n")
        assert received.exit_code == 75
        mend(folder)
        assert tkid("host", "once", folder).stdout.startswith("1 mail came in")


@each_row("instead", INSTEAD, ids=lambda instead: instead.__name__)
def test_status_says_first_that_the_database_is_gone_and_how_to_get_it_back(
    tmp_path_factory: pytest.TempPathFactory, instead: Callable[[Path], None]
) -> None:
    folder = tmp_path_factory.mktemp("host") / "games"
    backup = folder.parent / "games.backup"
    assert tkid("host", "init", folder, "--address", "tkid@games.example").exit_code == 0
    assert tkid("host", "once", folder).exit_code == 0
    assert tkid("host", "backup", folder, backup).exit_code == 0
    disturb(folder, instead)
    result = tkid("host", "status", folder)
    first, *others = result.output.splitlines()
    assert first.startswith("The database cannot be read: ")
    assert INSTEAD[instead] in first
    assert not [line for line in others if "works" in line]
    words = first.partition("`tkid host restore ")[2].partition("`")[0].split()
    assert words[:2] == ["FILE", str(folder)]
    restored = tkid("host", "restore", backup, folder, *words[2:])
    assert restored.exit_code == 0, restored.output
    assert tkid("host", "status", folder).exit_code == 0


def test_a_database_of_an_older_version_names_the_upgrade(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    assert tkid("host", "init", folder, "--address", "tkid@games.example").exit_code == 0
    with sqlite3.connect(folder / "host.db") as database:
        for table in ("tkid_schema", "documents", "club_keys"):
            database.execute(f"DROP TABLE {table}")
    for command in COMMANDS[:4]:
        result = tkid("host", *(word.format(folder) for word in command))
        assert "is of version 1" in result.output
        assert f"`tkid host upgrade {folder}`" in result.output


def test_one_round_does_not_end_well_with_a_damaged_database(tmp_path: Path) -> None:
    """Whichever page is damaged, also one that the round does not read."""
    folder, rng = tmp_path / "games", Random(1)
    assert tkid("host", "init", folder, "--address", "tkid@games.example").exit_code == 0
    with host(folder) as at:
        at.open_game("game", game(1), TIME)
    assert tkid("host", "once", folder).exit_code == 0
    file = folder / "host.db"
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("VACUUM")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (size,) = database.execute("PRAGMA page_size").fetchone()
    database.close()
    whole = file.read_bytes()
    for page in range(len(whole) // size):
        for beside in folder.glob("host.db-*"):
            beside.unlink()
        file.write_bytes(whole[: page * size] + rng.randbytes(size) + whole[(page + 1) * size :])
        result = tkid("host", "once", folder)
        assert result.exit_code != 0, page
        assert "tkid host restore FILE" in result.stderr, page
    file.write_bytes(whole)
    assert tkid("host", "once", folder).exit_code == 0


def test_a_database_that_was_read_only_is_written_again(tmp_path: Path) -> None:
    """SQLite gives the files beside it the rights that the database had: those are mended together with it."""
    folder = tmp_path / "games"
    assert tkid("host", "init", folder, "--address", "tkid@games.example").exit_code == 0
    held = sqlite3.connect(folder / "host.db")
    held.execute("SELECT * FROM games").fetchall()
    beside = [folder / "host.db-shm", folder / "host.db-wal"]
    for file in beside:
        file.chmod(0o400)
    assert tkid("host", "once", folder).exit_code == 0
    assert [file.stat().st_mode & 0o777 for file in beside] == [0o600, 0o600]
    held.close()


def test_the_settings_of_a_new_host_are_never_half_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, was, seen = tmp_path / "games" / "host.toml", os.fsync, list[bool]()

    def fsync(descriptor: int) -> None:
        """Look whether the file has its name already, before its text is on disk."""
        if not settings.exists() or settings.stat().st_size == 0:
            seen.append(settings.exists())
        was(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    assert tkid("host", "init", tmp_path / "games", "--address", "tkid@games.example").exit_code == 0
    assert seen, "it was looked"
    assert not any(seen), "no moment when the file is there and empty"
    assert settings.stat().st_mode & 0o777 == 0o600
