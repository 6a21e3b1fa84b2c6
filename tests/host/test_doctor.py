"""What `host doctor` finds, each thing with its way out; a database whose pages are damaged is one of them."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from tests.cli import tkid
from tests.host.year.players import game, host, play
from tests.shared.tables import each_row
from tkid.host import status
from tkid.host.directory import HostDirectory
from tkid.host.status import find_all, find_certificate_end
from tkid.host.store.schema import format_timestamp

NOW = datetime.now(UTC) + timedelta(hours=1)  # the tests may begin long after this is read
SEED = 20261122


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host with two games, of which one was played for a while."""
    folder = tmp_path_factory.mktemp("doctor") / "games"
    assert tkid("host", "init", folder, "--address", "tkid@games.example").exit_code == 0
    (folder / "host.toml").write_text('address = "tkid@games.example"\npictures = false\n', "utf-8")
    with host(folder) as at:
        for number in range(2):
            at.open_game(f"game-{number}", game(number), NOW)
        at.send_letters(NOW)
        play(folder, at, Random(SEED), passing=0.95)
    os.system(f"chmod -R go= {folder}")  # noqa: S605 - letters of the test's own host
    return folder


@pytest.fixture
def games(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "games"))


def problems(folder: Path, now: datetime = NOW) -> dict[str, list[str]]:
    """The problems that are found, by check."""
    findings = find_all(HostDirectory.read_folder(folder, {}), now, offline=True)
    wrong = [each for each in findings if not each.right]
    return {each.check: [other.text for other in wrong if other.check == each.check] for each in wrong}


def changed(folder: Path, statement: str, *values: object) -> None:
    """Change something in the database."""
    with sqlite3.connect(folder / "host.db") as database:
        database.execute(statement, values)


def test_everybody_is_welcome_and_nobody_vouches_for_senders(games: Path) -> None:
    settings = games / "host.toml"
    usual = settings.read_text("utf-8")
    settings.write_text(f'{usual}[club]\nwelcome = "everybody"\n', "utf-8")
    (problem,) = problems(games)["mail settings"]
    assert str(settings) in problem
    assert '`authserv = "mx.games.example"`' in problem
    vouched = '[authentication]\nauthserv = "mx.games.example"\n'
    for club, authentication in (("everybody", vouched), ("invited", "")):
        settings.write_text(f'{usual}[club]\nwelcome = "{club}"\n{authentication}', "utf-8")
        assert "mail settings" not in problems(games), (club, authentication)


def test_all_is_right(games: Path) -> None:
    assert problems(games) == {}
    young = tkid("host", "doctor", games, "--offline")
    assert (young.exit_code, young.stdout.startswith("backup: there is no backup yet. Make one: ")) == (0, True)
    said = json.loads(tkid("host", "doctor", games, "--offline", "--json").stdout)
    assert said["ok"] is True
    assert {each["check"] for each in said["checks"]} == {
        *("folder", "permissions", "disk", "mail settings", "database", "games", "mails", "vouching", "letters"),
        *("webhooks", "clock", "machines", "backup"),
    }


# -- the database ---------------------------------------------------------------------------------------------


def test_every_page_that_is_overwritten_is_found(games: Path) -> None:
    """Pages everywhere in the file, with noise and with zeros: found, with the file and the way out; never "all right"."""
    file = games / "host.db"
    database = sqlite3.connect(file, isolation_level=None)
    database.execute("VACUUM")  # pages that are not used cannot be found damaged
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (size,) = database.execute("PRAGMA page_size").fetchone()
    database.close()
    whole, rng = file.read_bytes(), Random(SEED)
    pages = len(whole) // size
    print(f"seed {SEED}, {pages} pages")  # noqa: T201 - what was tried
    for page in sorted({1, 2, pages - 1, *rng.sample(range(1, pages), 12)}):
        for name, noise in (("noise", rng.randbytes(size)), ("zeros", bytes(size))):
            for beside in games.glob("host.db-*"):
                beside.unlink()
            file.write_bytes(whole[: page * size] + noise + whole[(page + 1) * size :])
            found = problems(games).get("database", [])
            assert found, (page, name)
            assert str(file) in found[0], (page, name, found)
            assert "tkid host restore" in found[0], (page, name, found)
    file.write_bytes(whole)
    assert problems(games) == {}


@pytest.mark.parametrize("name", ["host.db", "host.db-shm", ".", "in", "out"])
def test_a_file_that_cannot_be_written_is_found(games: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    file = games / name
    file.touch()
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != file)
    assert problems(games)["folder"] == [f"{file}: the host cannot write to it."]


def test_a_changed_byte_in_a_mail_is_found(games: Path) -> None:
    changed(games, "UPDATE incoming SET raw = CAST(raw || 'x' AS BLOB) WHERE id = 1")
    assert "incoming has a row that is not as it was written (1)" in problems(games)["database"][0]


def test_a_game_that_cannot_be_read_is_found(games: Path) -> None:
    changed(games, "UPDATE games SET record = replace(record, 'Ann', 'Eve') WHERE id = 'game-0'")
    assert problems(games)["games"][0].startswith("game-0: ")


