"""Cards, rulings, comparisons, cases and written pages in a real browser: what people choose and copy, and no fault of access."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.shared.tables import sample

PHONE, DESK = 390, 1280
PAGES = (
    "cards/",
    "cards/outmanoeuvre/",
    "cards/plot/",
    "cards/welsh/",
    "rulings/",
    "comparison/",
    "conformance/",
    "comparison/rules/",
    "conformance/4.B/",
    "chapters/endings/",
    "chapters/turn/",
    "glossary/",
    "editions/",
    "editions/digest/",
    "ten-minutes/",
    "notation/",
    "grammar/",
    "orders/",
    "commands/",
    "changelog/",
    "decisions/",
)
"""A page of each kind."""
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
FINDINGS = """axe.run({resultTypes: ["violations"]}).then(found => found.violations
    .map(fault => fault.id + ": " + fault.nodes.map(node => node.html.slice(0, 150)).slice(0, 3).join(" | ")))"""
HEADS = '[...document.querySelectorAll(".compared thead th:not([hidden])")].map(each => each.textContent)'
ROWS = '[...document.querySelectorAll(".compared tbody:not([hidden]) th")].map(each => each.textContent.trim())'

pytestmark = IN_A_BROWSER


@pytest.fixture
def browser(chromium: Chromium, address: str) -> Iterator[Chromium]:
    """A browser. Whatever a test does, nothing is complained about or asked of other machines."""
    chromium.screen(DESK)
    chromium.requests.clear()
    chromium.complaints.clear()
    yield chromium
    assert not chromium.complaints
    assert not [asked for asked in chromium.requests if not asked.startswith((address, "data:", "blob:"))]


# -- comparison -------------------------------------------------------------------------------------------


def choose(browser: Chromium, name: str, code: str) -> None:
    """Choose an edition in one of the lists, as a browser does after a tap."""
    value = json.dumps(code)
    browser.run(
        f"""(() => {{const list = document.querySelector('[name="{name}"]'); list.value = {value};
        list.dispatchEvent(new Event("change", {{bubbles: true}}));}})()"""
    )


def test_two_editions_are_compared_and_the_address_remembers_them(browser: Chromium, address: str) -> None:
    browser.screen(PHONE)
    browser.open(f"{address}comparison/")
    assert browser.run(HEADS) == ["Second", "First"]
    choose(browser, "other", "digest")
    assert browser.run(HEADS) == ["Second", "Digest"]
    rows = browser.run(ROWS)
    assert "Source" in rows
    assert "Borders" not in rows, "it is the same in both"
    browser.open(browser.run("location.href"))
    assert browser.run(HEADS) == ["Second", "Digest"]
    assert browser.run(ROWS) == rows
    browser.tap(".switch")
    assert "Borders" in browser.wait(f"{ROWS}.length > {len(rows)} && {ROWS}")
    assert browser.run("new URLSearchParams(location.search).get('all')") == "1"
    assert browser.run("document.documentElement.scrollWidth") <= PHONE


def test_the_lists_are_reached_and_changed_with_the_keyboard(browser: Chromium, address: str) -> None:
    browser.open(f"{address}comparison/?one=second-edition&other=first-edition")
    browser.run("document.querySelector('[name=one]').focus()")
    browser.press("Tab")
    assert browser.run("document.activeElement.name") == "other"
    browser.press("ArrowDown")
    browser.wait(f"{HEADS}.join() === 'Second,Mordred'")
    browser.run("document.querySelector('.chooser [type=reset]').focus()")
    browser.press("Enter")
    browser.wait(f"{HEADS}.length === 7")


def test_the_heads_stay_in_view(browser: Chromium, address: str) -> None:
    for width in (PHONE, DESK):
        browser.screen(width)
        browser.open(f"{address}comparison/")
        browser.run("scrollTo(0, 2500)")
        top = browser.wait('document.querySelector(".compared thead th").getBoundingClientRect().top')
        assert 0 < top < 70, width


def test_rules_are_compared_by_what_they_say(browser: Chromium, address: str) -> None:
    browser.open(f"{address}comparison/rules/?one=second-edition-advanced&other=first-edition")
    assert browser.run(HEADS) == ["Advanced", "First"]
    assert "As in" not in browser.run("document.querySelector('.compared').innerText")


# -- cards and cases --------------------------------------------------------------------------------------


def test_a_line_is_copied(browser: Chromium, address: str) -> None:
    browser.allow(address.rstrip("/"), "clipboardReadWrite", "clipboardSanitizedWrite")
    browser.open(f"{address}cards/outmanoeuvre/")
    browser.run("document.querySelector('.copy [data-copy]').click()")
    browser.wait("document.querySelector('.copy [data-copy]').textContent === 'Copied'")
    assert browser.run("navigator.clipboard.readText()").startswith("Outmanoeuvre ")


@pytest.mark.parametrize("place", ["4.B.01", "4.B", "9.A.28"])
def test_an_old_link_to_a_case_leads_on(browser: Chromium, address: str, place: str) -> None:
    section = ".".join(place.split(".")[:2])
    browser.open(f"{address}conformance/#{place}")
    browser.wait(f"location.pathname === '/conformance/{section}/' && location.hash === '#{place}'")
    if place != section:
        browser.wait(f"document.getElementById('{place}')?.open")


def test_an_old_link_to_a_step_of_a_card_shows_it(browser: Chromium, address: str) -> None:
    browser.screen(PHONE)
    browser.open(f"{address}cards/outmanoeuvre/#step-2-one-for-one")
    top = browser.wait("document.getElementById('step-2-one-for-one').getBoundingClientRect().top")
    assert -5 < top < 400


# -- every kind of page -----------------------------------------------------------------------------------


@pytest.mark.guard
@pytest.mark.parametrize("page", sample(PAGES[::-1], 20))
def test_axe_finds_nothing(browser: Chromium, address: str, page: str) -> None:
    for width, dark in ((DESK, False), (PHONE, False), (PHONE, True)):
        browser.screen(width, dark=dark)
        browser.open(f"{address}{page}")
        browser.run('document.querySelectorAll("details").forEach(each => { each.open = true; })')
        browser.run(AXE.read_text("utf-8") + "; true")
        assert not browser.run(FINDINGS), (width, dark)
        assert browser.run("document.documentElement.scrollWidth") <= width, page


def test_the_whole_comparison_is_there_without_a_script(site: Path) -> None:
    """The lists to choose from are hidden until the script shows them; the table has every column."""
    text = (site / "comparison" / "index.html").read_text("utf-8")
    assert '<form class="chooser" hidden>' in text
    assert "<td hidden" not in text
