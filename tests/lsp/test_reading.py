"""Whatever is in a file, an editor gets answers: every file of the fixtures that breaks a rule, asked about every line."""

from __future__ import annotations

from pathlib import Path

from tests.shared.tables import each_row
from tkid.lsp.open_file import (
    OpenFile,
    draw_preview,
    find_hover,
    get_next_player,
    list_completions,
    list_repairs,
    make_outline,
    read_open_file,
)
from tkid.rulebook import is_known_rule

FIXTURES = Path(__file__).parents[2] / "fixtures"
FILES = sorted((FIXTURES / "illegal").rglob("*.tkid"))
STEP = 9
"""Every so many columns something is asked."""
DRAWN = 8
"""For one file of so many, a position is drawn."""
UNTIDY = [
    # the line, what it becomes
    (
        "7. Ann Assemble S Moray, W Devon, E Essx {why} #abcdef",
        "7. Ann Assemble S Moray, W Devon, E Essex {why} #abcdef",
    ),
    ("7. ann  Asemble S Moray; summon W Devon", "7. ann  Assemble S Moray; summon W Devon"),
]


def load(file: Path) -> OpenFile:
    return read_open_file(str(file), file.read_bytes().decode("utf-8", "surrogateescape"))


@each_row("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_file_gets_answers(file: Path) -> None:
    reading = load(file)
    assert all(is_known_rule(problem.rule) for problem in reading.problems)
    for line, text in enumerate(reading.lines, 1):
        for column in range(0, len(text[:200]) + 1, STEP):
            find_hover(reading, line, column)
        list_completions(reading, line, len(text), get_next_player)
    assert [entry.line for entry in make_outline(reading)] == [turn.line for turn in reading.turns]
    for repair in list_repairs(reading, 1, len(reading.lines)):
        start, end = repair.span
        assert 0 <= start <= end <= len(reading.lines[repair.problem.line - 1])


@each_row("file", FILES[::DRAWN], ids=lambda file: file.stem)
def test_a_position_is_drawn_wherever_there_is_a_game(file: Path) -> None:
    reading = load(file)
    drawn = draw_preview(reading, len(reading.lines), get_next_player)
    assert (drawn is None) == (reading.replay is None)


@each_row("line, mended", UNTIDY)
def test_a_repair_leaves_the_rest_of_the_line(line: str, mended: str) -> None:
    text = (FIXTURES / "games/second-edition/whole-game-for-2.tkid").read_text("utf-8").partition("7. Ann")[0] + line
    reading = read_open_file("x", text)
    change = next(list_repairs(reading, 1, len(reading.lines)))
    start, end = change.span
    assert line[:start] + change.text + line[end:] == mended