def test_a_database_of_another_version_is_found(games: Path) -> None:
    changed(games, "UPDATE tkid_schema SET version = 99")
    assert "Install the newer tkid again" in problems(games)["database"][0]


# -- the rest -------------------------------------------------------------------------------------------------


def mail(received: datetime, written: datetime, number: int, authserv: str = "") -> tuple[object, ...]:
    """A row with a mail: written when, received when."""
    stated = f"Authentication-Results: {authserv}; dmarc=pass\n" if authserv else ""
    raw = f"{stated}From: ann@example.org\nDate: {written:%a, %d %b %Y %H:%M:%S} +0000\n\nhello {number}\n".encode()
    import hashlib  # noqa: PLC0415

    return hashlib.sha256(raw).hexdigest(), format_timestamp(received), raw


ADD = "INSERT INTO incoming (digest, received, raw, state, tries, reason) VALUES (?, ?, ?, 'filed', 0, '')"


@each_row(
    ("shift", "told"),
    [
        (timedelta(hours=3), "3 hours fast"),
        (timedelta(days=-2), "2 days slow"),
        (timedelta(minutes=20), ""),
    ],
)
def test_the_clock_is_compared_with_the_dates_of_mails(
    made: Path, tmp_path_factory: pytest.TempPathFactory, shift: timedelta, told: str
) -> None:
    folder = Path(shutil.copytree(made, tmp_path_factory.mktemp("clock") / "games"))
    for number in range(20):
        changed(folder, ADD, *mail(NOW, NOW - shift, number))
    found = problems(folder).get("clock", [""])
    assert told in found[0]
    assert bool(told) == bool(found[0])


def test_a_clock_that_was_set_back(games: Path) -> None:
    changed(games, ADD, *mail(NOW + timedelta(days=3), NOW, 1))
    assert "Set the clock" in problems(games)["clock"][0]


def test_nobody_vouches(games: Path) -> None:
    settings = (games / "host.toml").read_text("utf-8")
    (games / "host.toml").write_text(settings + '[authentication]\nauthserv = "mx.games.example"\n', "utf-8")
    for number in range(20):
        changed(games, ADD, *mail(NOW, NOW, number))
    assert "none of the last 20 mails has a header" in problems(games)["vouching"][0]
    changed(games, ADD, *mail(NOW, NOW, 21, "mx.games.example"))
    assert "vouching" not in problems(games)


@each_row(
    ("settings", "told"),
    [
        ('address = "tkid@localhost"\n[smtp]\nhost = "smtp.example"\n', "is known on this machine only"),
        ('address = "tkid@games.example"\nowner = "tkid@games.example"\n', "the host's own address"),
        ('address = "tkid@games.example"\n[authentication]\nauthserv = "mx"\n', "mx is not the name of a server"),
    ],
)
def test_settings_for_mail(made: Path, tmp_path_factory: pytest.TempPathFactory, settings: str, told: str) -> None:
    folder = Path(shutil.copytree(made, tmp_path_factory.mktemp("settings") / "games"))
    (folder / "host.toml").write_text(f"pictures = false\n{settings}", "utf-8")
    assert told in problems(folder)["mail settings"][0]


def test_letters_mails_disk_and_backups(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10 << 20))
    changed(games, "UPDATE outgoing SET sent = NULL, error = 'no route' WHERE id = 1")
    changed(games, "UPDATE incoming SET state = 'quarantined' WHERE id < 3")
    found = problems(games, NOW + timedelta(days=8))
    assert "only 10 MB are free" in found["disk"][0]
    assert "no route. Is the host running?" in found["letters"][0]
    assert found["mails"] == [
        f"2 mails were put aside, because the program failed. `tkid host status {games}` lists them."
    ]
    assert "there is no backup yet" in found["backup"][0]
    monkeypatch.undo()
    assert tkid("host", "backup", games, games.parent / "a.backup").exit_code == 0
    assert "backup" not in problems(games, NOW + timedelta(days=6))
    assert "the last one is 9 days" in problems(games, NOW + timedelta(days=9))["backup"][0]
    assert tkid("host", "doctor", games).exit_code == 1


def test_a_letter_that_could_not_be_sent_is_found(games: Path) -> None:
    """One that was given up was reported to the owner; it does not hide the other."""
    assert "letters" not in problems(games)
    changed(games, "UPDATE outgoing SET sent = NULL, given_up = 'then', tries = 1, error = 'nobody' WHERE id = 1")
    assert "letters" not in problems(games)
    changed(games, "UPDATE outgoing SET sent = NULL, tries = 1, error = '552 mailbox full' WHERE id = 2")
    (found,) = problems(games)["letters"]
    assert found.startswith("letters: 1 letter could not be sent yet, and will be tried again. The oldest is to ")
    assert found.endswith(": 552 mailbox full.")


def test_the_end_of_a_certificate() -> None:
    end = find_certificate_end({"notAfter": "Nov 30 12:00:00 2026 GMT"})
    assert end == datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert find_certificate_end({}) is None
    assert status.get_certificate(None) is None
    assert not isinstance(ssl.create_default_context(), ssl.SSLSocket)
