"""The site in a real browser: links to rules, colours, a phone, the keyboard, print; and no fault of access."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.making.folder import main as copy_to_a_folder
from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.shared.tables import sample

PAGES = (
    "",
    "rules/second-edition/",
    "rulings/",
    "notation/",
    "python/",
    "python-reference/",
    "glossary/",
    "ten-minutes/",
    "cards/suppress/",
    "chapters/endings/",
    "comparison/",
)
PHONE = 360
"""Pixels: how narrow a screen may be."""
PARTS = 10
"""Tests that share the pages: each takes every tenth one."""
LEADS_ON = '<meta http-equiv="refresh"'
"""A page with this leads on at once, and cannot be looked at."""
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
COLOURS = '{runOnly: ["color-contrast", "link-in-text-block"]}'
"""What axe has to look at once more where only the colours have changed."""
FAULTS = """axe.run(%s).then(found => found.violations
    .filter(fault => ["serious", "critical"].includes(fault.impact))
    .map(fault => fault.id + ": " + fault.nodes.map(node => node.html.slice(0, 150)).slice(0, 3).join(" | ")))"""

pytestmark = IN_A_BROWSER


@pytest.fixture
def browser(chromium: Chromium, address: str) -> Iterator[Chromium]:
    """The browser with a wide screen; whatever a test does, nothing is complained about or asked of other machines."""
    chromium.screen(1280)
    chromium.requests.clear()
    chromium.complaints.clear()
    yield chromium
    assert not chromium.complaints
    assert chromium.requests
    assert not [asked for asked in chromium.requests if not asked.startswith((address, "data:", "blob:", "file:"))]


# -- rules ------------------------------------------------------------------------------------------------


def test_the_first_stop_of_the_keyboard_skips_to_the_text(browser: Chromium, address: str) -> None:
    browser.open(f"{address}rules/second-edition/")
    browser.press("Tab")
    assert browser.run("document.activeElement.matches('.skip')")


# -- how it looks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["", "notation/", "more/"])
def test_dark_colours_are_taken_by_who_likes_them(browser: Chromium, address: str, page: str) -> None:
    grounds = []
    for dark in (True, False):
        browser.screen(1280, dark=dark)
        browser.open(f"{address}{page}")
        grounds.append(browser.run("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(23, 22, 20)", "rgb(253, 252, 249)"]


@pytest.mark.exhaustive(seconds=70)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_phone_shows_every_page_without_moving_it_sideways(
    browser: Chromium, address: str, site: Path, part: int
) -> None:
    browser.screen(PHONE)
    files = (file for file in site.rglob("index.html") if LEADS_ON not in file.read_text("utf-8"))
    pages = sorted(str(file.relative_to(site)).removesuffix("index.html") for file in files)[part::PARTS]
    assert len(pages) > 2
    for page in pages:
        browser.open(f"{address}{page}")
        assert browser.run("document.documentElement.scrollWidth") <= PHONE, page
        assert browser.run("document.querySelector('main').scrollWidth") <= PHONE, page


def test_a_wide_diagram_moves_by_itself(browser: Chromium, address: str) -> None:
    browser.screen(PHONE)
    browser.open(f"{address}orders/#grammar")
    assert browser.run('[...document.querySelectorAll(".track")].some(each => each.scrollWidth > each.clientWidth)')


def test_flow_charts_are_drawn(browser: Chromium, address: str) -> None:
    browser.open(f"{address}python/")
    browser.wait('document.querySelector("div.mermaid")?.getBoundingClientRect().height > 50')
    assert any("mermaid" in asked for asked in browser.requests)


# -- access -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", sample(PAGES, 10))
def test_axe_finds_no_serious_fault(browser: Chromium, address: str, page: str) -> None:
    for dark, rules in ((False, "{}"), (True, COLOURS)):
        browser.screen(1280, dark=dark)
        browser.open(f"{address}{page}")
        browser.run(AXE.read_text("utf-8") + "; true")
        assert not browser.run(FAULTS % rules)


def test_axe_finds_no_serious_fault_in_a_file_of_the_repository(browser: Chromium, address: str) -> None:
    for dark in (False, True):
        browser.screen(PHONE, dark=dark)
        browser.open(f"{address}source/tkid/games/struggle/rules/struggles.py.html#L18")
        browser.run(AXE.read_text("utf-8") + "; true")
        assert not browser.run(FAULTS % "{}")
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    browser.screen(1280)


# -- read from a folder -----------------------------------------------------------------------------------


def test_the_site_can_be_read_from_a_folder(browser: Chromium, site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    copy_to_a_folder(str(site), str(folder))
    browser.open((folder / "index.html").as_uri())
    browser.press("/")
    browser.wait("document.activeElement.id === 'q'")
    browser.insert("outmanoeuvre undo")
    browser.wait("document.querySelector('#ask-list [role=option]') !== null")
    browser.press("ArrowDown", "Enter")
    browser.wait(f"location.href.startsWith('{folder.as_uri()}/rules/') && location.pathname.endsWith('/index.html')")
    browser.open((folder / "notation" / "index.html").as_uri())
    browser.run("document.querySelector('.bar a[href*=more]').click()")
    browser.wait("document.title.startsWith('Everything')")
