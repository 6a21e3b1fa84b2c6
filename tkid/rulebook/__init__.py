"""The register of rules: one entry for each id, shipped as TOML files beside this one."""

from tkid.rulebook.register import Ids, Rule, UnknownRuleError, all_rules, base, cites, find, in_force, known, rule

__all__ = ["Ids", "Rule", "UnknownRuleError", "all_rules", "base", "cites", "find", "in_force", "known", "rule"]
