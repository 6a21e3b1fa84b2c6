"""What a command says, and counts as sent, where nothing can be printed: the truth about its files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from tests.cli import said
from tests.cli.streams import break_pipe, close, fill

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no device that is always full"),
]
RUN = (sys.executable, "-c", "from tkid.cli import main; main()")
LOST: Mapping[str, Callable[[], None]] = {"closed": close(1), "full": fill(1), "broken": break_pipe}


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    said("new", "game.tkid", "Ann <ann@example.org>", "Bob <bob@example.org>", "--first", "Ann", "--me", "Ann")
    said("new", "bot.tkid", "Ann", "Bot", "--first", "Ann", "--bot", "Bot=random")
    said("play", "game.tkid", "Pass")
    return tmp_path / "game.tkid"


def run(words: Sequence[str], lost: Callable[[], None]) -> tuple[int, str]:
    """Run a command whose output is lost: its exit code, and what it says of that."""
    ran = subprocess.run([*RUN, *words], preexec_fn=lost, stderr=subprocess.PIPE, text=True, check=False)
    return ran.returncode, ran.stderr


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
def test_what_is_written_is_said_to_be_written(words: Sequence[str], file: str, new: str, mode: str) -> None:
    code, errors = run(words, LOST[mode])
    text = Path(file).read_text("utf-8") if Path(file).exists() else ""
    assert (new in text) == (words[0] != "undo")  # whose turn is gone
    assert "Nothing was" not in errors
    if mode == "full":
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
def test_a_product_that_is_lost_is_an_error_and_no_letter_counts_as_sent(words: Sequence[str], mode: str) -> None:
    why = {"closed": "standard output is closed", "full": os.strerror(28), "broken": os.strerror(32)}[mode]
    code, errors = run(words, LOST[mode])
    assert code == 2
    assert errors.splitlines()[0].endswith(f": {why}.")
    assert len(errors.splitlines()) == 1
    assert "Taken back: 1. Ann Pass" in said("undo", "game.tkid")  # which a turn that was sent cannot be


@pytest.mark.parametrize("words", [("seal",), ("show", "game.tkid"), ("legal", "game.tkid"), ("rulesets",), ()])
@pytest.mark.usefixtures("game")
def test_a_command_that_only_prints_needs_somewhere_to_print(words: Sequence[str]) -> None:
    assert run(words, close(1)) == (2, "Nothing was printed: standard output is closed.\n")
    assert run(words, fill(1)) == (2, f"Not everything was printed: {os.strerror(28)}.\n")
    assert run(words, break_pipe) == (0, "")


@pytest.mark.parametrize("words", [("check", "game.tkid"), ("fmt", "--check", "game.tkid")])
@pytest.mark.usefixtures("game")
def test_an_exit_code_needs_no_output(words: Sequence[str]) -> None:
    assert run(words, close(1)) == (0, "")
    Path("game.tkid").write_text("no game", "utf-8")
    assert run(words, close(1))[0] == 2
