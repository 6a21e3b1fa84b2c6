"""Many games at once, and what is said of letters that do not leave."""

from __future__ import annotations

from pathlib import Path

from tests.cli import complaint, said, tkid
from tests.host.test_smtp import Sink, listening

ANN, BOB, CAL = (f"{name} <{name.lower()}@example.org>" for name in ("Ann", "Bob", "Cal"))


def made(folder: Path, settings: str = "") -> Path:
    """A host's folder without games."""
    said("host", "init", folder / "games", "--address", "tkid@games.example")
    with (folder / "games" / "host.toml").open("a", encoding="utf-8") as file:
        file.write(f"pictures = false\n{settings}")
    return folder / "games"


def test_a_game_for_each_line(tmp_path: Path) -> None:
    games, file = made(tmp_path), tmp_path / "pairings.txt"
    file.write_text(f"# round 1\n{ANN}, {BOB}\n\n{BOB}, {CAL}\n{ANN}, {BOB}, {CAL}\n", "utf-8")
    lines = said("host", "new-games", games, file).splitlines()
    assert [line.partition(":")[0] for line in lines[:3]] == ["game-1", "game-2", "game-3"]
    assert lines[2].endswith("with Ann, Bob, Cal. 7 letters went out.")
    assert str(games / "out") in lines[3], "there is no mail server, so it says where they are"


def test_a_wrong_line_makes_no_game(tmp_path: Path) -> None:
    games, file = made(tmp_path), tmp_path / "pairings.txt"
    file.write_text(f"{ANN}, {BOB}\n{ANN}\n", "utf-8")
    assert f"{file}:2: " in complaint("host", "new-games", games, file, code=1)
    file.write_text(f"{ANN}, {BOB}\n{ANN}, Eve <ann@example.org>\n", "utf-8")
    assert f"{file}:2: No game was made" in complaint("host", "new-games", games, file, code=1)
    file.write_text("# nobody\n", "utf-8")
    assert "there is no game in it" in complaint("host", "new-games", games, file, code=1)
    assert "game-1" not in said("host", "status", games)


def test_each_letter_that_does_not_leave_is_named_with_the_reason_and_the_way_out(tmp_path: Path) -> None:
    answers = {"ann@example.org": "550 no such user", "bob@example.org": "451 not now"}
    with listening(Sink(answers=answers)) as sink:
        games = made(tmp_path, f"[smtp]\nhost = '127.0.0.1'\nport = {sink.port}\ntls = 'none'\n")
        told = tkid("host", "new-game", games, ANN, BOB, CAL, "--game", "winter")
    assert told.stdout.endswith("with Ann, Bob, Cal. 1 letter went out.\n")
    refused, waits, *ways = told.stderr.splitlines()
    assert refused.startswith("winter: the letter to ann@example.org was refused for good: ")
    assert "550 no such user" in refused
    assert waits.startswith("winter: the letter to bob@example.org waits: ")
    assert "451 not now" in waits
    assert "`tkid host stand-in" in ways[0]
    assert f"`tkid host send-again {games}`" in ways[1]
