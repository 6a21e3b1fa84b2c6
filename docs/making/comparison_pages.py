"""The pages that compare editions: what each has on the board, in set-up and at the end, and what each rule says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from docs.making.comparison import rows
from docs.making.games import struggles
from docs.making.html import html
from docs.making.pocket import pocket, pocket_pages, ruleset_names
from docs.making.rule_pages import title_of
from tkid.rulebook import Rule, rule
from tkid.rulebook.rulesets import find_rules_in_force, rulesets

FACTS, RULES = "comparison/index.html", "comparison/rules/index.html"


@frozen
class Cell:
    """What one edition says, line by line, with its rules. `column` is the one that says the same, -1 for none."""

    lines: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    column: int = -1


@frozen
class Line:
    """A row of a table: its title and a cell for each column."""

    title: str
    cells: tuple[Cell, ...]


def columns() -> list[tuple[str, str, str]]:
    """The columns: the ruleset's code, the words above it, and its name."""
    return [(each.code, *ruleset_names()[each.code]) for each in struggles()]


def facts(*, differing: bool) -> list[Line]:
    """What rulesets state, as far as they differ in it, or as far as they do not."""
    found = []
    for row in rows():
        if row.differs == differing:
            shown = [row.cells[each.code] for each in struggles()]
            cells = [Cell(tuple(fact.text.split("\n")), tuple(map(rule, fact.rules))) for fact in shown]
            found.append(Line(row.title, tuple(cells if differing else cells[:1])))
    return found


def topics() -> list[Line]:
    """What rules say that several editions have, each text once."""
    held: list[Mapping[str, Rule]] = [
        {entry.topic: entry for entry in find_rules_in_force(each.code).values() if not entry.moved}
        for each in struggles()
    ]
    found = []
    for topic in dict.fromkeys(topic for each in held for topic in each):
        entries = [each.get(topic) for each in held]
        texts = [(entry.statement, entry.default) if entry else None for entry in entries]
        if len({text for text in texts if text}) < 2:
            continue
        cells: list[Cell] = []
        for entry, text in zip(entries, texts, strict=True):
            first = texts.index(text)
            same = entry is not None and first < len(cells)
            cells.append(Cell(column=first) if same else Cell((entry.statement,), (entry,)) if entry else Cell(("–",)))
        found.append(Line(title_of(next(filter(None, entries))), tuple(cells)))
    return found


@pocket_pages
def comparison_pages() -> Iterator[tuple[str, str]]:
    """Both pages."""
    common = {"tab": "rules", "columns": columns(), "html": html}
    yield (
        FACTS,
        pocket(
            "comparison.html",
            FACTS,
            title="Compare editions",
            description="What differs between the editions of The King is Dead, side by side.",
            differing=facts(differing=True),
            alike=facts(differing=False),
            rulesets=rulesets(),
            **common,
        ),
    )
    yield (
        RULES,
        pocket(
            "compared-rules.html",
            RULES,
            title="Compare rules",
            description="What the rules of the editions say on the same matter, side by side.",
            lines=topics(),
            **common,
        ),
    )
