"""The list of rulesets."""

PLUGIN = {"crosses": "rules:CROSSES"}
