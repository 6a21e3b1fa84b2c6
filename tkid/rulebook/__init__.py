"""The register of rules: one entry for each id, shipped as TOML files beside this one."""

from tkid.rulebook.register import (
    Ids,
    Rule,
    UnknownOptionError,
    UnknownRuleError,
    all_rules,
    base,
    choose,
    cites,
    in_force,
    known,
    rule,
)

__all__ = [
    "Ids",
    "Rule",
    "UnknownOptionError",
    "UnknownRuleError",
    "all_rules",
    "base",
    "choose",
    "cites",
    "in_force",
    "known",
    "rule",
]
