"""tkid render: what it makes by the name of the file, for whom; what it refuses, and that nothing is half written."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image
from typer.testing import CliRunner

from tests.cli import POSITION, RECORD, complaint, record_in, said
from tests.cli.terminal import at_a_terminal, needs_a_terminal
from tkid.cli.app import app
from tkid.cli.printing import CLEAR
from tkid.render.raster import NoPngError

ADVANCED = Path(__file__).parents[2] / "fixtures" / "games" / "second-edition-advanced" / "whole-game-for-2.tkid"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run: there is a record in it."""
    monkeypatch.chdir(tmp_path)
    return record_in(tmp_path).parent


def title(svg: str) -> str:
    found = ET.fromstring(svg).find(f"{SVG}title")  # noqa: S314 - our own
    assert found is not None
    return found.text or ""


# -- what is made -----------------------------------------------------------------------------------------


def test_a_picture_of_the_position_and_of_an_earlier_one(folder: Path) -> None:
    assert re.fullmatch(r"board\.svg: \d+ kB\.\n", said("render", "game.tkid", "-o", "board.svg"))
    latest = (folder / "board.svg").read_text("utf-8")
    said("render", "game.tkid", "-o", "board.svg", "--turn", 2)
    earlier = (folder / "board.svg").read_text("utf-8")
    start = said("render", "-", "-o", "-", "--turn", 0, stdin=RECORD.encode())
    for svg, name, turn in ((latest, "Łukasz", ["5"]), (earlier, "Ann", ["2"]), (start, "Ann", [])):
        assert title(svg).startswith(f"{name} to play")
        assert re.findall(r">After turn (\d+)<", svg) == turn
    assert {file.name for file in folder.iterdir()} == {"game.tkid", "board.svg"}


def test_a_picture_shows_the_hand_of_whoever_is_to_act_or_of_the_seat_that_is_asked_for() -> None:
    """As `tkid show` does: Bob is to act after turn 17."""
    hands = [
        re.findall(r'data-at="card/([^"]+)"', said("render", ADVANCED, "-o", "-", "--turn", 17, *seat))
        for seat in ((), ("--seat", "Bob"), ("--seat", "1"))
    ]
    assert hands[0] == hands[1]
    assert hands[0] != hands[2]
    assert all(hands)


def test_a_png(folder: Path) -> None:
    said("render", "game.tkid", "-o", "board.PNG")
    assert (folder / "board.PNG").read_bytes().startswith(b"\x89PNG")
    printed = CliRunner().invoke(app, ["render", "game.tkid", "-o", "-", "--format", "png"])
    assert printed.stdout_bytes == (folder / "board.PNG").read_bytes()


def test_a_board_for_another_turn_shows_a_secret_hand_to_nobody_else(folder: Path) -> None:
    lines = ADVANCED.read_text("utf-8").splitlines(keepends=True)
    until = next(n for n, line in enumerate(lines) if line.startswith("9. "))
    (folder / "running.tkid").write_text("".join(lines[:until]), "utf-8")
    mover = lines[until - 1].split()[1]
    wanted = ("render", "running.tkid", "-o", "game.html", "--what-if", "8")
    assert f"Add --seat {mover}, and send the page to nobody else." in complaint(*wanted, code=2)
    said(*wanted, "--seat", mover)
    assert f"{mover} to play" in (folder / "game.html").read_text("utf-8")
    said("render", ADVANCED, "-o", "game.html", "--what-if", "8")


def test_a_wide_picture_is_twice_as_wide(folder: Path) -> None:
    usual, wide = said("render", "game.tkid", "-o", "-"), said("render", "game.tkid", "-o", "-", "--wide")
    assert [re.findall(r'<svg [^>]* width="(\d+)"', svg) for svg in (usual, wide)] == [["480"], ["960"]]
    assert [svg.count("Reading the board") for svg in (usual, wide)] == [0, 1]
    said("render", "game.tkid", "-o", "wide.png", "--wide")
    assert int.from_bytes((folder / "wide.png").read_bytes()[16:20], "big") == 1280


