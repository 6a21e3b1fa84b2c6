"""The pages of puzzles in a real browser: a wrong turn is refuted, the right one is praised, and nothing is said before."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from docs.making.puzzles import Puzzle, draw_small_map, page_of, puzzle_list, puzzle_pages, puzzles
from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.render.test_click_board import click, opened
from tests.shared.clicking import clicks_to, lines_of
from tkid.render.click_page import build_choice_data
from tkid.render.clicks import find_drawing_plugin

pytestmark = IN_A_BROWSER
VERDICT = """(() => {
    const verdict = document.getElementById("p-verdict");
    return verdict.hidden ? "" : verdict.className + ": " + verdict.textContent.trim();
})()"""
GAMES = ("second-edition", "claim", "manual")
"""A puzzle of each of these rulesets is solved."""


def clicks(puzzle: Puzzle, line: str) -> list[str]:
    """Clicks that put a turn together."""
    game, record = puzzle.record.game, puzzle.record
    view = game.view(puzzle.start, puzzle.start.to_act)
    return clicks_to(
        build_choice_data(find_drawing_plugin(game).make_choices(game, view, record.names)),
        line,
        Random(len(line)).choice,
    )


@pytest.mark.parametrize("code", GAMES)
def test_a_puzzle_is_solved_by_clicks(browser: Chromium, tmp_path: Path, code: str) -> None:
    """First a wrong turn, which the page refutes; it is taken back; then the right one."""
    puzzle = next(each for each in puzzles() if each.record.ruleset.code == code and any(each.told["answers"].values()))
    wrong, answer = next((turn, answer) for turn, answer in puzzle.told["answers"].items() if answer)
    right = puzzle.told["right"][0]
    opened(browser, tmp_path, page_of(puzzle, puzzle))
    assert not browser.run(VERDICT)
    for key in clicks(puzzle, wrong):
        assert not browser.run(VERDICT)
        click(browser, key)
    who, _, reply = answer.partition(" ")
    refuted = f"{who} answers {reply}, and {puzzle.solver} can no longer force a win."
    assert browser.wait(VERDICT) == f"p-wrong: Wrong. {refuted}"
    for _ in clicks(puzzle, wrong):
        browser.press("Escape")
    assert not browser.run(VERDICT)
    for key in clicks(puzzle, right):
        click(browser, key)
    assert browser.wait(VERDICT) == "p-right: Right. This turn wins, and no other does."
    assert not browser.run("[...document.querySelectorAll('#k-brings, #k-note')].some((each) => each.offsetHeight && each.textContent)")  # fmt: skip
    assert puzzle.number in browser.run("localStorage.getItem('tkid-solved')").split(" ")
    assert not browser.complaints


def test_the_list_marks_what_was_solved(browser: Chromium, tmp_path: Path) -> None:
    known = puzzles()
    root = Path(__file__).parents[2]
    (tmp_path / "app.js").write_bytes((root / "docs" / "javascripts" / "app.js").read_bytes())
    sheets = re.findall(r"stylesheets/\w+\.css", (root / "mkdocs.yml").read_text("utf-8"))
    style = "".join((root / "docs" / sheet).read_text("utf-8") for sheet in sheets)
    for path, svg in puzzle_pages().items():
        if path.endswith(".svg"):
            (tmp_path / path).parent.mkdir(parents=True)
            (tmp_path / path).write_text(svg, "utf-8")
    page = tmp_path / "puzzles" / "list.html"
    page.write_text(
        f'<!doctype html><html lang="en"><title>Puzzles</title><style>{style}</style>'
        f'<body class="md-typeset">{puzzle_list()}<script src="../app.js"></script>'
    )
    browser.open(page.as_uri())
    assert browser.run("getComputedStyle(document.querySelector('.p-maps')).display") == "grid"
    browser.run(f"localStorage.setItem('tkid-solved', '{known[1].number} {known[3].number}')")
    browser.open(page.as_uri())
    marked = browser.run("[...document.querySelectorAll('.p-done')].map((each) => each.dataset.puzzle).sort()")
    assert marked == sorted([known[1].number, known[3].number])
    assert browser.run("document.querySelector('.p-solved').textContent").startswith(
        f"2 of {len(known)} solved. Next: "
    )
    browser.run("localStorage.clear()")


def test_small_maps_have_no_words() -> None:
    listed = puzzle_list()
    for puzzle in puzzles():
        assert f'href="{puzzle.number}/index.html"' in listed
        if puzzle.record.ruleset.code != "claim":
            assert "<text" not in draw_small_map(puzzle).partition("</defs>")[2]


def test_a_wrong_turn_without_a_refutation_of_its_own_is_wrong_too(browser: Chromium, tmp_path: Path) -> None:
    """Only turns that look good have their answer on the page."""
    puzzle, turn = next((each, turn) for each in puzzles() for turn in unanswered(each))
    opened(browser, tmp_path, page_of(puzzle, puzzle))
    for key in clicks(puzzle, turn):
        click(browser, key)
    told = f"After this turn {puzzle.solver} can no longer force a win. Try again, or open the solution."
    assert browser.wait(VERDICT) == f"p-wrong: Wrong. {told}"


def unanswered(puzzle: Puzzle) -> list[str]:
    """Wrong turns whose answer is not on the page."""
    game = puzzle.record.game
    view = game.view(puzzle.start, puzzle.start.to_act)
    choices = build_choice_data(find_drawing_plugin(game).make_choices(game, view, puzzle.record.names))
    return sorted(lines_of(choices) - {*puzzle.told["right"], *puzzle.told["answers"]})
