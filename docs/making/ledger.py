"""The page of all rulings, the second edition first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from attrs import frozen

from docs.making.html import answer, html, slug
from docs.making.pocket import pocket, pocket_pages
from docs.making.reading import old_places
from docs.making.rule_pages import source_of, title_of
from docs.making.words import page_title
from tkid.rulebook import Rule, all_rules, rule
from tkid.rulebook.rulesets import rulesets

HERE = "rulings/index.html"


@frozen
class Group:
    """The rulings of an edition: its title and place on the page."""

    title: str
    place: str
    rulings: tuple[Rule, ...]


def groups() -> list[Group]:
    """All rulings by edition."""
    rulings: dict[str, list[Rule]] = {ruleset.rule_prefix: [] for ruleset in rulesets()}
    for entry in all_rules():
        if entry.kind == "ruling" and not entry.moved:
            rulings.setdefault(entry.prefix, []).append(entry)
    titles = {prefix: page_title(entries[0].page) for prefix, entries in rulings.items() if entries}
    return [Group(title, slug(title), tuple(rulings[prefix])) for prefix, title in titles.items()]


@cache
def ledger() -> str:
    """The page."""
    old: dict[str, list[str]] = {}
    for place, rule_id in old_places().get("rulings", {}).items():
        old.setdefault(rule(rule_id).moved or rule_id, []).append(place)
    return pocket(
        "rulings.html",
        HERE,
        title="Rulings",
        description="What we do where the rulebook is silent or can be read in two ways, and why.",
        tab="rules",
        groups=groups(),
        old=old,
        title_of=title_of,
        source_of=source_of,
        html=html,
        answer=answer,
    )


@pocket_pages
def ledger_pages() -> Iterator[tuple[str, str]]:
    """The page of rulings."""
    yield HERE, ledger()
