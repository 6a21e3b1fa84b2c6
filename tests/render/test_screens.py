"""The pages to click on a telephone and on a desk: what is asked is in view, nothing is cut off, and all words are legible."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.games.claim.shared import CLAIM, reached
from tests.makers.screens import SCENES, SIZES
from tests.render.test_click_board import CLICK, SENDING
from tests.shared.clicking import Clicker
from tests.shared.lines import random_line
from tests.shared.tables import each_row
from tkid.kernel.game import AnyGame
from tkid.render.click_page import Answer, build_choice_data, click_page
from tkid.render.clicks import find_drawing_plugin
from tkid.rulebook.rulesets import ruleset, rulesets

pytestmark = IN_A_BROWSER
WIDTH = 390
HEIGHT, LAYOUT = SIZES[WIDTH]
SEEN = "JSON.stringify([innerWidth, innerHeight, document.documentElement.scrollWidth])"
"""What a browser on a telephone makes larger than the screen where something does not fit, as then it shows less of it."""
SHOWN = ("second-start", "second-late", "first", "digest", "claim-one", "claim-two")
"""Few and many cards, players and factions."""
PHONE = (390, 664)
"""A telephone with the bars of its browser."""
DESKS = ((1280, 800), (1200, 900), (1920, 1080))
"""Screens and windows on a desk."""
OUTSIDE = """["k-board", "k-prompt", "k-body", "k-turn"].filter((id) => {
    const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
    return left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5;
})"""
"""The parts of the page that are not all on the screen."""
CUT_OFF = """[...document.querySelectorAll("#k-ask, .k-cell, #k-brings, .k-court, #k-line")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
    .map((each) => each.outerHTML.slice(0, 160))"""
SENT_AT = """(() => {
    const { left, top } = document.querySelector("#k-line + *").getBoundingClientRect();
    return [left, top];
})()"""
SMALL = """[...document.querySelectorAll("body *")].filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    const own = [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()).join("");
    if (!own || !width || !height || each.closest("script, style, defs, .k-news, .k-cell svg") || /^[A-Z]$/.test(own)) return false;
    if (getComputedStyle(each).visibility === "hidden") return false;
    const scale = each.closest("svg") ? each.getScreenCTM().d : 1;
    return parseFloat(getComputedStyle(each).fontSize) * scale < 9.99;
}).map((each) => each.outerHTML.slice(0, 160))"""
"""Words and numbers that are smaller than 10 px; the letters on pieces may be."""

COVERED = """(() => {
    const box = (each) => each.getBoundingClientRect();
    const rows = [...document.querySelectorAll("#k-board [data-part^=space-] rect")].map(box);
    return [...document.querySelectorAll("#k-board [data-part^=region-] :is(text, use), #k-board [data-part^=order-]")].filter((each) => {
        const { left, right, top, bottom, width } = box(each);
        return width && rows.some((row) => Math.min(row.right, right) - Math.max(row.left, left) > 1
            && Math.min(row.bottom, bottom) - Math.max(row.top, top) > 1);
    }).map((each) => each.outerHTML);
})()"""
"""Names and followers of regions that a row of the struggles covers."""
LOWER = (PHONE, (360, 560), (320, 568))
"""Telephones, also those on which the map is as low as it gets."""
ROWS = """[...document.querySelectorAll("[data-part^=court-]")].map((each) => each.getCTM().f)"""
"""How far down the rows of the players are, in their picture."""


@each_row("name", {name: SCENES[name] for name in SHOWN})
def test_pages_fit_a_telephone(name: str, browser: Chromium, tmp_path: Path) -> None:
    browser.screen(WIDTH, HEIGHT)
    for kind, page in SCENES[name]().pages(LAYOUT):
        file = tmp_path / f"{name}-{kind}.html"
        file.write_text(page, "utf-8")
        browser.open(file.as_uri())
        assert browser.run(SEEN) == f"[{WIDTH},{HEIGHT},{WIDTH}]", kind
        assert browser.run(SMALL) == [], kind


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("code", [each.code for each in rulesets()])
def test_a_turn_fits_the_screen(browser: Chromium, tmp_path: Path, code: str, players: int) -> None:
    """Map, question, choices and what is sent are all in view at each step of a turn."""
    if players not in ruleset(code).game().parties:
        pytest.skip("it is not played by so many")
    game, positions = _play(code, players)
    names = ("Ann", "Bob", "Cal", "Dee")[:players]
    for place, before in enumerate(positions):
        view = game.view(before, before.to_act)
        choices = build_choice_data(find_drawing_plugin(game).make_choices(game, view, names))
        file = tmp_path / "turn.html"
        file.write_text(click_page(game, view, names, title="A turn", answer=Answer("ann@example.org")), "utf-8")
        for size in (PHONE, DESKS[(place + players) % len(DESKS)]):
            clicker, rng = Clicker(choices), Random(place)
            browser.screen(*size)
            browser.open(file.as_uri())
            sent_at = browser.run(SENT_AT)
            while True:
                assert browser.run(SENT_AT) == pytest.approx(sent_at, abs=1), "what sends keeps its place"
                told = (code, size, place, clicker.line())
                assert browser.run(SEEN) == f"[{size[0]},{size[1]},{size[0]}]", told
                assert browser.run(OUTSIDE) == [], told
                assert browser.run(CUT_OFF) == [], told
                assert size != PHONE or browser.run(SMALL) == [], told
                if clicker.line():
                    break
                key = rng.choice(sorted(clicker.offered() - {"pass"}) or ["pass"])
                clicker.click(key)
                assert browser.run(f"{CLICK}({key!r})"), (told, key)
            assert browser.run(SENDING)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("code", [each.code for each in rulesets()])
def test_a_phone_without_scripts_shows_legible_rows(browser: Chromium, tmp_path: Path, code: str, players: int) -> None:
    """Scripts would show the courts in a line each, and the names of cards on buttons."""
    if players not in ruleset(code).game().parties:
        pytest.skip("it is not played by so many")
    game, positions = _play(code, players)
    view = game.view(positions[0], positions[0].to_act)
    file = tmp_path / "turn.html"
    file.write_text(click_page(game, view, ("Ann", "Bob", "Cal", "Dee")[:players], title="A turn"), "utf-8")
    browser.screen(*PHONE)
    browser.open(file.as_uri())
    browser.run("document.getElementById('k-courts').hidden = true")
    assert browser.run(f"{SMALL}.filter((each) => each.startsWith('<text'))") == []
    assert browser.run("document.documentElement.scrollWidth") == PHONE[0]


def _play(code: str, players: int) -> tuple[AnyGame, list[Any]]:
    """Positions at the beginning, in the middle and near the end of a game."""
    if code == CLAIM.code:
        return CLAIM, [reached(Random(3), tricks) for tricks in (0, 7, 20)]
    line = random_line(ruleset(code), Random(players), players, passing=0.2)
    return line.game, [line.steps[len(line.steps) * part // 3].before for part in range(3)]


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("code", ["second-edition", "first-edition"])
def test_no_row_of_the_struggles_covers_a_region(browser: Chromium, tmp_path: Path, code: str, players: int) -> None:
    game, positions = _play(code, players)
    for size in LOWER:
        browser.screen(*size)
        for before in positions:
            file = tmp_path / "turn.html"
            view = game.view(before, before.to_act)
            file.write_text(click_page(game, view, ("Ann", "Bob", "Cal", "Dee")[:players], title="A turn"), "utf-8")
            browser.open(file.as_uri())
            assert browser.run(COVERED) == [], size


@pytest.mark.parametrize("name", ["claim-one", "claim-two"])
def test_the_action_bar_is_at_the_bottom(browser: Chromium, tmp_path: Path, name: str) -> None:
    file = tmp_path / "turn.html"
    file.write_text(dict(SCENES[name]().pages(LAYOUT))["click"], "utf-8")
    browser.screen(*PHONE)
    browser.open(file.as_uri())
    assert browser.run("document.getElementById('k-turn').getBoundingClientRect().bottom") == pytest.approx(
        PHONE[1], abs=1
    )


@pytest.mark.parametrize("name", ["second-late", "first"])
@pytest.mark.parametrize("size", [PHONE, DESKS[0]])
def test_rows_keep_their_places_in_a_replay(
    browser: Chromium, tmp_path: Path, name: str, size: tuple[int, int]
) -> None:
    file = tmp_path / "replay.html"
    file.write_text(dict(SCENES[name]().pages(LAYOUT))["replay"], "utf-8")
    browser.screen(*size)
    browser.open(f"{file.as_uri()}#turn-1")
    places = browser.run(ROWS)
    assert places
    for _ in range(12):
        browser.press("ArrowRight")
        assert browser.run(ROWS) == places
