"""The site in a real browser: search, links to rules, colours, a phone, the keyboard, print; and no fault of access."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.chromium import IN_A_BROWSER, Chromium
from tests.docs.site import built, served

RULE = "second.partial.in-full"
PAGES = (
    "",
    "rules/second-edition/",
    "rulings/",
    "notation/",
    "python/",
    "glossary/",
    "ten-minutes/",
    "cards/suppress/",
    "chapters/endings/",
    "comparison/",
)
PHONE = 360
"""Pixels: how narrow a screen may be."""
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
COLOURS = '{runOnly: ["color-contrast", "link-in-text-block"]}'
"""What axe has to look at once more where only the colours have changed."""
FAULTS = """axe.run(%s).then(found => found.violations
    .filter(fault => ["serious", "critical"].includes(fault.impact))
    .map(fault => fault.id + ": " + fault.nodes.map(node => node.html.slice(0, 150)).slice(0, 3).join(" | ")))"""
FOUND = '[...document.querySelectorAll(".md-search-result__link")].map(link => link.href)'

pytestmark = IN_A_BROWSER


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as where:
        yield where


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


@pytest.fixture
def quick(browser: Chromium) -> Iterator[Chromium]:
    """The browser, for tests of many pages that search nothing: no page takes time to make its index for the search."""
    idle = "window.Worker = class extends EventTarget { postMessage() {} terminate() {} }"
    number = browser.ask("Page.addScriptToEvaluateOnNewDocument", browser.page, source=idle)["identifier"]
    yield browser
    browser.ask("Page.removeScriptToEvaluateOnNewDocument", browser.page, identifier=number)


def search(browser: Chromium, words: str) -> list[str]:
    """The addresses that a search finds, best first. Everything is done with the keyboard."""
    browser.press("s")
    browser.wait("document.activeElement.matches('.md-search__input')")
    browser.insert(words[:-1])  # at once: of half an id the search complains on the console, if it gets to look at it
    browser.press(words[-1])
    found = browser.wait(f"{FOUND}.length > 0 && {FOUND}")
    while (later := browser.run(f"new Promise(done => setTimeout(() => done({FOUND}), 300))")) != found:
        found = later
    return list(found)


def coloured(browser: Chromium, scheme: str) -> None:
    """Press the button for colours until they are the wanted ones."""
    if browser.run("document.body.dataset.mdColorScheme") != scheme:
        browser.run('document.querySelector("label.md-header__button[for^=__palette]:not([hidden])").click()')
    browser.wait(f"document.body.dataset.mdColorScheme === '{scheme}'")


# -- search -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (RULE, f"rules/second-edition/#{RULE}"),
        ("partial.in-full", f"rules/second-edition/#{RULE}"),
        ("second.ruling.final-tie", "rules/second-edition/#second.ruling.final-tie"),
        ("record.turn.undone", "rules/record/#record.turn.undone"),
        ("outmanoeuvre undo", "rules/second-edition/#second.card.outmanoeuvre.undo"),
        ("empty region unstable", "rules/second-edition/#second.struggle.empty"),
        ("complete set", "rules/second-edition/#second.ending.invasion.sets"),
        ("Negotiate", "rules/second-edition/#second.card.negotiate"),
        ("Suppress", "rules/second-edition/#second.card.suppress"),
    ],
)
def test_a_search_finds_the_rule_first(browser: Chromium, address: str, words: str, expected: str) -> None:
    """By its id, a part of it, its words, or the name of a card: among the rules, it is the best one."""
    browser.open(address)
    found = [where.split("?")[0] + "#" + where.partition("#")[2] for where in search(browser, words)]
    rules = [where.removeprefix(address) for where in found if "." in where.partition("#")[2]]
    assert rules[:1] == [expected], found[:8]


def test_a_search_finds_a_rule_by_its_number(browser: Chromium, address: str) -> None:
    browser.open(f"{address}rules/second-edition/")
    number = browser.run(f'document.getElementById("{RULE}").firstChild.textContent.split(" ")[0]')
    assert "." in number
    assert any(where.endswith(f"#{RULE}") for where in search(browser, number))


def test_the_keyboard_reaches_search_and_results(browser: Chromium, address: str) -> None:
    browser.open(address)
    search(browser, RULE)
    browser.press("ArrowDown", "ArrowDown")
    browser.wait(f"document.activeElement.matches('.md-search-result__link[href$=\"#{RULE}\"]')")
    browser.press("Enter")
    browser.wait(f"location.pathname === '/rules/second-edition/' && location.hash === '#{RULE}'")


# -- rules ------------------------------------------------------------------------------------------------


def test_the_first_stop_of_the_keyboard_skips_to_the_text(browser: Chromium, address: str) -> None:
    browser.open(f"{address}rules/second-edition/")
    browser.press("Tab")
    assert browser.run("document.activeElement.matches('.skip')")


# -- how it looks -----------------------------------------------------------------------------------------


def test_dark_colours_are_taken_by_who_likes_them_and_can_be_changed(browser: Chromium, address: str) -> None:
    for dark, scheme, other in ((True, "slate", "default"), (False, "default", "slate")):
        browser.open("about:blank?")  # so that no page is left that would remember its colours
        browser.screen(1280, dark=dark)
        browser.ask("Storage.clearDataForOrigin", browser.page, origin=address, storageTypes="local_storage")
        browser.open(address)
        browser.wait(f"document.body.dataset.mdColorScheme === '{scheme}'")
        coloured(browser, other)
        browser.open(f"{address}rulings/")
        browser.wait(f"document.body.dataset.mdColorScheme === '{other}'")


@pytest.mark.exhaustive
def test_a_phone_shows_every_page_without_moving_it_sideways(quick: Chromium, address: str, site: Path) -> None:
    quick.screen(PHONE)
    pages = sorted(str(file.relative_to(site)).removesuffix("index.html") for file in site.rglob("index.html"))
    assert len(pages) > 20
    for page in pages:
        quick.open(f"{address}{page}")
        assert quick.run("document.documentElement.scrollWidth") <= PHONE, page
        assert quick.run("document.querySelector('.md-content').scrollWidth") <= PHONE, page


def test_a_wide_diagram_moves_by_itself(browser: Chromium, address: str) -> None:
    browser.screen(PHONE)
    browser.open(f"{address}orders/#grammar")
    assert browser.run('[...document.querySelectorAll(".track")].some(each => each.scrollWidth > each.clientWidth)')


def test_flow_charts_are_drawn(browser: Chromium, address: str) -> None:
    browser.open(f"{address}python/")
    browser.wait('document.querySelector("div.mermaid")?.getBoundingClientRect().height > 50')
    assert any("mermaid" in asked for asked in browser.requests)


# -- access -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_no_serious_fault(quick: Chromium, address: str, page: str) -> None:
    quick.open(f"{address}{page}")
    quick.run(AXE.read_text("utf-8") + "; true")
    coloured(quick, "default")
    assert not quick.run(FAULTS % "{}")
    coloured(quick, "slate")
    assert not quick.run(FAULTS % COLOURS)


def test_axe_finds_no_serious_fault_in_a_file_of_the_repository(quick: Chromium, address: str) -> None:
    for dark in (False, True):
        quick.screen(PHONE, dark=dark)
        quick.open(f"{address}source/tkid/games/struggle/rules/turns/struggles.py.html#L18")
        quick.run(AXE.read_text("utf-8") + "; true")
        assert not quick.run(FAULTS % "{}")
        assert quick.run("document.documentElement.scrollWidth <= innerWidth")
    quick.screen(1280)


# -- read from a folder -----------------------------------------------------------------------------------


@pytest.mark.exhaustive
def test_the_site_can_be_read_from_a_folder(browser: Chromium, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = built(tmp_path_factory, offline=True)
    browser.open((folder / "index.html").as_uri())
    found = search(browser, RULE)
    assert any(where.startswith(folder.as_uri()) and where.endswith(f"#{RULE}") for where in found)
    browser.open((folder / "rules" / "second-edition.html").as_uri() + f"#{RULE}")
    browser.wait("scrollY > 500")
