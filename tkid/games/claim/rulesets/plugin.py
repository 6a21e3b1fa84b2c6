"""The rulesets of Claim."""

from __future__ import annotations

from tkid.games.claim.rulesets.claim import CLAIM

PLUGIN = (CLAIM,)
