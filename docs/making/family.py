"""The rulesets whose cards, endings and values the pages describe side by side: the editions of The King is Dead."""

from __future__ import annotations

from functools import cache

from tkid.games.struggle.game import Struggle
from tkid.rulesets import Ruleset, rulesets


@cache
def editions() -> tuple[Ruleset, ...]:
    """The rulesets of the family, in their order."""
    return tuple(ruleset for ruleset in rulesets() if ruleset.plays == Struggle.family)
