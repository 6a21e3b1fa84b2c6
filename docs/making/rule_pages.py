"""A page for each rule, and a short address that leads to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from docs.making.cards import cards, path_of
from docs.making.evidence import evidence
from docs.making.found import linked_data
from docs.making.html import answer, html, slug
from docs.making.pictures import picture_of
from docs.making.pocket import pocket, pocket_pages
from docs.making.rules import SOURCES, touching
from docs.making.same import editions_of, in_editions
from docs.making.words import capital, heading, page_title, section_of
from tkid.kernel.ladder import Ladder
from tkid.rulebook import Rule, all_rules, rule
from tkid.rulebook.citations import ADDED, FORMATS, list_changes, read_history
from tkid.rulebook.register import VERSION

LINK = re.compile(r"\[(?P<text>[^\]]+)\]\(\.\./(?P<page>[^)]+)\.md\)")
"""A link in the words for a source."""


def title_of(entry: Rule) -> str:
    """The title of a rule; while it has none, its id in words."""
    return entry.title or heading(entry.id, section_of()[entry.id]) or entry.id


def file_of(entry: Rule) -> str:
    """The file of a rule's page on the site."""
    return f"{entry.path}index.html"


def chapter_path(entry: Rule) -> str:
    """The place of a rule's chapter on the page for reading."""
    place = slug(chapter_of(entry))
    return f"rules/{entry.page}/{f'#{place}' if place else ''}"


def chapter_of(entry: Rule) -> str:
    """The title of the chapter that a rule is in, "" where its file has no chapters."""
    return capital(section_of()[entry.id])


@cache
def _neighbours() -> Mapping[str, tuple[Rule | None, Rule | None]]:
    """The rules before and after each rule in its chapter, by id."""
    chapters: dict[tuple[str, str], list[Rule]] = {}
    for entry in all_rules():
        if not entry.moved:
            chapters.setdefault((entry.prefix, section_of()[entry.id]), []).append(entry)
    return {
        entry.id: (before, after)
        for chapter in chapters.values()
        for before, entry, after in zip([None, *chapter], chapter, [*chapter[1:], None], strict=False)
    }


def source_of(entry: Rule) -> tuple[str, str, str]:
    """Where a rule comes from: the text, the path of its page on the site ("" for a book), and the heading in it."""
    text, _, place = entry.source.partition(": ")
    words = SOURCES.get(text, text)
    linked = LINK.fullmatch(words)
    return (linked["text"], f"{linked['page']}/", place) if linked else (words, "", place)


def changed_in(entry: Rule) -> str:
    """The last version of the register that changed a rule by name; "" if none has since it was added."""
    every = read_history()["changes"]
    versions = [version for version, changes in every.items() if changes.get(entry.id, ADDED) != ADDED]
    return versions[-1] if versions else ""


# -- cards ------------------------------------------------------------------------------------------------


@cache
def _card_of(rule_id: str) -> tuple[str, Any] | None:
    """The title of the page of the card that a rule describes, and the card."""
    of_rule = ((title, card) for title, having in cards().items() for ruleset, card in having if card.rule == rule_id)
    return next(of_rule, None)


def steps_of(entry: Rule) -> list[list[tuple[str, Rule]]]:
    """The steps of the card that a rule describes: for each the ways to do it, with their rules; [] for another rule."""
    found = _card_of(entry.id)
    if found is None or not isinstance(found[1].ladder, Ladder):
        return []
    ladder = found[1].ladder
    nothing = rule(ladder.in_full.rpartition(".")[0] + ".nothing")
    tiers = [[(capital(shape.label), rule(shape.rule)) for shape in shapes] for shapes in ladder.tiers]
    return [*tiers, [("Nothing", nothing)]]


def gate_of(entry: Rule) -> Rule | None:
    """The rule by which a card may not be played at all in some places."""
    found = _card_of(entry.id)
    ladder = found[1].ladder if found else None
    return rule(ladder.gate.rule) if isinstance(ladder, Ladder) and ladder.gate else None


# -- a page -----------------------------------------------------------------------------------------------


def rule_page(entry: Rule) -> str:
    """The page of a rule."""
    before, after = _neighbours().get(entry.id, (None, None))
    card = _card_of(entry.id)
    rulings = [each for each in touching(entry) if not each.moved]
    return pocket(
        "rule.html",
        file_of(entry),
        title=title_of(entry),
        description=entry.statement,
        tab="rules",
        entry=entry,
        replaced=rule(entry.moved) if entry.moved else None,
        chapter=chapter_of(entry),
        chapter_path=chapter_path(entry),
        book=page_title(entry.page),
        applies=editions_of(entry),
        changed=changed_in(entry),
        picture=None if entry.moved else picture_of(entry.id),
        steps=steps_of(entry),
        gate=gate_of(entry),
        card=(card[0], path_of(card[0])) if card else None,
        rulings=rulings,
        see=[rule(other) for other in entry.related if rule(other) not in rulings],
        others=[] if entry.moved else in_editions(entry),
        source=source_of(entry),
        cite=f"[{entry.id}, register {VERSION}]",
        copied=FORMATS["text"](entry),
        bibtex=FORMATS["bibtex"](entry),
        data="" if entry.moved else linked_data(entry, title_of(entry)),
        before=before,
        after=after,
        title_of=title_of,
        html=html,
        answer=answer,
    )


def evidence_page(entry: Rule) -> str:
    """Where a rule is at work, as a page that its own one loads."""
    context = {"title": title_of(entry), "entry": entry, "lists": list(evidence(entry)), "html": html}
    return pocket("evidence.html", f"{entry.path}evidence.html", changes=list(list_changes(entry)), **context)


def sends_on(entry: Rule) -> str:
    """The page at a rule's short address: it leads to the rule's own page, or to that of the rule that replaced it."""
    goal = rule(entry.moved) if entry.moved else entry
    note = f"{entry.id} is retired. {goal.id} took its place." if entry.moved else ""
    context = {"title": title_of(goal), "description": goal.statement, "goal": goal.path, "note": note, "name": goal.id}
    return pocket("sends-on.html", f"r/{entry.id}/index.html", **context)


def folders() -> Iterator[tuple[str, str]]:
    """A page for each folder on the way to a rule: it leads to the rules below it, where they are listed to be read."""
    pages = {entry.page for entry in all_rules()}
    taken = {entry.path for entry in all_rules()} | {f"rules/{page}/" for page in pages}
    for entry in all_rules():
        words = entry.id.split(".")
        for count in range(1, len(words)):
            path = f"rules/{'/'.join(words[:count])}/"
            if path not in taken:
                taken.add(path)
                name = (
                    f"{page_title(entry.page)}: {chapter_of(entry)}"
                    if count > 1 and chapter_of(entry)
                    else page_title(entry.page)
                )
                goal = chapter_path(entry) if count > 1 else f"rules/{entry.page}/"
                context = {"title": name, "description": "", "goal": goal, "note": "", "name": name}
                yield f"{path}index.html", pocket("sends-on.html", f"{path}index.html", **context)


@pocket_pages
def rule_pages() -> Iterator[tuple[str, str]]:
    """The page of each rule with its evidence, and its short address."""
    for entry in all_rules():
        yield file_of(entry), rule_page(entry)
        yield f"{entry.path}evidence.html", evidence_page(entry)
        yield f"r/{entry.id}/index.html", sends_on(entry)
    yield from folders()
