"""The built site: every link leads somewhere, every rule has its place, nothing is loaded from elsewhere."""

import json
import re
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from attrs import Factory, define

from tkid.rulebook import all_rules, rule
from tkid.rulebook.citations import register_data
from tkid.rulebook.register import DEFAULT as HOME

pytestmark = pytest.mark.slow
LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""Elements that make a browser load something at once, and where they say what."""
TOLD_ONLY = {"canonical", "next", "prev", "alternate"}
"""What a `link` may be that loads nothing."""


TAG = re.compile(
    r"""<!--.*?-->
    | <(?P<name>(?P<raw>script|style)|[a-z][\w-]*)\b(?P<attributes>(?:[^"'>]|"[^"]*"|'[^']*')*)>(?(raw).*?</(?P=raw)>)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
"""A comment, a script with what is in it, or the start of an element. The site has thousands of pages: a whole parser takes long."""
ATTRIBUTE = re.compile(r"""([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")


@define
class Page:
    """A page of the site: its places, its links, what it loads, its headings and pictures."""

    ids: list[str] = Factory(list)
    links: list[str] = Factory(list)
    loads: list[str] = Factory(list)
    headings: list[int] = Factory(list)
    unnamed: list[str] = Factory(list)
    charts: bool = False

    def feed(self, text: str) -> None:
        """Note what the elements of a page say."""
        for found in TAG.finditer(text):
            if found["name"]:
                self.note_element(found["name"].lower(), found["attributes"])

    def note_element(self, tag: str, attributes: str) -> None:
        """Note what an element says."""
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if not attributes:
            return
        said = {name.lower(): unescape("".join(values)) for name, *values in ATTRIBUTE.findall(attributes)}
        self.ids += [said["id"]] if "id" in said else []
        if tag == "a" and "href" in said:
            self.links.append(said["href"])
        if tag in LOADING and LOADING[tag] in said and said.get("rel", "") not in TOLD_ONLY:
            self.loads.append(said[LOADING[tag]])
        self.charts = self.charts or said.get("class") == "mermaid"
        if tag == "img" and not said.get("alt"):
            self.unnamed.append(str(said))


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """The pages by their address on the site, without `index.html`."""
    found = {}
    for file in site.rglob("*.html"):
        page = Page()
        page.feed(file.read_text("utf-8"))
        found[str(file.relative_to(site)).removesuffix("index.html")] = page
    assert len(found) > 20
    return found


@cache
def inside(page: str, link: str) -> tuple[str, str] | None:
    """Where a link on a page leads, path and fragment; None if that is not on the site."""
    address = urlsplit(urljoin(f"{HOME}{page}", link))
    if not address.geturl().startswith(HOME):
        return None
    return unquote(address.path.removeprefix("/")), unquote(address.fragment)


def test_every_link_leads_to_a_page_and_a_place(site: Path, pages: dict[str, Page]) -> None:
    followed = 0
    for path, page in pages.items():
        for link in page.links:
            target = inside(path, link)
            if target is None:
                continue
            followed += 1
            there, place = target
            assert there in pages or (site / there).is_file(), f"{path} links to {link}"
            if place and place != "__skip":
                assert place in pages[there].ids, f"{path} links to {link}"
    assert followed > 1000


def test_links_that_leave_the_site_are_safe(pages: dict[str, Page]) -> None:
    out = {link for path, page in pages.items() for link in page.links if inside(path, link) is None}
    assert not [link for link in out if not link.startswith(("https://", "mailto:"))]


def test_no_place_is_there_twice(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), path


def test_every_rule_has_a_page_and_a_place_and_its_permanent_address_leads_there(site: Path) -> None:
    """Retired ones too: their address leads to the rule that took their place."""
    for entry in all_rules():
        path = entry.link.removeprefix(HOME)
        goal = rule(entry.moved) if entry.moved else entry
        assert f'content="0; url={"../" * path.count("/")}{goal.path}"' in (site / path / "index.html").read_text(
            "utf-8"
        )
        page = (site / entry.path / "index.html").read_text("utf-8")
        assert f'<span class="id">{entry.id}</span>' in page, entry.id
        assert f'data-copy="{entry.link}"' in page, entry.id
        assert f'id="{entry.id}"' in (site / "rules" / entry.page / "index.html").read_text("utf-8"), entry.id


def test_headings_go_down_step_by_step(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        assert page.headings.count(1) == 1, path
        for above, below in zip(page.headings, page.headings[1:], strict=False):
            assert below <= above + 1, f"{path}: h{below} follows h{above}"


def test_pictures_are_described(pages: dict[str, Page], site: Path) -> None:
    for path, page in pages.items():
        assert not page.unnamed, path
    drawn = (site / "grammar" / "index.html").read_text("utf-8")
    assert drawn.count("<svg role") == drawn.count("<desc id") > 20


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        for load in page.loads:
            target = inside(path, load)
            assert target, f"{path} loads {load}"
            assert (site / target[0]).is_file() or target[0] in pages, f"{path} loads {load}"
    for file in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", file.read_text("utf-8")), file


def test_flow_charts_are_drawn_by_our_own_copy(pages: dict[str, Page]) -> None:
    """The theme would load what draws them from elsewhere, unless it is there already."""
    assert any(page.charts for page in pages.values())
    for path, page in pages.items():
        assert any(load.endswith("vendor/mermaid.tiny.js") for load in page.loads) == page.charts, path


def test_the_register_is_published(site: Path) -> None:
    assert json.loads((site / "rules.json").read_text("utf-8")) == register_data()
