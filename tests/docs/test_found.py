"""What search engines and chats get: the sitemap, canonical addresses, linked data, and what a link shows in a chat."""

from __future__ import annotations

import json
import re
import struct
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from docs.making.found import CARD, card, linked_data
from docs.making.pocket import POCKET_PAGES
from docs.making.rule_pages import folders, rule_page, sends_on, title_of
from tkid.rulebook import all_rules, rule
from tkid.rulebook.register import DEFAULT as HOME

META = re.compile(r'<meta (?:property|name)="(?P<key>[^"]+)" content="(?P<value>[^"]*)">')
LINKED = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
RULES = [entry for entry in all_rules() if not entry.moved]
SIDES = (1200, 630)
LIGHT = 100_000


def meta(page: str) -> dict[str, str]:
    """What a page says of itself to chats and search engines."""
    return {found["key"]: unescape(found["value"]) for found in META.finditer(page)}


def graph(page: str) -> dict[str, Any]:
    """The linked data of a page by type."""
    (text,) = LINKED.findall(page)
    data = json.loads(text)
    assert data["@context"] == "https://schema.org"
    return {each["@type"]: each for each in data["@graph"]}


@pytest.mark.slow
def test_every_rule_shows_title_statement_and_picture_in_a_chat_also_at_its_short_address() -> None:
    for entry in RULES:
        for page in (rule_page(entry), sends_on(entry)):
            said = meta(page)
            assert (said["og:title"], said["og:description"]) == (title_of(entry), entry.statement)
            assert (said["og:image"], said["og:url"]) == (f"{HOME}{CARD}", f"{HOME}{entry.path}")
            assert said["twitter:card"] == "summary_large_image"
            assert said.get("robots") != "noindex"
            assert f'<link rel="canonical" href="{HOME}{entry.path}"' in page


@pytest.mark.slow
def test_every_rule_is_a_term_and_its_questions_are_answered() -> None:
    for entry in RULES:
        found = graph(rule_page(entry))
        term = found["DefinedTerm"]
        assert (term["termCode"], term["name"], term["description"]) == (entry.id, title_of(entry), entry.statement)
        assert (term["@id"], term["url"]) == (entry.link, f"{HOME}{entry.path}")
        asked = found.get("FAQPage", {"mainEntity": []})["mainEntity"]
        assert [(each["name"], each["acceptedAnswer"]["text"]) for each in asked] == list(entry.asks)
        assert ("FAQPage" in found) == bool(entry.asks)


def test_no_text_ends_the_linked_data() -> None:
    entry = rule("second.turn.pass")._replace(statement="</script><b>")
    assert "<" not in linked_data(entry, "Passing")
    assert json.loads(linked_data(entry, "Passing"))["@graph"][0]["description"] == entry.statement


def test_a_retired_rule_shows_the_one_that_replaced_it() -> None:
    retired = rule("second.turn.pass")._replace(moved="second.turn.action")
    assert meta(sends_on(retired))["og:title"] == rule("second.turn.action").title
    assert not LINKED.search(rule_page(retired))


def test_the_picture_for_links_is_small() -> None:
    data = card()
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == SIDES
    assert len(data) < LIGHT


def test_every_folder_on_the_way_to_a_rule_leads_to_its_rules() -> None:
    made = dict(folders())
    there = {entry.path for entry in all_rules()} | {f"rules/{entry.page}/" for entry in all_rules()}
    for entry in all_rules():
        words = entry.id.split(".")
        for count in range(1, len(words)):
            path = f"rules/{'/'.join(words[:count])}/"
            assert (path in there) != (f"{path}index.html" in made), path
    assert 'url=../second-edition/"' in made["rules/second/index.html"]
    assert re.search(r'url=\.\./\.\./second-edition/#[a-z-]+"', made["rules/second/struggle/index.html"])
    assert (
        "second-edition/#" in re.findall(r"location\.replace\(([^)]*)\)", made["rules/second/struggle/index.html"])[0]
    )


@pytest.mark.slow
def test_the_sitemap_lists_every_page_that_is_to_be_found_and_nothing_else(site: Path) -> None:
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    root = ET.fromstring((site / "sitemap.xml").read_bytes())  # noqa: S314 - our own
    listed = [each.text or "" for each in root.iter(f"{space}loc")]
    assert len(listed) == len(set(listed))
    assert {f"{HOME}{entry.path}" for entry in all_rules()} <= {*listed}
    assert {HOME, f"{HOME}rules/second-edition/", f"{HOME}about/", f"{HOME}cards/spy/", f"{HOME}v/"} <= {*listed}
    for address in listed:
        page = (site / address.removeprefix(HOME) / "index.html").read_text("utf-8")
        assert f'<link rel="canonical" href="{address}"' in page
        assert meta(page)["og:url"] == address
    assert not [address for address in listed if address.startswith((f"{HOME}r/", f"{HOME}v/2026", f"{HOME}source/"))]
    assert (site / CARD).read_bytes() == card()
    assert f"Sitemap: {HOME}sitemap.xml" in (site / "robots.txt").read_text("utf-8")


def test_every_page_of_our_own_shows_something_in_a_chat() -> None:
    pages = [page for make in POCKET_PAGES for page in make() if page[0].startswith(("ask/", "rules/index", "v/index"))]
    assert pages
    for path, page in pages:
        assert meta(page)["og:title"], path
        assert meta(page)["og:description"], path
