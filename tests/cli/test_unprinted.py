"""What a command says, and counts as sent, where nothing can be printed: the truth about its files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.cli import said
from tests.cli.streams import MODES, Program, program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full"),
]
CLOSED, FULL, BROKEN = LOST = ("no stdout", "full stdout", "broken stdout")


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    said("new", "game.tkid", "Ann <ann@example.org>", "Bob <bob@example.org>", "--first", "Ann", "--me", "Ann")
    said("new", "bot.tkid", "Ann", "Bot", "--first", "Ann", "--bot", "Bot=random")
    said("play", "game.tkid", "Pass")
    return tmp_path / "game.tkid"


@pytest.fixture(scope="module")
def tkid() -> Iterator[Program]:
    with program() as running:
        yield running


def run(tkid: Program, words: Sequence[str], mode: str) -> tuple[int, str]:
    """Run a command whose output is lost: its exit code, and what it says of that."""
    code, _, errors = tkid.run(words, Path.cwd(), mode)
    return code, errors


@pytest.mark.parametrize("mode", LOST)
@pytest.mark.usefixtures("game")
def test_a_process_of_its_own_says_the_same(tkid: Program, mode: str) -> None:
    own = [sys.executable, "-c", "from tkid.cli import main; main()", "show", "game.tkid"]
    ran = subprocess.run(own, preexec_fn=MODES[mode], stderr=subprocess.PIPE, text=True, check=False)
    assert run(tkid, own[3:], mode) == (ran.returncode, ran.stderr)


@pytest.mark.parametrize(
    ("words", "file", "new"),
    [
        (("play", "game.tkid", "--for", "Bob", "Pass"), "game.tkid", "2. Bob Pass"),
        (("play", "bot.tkid", "Pass"), "bot.tkid", "2. Bot "),
        (("undo", "game.tkid"), "game.tkid", "1. Ann Pass"),
        (("resign", "game.tkid", "--yes"), "game.tkid", "# resigned: Ann"),
        (("new", "new.tkid", "Cal", "Dee"), "new.tkid", "Seat: Cal"),
        (("new", "new.tkid", "Cal", "Dee", "--bot", "Cal", "--first", "Cal"), "new.tkid", "1. Cal "),
        (("render", "game.tkid", "-o", "board.svg"), "board.svg", "<svg"),
        (("letter", "write", "game.tkid", "-o", "turn.eml"), "turn.eml", "Subject: "),
    ],
)
@pytest.mark.parametrize("mode", LOST)
@pytest.mark.usefixtures("game")
def test_what_is_written_is_said_to_be_written(
    tkid: Program, words: Sequence[str], file: str, new: str, mode: str
) -> None:
    code, errors = run(tkid, words, mode)
    text = Path(file).read_text("utf-8") if Path(file).exists() else ""
    assert (new in text) == (words[0] != "undo")  # whose turn is gone
    assert "Nothing was" not in errors
    if mode == FULL:
        assert code == 2
        assert errors.endswith(f"Not everything was printed: {os.strerror(28)}. But {file} is written.\n")
    else:
        assert (code, errors) == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        ("letter", "write", "game.tkid"),
        ("mail", "write", "game.tkid"),
        ("view", "game.tkid", "--seat", "Ann"),
        ("render", "game.tkid", "-o", "-"),
        ("annotate", "game.tkid", "--alone", "--player", "greedy"),
    ],
)
@pytest.mark.parametrize("mode", LOST)
@pytest.mark.usefixtures("game")
def test_a_product_that_is_lost_is_an_error_and_no_letter_counts_as_sent(
    tkid: Program, words: Sequence[str], mode: str
) -> None:
    why = {CLOSED: "standard output is closed", FULL: os.strerror(28), BROKEN: os.strerror(32)}[mode]
    code, errors = run(tkid, words, mode)
    assert code == 2
    assert errors.splitlines()[0].endswith(f": {why}.")
    assert len(errors.splitlines()) == 1
    assert "Taken back: 1. Ann Pass" in said("undo", "game.tkid")  # which a turn that was sent cannot be


@pytest.mark.parametrize("words", [("seal",), ("show", "game.tkid"), ("legal", "game.tkid"), ("rulesets",), ()])
@pytest.mark.usefixtures("game")
def test_a_command_that_only_prints_needs_somewhere_to_print(tkid: Program, words: Sequence[str]) -> None:
    assert run(tkid, words, CLOSED) == (2, "Nothing was printed: standard output is closed.\n")
    assert run(tkid, words, FULL) == (2, f"Not everything was printed: {os.strerror(28)}.\n")
    assert run(tkid, words, BROKEN) == (0, "")


@pytest.mark.parametrize("words", [("check", "game.tkid"), ("fmt", "--check", "game.tkid")])
@pytest.mark.usefixtures("game")
def test_an_exit_code_needs_no_output(tkid: Program, words: Sequence[str]) -> None:
    assert run(tkid, words, CLOSED) == (0, "")
    Path("game.tkid").write_text("no game", "utf-8")
    assert run(tkid, words, CLOSED)[0] == 2
