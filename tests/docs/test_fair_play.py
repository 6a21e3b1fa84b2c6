"""The page on fair play: its commands print what stands there."""

import re
import secrets
from pathlib import Path
from shlex import split

import pytest
from typer.testing import CliRunner

from tkid.cli.app import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "fair-play.md").read_text("utf-8")
BLOCKS = re.findall(r"^```text\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_commands_print_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = re.search(r"^Entropy: (.*)$", PAGE, re.MULTILINE)
    assert drawn
    monkeypatch.setattr(secrets, "token_bytes", lambda _: bytes.fromhex(drawn[1]))
    monkeypatch.chdir(tmp_path)
    shown = [block[2:].replace("\\\n", "").split("\n", 1) for block in BLOCKS if block.startswith("$ ")]
    assert [split(command)[:2] for command, _ in shown] == [
        ["tkid", name] for name in ("seal", "new", "play", "verify")
    ]
    for command, printed in shown:
        result = CliRunner().invoke(app, split(command)[1:])
        assert (result.output, result.exit_code) == (printed, 0), command


def test_altered_entropy_is_told_as_the_page_says() -> None:
    (told,) = [block for block in BLOCKS if not block.startswith("$ ")]
    assert told == (ROOT / "fixtures" / "illegal" / "record.seal.entropy" / "expected.txt").read_text("utf-8")
