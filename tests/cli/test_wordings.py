"""Sentences that name a thing for what it is: files, lines, names of outputs, and one's own mails."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from tests.cli import RECORD, said, tkid


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    said("new", "game.tkid", "Ann <ann@example.org>", "Bob <bob@example.org>", "--first", "Ann", "--me", "Ann")
    return tmp_path / "game.tkid"


def add(game: Path, text: str) -> int:
    """Add a line below a game, and return its number."""
    with game.open("a", encoding="utf-8") as file:
        file.write(f"{text}\n")
    return len(game.read_text("utf-8").splitlines())


@pytest.mark.parametrize("above", ["", "\n\n"])
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("# resigned: Bob 1 December 2026 9:00", "I can't read the time after `resigned`"),
        ("# resigned: Bob 01.12.2026 09:00", "I can't read the time after `resigned`"),
        ("# adjourned: 1 December 2026 9:00", "I can't read the time after `adjourned`"),
        ("# resigned: Bob", "The time after `resigned` is missing"),
        ("# resigned – Bob", "The time after `resigned` is missing"),
        ("# back - Ann", "The time after `back` is missing"),
        ("# resigned — Bob 1 Dec 2026", "The time after `resigned` is missing"),
        ("# resigned: Cal 2026-12-01T09:00Z", "`Cal` is not a player in this game"),
    ],
)
def test_what_is_wrong_with_a_line_and_where(game: Path, above: str, line: str, why: str) -> None:
    """Also in a game without turns, and below empty lines."""
    number = add(game, f"{above}{line}")
    told = tkid("check", game).stdout
    assert told.startswith(f"{game}:{number}:"), told
    assert why in told
    assert f"\n    {line}\n" in told


@pytest.mark.parametrize(
    "line",
    ["# resigned – Bob 2026-12-01T09:00Z", "# resigned - Bob 2026-12-01T09:00Z", "# resigned: Bob 2026-12-01T09:00Z"],
)
def test_a_dash_stands_for_the_colon(game: Path, line: str) -> None:
    number = add(game, line)
    told = said("check", game)
    assert "Ann won: Bob has resigned" in told
    assert f"do not cover line {number}, `# resigned: Bob 2026-12-01T09:00Z`: ask Bob." in told
    assert f"line {number}, " in tkid("verify", game).stdout


@pytest.mark.parametrize(
    "line", ["# resigned - Bob is sad", "# away – on holiday", "# ended - a nice game", "# Back - and forth"]
)
def test_a_dash_in_a_comment_of_ones_own(game: Path, line: str) -> None:
    add(game, line)
    assert said("check", game) == f"{game}: all right, 0 turns, Ann to play\n"


def test_a_game_without_a_host_has_no_host_to_ask(game: Path) -> None:
    add(game, "# adjourned: 2026-12-01T09:00Z")
    assert "ask the players. [record.note.hash]" in said("check", game)
    assert "the host" not in tkid("verify", game).stdout


@pytest.mark.parametrize("text", ["Cheers, Cal", "Thanks!", "See you on Sunday"])
def test_text_below_a_game_is_named(game: Path, text: str) -> None:
    said("play", game, "Pass")
    mine = game.with_name("mine.tkid")
    mine.write_bytes(game.read_bytes())
    number = add(game, f"\n{text}")
    told = tkid("check", game).stdout
    assert told.startswith(f"{game}:{number}:1: This text is no part of the game [record.turn.form]\n    {text}\n")
    letter = tkid("letter", "read", mine, game, "--me", "Bob").stderr
    assert "may be missing" not in letter
    assert "This text is no part of the game" in letter


@pytest.mark.parametrize("cut", ["2. Bo", "2", "Bob", "Bob Pa", "2. Bob Pas"])
def test_a_line_that_breaks_off_is_still_named(game: Path, cut: str) -> None:
    said("play", game, "Pass")
    mine = game.with_name("mine.tkid")
    mine.write_bytes(game.read_bytes())
    with game.open("a", encoding="utf-8") as file:
        file.write(cut)
    assert "[record.compare.whole]" in tkid("letter", "read", mine, game, "--me", "Ann").stderr


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("game.tkid.gz", gzip.compress(RECORD.encode()), "a packed file (gzip), not a mail. Unpack it first"),
        ("game.tkid.xz", lzma.compress(RECORD.encode()), "a packed file (xz), not a mail. Unpack it first"),
        ("games.zip", b"PK\x03\x04 and so on", "an archive (zip), not a mail"),
        ("winter.seed", b"Tkid-Seed: 1\nPlayer: Ann\n", "a seed, not a mail. It belongs beside the game file"),
        ("winter.deal", b"Tkid-Deal: 1\n", "a deal, not a mail"),
        ("board.png", b"\x89PNG and so on", "a picture (PNG), not a mail"),
        ("other.tkid", RECORD.encode(), "a game file, not a mail. `tkid letter read FILE other.tkid`"),
    ],
)
def test_what_is_no_mail_is_named(game: Path, name: str, data: bytes, what: str) -> None:
    Path(name).write_bytes(data)
    for words in (("mail", "read", game, name, "-o", "answer.eml"), ("read", game, "--mail", name)):
        result = tkid(*words)
        assert (result.exit_code, f"{name} is {what}" in result.stderr) == (1, True), result.stderr
    assert not Path("answer.eml").exists()


def test_ones_own_mail_is_named(game: Path) -> None:
    said("mail", "write", game, "-o", "turn.eml")
    told = tkid("mail", "read", game, "turn.eml", "-o", "answer.eml")
    assert (told.exit_code, told.stderr) == (
        1,
        "Not answered: turn.eml is a mail from tkid@localhost, so it is yours. Read the player's answer to it.\n",
    )
    said("play", game, "Pass")
    said("letter", "write", game, "-o", "letter.eml", "--no-pictures")
    assert "Note: This is your own mail: it comes from ann@example.org.\n" in said("letter", "read", game, "letter.eml")


@pytest.mark.usefixtures("game")
def test_a_name_that_another_file_has_is_not_overwritten() -> None:
    told = tkid("letter", "new", "w.draw", "--seat", "Ann", "--seat", "Bob", "--me", "Ann", "-o", "w.nonce").stderr
    assert told.startswith("w.nonce is the name of another file of this command")
    assert not Path("w.nonce").exists()
    assert "would overwrite game.tkid" in tkid("letter", "write", "game.tkid", "-o", "game.tkid").stderr
