"""Pages for reading: all rules of a file of the register by chapter, each at its old place; and the list of them all."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path

from attrs import frozen

from docs.making.html import html, slug
from docs.making.leaflets import list_leaflets
from docs.making.pocket import pocket, pocket_pages
from docs.making.rule_pages import chapter_of, title_of
from docs.making.words import TITLES, page_title, register_comments
from tkid.rulebook import Rule, all_rules, rule
from tkid.rulebook.rulesets import rulesets

OLD_PLACES = Path(__file__).parent / "old_places.toml"
"""Headings of former versions, each with a rule of its chapter."""


@frozen
class Chapter:
    """A chapter of a page: its title and place ("" where the page has no chapters), its rules, and its old places."""

    title: str
    place: str
    rules: tuple[Rule, ...]
    old: tuple[str, ...] = ()


@cache
def _books() -> Mapping[str, tuple[Rule, ...]]:
    """The rules of each page, in the order of the list."""
    pages: dict[str, list[Rule]] = {page: [] for page in TITLES}
    for entry in all_rules():
        pages.setdefault(entry.page, []).append(entry)
    return {page: tuple(entries) for page, entries in pages.items() if entries}


@cache
def old_places() -> Mapping[str, Mapping[str, str]]:
    """Old places by page, each with a rule to lead to."""
    places: Mapping[str, Mapping[str, str]] = tomllib.loads(OLD_PLACES.read_text("utf-8"))
    return places


def chapters(page: str) -> list[Chapter]:
    """The chapters of a page."""
    found = []
    for title, entries in groupby(_books()[page], key=chapter_of):
        rules = tuple(entries)
        ids = {entry.id for entry in rules}
        old = tuple(place for place, rule_id in old_places().get(page, {}).items() if rule_id in ids)
        found.append(Chapter(title, slug(title), rules, old))
    return found


def contents(page: str) -> list[Chapter]:
    """The chapters of a page that have a title; none where that is one at most."""
    titled = [chapter for chapter in chapters(page) if chapter.title]
    return titled if len(titled) > 1 else []


def _book(page: str) -> str:
    """A page for reading."""
    return pocket(
        "chapter.html",
        f"rules/{page}/index.html",
        title=page_title(page),
        description=f"All rules: {page_title(page)}",
        tab="rules",
        lead=register_comments(_books()[page][0].prefix)[0],
        chapters=chapters(page),
        contents=contents(page),
        has_rulings=any(entry.kind == "ruling" for entry in _books()[page]),
        leaflet=list_leaflets().get(page, ""),
        rule=rule,
        title_of=title_of,
        html=html,
    )


@pocket_pages
def reading_pages() -> Iterator[tuple[str, str]]:
    """A page for each file of the register, and the list of all chapters."""
    for page in _books():
        yield f"rules/{page}/index.html", _book(page)
    played = {entry.rule_prefix for entry in rulesets()}
    books = [
        (page, page_title(page), contents(page), len(entries), entries[0].prefix in played)
        for page, entries in _books().items()
    ]
    yield "rules/index.html", pocket("rules.html", "rules/index.html", title="All rules", tab="rules", books=books)
