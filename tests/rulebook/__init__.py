"""Tests of tkid.rulebook.rulesets."""
