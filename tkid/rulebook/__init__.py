"""The register of rules: one entry for each id, in TOML files next to this one."""

from tkid.rulebook.register import (
    Ids,
    Rule,
    UnknownOptionError,
    UnknownRuleError,
    all_rules,
    choose_reading,
    cites,
    find_base,
    is_known_rule,
    list_in_force,
    rule,
)

__all__ = [
    "Ids", "Rule", "UnknownOptionError", "UnknownRuleError", "all_rules", "choose_reading", "cites", "find_base",
    "is_known_rule", "list_in_force", "rule",
]  # fmt: skip
