"""Nobody but its owner reads what a host keeps, nor the files of a game with secret hands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import pytest

from tests.cli import said, tkid
from tests.shared.tables import sample
from tkid.host.directory import HostDirectory
from tkid.host.log import open_log

ANN, BOB = "Ann <ann@example.org>", "Bob <bob@example.org>"
CARDS = "second-edition-advanced"


@pytest.fixture(params=sample([0o000, 0o022, 0o077], 3))
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    """Several umasks, from one that leaves everything open."""
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """Every file and folder that others have a right to, mails that somebody put into the inbox aside."""
    places = [folder, *folder.rglob("*")]
    return [str(place) for place in places if S_IMODE(place.lstat().st_mode) & 0o077 and "in/new/" not in str(place)]


def hosted(folder: Path) -> None:
    """A host with a game and one turn, with a log."""
    said("host", "init", folder, "--address", "tkid@games.example")
    with (folder / "host.toml").open("a") as settings:
        settings.write("pictures = false\n[log]\n")
    said("host", "new-game", folder, ANN, BOB, "--game", "winter", "--first", "Ann", "--ruleset", CARDS)
    (letter,) = (folder / "out" / "ann@example.org" / "new").iterdir()
    to = next(line for line in letter.read_text("utf-8").splitlines() if line.startswith("Reply-To: "))
    mail = f"From: ann@example.org\nTo: {to.removeprefix('Reply-To: ')}\nMessage-ID: <1@example.org>\n\nPass\n"
    (folder / "in" / "new" / "1").write_text(mail, "utf-8")
    said("host", "once", folder)


def test_what_a_host_makes_is_its_owners_alone(tmp_path: Path, umask: int) -> None:
    folder = tmp_path / f"games-{umask}"
    hosted(folder)
    assert (folder / "host.log").exists()
    (folder / "status.json").unlink()  # it says nothing of a game
    assert [place for place in open_to_others(folder) if "/in/cur/" not in place] == []


def test_what_the_database_puts_beside_itself_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        said("host", "init", tmp_path / "games")
        directory = HostDirectory.read_folder(tmp_path / "games", {})
        with directory.open_store() as store, store.begin_transaction():
            beside = {file.name: S_IMODE(file.stat().st_mode) for file in directory.folder.glob("host.db*")}
    finally:
        os.umask(before)
    assert beside == {"host.db": 0o600, "host.db-wal": 0o600, "host.db-shm": 0o600}


def test_a_log_is_its_owners_alone(tmp_path: Path, umask: int) -> None:
    file = tmp_path / f"{umask}.log"
    open_log(file)("{}")
    assert S_IMODE(file.stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize("place", ["", "host.db", "host.toml", "host.log", "in", "out"])
def test_the_doctor_and_the_host_say_what_others_may_read(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "games"
    hosted(folder)
    assert said("host", "doctor", folder).endswith(f"{folder}: all right, 1 game.\n")
    (folder / place).chmod(0o755)
    mode = "700" if (folder / place).is_dir() else "600"
    told = f"{folder / place}: others may read it. To stop that: `chmod {mode} {folder / place}`.\n"
    assert tkid("host", "doctor", folder).stderr == told
    once = tkid("host", "once", folder)
    assert (once.exit_code, once.stderr, once.stdout) == (0, told, "There was nothing to do.\n")
    (folder / place).chmod(int(mode, 8))
    assert said("host", "doctor", folder).endswith(f"{folder}: all right, 1 game.\n")


def test_the_doctor_counts_the_letters_that_others_may_read(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    hosted(folder)
    for letter in (folder / "out").rglob("*.tkid"):
        letter.chmod(0o644)
    told = tkid("host", "doctor", folder).stderr
    assert told.startswith(f"{folder / 'out'}: others may read ")
    assert told.endswith(f" letters in it. To stop that: `chmod -R go= {folder / 'out'}`.\n")


def test_a_sentence_of_the_doctor_ends_once(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    hosted(folder)
    (folder / "password").write_text("hush\n", "utf-8")
    (folder / "password").chmod(0o644)
    with (folder / "host.toml").open("a") as settings:
        settings.write(
            "[smtp]\nhost = 'localhost'\nport = 9\nuser = 'tkid'\npassword-file = 'password'\ntls = 'none'\n"
        )
    told = tkid("host", "doctor", folder).stderr
    assert "To stop that:" in told
    assert ".." not in told


def test_a_folder_that_exists_keeps_its_rights_and_init_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir(0o755)
    result = tkid("host", "init", folder)
    assert result.exit_code == 0
    assert result.stderr == f"{folder}: others may read it. To stop that: `chmod 700 {folder}`.\n"
    assert open_to_others(folder) == [str(folder)]


def test_files_with_secrets_are_their_owners_alone(tmp_path: Path, umask: int) -> None:
    files = [tmp_path / name for name in ("whole.tkid", "ann.tkid", "turn.eml", "open.tkid", "export.tkid")]
    whole, ann, turn, shown, export = files
    said("new", whole, ANN, BOB, "--ruleset", CARDS)
    said("view", whole, "--seat", "Ann", "-o", ann)
    said("mail", "write", whole, "-o", turn)
    said("view", whole, "--seat", "Bob", "-o", tmp_path / "bob.tkid")
    said("open", ann, tmp_path / "bob.tkid", "-o", shown)
    said("host", "init", tmp_path / "games")
    said("host", "new-game", tmp_path / "games", ANN, BOB, "--game", "winter", "--ruleset", CARDS)
    export.write_text("", "utf-8")
    export.chmod(0o644)
    said("host", "export", tmp_path / "games", "winter", "-o", export)
    assert {file.name: S_IMODE(file.stat().st_mode) & 0o077 for file in files} == dict.fromkeys(
        [file.name for file in files], 0
    )
    said("new", tmp_path / "public.tkid", ANN, BOB)
    said("view", whole, "-o", tmp_path / "spectator.tkid")
    for name in ("public.tkid", "spectator.tkid"):
        assert S_IMODE((tmp_path / name).stat().st_mode) == 0o666 & ~umask