def test_a_card_for_links_shows_what_a_spectator_may_see(folder: Path) -> None:
    said("render", "game.tkid", "-o", "cover.png", "--cover")
    with Image.open(folder / "cover.png") as image:
        assert image.size == (1200, 630)
    svg = said("render", "game.tkid", "-o", "-", "--cover", "--turn", 2)
    assert "Ann to play" in svg
    assert 'viewBox="0 0 1200 630"' in svg
    assert "advanced" in said("render", ADVANCED, "-o", "-", "--cover")


def test_a_whole_game_as_a_gif(folder: Path) -> None:
    said("render", "game.tkid", "-o", "game.gif")
    with Image.open(folder / "game.gif") as moving:
        assert (getattr(moving, "n_frames", 0), moving.size[0]) == (6, 480)


def test_a_replay_and_a_board_to_click(folder: Path) -> None:
    said("render", "game.tkid", "-o", "game.html")
    assert 'id="time"' in (folder / "game.html").read_text("utf-8")
    said("render", "game.tkid", "-o", "turn.html", "--click")
    assert 'id="k-choices"' in (folder / "turn.html").read_text("utf-8")
    assert "ann@example.org" not in (folder / "game.html").read_text("utf-8")


def test_a_position_in_one_line_or_as_json() -> None:
    json_text = said("show", POSITION, "--json")
    drawn = said("render", "--position", POSITION, "-o", "-")
    assert title(drawn).startswith("Seat 1 to play")
    for arguments, stdin in (
        ((POSITION,), None),
        (("--position", json_text), None),
        (("--position", "-"), json_text.encode()),
        (("--position", "-"), f"\ufeff{POSITION}\n".encode()),
    ):
        assert said("render", *arguments, "-o", "-", stdin=stdin) == drawn
    assert 'id="k-choices"' in said("render", "--position", POSITION, "--click", "-o", "-", "--format", "html")


def test_a_file_that_is_there_is_replaced(folder: Path) -> None:
    (folder / "board.svg").write_text("old", "utf-8")
    said("render", "game.tkid", "-o", "board.svg")
    assert (folder / "board.svg").read_text("utf-8").startswith("<svg")


# -- what is refused --------------------------------------------------------------------------------------

