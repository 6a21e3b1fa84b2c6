"""Titles, headings, links and prose of the pages that are made of the register."""

from __future__ import annotations

import re
from functools import cache
from itertools import takewhile
from pathlib import Path
from posixpath import dirname, relpath

from tkid.rulebook import Rule, all_rules, is_known_rule, rule
from tkid.rulebook.register import find_page, list_prefixes, read_register_text
from tkid.rulebook.register import find_page_title as title_of
from tkid.rulebook.rulesets import rulesets

ROOT = Path(__file__).parents[2]
"""The repository."""
TITLES = {
    find_page(prefix): title_of(prefix)
    for prefix in (
        *dict.fromkeys(entry.rule_prefix for entry in rulesets()),
        "notation",
        "record",
        "mail",
        "post",
        "club",
    )
}
"""The titles of the pages of rules, in reading order."""
MARKS = re.compile(r"^# -- (?P<section>.+?) -+$|^\[\"(?P<id>.+)\"\]$", re.MULTILINE)

TO_RULES = re.compile(r"\]\((?P<top>(?:\.\./)*)rules/(?P<page>[\w-]+)\.md(?P<place>#[\w.-]+)?\)")
"""A link to a page of rules, or to a place on it."""
TO_OWN = re.compile(
    r"\]\((?P<top>(?:\.\./)*)(?P<page>cards/[\w-]+|play|rulings|comparison|conformance)\.md(?P<place>#[\w.-]+)?\)"
)
"""A link to another page in the site's own look, which no file under docs/ has."""
UNSEEN = '<span class="vh">About</span>'
"""The head of a column that needs none to be understood, but for screen readers."""


def page_title(page: str) -> str:
    """The title of a page of rules."""
    return TITLES.get(page, page.replace("-", " ").capitalize())


@cache
def register_comments(prefix: str) -> tuple[str, dict[str, str]]:
    """What the comments of a register file say: of the whole file, and of each id its section ("" where it has none)."""
    text = read_register_text(prefix)
    sections, section = {}, ""
    for mark in MARKS.finditer(text):
        section = mark["section"] or section
        if mark["id"]:
            words = mark["id"].split(".")
            sections[mark["id"]] = section or (words[1] if len(words) > 2 else "")
    return " ".join(line[2:] for line in takewhile(lambda line: line.startswith("# "), text.splitlines())), sections


@cache
def section_of() -> dict[str, str]:
    """The section of the register in which each rule stands, by id."""
    return {rule_id: title for prefix in list_prefixes() for rule_id, title in register_comments(prefix)[1].items()}


def section(prefix: str, title: str) -> list[Rule]:
    """The rules of a section of the register. Raises LookupError where there is none of this title."""
    entries = [entry for entry in all_rules() if entry.prefix == prefix and section_of()[entry.id] == title]
    if not entries:
        raise LookupError(f"{prefix}.toml has no section {title!r}")
    return entries


def prose(text: str) -> str:
    """A statement as Markdown: what stands in backticks is code, everything else is plain."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\*_\[\]{}|])", r"\\\1", part).replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts)


def capital(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def heading(rule_id: str, section: str) -> str:
    """An id in words: without its prefix, and without its second word where the section's title says it already."""
    words = rule_id.split(".")[1:]
    if len(words) > 1 and any(word.startswith(words[0][:3]) for word in section.lower().split()):
        del words[0]
    return capital(": ".join(words).replace("-", " "))


def path_to(target: str, here: str) -> str:
    """The way from a page to another file of the site, both as paths under docs/; "" from a page to itself."""
    return "" if target == here else relpath(target, dirname(here) or ".")


def link(rule_id: str, here: str, shown: str = "") -> str:
    """A link to a rule from a page, which shows the id unless something else is to be shown."""
    return f"[{shown or rule_id}]({path_to(f'{rule(rule_id).path}index.html', here)})"


def to_rules(markdown: str) -> str:
    """A written page whose links lead to pages in the site's own look.

    Links to places on the pages of rules (`rules/second-edition.md#…`) lead to the rules' own pages.
    """

    def led(found: re.Match[str]) -> str:
        place = found["place"] or ""
        if is_known_rule(place[1:]):
            return f"]({found['top']}{rule(place[1:]).path}index.html)"
        folder = "" if found["page"] == "index" else f"{found['page']}/"
        return f"]({found['top']}rules/{folder}index.html{place})"

    def led_on(found: re.Match[str]) -> str:
        folder = found["page"].removesuffix("index").rstrip("/")
        return f"]({found['top']}{folder}/index.html{found['place'] or ''})"

    return TO_OWN.sub(led_on, TO_RULES.sub(led, markdown))


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown. A column without a head gets one for screen readers."""
    lines = [[words or UNSEEN for words in head], ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
