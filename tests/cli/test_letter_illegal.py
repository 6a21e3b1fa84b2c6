"""For each reason why a letter from hand to hand is not taken in: a file, a letter, and what is said of it.

`python -m tests.cli.test_letter_illegal` writes what is expected anew; read each before it is kept.
"""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import pytest

from tests.cli import tkid
from tkid.rulebook import all_rules

FOLDER = Path(__file__).parents[2] / "fixtures" / "illegal"
LETTERS = ("record.compare.", "record.draw.", "record.deal.", "mail.letter.")
RULES = [rule.id for rule in all_rules() if rule.id.startswith(LETTERS) and rule.kind == "constraint"]


def told(rule: str, place: Path) -> str:
    """What is said of the letter in a rule's folder. Nothing is changed or written."""
    folder = place / rule
    copytree(FOLDER / rule, folder)
    for secret in (*folder.glob("*.nonce"), *folder.glob("*.seed")):
        secret.chmod(0o600)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    letter = next(path.name for path in folder.iterdir() if path.stem == "letter")
    if letter.endswith((".draw", ".deal")):
        command = ["letter", "new", f"game{Path(letter).suffix}", letter, "--me", "Ann"]
    elif (folder / "game.tkid").exists():
        command = ["letter", "read", "game.tkid", letter]
    else:
        command = ["letter", "read", "game.tkid", letter, "--begin"]
    with chdir(folder):
        result = tkid(*command)
    assert (result.exit_code, result.stdout) == (1, "")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    return result.stderr


@pytest.mark.parametrize("rule", RULES)
def test_what_is_said(rule: str, tmp_path: Path) -> None:
    expected = (FOLDER / rule / "expected.txt").read_text("utf-8")
    assert told(rule, tmp_path) == expected
    assert f"[{rule}]" in expected.split("\n")[0]


if __name__ == "__main__":
    for each in RULES:
        with TemporaryDirectory() as elsewhere:
            text = told(each, Path(elsewhere))
        (FOLDER / each / "expected.txt").write_text(text, "utf-8")
        print(f"{each}\n{text}")  # noqa: T201 - to be read
