"""The pages of rules in a real browser: old links, short links, copying, what is loaded on opening, print; and no fault of access."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.chromium import IN_A_BROWSER, BrowserError, Chromium
from tests.shared.tables import sample
from tkid.rulebook import rule

RULE = "second.partial.in-full"
TIE = "rules/second/struggle/tie/"
PAGES = (
    TIE,
    "rules/second/ruling/final-tie/",
    "rules/second/card/outmanoeuvre/",
    "rules/claim/trick/tie/",
    "rules/mail/stale/",
    "rules/second/struggle/tie/evidence.html",
    "rules/second-edition/",
    "rules/notation/",
    "rules/",
    "r/second.struggle.tie/",
)
PHONE = 390
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
FAULTS = """axe.run().then(found => found.violations
    .map(fault => fault.id + ": " + fault.nodes.map(node => node.html.slice(0, 150)).slice(0, 3).join(" | ")))"""
IN_VIEW = """(() => {{ const place = document.getElementById("{0}")?.getBoundingClientRect();
    return place && place.height > 0 && place.top >= 0 && place.top < innerHeight; }})()"""

pytestmark = IN_A_BROWSER


@pytest.fixture
def browser(chromium: Chromium, address: str) -> Iterator[Chromium]:
    """The browser with a wide screen; nothing is complained about or asked of other machines."""
    chromium.screen(1280)
    chromium.requests.clear()
    chromium.complaints.clear()
    yield chromium
    assert not [each for each in chromium.complaints if "favicon.ico" not in each]
    assert not [asked for asked in chromium.requests if not asked.startswith((address, "data:", "blob:"))]


@pytest.mark.parametrize("width", [PHONE, 1280])
@pytest.mark.parametrize("rule_id", [RULE, "second.struggle.tie", "second.team.secrets"])
def test_an_old_link_shows_its_rule_at_once(browser: Chromium, address: str, width: int, rule_id: str) -> None:
    browser.screen(width)
    browser.open(f"{address}rules/second-edition/#{rule_id}")
    assert browser.run(IN_VIEW.format(rule_id)), "without scrolling through the others"
    covered = browser.run(
        "Math.max(...[...document.querySelectorAll('.bar, .toc')].map(each => {"
        "const box = each.getBoundingClientRect(); return box.width > innerWidth / 2 ? box.bottom : 0; }))"
    )
    assert browser.run(f'document.getElementById("{rule_id}").getBoundingClientRect().top') >= covered


def test_the_linked_rule_is_seen_soon_on_a_slow_phone(browser: Chromium, address: str) -> None:
    """A quarter of the speed, 1.6 Mbit/s: the times are printed, and nothing is judged by them."""
    browser.screen(PHONE)
    browser.ask("Network.clearBrowserCache", browser.page)
    browser.ask("Network.setCacheDisabled", browser.page, cacheDisabled=True)
    browser.ask("Emulation.setCPUThrottlingRate", browser.page, rate=4)
    speed = 1.6e6 / 8
    browser.ask(
        "Network.emulateNetworkConditions",
        browser.page,
        offline=False,
        latency=150,
        downloadThroughput=speed,
        uploadThroughput=speed,
    )
    try:
        for page, place in ((f"rules/second-edition/#{RULE}", RULE), (f"r/{RULE}/", "main"), (TIE, "main")):
            browser.ask("Page.navigate", browser.page, url="about:blank")
            begun = time.monotonic()
            browser.send("Page.navigate", browser.page, url=f"{address}{page}")
            wait_through_pages(browser, f"location.href !== 'about:blank' && {IN_VIEW.format(place)}")
            print(f"{page}: in view after {time.monotonic() - begun:.1f} s")  # noqa: T201 - a figure to be read
            browser.wait("document.readyState === 'complete'")
    finally:
        browser.ask("Emulation.setCPUThrottlingRate", browser.page, rate=1)
        browser.ask(
            "Network.emulateNetworkConditions",
            browser.page,
            offline=False,
            latency=0,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )
        browser.ask("Network.setCacheDisabled", browser.page, cacheDisabled=False)


def wait_through_pages(browser: Chromium, script: str) -> None:
    """Wait until a script is true, though one page may give way to another while it runs."""
    while True:
        try:
            browser.wait(script)
        except BrowserError as error:
            if "navigated" not in str(error):
                raise
        else:
            return


def test_a_short_link_leads_on_and_keeps_what_follows(browser: Chromium, address: str) -> None:
    browser.open(f"{address}r/second.struggle.tie/#cite")
    browser.wait(f"location.pathname === '/{TIE}' && location.hash === '#cite'")


def test_the_buttons_copy_the_link_and_the_text(browser: Chromium, address: str) -> None:
    browser.allow(address, "clipboardReadWrite", "clipboardSanitizedWrite")
    browser.open(f"{address}{TIE}")
    for label, copied in (
        ("Copy link", rule("second.struggle.tie").link),
        ("Copy text", rule("second.struggle.tie").statement),
    ):
        button = f'[...document.querySelectorAll("button")].find(each => each.textContent === "{label}")'
        browser.run(f"{button}.focus()")
        browser.press("Enter")
        browser.wait('document.activeElement.textContent === "Copied"')
        assert browser.run('document.querySelector("article [role=status]").textContent') == "Copied"
        assert copied in browser.run("navigator.clipboard.readText()")
        browser.wait(f"!!({button})")


def test_where_it_is_at_work_is_loaded_when_somebody_opens_it(browser: Chromium, address: str) -> None:
    browser.open(f"{address}{TIE}")
    assert not [asked for asked in browser.requests if "evidence" in asked]
    browser.run('document.querySelector("[data-load]").open = true')
    browser.wait('document.querySelector("[data-load]").textContent.includes("Conformance cases")')
    ways = browser.run('[...document.querySelectorAll("[data-load] a")].map(each => each.href)')
    assert len(ways) > 5
    assert all(way.startswith(address) for way in ways)
    assert browser.run(f'fetch("{ways[0]}").then(answer => answer.status)') == 200


def test_pictures_are_loaded_when_they_come_into_view(browser: Chromium, address: str) -> None:
    browser.open(f"{address}{TIE}")
    browser.wait('[...document.querySelectorAll(".ba img")].every(each => each.complete && each.naturalWidth > 100)')
    assert browser.run('document.querySelectorAll(".ba img").length') == 2


@pytest.mark.parametrize("page", sample(PAGES, 10))
def test_axe_finds_nothing(browser: Chromium, address: str, page: str) -> None:
    for width, dark in ((1280, False), (PHONE, False), (PHONE, True)):
        browser.screen(width, dark=dark)
        browser.open(f"{address}{page}")
        if page.startswith("r/"):
            browser.wait(f"location.pathname === '/{TIE}' && document.readyState === 'complete'")
        browser.run('document.querySelectorAll("details").forEach(each => { each.open = true; })')
        browser.run(AXE.read_text("utf-8") + "; true")
        assert not browser.run(FAULTS), (width, dark)
        assert browser.run("document.documentElement.scrollWidth") <= width, page


def test_a_printed_rule_has_its_questions_and_no_bars(browser: Chromium, address: str) -> None:
    browser.open(f"{address}{TIE}")
    assert browser.printed().startswith(b"%PDF-")
    browser.ask("Emulation.setEmulatedMedia", browser.page, media="print")
    gone = ".bar, .tabs, .actions, .pn, .ask"
    assert browser.run(f'[...document.querySelectorAll("{gone}")].every(each => !each.getClientRects().length)')
    assert browser.run('document.querySelector(".id").getClientRects().length')
