"""What differs between the rulesets: by values, by the rules in force, and by rules of the same name with several prefixes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from docs.making.games import struggles
from docs.making.words import capital, link, prose
from tkid.rulebook import Rule, all_rules, in_force
from tkid.rulebook.comparison import Fact, Row, stated
from tkid.rulebook.comparison import rows as rows_of
from tkid.rulebook.rulesets import Ruleset, rulesets


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


def shown(cell: Fact, here: str) -> str:
    """What one ruleset says and the rules that say it, as the content of a table's cell."""
    cited = ", ".join(link(rule_id, here) for rule_id in cell.rules)
    return "<br>".join([*prose(cell.text).split("\n"), *([cited] if cited else [])])
