"""Ctrl-C while the program begins, and control characters in the names of files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import RECORD
from tests.cli.terminal import needs_a_terminal, printed_at_a_terminal

INTERRUPTED = """\
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
from tkid.cli import main
sys.argv = ["tkid", "check", {file!r}]
main()
"""


@pytest.mark.parametrize(
    "module",
    ["typer", "tkid.cli.app", "tkid.cli.archives", "tkid.cli.check", "tkid.record.format.reader", "tkid.mail.timeline"],
)
def test_ctrl_c_while_modules_are_loaded_shows_no_traceback(module: str, tmp_path: Path) -> None:
    file = tmp_path / "game.tkid"
    file.write_text(RECORD, "utf-8")
    code = INTERRUPTED.format(module=module, file=str(file))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr.strip()) in ((130, "", ""), (130, "", "Stopped."))


@needs_a_terminal
@pytest.mark.parametrize("code", ["\033[1m", "\033[0m", "\033[31m", "\r\033[K", "\033]0;x\a"])
def test_the_name_of_a_file_has_no_colours_at_a_terminal(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even those that the program itself uses."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    file = tmp_path / f"na{code}me.tkid"
    file.write_text(RECORD, "utf-8")
    for words in (
        ("me", file, "Ann"),
        ("letter", "write", file, "-o", f"{file}.eml"),
        ("new", file, "Ann", "Bob"),
        ("fmt", file),
    ):
        _, shown = printed_at_a_terminal(*words)
        assert "na" in shown
        assert f"na{code}" not in shown, words
