"""The story that `make demo` tells: short, and every command in it can be copied."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from tests.demo import PLACES, Demo
from tkid.cli.app import app

ROOT = Path(__file__).parents[2]
MOST_LINES = 120
WIDTH = 78


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Demo, str]:
    """The story, and what it prints."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("demo")
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")
        patch.setenv("PYTHONPATH", str(ROOT), prepend=":")
        printed: list[str] = []
        patch.setattr("tests.demo.show", lambda lines: printed.append(f"{lines}\n" if lines else ""))
        demo = Demo(folder, pictures=False)
        demo.whole()
        return demo, "".join(printed)


@pytest.mark.exhaustive(seconds=10)
def test_the_story_is_short_and_whole_and_its_commands_can_be_copied(told: tuple[Demo, str]) -> None:
    """One test: told in two processes, the story would take twice as long."""
    demo, printed = told
    has_all_parts_in_order(printed)
    commands_can_be_copied(demo, printed)


def has_all_parts_in_order(printed: str) -> None:
    """Check that it is short and has all its parts in order."""
    signs = [
        "contested: ",
        "Nothing was played.",
        "Read as",
        "It is Bob's turn.",
        "2 letters went out.",
        "Is this the turn you meant? Nothing has been played yet.",
        "Ann: yes",
        "To Bob: ",
        "turns later the game is over:",
        "[second.ending.",
        "The winner",
        "replay.html",
    ]
    places = [printed.find(sign) for sign in signs]
    assert -1 not in places, signs[places.index(-1)]
    assert places == sorted(places)
    assert len(printed.splitlines()) <= MOST_LINES


def commands_can_be_copied(demo: Demo, printed: str) -> None:
    """Check that every command is run as it is shown, and that each can be copied."""
    shown = re.findall(r"^\$ ((?:.*\\\n)*.*)$", printed, re.MULTILINE)
    assert shown == [command for command, _ in demo.commands]
    commands = get_command(app)
    assert isinstance(commands, TyperGroup)
    for command, code in demo.commands:
        assert code == ("Outmanoeuvre" in command), command  # the mistake, and nothing else
        assert max(map(len, f"$ {command}".split("\n"))) <= WIDTH + 2, command
        words = shlex.split(command.replace("\\\n", ""))
        assert words[0] in {"tkid", "cp"}, command
        assert words[0] == "cp" or words[1] in commands.commands, command


@pytest.mark.exhaustive
def test_what_the_story_leaves_behind_is_where_it_says(told: tuple[Demo, str]) -> None:
    demo, printed = told
    for place, what in PLACES.items():
        assert (demo.folder / place).exists(), place
        assert f"  {place:12} {what}\n" in printed
    letters = [*(demo.folder / "games" / "out").rglob("*.tkid*")]
    assert len(letters) > len(demo.commands)
