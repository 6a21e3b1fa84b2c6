"""The commands for tournaments, ratings and results."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

from tests.cli import complaint, said
from tests.shared.tables import each_row

PLAYERS = ("Ann <ann@example.org>", "Bob <bob@example.org>", "Cleo <cleo@example.org>")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A host's folder with a tournament that has begun, for all tests to copy."""
    folder = tmp_path_factory.mktemp("host") / "games"
    said("host", "init", folder, "--address", "tkid@games.example")
    begun = said("host", "tournament", folder, "new", "cup", "--swiss", "2", "--seated", *PLAYERS)
    assert begun == "cup: round 1 of 2, 3 sides. 5 letters went out.\n"
    return folder


@pytest.fixture
def games(made: Path, tmp_path: Path) -> Path:
    """A host's folder with a tournament that has begun."""
    return Path(copytree(made, tmp_path / "games"))


def play_a_turn(games: Path) -> None:
    """Ann passes in the game that she starts."""
    letters = [letter.read_text("utf-8") for letter in (games / "out/ann@example.org/new").iterdir()]
    keys = [line for letter in letters for line in letter.splitlines() if line.startswith("Reply-To: ")]
    to = next(
        line.removeprefix("Reply-To: ") for line, letter in zip(keys, letters, strict=True) if "cup-1-1" in letter
    )
    mail = f"From: ann@example.org\nTo: {to}\nMessage-ID: <1@example.org>\n\nPass\n"
    (games / "in" / "new" / "1").write_text(mail, "utf-8")
    said("host", "once", games)


def test_a_tournament_through_the_commands(games: Path) -> None:
    play_a_turn(games)
    assert said("host", "tournament", games, "list") == "cup: round 1 of 2, 3 sides.\n"
    shown = said("host", "tournament", games, "show", "cup")
    assert "Buchholz" in shown
    assert "  Ann against Bob: cup-1-1 is in progress\n  Cleo has a bye\n" in shown
    assert said("host", "ratings", games) == "No game has been rated yet.\n"
    assert said("host", "results", games) == "No game is over yet.\n"
    assert said("host", "tournament", games, "withdraw", "cup", "bob").startswith("cup: Bob has left. ")
    shown = said("host", "tournament", games, "show", "cup")
    assert "Bob (has left)" in shown
    assert "cup-1-1 won by Ann" in shown
    assert "Ann     1662?   ±580" in said("host", "ratings", games)
    assert "cup-1-1  " in said("host", "results", games)
    assert "by resignation" in said("host", "results", games)


def test_programs_read_the_same_without_addresses(games: Path) -> None:
    play_a_turn(games)
    said("host", "tournament", games, "withdraw", "cup", "bob@example.org")
    (cup,) = json.loads(said("host", "tournament", games, "list", "--json"))
    assert json.loads(said("host", "tournament", games, "show", "cup", "--json")) == cup
    assert [line["side"] for line in cup["table"]] == ["Cleo", "Ann", "Bob"]
    (result,) = json.loads(said("host", "results", games, "--json"))
    (ratings,) = json.loads(said("host", "ratings", games, "--json"))
    assert {line["id"] for line in ratings["ratings"]} == {player["id"] for player in result["players"]}
    assert (result["how"], ratings["kind"]) == ("resignation", "two")
    assert "example" not in json.dumps([cup, result, ratings])


def test_players_who_have_not_agreed_are_invited(games: Path) -> None:
    told = said("host", "tournament", games, "new", "spring", "--round-robin", *PLAYERS[:2])
    assert told == "spring: waits for 2 answers. 2 letters went out.\n"
    assert said("host", "tournament", games, "show", "spring").endswith("Ann     asked\nBob     asked\n")
    assert "fewer than two sides have accepted" in complaint("host", "tournament", games, "next", "spring", code=1)


@each_row(
    ("arguments", "told"),
    [
        (("new", "cup", "--swiss", "2", *PLAYERS), "already a tournament cup"),
        (("new", "zoo", *PLAYERS), "Choose one: --round-robin, or --swiss"),
        (("new", "zoo", "--swiss", "2", "--round-robin", *PLAYERS), "Choose one"),
        (("new", "zoo", "--swiss", "2", PLAYERS[0]), "two sides or more"),
        (("new", "zoo", "--swiss", "2", "--ruleset", "chess", *PLAYERS), "chess"),
        (("new", "zoo", "--swiss", "2", "--clock", "soon", *PLAYERS), "The clock"),
        (("show", "zoo"), "There is no tournament zoo."),
        (("next", "zoo"), "There is no tournament zoo."),
        (("withdraw", "cup"), "Name the one player who leaves"),
        (("withdraw", "cup", "Dan"), "Dan does not play in cup."),
    ],
)
def test_what_is_wrong_is_said(made: Path, arguments: tuple[str, ...], told: str) -> None:
    assert told in complaint("host", "tournament", made, *arguments, code=1)
