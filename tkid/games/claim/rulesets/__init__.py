"""List the ruleset of Claim."""

from __future__ import annotations

from collections.abc import Mapping

FACTS = "rulesets.claim:list_claim_facts"
"""The function that gives the facts of an edition, for comparisons."""
PLUGIN: Mapping[str, str] = {"claim": "claim:CLAIM"}
"""Place of the ruleset, by its code: a module in this folder, and the name in it."""
