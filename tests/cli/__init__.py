"""Tests of tkid.cli, and what they share: running the program in-process, and a small record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from tests.shared.schemas import misfits
from tkid.cli.app import app
from tkid.cli.printing import UNREADABLE

RECORD = """\
Tkid-Record: 1
Ruleset: second-edition
Game: winter-2026
Seat: Ann <ann@example.org>
Seat: Łukasz

Setup
Moray        SSWE
Strathclyde  SSWW
Lancaster    SEEE
Northumbria  SSSW
Gwynedd      WWWE
Warwick      WWEE
Essex        WEEE
Devon        SWEE
Supply       5S 5W 2E
Court Ann    SE
Court Łukasz SE
Track        Strathclyde, Essex, Moray, Warwick, Northumbria, Gwynedd, Lancaster, Devon
First        Ann

Turns
1. Ann Assemble S Moray, W Devon, E Essex; summon W Gwynedd #1000be
2. Łukasz Negotiate Moray <> Devon, disc Devon; summon E Essex {so that Devon comes third} #5816d5
3. Ann Pass #32ee44
4. Łukasz Pass #9f4c07
-- Strathclyde: unstable (2S 2W)
# Ann was away for a week here.
5. Ann Outmanoeuvre S Lancaster <> WW Gwynedd; summon S Northumbria #99e84a
"""
"""A canonical record of a game in which it is Łukasz's turn."""

POSITION_KEYS = [
    *("ruleset", "regions", "supply", "track", "courts", "hands", "discards", "last_acted", "emptied", "passes"),
    *("banned", "decision", "to_act", "ending", "winners", "struggles"),
]
"""The attributes of a position in JSON, in the documented order."""

FINISHED = Path(__file__).parents[2] / "fixtures" / "games" / "second-edition"
"""Games that are over."""

POSITION = "second-edition; MOR SSW, STR =E, ESS WEE; supply 2S 1E; 1 hand Assemble; 2 hand Manoeuvre; to play 1"
"""A position in one line."""


def tkid(*arguments: object, stdin: bytes | None = None) -> Result:
    """Run the program. What it raises is raised, but for its own way to stop; it prints no colour, and JSON fits its schema."""
    result = CliRunner().invoke(app, list(map(str, arguments)), input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "\x1b" not in result.output
    if result.stdout and result.exit_code != UNREADABLE:
        assert list(misfits(list(map(str, arguments)), result.stdout)) == []
    return result


def said(*arguments: object, code: int = 0, stdin: bytes | None = None) -> str:
    """What a command prints, which ends as expected and complains of nothing."""
    result = tkid(*arguments, stdin=stdin)
    assert (result.exit_code, result.stderr) == (code, "")
    return result.stdout


def complaint(*arguments: object, code: int) -> str:
    """What a command complains of that prints nothing else."""
    result = tkid(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    return result.stderr


def objects(text: str) -> list[dict[str, Any]]:
    """Lines of JSON."""
    return [json.loads(line) for line in text.splitlines()]


def record_in(folder: Path, text: str = RECORD) -> Path:
    """A file with the record in a folder."""
    file = folder / "game.tkid"
    file.write_text(text, "utf-8")
    return file
