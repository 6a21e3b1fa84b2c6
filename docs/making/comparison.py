"""What differs between the rulesets: by values, and by the rules in force."""

from __future__ import annotations

from functools import cache

from docs.making.games import struggles
from docs.making.words import capital, link, prose
from tkid.rulebook import Rule, list_in_force
from tkid.rulebook.rulesets import Fact, Row, Ruleset, find_stated_rules, rulesets
from tkid.rulebook.rulesets import compare_rulesets as rows_of


@cache
def rows() -> tuple[Row, ...]:
    """Every thing that is compared, in reading order."""
    return rows_of(struggles())


# -- rules in force ---------------------------------------------------------------------------------------


def only_in(entry: Rule) -> list[Ruleset]:
    """The rulesets in which a rule is in force, where its prefix has others; [] for a rule of all of them."""
    under_prefix = [ruleset for ruleset in rulesets() if entry in list_in_force(ruleset.rule_prefix).values()]
    having = [ruleset for ruleset in under_prefix if entry.id in find_stated_rules(ruleset.code)]
    return having if 0 < len(having) < len(under_prefix) else []


# -- on pages ---------------------------------------------------------------------------------------------


def short(ruleset: Ruleset) -> str:
    """A ruleset's title without the name of the game."""
    return capital(ruleset.title.partition(", ")[2] or ruleset.title)


def shown(cell: Fact, here: str) -> str:
    """What one ruleset says and the rules that say it, as the content of a table's cell."""
    cited = ", ".join(link(rule_id, here) for rule_id in cell.rules)
    return "<br>".join([*prose(cell.text).split("\n"), *([cited] if cited else [])])
