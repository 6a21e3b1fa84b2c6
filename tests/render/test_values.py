"""The values of an annotated game: what comments say, the points of the graph, its sentence, and the page in a browser."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

import pytest

from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.docs.test_browser import AXE, FAULTS
from tests.makers.games import FOLDER
from tests.render.html import Page
from tests.shared.tables import each_row, sample
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.render.click_page import read_page_part
from tkid.render.replay_page import replay_page
from tkid.render.value_graph import describe_course, list_marks, list_points, name_parties

TWO, THREE, FOUR = ("Ann", "Bob"), ("Ann", "Bob", "Cat"), ("Ann", "Bob", "Cat", "Dan")
TURN = re.compile(r"^(\d+\. .*?)( #[0-9a-f]{6})$", re.MULTILINE)
NAMED = """(() => {
    return [...document.querySelectorAll(".value-name")].map((each) => each.hasAttribute("hidden") ? null
        : [each.textContent, Number(each.getAttribute("x")) > 8]);
})()"""
"""The names beside the lines of the graph; null for one that is not shown yet."""
POINT = "# Turning point: Ann takes Northumbria."
MISSED = "# Missed: Bob could have passed."


def annotated(
    notes: dict[int, str], comments: dict[int, str] | None = None, name: str = "second-edition/whole-game-for-2"
) -> Replay:
    """A recorded game with inline comments and lines before its turns, by the numbers of the turns."""
    turns = count(1)

    def written(line: re.Match[str]) -> str:
        number = next(turns)
        before = f"{comments[number]}\n" if comments and number in comments else ""
        note = f" {{{notes[number]}}}" if number in notes else ""
        return f"{before}{line[1]}{note}{line[2]}"

    text = TURN.sub(written, (FOLDER / f"{name}.tkid").read_text("utf-8"))
    found = read_record(text.encode())
    assert not found.problems
    assert found.record is not None
    return replay(found.record)


def annotated_game() -> Replay:
    """A whole game with a value for each turn: estimates first, and proven ones at the end."""
    chances = [50, 47, 52, 55, 51, 44, 41, 46, 38, 35, 42, 48, 45, 51, 56, 53, 71, 66, 69, 74, 80]
    notes = {turn: f"value: Ann {chance} %" for turn, chance in enumerate(chances, 1)}
    proven = dict.fromkeys((22, 23), "value: Ann wins, proven")
    return annotated(notes | proven, {17: POINT, 18: MISSED})


@each_row(
    "name, notes, expected, sentence",
    [
        (
            "second-edition/whole-game-for-2",
            {1: "value: Ann 62 %", 2: "a slip", 4: "value: Ann 30 %", 5: "value: Bob wins, proven"},
            [(1, (0.62, 0.38), False), (4, (0.3, 0.7), False), (5, (0.0, 1.0), True)],
            (
                "The chance to win: after turn 1 it was Ann 62 %, Bob 38 %, the lead changed once, at turn 4, "
                "and it was proven after turn 5 that Bob wins."
            ),
        ),
        (
            "second-edition/whole-game-for-2",
            {3: "value: drawn, proven"},
            [(3, (0.5, 0.5), True)],
            "The chance to win: it was proven after turn 3 that the game is drawn.",
        ),
        (
            "second-edition/whole-game-for-4",
            {1: "value: Ann 60 %", 2: "value: Ann 65 %"},
            [(1, (0.6, 0.4), False), (2, (0.65, 0.35), False)],
            (
                "The chance to win: after turn 1 it was Ann and Cal 60 %, Bob and Dee 40 %, the lead never changed, "
                "and after turn 2 it was Ann and Cal 65 %, Bob and Dee 35 %."
            ),
        ),
    ],
)
def test_values_become_points_and_a_sentence(
    name: str, notes: dict[int, str], expected: list[tuple[int, tuple[float, ...], bool]], sentence: str
) -> None:
    known = annotated(notes, name=name)
    found = list_points(known)
    assert [(each.step, each.proven) for each in found] == [(step, proven) for step, _, proven in expected]
    assert [each.shares for each in found] == [pytest.approx(shares) for _, shares, _ in expected]
    assert describe_course(found, name_parties(known)).replace("\u00a0", " ") == sentence


def test_turning_points_and_missed_chances_are_marked() -> None:
    found = list_marks(annotated({}, {17: POINT, 18: MISSED, 19: "# A point: none."}))
    assert [(each.step, each.kind) for each in found] == [(17, "Turning point"), (18, "Missed")]


def test_a_game_without_values_has_no_graph() -> None:
    html = replay_page(annotated({}, {17: POINT}))
    assert "value-" not in html
    assert read_page_part("graph.js") not in html


def test_the_page_has_a_point_for_each_turn_and_says_each_value() -> None:
    html = replay_page(annotated_game())
    page = Page.of(html)
    drawn = [each["data-step"] for each in page.each("g") if "data-said" in each]
    assert drawn == [str(step) for step in range(1, 24)]
    assert html.count('class="value-proven" data-step') == 2
    assert html.count('class="value-mark" data-step') == 2
    assert "Chance to win after this turn: Ann 71\u00a0%, Bob 29\u00a0%." in html
    assert "<bdi>It is proven that Ann wins.</bdi>" in html
    assert f"<bdi>{POINT.removeprefix('# ')}</bdi>" in html


class TestInABrowser:
    """The graph as people have it."""

    pytestmark = IN_A_BROWSER

    @pytest.mark.parametrize("width", sample([390, 1280], 2))
    def test_it_follows_the_turn_and_a_click_goes_to_one(self, browser: Chromium, tmp_path: Path, width: int) -> None:
        file = tmp_path / "game.html"
        file.write_text(replay_page(annotated_game()), "utf-8")
        drawn = 'document.querySelectorAll("#value-graph [data-said]:not([hidden])").length'
        label = 'document.getElementById("value-graph").getAttribute("aria-label").length'
        for dark in (False, True):
            browser.screen(width, 844, dark=dark)
            browser.open(file.as_uri())
            assert browser.run(drawn) == 0
            assert browser.run(NAMED) == [None, None]
            browser.press("ArrowRight", "ArrowRight")
            assert browser.run(drawn) == 2
            assert browser.run(NAMED) == [["Ann", True], ["Bob", True]]
            short = browser.run(label)
            browser.press("End")
            assert browser.run(drawn) == 23
            assert browser.run(label) > short
            browser.run("document.getElementById('value-graph').scrollIntoView({block: 'center'}); true")
            browser.tap('#value-graph [data-step="12"] circle')
            assert browser.run("location.hash") == "#turn-12"
            assert browser.run("document.documentElement.scrollWidth <= innerWidth")
            browser.run(AXE.read_text("utf-8") + "; true")
            assert not browser.run(FAULTS % "{}")
