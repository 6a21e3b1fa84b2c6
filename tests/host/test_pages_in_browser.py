"""The pages of a club in a real browser, from a folder: no fault of access, no sideways scrolling, nothing to complain about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.club.clubs import START, hosted
from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.host.sites import ANN, BOB, CAL, DEE, Site, broken_links, club, some_games
from tests.shared.tables import sample
from tkid.club.tournament import Entrant, Pairing, Side, Tournament
from tkid.mail.model import Document

pytestmark = IN_A_BROWSER
PHONES, DESK = (320, 390), 1280
AXE = Path(__file__).parents[1] / "docs" / "vendor" / "axe.min.js"
FINDINGS = """axe.run({resultTypes: ["violations"], preload: false}).then(found => found.violations
    .map(fault => fault.id + ": " + fault.nodes.map(node => node.html.slice(0, 150)).slice(0, 3).join(" | ")))"""
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
SMALL = """[...document.querySelectorAll("a, summary")].filter(each => each.offsetParent !== null
    && !each.closest(".skip, p:not(.actions, .chips, .pages), dd, td, th, footer"))
    .filter(each => each.getBoundingClientRect().height < 43.5).map(each => each.outerHTML.slice(0, 120))"""
"""Links and controls that are too low to be pressed; those within a text or a table are as high as their line."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with club(tmp_path_factory.mktemp("club"), covers=True) as made:
        made.keep(**some_games())
        made.keep(empty=hosted([ANN, DEE], "first-edition", turns=0, start=START + timedelta(days=80)))
        sides = tuple(Side((Entrant(each.partition(" <")[0], each.partition("<")[2][:-1], "accepted"),)) for each in (ANN, BOB, CAL))  # fmt: skip
        rounds = ((Pairing(0, 1, ("over",)), Pairing(2)),)
        cup = Tournament("Autumn cup", "swiss", 3, "second-edition", sides, START, played=rounds)
        with made.store.begin_transaction() as transaction:
            transaction.documents.store_document(Document("tournament", cup.name, cup.text))
        made.publish()
        yield made


def pages(site: Site) -> list[str]:
    """A page of each kind."""
    files = site.files()
    cup = next(path for path in files if path.startswith("tournaments/autumn"))
    return [
        "index.html",
        "games/winter.html",
        "games/empty.html",
        "games/over.html",
        "games/gone.html",
        "archive/index.html",
        "archive/rules-claim.html",
        "players/index.html",
        "players/ann-archer.html",
        "ratings/index.html",
        "ratings/cross-struggle.html",
        "tournaments/index.html",
        cup,
        "404.html",
    ]


def test_nothing_leads_nowhere(site: Site) -> None:
    assert not broken_links(site.files())


@pytest.mark.parametrize("dark", sample([True, False], 2))
def test_no_fault_of_access(browser: Chromium, site: Site, dark: bool) -> None:  # noqa: FBT001 - light or dark
    found = []
    browser.screen(DESK, dark=dark)
    for path in pages(site):
        browser.open((site.www / path).as_uri())
        browser.run(AXE.read_text("utf-8"))
        found += [f"{path}: {fault}" for fault in browser.run(FINDINGS)]
    assert not found


def test_pages_fit_a_phone(browser: Chromium, site: Site) -> None:
    found = []
    for width in PHONES:
        browser.screen(width)
        for path in pages(site):
            browser.open((site.www / path).as_uri())
            found += [f"{path} at {width}: too wide"] if browser.run(TOO_WIDE) else []
            found += [f"{path}: {each}" for each in browser.run(SMALL)]
    assert not found


def test_pictures_are_there(browser: Chromium, site: Site) -> None:
    for path in ("index.html", "games/winter.html", "games/over.html"):
        browser.open((site.www / path).as_uri())
        browser.run("document.querySelectorAll('img').forEach(each => each.loading = 'eager')")
        browser.wait("[...document.images].every(each => each.complete)")
        assert browser.run("document.images.length > 0 && [...document.images].every(each => each.naturalWidth > 0)")


def test_a_replay_is_a_press_away(browser: Chromium, site: Site) -> None:
    browser.open((site.www / "games/over.html").as_uri())
    browser.run("document.querySelector('.btn.main').click()")
    browser.wait("location.pathname.includes('/replays/') && !!document.querySelector('#go')")
    assert browser.run("document.querySelector('h1').textContent") == "An old game"
