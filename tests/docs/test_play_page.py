"""Start and Play: what a phone shows first, and lines to copy that do what the page says."""

from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from shlex import split

from typer.testing import CliRunner

from docs.making.play_page import WAYS
from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.shared.club_lines import read_club_line
from tkid.cli.app import app
from tkid.orders.order_values import Order

WITH_A_HOST, IN_ONE_FILE, BY_LETTERS = ([step.line for step in way.steps if step.line] for way in WAYS)
BOX = "document.querySelector(%r).getBoundingClientRect().%s"


def in_a_browser(test: Callable[..., None]) -> Callable[..., None]:
    """Mark one test of a file as one that drives the browser."""
    for mark in IN_A_BROWSER:
        test = mark(test)
    return test


def run(line: str, folder: Path) -> str:
    """Type a line in a folder, and return what it prints."""
    with chdir(folder):
        done = CliRunner().invoke(app, split(line)[1:])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_lines_for_one_file_play_a_game(tmp_path: Path) -> None:
    install, deal, play = IN_ONE_FILE
    assert install == "pip install ."
    run(deal, tmp_path)
    assert "Merlin " in run(play, tmp_path)


def test_the_lines_for_letters_carry_a_game_to_another_file(tmp_path: Path) -> None:
    deal, write, read = BY_LETTERS
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
    run(deal, tmp_path / "ann")
    run(IN_ONE_FILE[2], tmp_path / "ann")
    run(write, tmp_path / "ann")
    (tmp_path / "ann" / "turn.eml").rename(tmp_path / "bob" / "turn.eml")
    run(read, tmp_path / "bob")
    assert "Bob to play" in run("tkid show winter.tkid", tmp_path / "bob")


def test_the_lines_for_a_host_are_orders() -> None:
    invite, turn = WITH_A_HOST
    assert turn.startswith("Scottish Support ")
    for line in (invite, "open games", "new game with bot"):
        assert isinstance(read_club_line(line), Order), line
        assert line in invite or f"`{line}`" in WAYS[0].note


@in_a_browser
def test_a_phone_shows_the_box_and_both_buttons_at_once(chromium: Chromium, address: str) -> None:
    chromium.screen(390, 664)
    chromium.open(address)
    lowest = chromium.run(BOX % (".tabs", "top"))
    for part in ("h1", "#q", ".lead .btn.main", ".lead .btn:not(.main)", ".asked li:first-child"):
        assert 0 < chromium.run(BOX % (part, "top")) < chromium.run(BOX % (part, "bottom")) < lowest, part
    assert chromium.run(BOX % (".hero", "top")) > lowest
