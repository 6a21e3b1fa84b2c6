"""The question box in a real browser: it answers as people type, by keyboard and by touch, and remembers their edition."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.shared.tables import sample

PHONE, DESK = 390, 1280
LOOKED_AT = (
    "",
    "play/",
    "ask/",
    "ask/?q=outmanoeuvre+undo",
    "ask/?q=zyzzyva",
    "more/",
    "offline/",
    "ask/?q=tie&edition=first",
)
QUESTION = "outmanoeuvre undo"
RULE = "second.card.outmanoeuvre.undo"
PAGE = "rules/second/card/outmanoeuvre/undo/"
NOBODY = "zyzzyva quux"
"""Words that no rule has."""
OPTIONS = '[...document.querySelectorAll("#ask-list [role=option]")].map(each => each.textContent)'
ACTIVE = 'document.getElementById(document.querySelector("#q").getAttribute("aria-activedescendant"))?.textContent'
ANSWERS = '[...document.querySelectorAll("[data-answers] .id")].map(each => each.textContent)'
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
FINDINGS = """axe.run({resultTypes: ["violations"]}).then(found => found.violations
    .map(fault => fault.id + ": " + fault.nodes.map(node => node.html.slice(0, 150)).slice(0, 3).join(" | ")))"""
KEYBOARD = 330
"""Pixels from the top at which the keyboard of a phone begins."""
NOTICED = 50
"""Milliseconds from a letter to the answers."""

pytestmark = IN_A_BROWSER


@pytest.fixture
def browser(chromium: Chromium, address: str) -> Iterator[Chromium]:
    """A browser that remembers nothing. Whatever a test does, nothing is complained about or asked of other machines."""
    chromium.open(f"{address}offline/")
    chromium.run("localStorage.clear()")
    chromium.screen(DESK)
    chromium.requests.clear()
    chromium.complaints.clear()
    yield chromium
    assert not chromium.complaints
    assert not [asked for asked in chromium.requests if not asked.startswith((address, "data:", "blob:"))]


def ask(browser: Chromium, words: str) -> list[str]:
    """Type words into the box, and read the options under it."""
    browser.press("/")
    browser.wait("document.activeElement.id === 'q'")
    browser.insert(words)
    return list(browser.wait(f"{OPTIONS}.length && {OPTIONS}"))


# -- keyboard and touch -----------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["", "more/", PAGE])
def test_a_question_is_asked_and_answered_by_keyboard(browser: Chromium, address: str, page: str) -> None:
    browser.open(f"{address}{page}")
    options = ask(browser, QUESTION)
    assert any(RULE in each for each in options)
    assert browser.run('document.querySelector("#q").getAttribute("aria-expanded")') == "true"
    while RULE not in (browser.run(ACTIVE) or ""):
        browser.press("ArrowDown")
    browser.press("Enter")
    browser.wait(f"location.pathname === '/{PAGE}'")


def test_the_arrows_go_round_and_escape_leaves(browser: Chromium, address: str) -> None:
    browser.open(address)
    options = ask(browser, QUESTION)
    browser.press("ArrowUp")
    assert browser.run(ACTIVE) == options[-1]
    browser.press("ArrowDown")
    assert browser.run(ACTIVE) is None
    browser.press("ArrowDown")
    assert browser.run(ACTIVE) == options[0]
    browser.press("Escape")
    assert browser.run('document.querySelector("#ask-list").hidden')
    assert browser.run('document.querySelector("#q").value') == QUESTION
    browser.press("Escape")
    browser.wait('document.querySelector("#q").value === ""')


def test_enter_leads_to_all_answers_and_the_question_is_remembered(browser: Chromium, address: str) -> None:
    browser.open(address)
    ask(browser, QUESTION)
    browser.press("Enter")
    browser.wait(f"location.pathname === '/ask/' && {ANSWERS}.includes('{RULE}')")
    browser.open(f"{address}more/")
    browser.press("/")
    browser.wait(f"{OPTIONS}.includes('{QUESTION}')")


def test_a_question_is_asked_and_answered_by_touch(browser: Chromium, address: str) -> None:
    browser.screen(PHONE, 844)
    browser.open(address)
    browser.tap("#q")
    browser.wait("document.activeElement.id === 'q'")
    assert browser.run("getComputedStyle(document.querySelector('.tabs')).display") == "none"
    browser.insert(QUESTION)
    browser.wait(f"{OPTIONS}.length")
    first = 'document.querySelector("#ask-list [role=option]")'
    browser.wait(f"{first}.getBoundingClientRect().top < {KEYBOARD}")
    browser.tap("#ask-list [role=option]")
    browser.wait("location.pathname.startsWith('/rules/')")


def test_the_arrows_reach_the_answers_on_ask(browser: Chromium, address: str) -> None:
    browser.open(f"{address}ask/?q=outmanoeuvre+undo")
    browser.wait(f"{ANSWERS}.includes('{RULE}')")
    browser.press("/", "ArrowDown")
    assert browser.run("document.activeElement.closest('[data-answers]') !== null")
    browser.press("ArrowUp")
    assert browser.run("document.activeElement.id") == "q"


# -- what is said -----------------------------------------------------------------------------------------


def test_an_answer_comes_while_somebody_types(browser: Chromium, address: str) -> None:
    browser.open(f"{address}ask/?q=tie")
    browser.wait(f"{ANSWERS}.length")
    took = browser.run("""new Promise(done => {
        const box = document.querySelector("#q"), began = performance.now();
        new MutationObserver(() => done(performance.now() - began)).observe(document.querySelector("[data-answers]"), {childList: true});
        box.value = "who wins a tie in a region";
        box.dispatchEvent(new Event("input"));
    })""")
    print(f"answered in {took:.0f} ms; people notice more than {NOTICED}")  # noqa: T201 - a figure to be read
    assert browser.run(ANSWERS)


def test_the_status_line_counts_the_answers(browser: Chromium, address: str) -> None:
    browser.open(f"{address}ask/?q=outmanoeuvre+undo")
    browser.wait(r"/^\d+ (possible )?answer/.test(document.querySelector('form.ask + [role=status]').textContent)")


def test_an_id_is_found(browser: Chromium, address: str) -> None:
    browser.open(f"{address}ask/?q={RULE}")
    browser.wait(f"{ANSWERS}[0] === '{RULE}'")


def test_words_that_no_rule_has_are_named(browser: Chromium, address: str) -> None:
    browser.open(f"{address}ask/?q={NOBODY.replace(' ', '+')}")
    browser.wait("document.querySelector('[data-answers] .none')?.textContent.includes('“zyzzyva” or “quux”')")


def test_all_results_are_shown_when_somebody_asks(browser: Chromium, address: str) -> None:
    browser.open(f"{address}ask/?q=pass")
    few = browser.wait(f"{ANSWERS}.length")
    assert few <= 9
    browser.run("document.querySelector('.more button').click()")
    browser.wait(f"{ANSWERS}.length > {few}")
    assert any("ask-protocol" in asked for asked in browser.requests)


def test_typed_answers_come_without_the_rules_on_files_and_mails(browser: Chromium, address: str) -> None:
    browser.open(f"{address}ask/?q=pass")
    browser.wait(f"{ANSWERS}.length")
    assert not any("ask-protocol" in asked for asked in browser.requests)


# -- the edition ------------------------------------------------------------------------------------------


def test_the_edition_is_remembered_and_the_address_goes_first(browser: Chromium, address: str) -> None:
    browser.open(address)
    browser.run("""{const select = document.querySelector(".ed select");
        select.value = "first"; select.dispatchEvent(new Event("change"));}""")
    assert browser.run("location.search") == "?edition=first"
    browser.open(f"{address}ask/?q=tie")
    browser.wait(f"{ANSWERS}.length && {ANSWERS}[0].startsWith('first.')")
    assert browser.run("document.querySelector('.ed select').value") == "first"
    browser.open(f"{address}ask/?q=tie&edition=second")
    browser.wait(f"{ANSWERS}.length && {ANSWERS}[0].startsWith('second.')")


def test_another_edition_answers_at_once(browser: Chromium, address: str) -> None:
    browser.open(f"{address}ask/?q=tie")
    browser.wait(f"{ANSWERS}.length")
    browser.run("""{const select = document.querySelector(".ed select");
        select.value = "first"; select.dispatchEvent(new Event("change"));}""")
    browser.wait(f"{ANSWERS}[0].startsWith('first.')")
    assert "edition=first" in browser.run("location.search")


def test_start_shows_what_people_ask_about_the_chosen_edition(browser: Chromium, address: str) -> None:
    browser.open(f"{address}?edition=claim")
    shown = browser.run(
        '[...document.querySelectorAll(".asked")].filter(each => !each.hidden).map(each => each.dataset.edition)'
    )
    assert shown == ["claim"]


def test_an_answer_has_the_pictures_of_the_page_of_its_rule_with_captions(browser: Chromium, address: str) -> None:
    browser.screen(PHONE)
    browser.open(f"{address}ask/?q=can+i+summon+from+the+supply")
    browser.wait("document.querySelectorAll('.answer .ba .cap').length === 2")
    assert browser.run("[...document.querySelectorAll('.answer .ba img')].every(each => each.alt && each.naturalWidth)")
    assert browser.run("document.querySelector('.ed select').selectedOptions[0].text") == "Second"


# -- access -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "width"), sample([(page, width) for page in LOOKED_AT for width in (320, PHONE, DESK)], 17)
)
def test_axe_finds_nothing_and_nothing_is_too_wide(browser: Chromium, address: str, page: str, width: int) -> None:
    for dark in (False, True):
        browser.screen(width, dark=dark)
        browser.open(f"{address}{page}")
        if "q=" in page:
            browser.wait("document.querySelector('[data-answers] .more') !== null")
        browser.run(AXE.read_text("utf-8") + "; true")
        assert browser.run(FINDINGS) == []
        assert browser.run("document.documentElement.scrollWidth <= innerWidth")


def test_axe_finds_nothing_while_somebody_types(browser: Chromium, address: str) -> None:
    browser.open(address)
    ask(browser, QUESTION)
    browser.press("ArrowDown")
    browser.run(AXE.read_text("utf-8") + "; true")
    assert browser.run(FINDINGS) == []


def test_without_scripts_the_box_leads_to_all_rules(browser: Chromium, address: str) -> None:
    browser.ask("Emulation.setScriptExecutionDisabled", browser.page, value=True)
    try:
        browser.open(address)
        assert browser.run("new URL(document.querySelector('form.ask').action).pathname") == "/rules/"
    finally:
        browser.ask("Emulation.setScriptExecutionDisabled", browser.page, value=False)


# -- speed ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", sample(["", "ask/", PAGE, "more/"], 2))
def test_a_page_comes_to_a_slow_phone(browser: Chromium, address: str, page: str) -> None:
    """At a quarter of the speed, with 1.6 Mbit/s. It prints when something is seen first."""
    browser.screen(PHONE, 844)
    browser.ask("Network.setCacheDisabled", browser.page, cacheDisabled=True)
    browser.ask("Network.setBypassServiceWorker", browser.page, bypass=True)
    browser.slow_down(cpu=4, bytes_a_second=200_000, latency=150)
    painted = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime'
    try:
        browser.open(f"{address}{page}")
        seen = browser.wait(painted)
        print(f"/{page}: seen after {seen / 1000:.1f} s")  # noqa: T201 - a figure to be read
        assert browser.run("document.querySelector('h1') !== null")
    finally:
        browser.slow_down(cpu=1, bytes_a_second=-1, latency=0)
        browser.ask("Network.setBypassServiceWorker", browser.page, bypass=False)
        browser.ask("Network.setCacheDisabled", browser.page, cacheDisabled=False)
