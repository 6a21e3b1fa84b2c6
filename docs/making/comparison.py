"""What differs between the rulesets: by values, by the rules in force, and by rules of the same name with several prefixes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from docs.making.games import struggles
from docs.making.words import capital, link, prose, table
from tkid.rulebook import Rule, all_rules, in_force
from tkid.rulebook.comparison import Fact, Row, stated
from tkid.rulebook.comparison import rows as rows_of
from tkid.rulebook.rulesets import Ruleset, rulesets

PAGE = "comparison.md"


@cache
def rows() -> tuple[Row, ...]:
    """Every thing that is compared, in reading order."""
    return rows_of(struggles())


# -- rules in force ---------------------------------------------------------------------------------------


def only_in(entry: Rule) -> list[Ruleset]:
    """The rulesets in which a rule is in force, where its prefix has others; [] for a rule of all of them."""
    under_prefix = [ruleset for ruleset in rulesets() if entry in in_force(ruleset.rule_prefix).values()]
    having = [ruleset for ruleset in under_prefix if entry.id in stated(ruleset.code)]
    return having if 0 < len(having) < len(under_prefix) else []


def same_name(entry: Rule, rules: Iterable[Rule] | None = None) -> list[Rule]:
    """The rules with the prefix of another ruleset that have the same name and say something else."""
    every = list(all_rules() if rules is None else rules)
    played = {ruleset.rule_prefix for ruleset in struggles()} if rules is None else {each.prefix for each in every}
    local = entry.id.partition(".")[2]
    return [
        other
        for other in every
        if entry.prefix in played
        and other.prefix in played - {entry.prefix}
        and other.id.partition(".")[2] == local
        and (other.statement, other.default) != (entry.statement, entry.default)
    ]


# -- on pages ---------------------------------------------------------------------------------------------


def short(ruleset: Ruleset) -> str:
    """A ruleset's title without the name of the game."""
    return capital(ruleset.title.partition(", ")[2] or ruleset.title)


def _table(some: Iterable[Row], here: str) -> str:
    """Rows as a table, a column for each ruleset."""
    return table(
        ["", *(short(ruleset) for ruleset in struggles())],
        [[prose(row.title), *(shown(row.cells[ruleset.code], here) for ruleset in struggles())] for row in some],
    )


def shown(cell: Fact, here: str) -> str:
    """What one ruleset says and the rules that say it, as the content of a table's cell."""
    cited = ", ".join(link(rule_id, here) for rule_id in cell.rules)
    return "<br>".join([*prose(cell.text).split("\n"), *([cited] if cited else [])])


def comparison() -> str:
    """The tables of the page that compares the rulesets."""
    blocks = ["## What differs", _table([row for row in rows() if row.differs], PAGE)]
    blocks += _of_the_same_name(list(all_rules()))
    blocks += ["## What is the same", _one_column([row for row in rows() if not row.differs])]
    blocks += ["## The rulesets", _about()]
    return "\n\n".join(blocks)


def _of_the_same_name(rules: list[Rule]) -> list[str]:
    """Rules that differ and have the same name behind several prefixes; nothing where there is one prefix only."""
    pairs = [(entry, same_name(entry)) for entry in rules]
    seen: set[str] = set()
    lines = []
    for entry, others in pairs:
        if others and entry.id not in seen:
            seen |= {entry.id, *(other.id for other in others)}
            lines.append(
                [entry.id.partition(".")[2], *(f"{link(e.id, PAGE)}: {prose(e.statement)}" for e in (entry, *others))]
            )
    if not lines:
        return []
    width = max(map(len, lines))
    return [
        "## Rules of the same name that differ",
        table(["Rule", *["Says"] * (width - 1)], [line + [""] * (width - len(line)) for line in lines]),
    ]


def _one_column(some: Iterable[Row]) -> str:
    cells = [(row.title, next(iter(row.cells.values()))) for row in some]
    return table(["", "All of them"], [[prose(title), shown(cell, PAGE)] for title, cell in cells])


def _about() -> str:
    return table(
        ["Name in a record", "Version", "What it is", "How sure we are"],
        [[f"`{each.code}`", str(each.version), prose(each.title), prose(each.confidence)] for each in rulesets()],
    )
