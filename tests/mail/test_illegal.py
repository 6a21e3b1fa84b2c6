"""For each reason why a mail is refused: a game, a reply, and what is printed and answered.

`python -m tests.mail.test_illegal` writes what is expected anew; read each before it is kept. The position's
picture is left out there: it is expected where it is drawn.
"""

from __future__ import annotations

import os
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

import pytest
from typer.testing import CliRunner

from tests.mail.mails import body, parsed
from tkid.cli.app import app
from tkid.games.struggle.render import StruggleRender
from tkid.rulebook import all_rules

FOLDER = Path(__file__).parents[2] / "fixtures" / "illegal"
RULES = [rule.id for rule in all_rules() if rule.prefix == "mail" and rule.kind == "constraint"]
RULES = [rule for rule in RULES if not rule.startswith("mail.letter.")]  # these are in tests/cli
AT = "2026-11-21T10:00:00+00:00"
UNDRAWN = staticmethod(lambda *_: ["(the position)"])


def told(folder: Path, place: Path) -> str:
    """The exit code, what is printed, and the text of the answer, if there is one."""
    copy(folder / "game.tkid", place)
    before, answer = (place / "game.tkid").read_bytes(), place / "answer.eml"
    command = ["mail", "write", "game.tkid"]
    if (folder / "reply.eml").exists():
        copy(folder / "reply.eml", place)
        command = ["mail", "read", "game.tkid", "reply.eml"]
    here = Path.cwd()
    os.chdir(place)
    try:
        result = CliRunner().invoke(app, [*command, "-o", "answer.eml", "--at", AT])
    finally:
        os.chdir(here)
    assert result.exit_code in {0, 1}
    assert ((place / "game.tkid").read_bytes() == before) == (result.exit_code == 1)
    written = f"\n{body(parsed(answer.read_bytes()))}" if answer.exists() else ""
    return f"exit {result.exit_code}\n{result.output}{written}"


@pytest.mark.parametrize("rule", RULES)
def test_a_refusal(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StruggleRender, "format_board", UNDRAWN)
    expected = (FOLDER / rule / "expected.txt").read_text("utf-8")
    assert told(FOLDER / rule, tmp_path) == expected
    assert f"[{rule}]" in expected


def write() -> None:
    """Write what is expected."""
    StruggleRender.format_board = UNDRAWN  # type: ignore[assignment]
    for rule in RULES:
        with TemporaryDirectory() as place:
            (FOLDER / rule / "expected.txt").write_text(told(FOLDER / rule, Path(place)), "utf-8")


if __name__ == "__main__":
    write()
