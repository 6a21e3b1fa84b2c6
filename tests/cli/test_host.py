"""The commands of a host: set up, a game, a round, what they say, and what is wrong in a host's folder."""

from __future__ import annotations

import re
from email import message_from_bytes
from pathlib import Path
from shutil import copytree

import pytest

from tests.cli import complaint, said, tkid

ANN, BOB = "Ann <ann@example.org>", "Bob <bob@example.org>"
ENTROPY = "07" * 32


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host's folder with one game, for all tests to copy."""
    folder = tmp_path_factory.mktemp("host") / "games"
    said("host", "init", folder, "--address", "tkid@games.example")
    made = said("host", "new-game", folder, ANN, BOB, "--game", "winter", "--entropy", ENTROPY, "--first", "Ann")
    assert made.startswith(
        "winter: The King is Dead, second edition: the basic game, with Ann, Bob. 2 letters went out."
    )
    return folder


@pytest.fixture
def games(made: Path, tmp_path: Path) -> Path:
    """A host's folder with one game."""
    return Path(copytree(made, tmp_path / "games"))


def asked(folder: Path, address: str) -> Path:
    """The newest letter in a mailbox that asks for a turn."""
    files = sorted((folder / "out" / address / "new").iterdir(), key=lambda file: file.stat().st_mtime_ns)
    return next(file for file in reversed(files) if b"YOUR ANSWER" in file.read_bytes())


@pytest.mark.slow
def test_three_turns_by_writing_mails(games: Path) -> None:
    """As the README tells: answer the letters with files, and let the host work."""
    for number, address in enumerate(("ann@example.org", "bob@example.org", "ann@example.org"), 1):
        letter = message_from_bytes(asked(games, address).read_bytes())
        mail = f"From: {address}\nTo: {letter['Reply-To']}\nMessage-ID: <{number}@example.org>\n\nPass\n"
        (games / "in" / "new" / f"{number}.eml").write_text(mail, "utf-8")
        told = said("host", "once", games)
        assert re.fullmatch(r"1 mail came in, 1 carried out or filed, [23] letters went out\.\n", told)
    assert said("host", "once", games) == "There was nothing to do.\n"
    assert "winter: turn 4, Bob to play, by " in said("host", "status", games)
    record = said("host", "export", games, "winter")
    assert "1. Ann Pass" in record
    assert "3. Ann Pass" in record
    assert said("host", "doctor", games).endswith(f"{games}: all right, 1 game.\n")
    assert said("host", "mail", games, "winter").count("ann@example.org") >= 4


def test_an_export_is_a_whole_record(games: Path, tmp_path: Path) -> None:
    file = tmp_path / "winter.tkid"
    said("host", "export", games, "winter", "-o", file)
    assert said("check", file) == f"{file}: all right, 0 turns, Ann to play\n"
    assert tkid("verify", file).stdout.startswith("Proven:\n- The entropy fits the seal.")


def test_what_is_no_folder_of_a_host(tmp_path: Path, games: Path) -> None:
    assert "is not a host's folder" in complaint("host", "status", tmp_path, code=2)
    assert "exists already" in complaint("host", "init", games, code=2)
    assert "this is not a plain address" in complaint("host", "init", tmp_path / "x", "--address", "a+b@c", code=2)
    assert not (tmp_path / "x").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("address = 'tkid'\n", "address is the address that players write to; `tkid` is not one, such as"),
        ("address = 5\n", "address is the address that players write to, written between quotes."),
        (
            "address = 'tkid@localhost'\ncolour = 'red'\n",
            "colour is not a setting. The settings are address, store, owner, pause, pictures, rules-url, hold, [imap], [smtp], [lmtp]",
        ),
        ("address = \n", "Invalid value"),
        ("", "address is the address that players write to; `` is not one, such as"),
    ],
)
def test_settings_that_are_wrong(games: Path, settings: str, told: str) -> None:
    (games / "host.toml").write_text(settings, "utf-8")
    said_of_it = complaint("host", "once", games, code=2)
    assert told in said_of_it
    assert str(games / "host.toml") in said_of_it


def test_what_the_doctor_finds(games: Path) -> None:
    (games / "secret").chmod(0o644)
    assert "others may read it. To stop that: `chmod 600" in tkid("host", "doctor", games).stderr
    (games / "secret").write_bytes(b"short")
    assert "the secret is incomplete" in tkid("host", "doctor", games).stderr


def test_the_doctor_tells_that_pictures_cannot_be_drawn(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tkid.render.raster.NEEDED", {"no_such_module": "no-such-package"})
    told = tkid("host", "doctor", games).stderr
    file = games / "host.toml"
    assert (
        "no-such-package is not installed here: run pip install '.[pictures]' in a copy of the source, or `pictures = false` in"
        in told
    )
    assert str(file) in told
    file.write_text(file.read_text("utf-8") + "pictures = false\n", "utf-8")
    assert said("host", "doctor", games).endswith(f"{games}: all right, 1 game.\n")


def test_mails_have_pictures_unless_the_settings_say_no(games: Path) -> None:
    assert b"image/png" in asked(games, "ann@example.org").read_bytes()
    file = games / "host.toml"
    file.write_text(file.read_text("utf-8") + "pictures = false\n", "utf-8")
    said("host", "new-game", games, ANN, BOB, "--game", "summer", "--entropy", ENTROPY, "--first", "Bob")
    assert b"image/png" not in asked(games, "bob@example.org").read_bytes()


def test_games_that_cannot_be_made(games: Path) -> None:
    again = complaint("host", "new-game", games, ANN, BOB, "--game", "winter", code=1)
    assert again == "No game was made: there is already a game winter\n"
    for typed, wrong, example in (
        ("Ann", "the player `Ann` has no address", "Ann <ann@example.org>"),
        ("Ann <ann>", "`ann` is not an address", "Ann <ann@example.org>"),
    ):
        without = complaint("host", "new-game", games, typed, BOB, code=1)
        way_out = f"Write each player as NAME <ADDRESS>, such as {example}, in quotes at the terminal."
        assert without == f"No game was made: {wrong}. {way_out} [mail.address]\n"
    for typed in ("Ann ann@here.example", "ann@here.example"):
        assert "Write an address in angle brackets: Ann <ann@here.example>." in complaint(
            "host", "new-game", games, typed, BOB, code=1
        )
    assert "the game is for 2, 3 or 4 players" in complaint("host", "new-game", games, ANN, code=1)
    assert "--entropy" in complaint("host", "new-game", games, ANN, BOB, "--entropy", "zz", code=2)


def test_games_that_are_not_there(games: Path) -> None:
    for command in ("export", "mail"):
        assert "There is no game summer." in complaint("host", command, games, "summer", code=1)
