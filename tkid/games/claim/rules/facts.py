"""What Claim states of itself for tables and comparisons: nothing, as long as it has one ruleset."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.claim.rules.game import Claim
from tkid.rulebook.comparison import Fact


def facts(_: Claim) -> Sequence[Fact]:
    """What the ruleset says of itself, fact by fact."""
    return ()


PLUGIN = facts
