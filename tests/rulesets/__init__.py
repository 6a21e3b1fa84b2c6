"""Tests of tkid.rulesets."""
