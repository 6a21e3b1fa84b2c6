"""The second reading: what people type who do not write notation, and what they type without ordering anything."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.shared.tables import each_row
from tkid.notation.free_text import Understanding, understand
from tkid.notation.positions import read_position

FOLDER = Path(__file__).parent / "phrases"
NAMES = ("Ann", "Bob")
POSITION = "# position: "
ROW = re.compile(r"(?P<text>.*?)\s(?P<sign>[=?!]|-)(?:$|\s+(?P<wanted>.*))")


class Phrase(NamedTuple):
    """A row of the table: a text in a position, its class, and what it means.

    `sign` is `=` for a turn that is proposed, `?` for turns to choose from, `!` for a rule that is broken and where, `-`
    for nothing.
    """

    file: str
    sort: str
    text: str
    sign: str
    wanted: str


def phrases() -> list[Phrase]:
    """The rows of all files."""
    rows = []
    for path in sorted(FOLDER.glob("*.txt")):
        sort = ""
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("## "):
                sort = line[3:]
            elif line and not line.startswith(POSITION):
                row = re.fullmatch(r"(.*) ([=?!-])(?: (.*?))?\s*", line)
                assert row is not None, line
                rows.append(Phrase(path.stem, sort, row[1].replace("\\n", "\n"), row[2], (row[3] or "").strip()))
    return rows


@cache
def situation(file: str) -> Any:
    """The game and the position of a file."""
    first, *_ = (FOLDER / f"{file}.txt").read_text("utf-8").splitlines()
    return read_position(first.removeprefix(POSITION))


def understood(phrase: Phrase) -> Understanding:
    """What is made of a phrase."""
    game, position = situation(phrase.file)
    return understand(game, NAMES, position, phrase.text)


def fault(phrase: Phrase) -> str:
    """What is wrong with what is made of a phrase, "" where nothing is."""
    found = understood(phrase)
    if phrase.sign == "=":
        right = found.turn == phrase.wanted and found.choices == (phrase.wanted,) and not found.problems
    elif phrase.sign == "?":
        wanted = {turn.strip() for turn in phrase.wanted.split("|") if turn.strip()}
        right = not found.turn and len(found.choices) > 1 and wanted <= {*found.choices} and bool(found.problems)
    elif phrase.sign == "!":
        rule, _, at = phrase.wanted.partition(" @")
        wrong = found.problems[0] if found.problems else None
        right = wrong is not None and not found.turn and wrong.rule == rule
        right = right and (not at or phrase.text[wrong.col - 1 :][: wrong.length] == at)  # type: ignore[union-attr]
    else:
        right = not found.turn and not found.choices
    problems = [(problem.rule, problem.col, problem.message) for problem in found.problems]
    return "" if right else f"{phrase}\n   -> {found.turn!r} {found.certain} {found.choices} {problems}"


@each_row("phrase", phrases(), ids=lambda phrase: phrase.text)
def test_phrases(phrase: Phrase) -> None:
    assert fault(phrase) == ""
