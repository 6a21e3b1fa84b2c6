"""The commands of the README's first five minutes do what it says, in its order."""

from __future__ import annotations

import re
import shlex
from contextlib import chdir
from pathlib import Path

from tests.cli import tkid

README = Path(__file__).parents[2] / "README.md"


def commands() -> list[tuple[list[str], bool]]:
    """The commands of the section, and whether each asks something first."""
    section = README.read_text("utf-8").partition("## The first five minutes\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^    tkid (.*)$", section, re.MULTILINE)
    return [(shlex.split(line, comments=True), "# asks" in line) for line in lines]


def test_the_first_five_minutes_can_be_copied(tmp_path: Path) -> None:
    assert len(commands()) > 6
    with chdir(tmp_path):
        for words, asks in commands():
            result = tkid(*words)
            assert result.exit_code == asks, (words, result.output)
            if asks:  # here nobody can answer
                assert "Is this the turn you mean?" in result.output
                assert tkid(*words, "--yes").exit_code == 0
    assert (tmp_path / "board.svg").exists()


def test_the_readme_says_where_the_program_is() -> None:
    assert "`.build/venv/bin/tkid`" in README.read_text("utf-8")
