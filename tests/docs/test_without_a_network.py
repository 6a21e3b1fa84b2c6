"""The site after the network is gone: what a device stored on the first visit, and what somebody asked it to keep."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.docs.chromium import IN_A_BROWSER, Chromium

ANSWERS = '[...document.querySelectorAll("[data-answers] .id")].map(each => each.textContent)'
STORED = """caches.keys().then(names => Promise.all(names.map(name => caches.open(name).then(cache => cache.keys()))))
    .then(found => found.flat().map(each => each.url))"""
TAKEN_OVER = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
RULE = "rules/second/struggle/tie/"
UNREAD = "rules/second/struggle/empty/"

pytestmark = IN_A_BROWSER


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[Chromium]:
    chromium.screen(390, 844)
    chromium.complaints.clear()
    yield chromium
    chromium.complaints.clear()  # it complains of the network, which is gone


def first_visit(browser: Chromium, address: str) -> None:
    browser.open(address)
    browser.wait(TAKEN_OVER)


def test_questions_are_answered_without_a_network(browser: Chromium, network: tuple[str, ExitStack]) -> None:
    address, connection = network
    first_visit(browser, address)
    browser.open(f"{address}{RULE}")
    assert not [each for each in browser.complaints if address in each]  # the page of a test before may still load
    connection.close()
    browser.open(f"{address}ask/?q=outmanoeuvre+undo")
    browser.wait(f"{ANSWERS}.length")
    browser.open(address)
    assert browser.run("document.querySelector('.hero img').naturalWidth")
    browser.open(f"{address}{RULE}")
    assert browser.run("document.querySelector('.statement') !== null")
    browser.open(f"{address}chapters/turn/")
    assert browser.run("document.querySelector('h1').textContent")


def test_a_page_that_is_not_there_says_so(browser: Chromium, network: tuple[str, ExitStack]) -> None:
    address, connection = network
    first_visit(browser, address)
    connection.close()
    browser.open(f"{address}{UNREAD}")
    assert browser.run("document.querySelector('h1').textContent") == "This page is not on your device yet"
    assert browser.run("getComputedStyle(document.querySelector('.bar')).position") == "sticky"
    browser.run("document.querySelector('.tabs a').click()")
    browser.wait("location.pathname === '/ask/'")


@pytest.mark.exhaustive
def test_all_rules_are_kept_if_somebody_asks(browser: Chromium, network: tuple[str, ExitStack]) -> None:
    address, connection = network
    first_visit(browser, address)
    browser.open(f"{address}more/")
    browser.wait("!document.querySelector('[data-keep]').hidden")
    browser.run("document.querySelector('[data-keep] button').click()")
    browser.wait("document.querySelector('[data-keep] [role=status]').textContent.startsWith('All ')")
    assert f"{address}{UNREAD}" in browser.run(STORED)
    connection.close()
    browser.open(f"{address}{UNREAD}")
    assert browser.run("document.querySelector('.statement') !== null")
    browser.open(f"{address}r/second.struggle.empty/")
    browser.wait(f"location.pathname === '/{UNREAD}'")