HERE = ("render", "game.tkid", "-o")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((*HERE, "board.jpg"), 2, "board.jpg: let its name end in .svg, .png, .html, .gif"),
        ((*HERE, "board"), 2, "board: let its name end in"),
        ((*HERE, "board.svg", "--format", "jpg"), 2, "--format jpg: choose one of svg, png, html, gif."),
        ((*HERE, "board.svg", "--turn", "6"), 1, "game.tkid has only the turns 0 to 5."),
        ((*HERE, "board.svg", "--turn", "-1"), 1, "game.tkid has only the turns 0 to 5."),
        ((*HERE, "board.svg", "--seat", "Zoe"), 2, "There is no player Zoe. The players are Ann and Łukasz."),
        ((*HERE, "game.html", "--seat", "Zoe"), 2, "There is no player Zoe"),
        ((*HERE, "game.html", "--turn", "3"), 2, "add #turn-3"),
        ((*HERE, "no/board.svg"), 2, "There is no folder no. Nothing was written."),
        ((*HERE, "game.tkid", "--format", "svg"), 2, "This would overwrite game.tkid. Nothing was written."),
        ((*HERE, "board.svg", "--click"), 2, "--click makes a page. Write -o turn.html."),
        ((*HERE, "game.html", "--wide"), 2, "--wide is for pictures. Write -o board.svg or -o board.png."),
        ((*HERE, "turn.html", "--click", "--wide"), 2, "--wide is for pictures."),
        ((*HERE, "game.gif", "--click"), 2, "--click makes a page. Write -o turn.html."),
        ((*HERE, "game.gif", "--wide"), 2, "--wide is for pictures."),
        ((*HERE, "game.gif", "--cover"), 2, "--cover makes a picture. Write -o cover.png."),
        ((*HERE, "game.gif", "--turn", "3"), 2, "A replay has every turn."),
        (
            (*HERE, "cover.png", "--cover", "--seat", "Ann"),
            2,
            "--cover shows what a spectator may see. Leave out --seat.",
        ),
        ((*HERE, "cover.png", "--cover", "--wide"), 2, "Choose either --wide or --cover."),
        ((*HERE, "game.png", "--what-if", "2"), 2, "--what-if is for a replay. Write -o game.html."),
        ((*HERE, "game.html", "--what-if", "2", "--click"), 2, "Choose either --click or --what-if."),
        ((*HERE, "game.html", "--what-if", "0"), 1, "game.tkid has only the turns 1 to"),
        ((*HERE, "cover.png", "--cover", "--turn", "6"), 1, "game.tkid has only the turns 0 to 5."),
        (("render", POSITION, "-o", "cover.png", "--cover"), 2, "--cover needs a game file, and this is a position."),
        (("render", POSITION, "-o", "game.gif"), 2, "A replay needs a game file, and this is a position."),
        ((*HERE, "turn.html", "--click", "--seat", "Ann"), 1, "It is Łukasz's turn"),
        ((*HERE, "board.svg", "--position", POSITION), 2, "Give either a game file or --position, not both."),
        (("render", ADVANCED, "-o", "turn.html", "--click"), 1, "The game is over"),
        (("render", "-o", "board.svg"), 2, "Which game?"),
        (("render", "none.tkid", "-o", "board.svg"), 2, "none.tkid: No such file"),
        (("render", POSITION, "-o", "game.html"), 2, "A replay needs a game file, and this is a position."),
        (("render", POSITION, "-o", "board.svg", "--turn", "1"), 2, "--turn needs a game file"),
        (("render", "--position", "second-edition; MOR SSX", "-o", "board.svg"), 1, "X is not a faction's letter"),
        (("render", "--position", "{}", "-o", "board.svg"), 1, "[notation.json]"),
        (("render", "--position", "{", "-o", "board.svg"), 1, "This is not JSON"),
        (("render", "--position", "chess; e4", "-o", "board.svg"), 1, "chess"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_is_written(
    folder: Path, arguments: tuple[object, ...], code: int, told: str
) -> None:
    before = (folder / "game.tkid").read_bytes()
    assert told in complaint(*arguments, code=code)
    assert [file.name for file in folder.iterdir()] == ["game.tkid"]
    assert (folder / "game.tkid").read_bytes() == before


def test_a_record_that_is_wrong_is_not_drawn(folder: Path) -> None:
    (folder / "game.tkid").write_text(RECORD.replace("3. Ann Pass", "3. Ann Manoeuvre S Moray <> S Moray"), "utf-8")
    for name in ("board.svg", "game.html"):
        assert "game.tkid:" in complaint("render", "game.tkid", "-o", name, code=1)
    assert [file.name for file in folder.iterdir()] == ["game.tkid"]


def test_without_the_packages_for_png_it_says_how_to_get_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(*_: object, **__: object) -> bytes:
        raise NoPngError("pip install '.[pictures]'")

    monkeypatch.setattr("tkid.render.raster.draw_png", lacking)
    assert ".[pictures]" in complaint(*HERE, "board.png", code=2)
    assert [file.name for file in folder.iterdir()] == ["game.tkid"]
    said(*HERE, "board.svg")


@needs_a_terminal
def test_who_waits_for_a_moving_picture_sees_for_what(tmp_path: Path) -> None:
    code, _, shown = at_a_terminal("render", record_in(tmp_path), "-o", tmp_path / "game.gif")
    assert code == 0
    assert "Drawing ... 0 s" in shown
    assert shown.endswith(CLEAR)
