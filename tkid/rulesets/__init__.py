"""The rulesets: one short file each, and the registry that finds them by code."""

from tkid.rulesets.registry import Ruleset, UnknownRulesetError, readings, ruleset, rulesets

__all__ = ["Ruleset", "UnknownRulesetError", "readings", "ruleset", "rulesets"]
