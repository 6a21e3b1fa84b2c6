"""The pages of the rulesets: nothing in which one differs is left out, and what is less than certain is marked."""

from __future__ import annotations

import re
from functools import cache

import pytest

from docs.making import editions
from docs.making.pages import fill_page
from docs.making.words import prose
from tests.docs.site import ROOT
from tkid.games.struggle.rulesets.digest import EXTRA
from tkid.rulebook import all_rules
from tkid.rulebook.rulesets import compare_rulesets as rows_of
from tkid.rulebook.rulesets import rulesets

RULES = {entry.id: entry for entry in all_rules()}
NEAREST = {
    "first-edition.md": ("first-edition", "second-edition"),
    "mordred.md": ("first-edition-mordred", "first-edition"),
    "digest.md": ("digest", "second-edition"),
    "manual.md": ("manual", "first-edition"),
}


@cache
def page(name: str) -> str:
    """The page of an edition, with all that is filled in."""
    return fill_page((ROOT / "docs" / "editions" / name).read_text("utf-8"), f"editions/{name}")


def test_every_ruleset_has_a_page_that_says_how_sure_we_are() -> None:
    for each in rulesets():
        assert prose(each.source[1:]) in page("index.md")
        name = each.page.partition("#")[0]
        assert (ROOT / "docs" / name).exists()
        if name.startswith("editions/"):
            text = page(name.removeprefix("editions/"))
            assert f"`{each.code}`" in text
            assert prose(each.confidence[1:]) in text


@pytest.mark.parametrize("name", NEAREST)
def test_no_fact_in_which_a_ruleset_differs_is_left_out(name: str) -> None:
    some = tuple(next(each for each in rulesets() if each.code == code) for code in NEAREST[name])
    known = (
        "Source",
        "Factions",
        "Regions",
        "Borders",
        "Homes",
        "Cards that everybody holds",
        "Players",
        "Open question",
    )
    for row in rows_of(some):
        if row.differs and not row.title.startswith((*known, "Card: ")):
            assert f"| {prose(row.title)} |" in page(name), row.title


def test_what_is_less_than_certain_is_marked_on_the_pages() -> None:
    families = {"first": "first-edition.md", "digest": "digest.md", "manual": "manual.md", "claim": "claim.md"}
    for entry in RULES.values():
        if entry.confidence and entry.prefix in families:
            assert f"[{entry.id}]" in page(families[entry.prefix]).partition("{ #sure }")[2], entry.id
    assert "The map is inferred" in page("first-edition.md")
    for rule_id in ("manual.ruling.colours", "manual.ruling.face-down", "manual.ruling.one-region"):
        entry = RULES[rule_id]
        for said in (entry.question, entry.statement, entry.reason):
            assert prose(said) in page("manual.md")


def test_the_seven_cards_that_no_other_source_knows_are_marked() -> None:
    for name in EXTRA:
        assert re.search(rf"\[{name}\]\(\.\./cards/.*\| – \| Known from the digest only \|", page("digest.md")), name


def test_the_page_of_claim_holds_the_whole_game() -> None:
    for entry in RULES.values():
        if entry.prefix == "claim" and not entry.moved:
            assert prose(entry.statement) in page("claim.md"), entry.id


def test_regions_in_the_same_place_are_beside_each_other() -> None:
    """As the map of the first edition was inferred: place for place."""
    table = editions.printed("first-edition / second-edition", "")
    for pair in ("Moray | Caledonia", "Strathclyde | Din Eidyn", "Lancaster | Deva", "Northumbria | Eboracum"):
        assert f"| Region | {pair} |" in table
    for pair in ("Gwynedd | Caerleon", "Warwick | Ratae", "Essex | Londinium", "Devon | Aquae Sulis"):
        assert f"| Region | {pair} |" in table


def test_what_is_not_there_cannot_be_asked_for() -> None:
    with pytest.raises(LookupError, match="differ in nothing"):
        editions.differs("digest / second-edition / turns", "x.md")
    with pytest.raises(LookupError, match="certain"):
        editions.unsure("second", "x.md")
