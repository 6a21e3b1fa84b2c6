"""The ruleset of Claim, and the facts about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tkid.games.claim.rules import Claim
from tkid.rulebook import Ids
from tkid.rulebook.rulesets import Fact, Ruleset

IDS = Ids("claim")

IDS.cite("cards.pack", "cards.values", "setup.players", "trick.phases", "power.goblins", "power.doppelgangers.led")


def build_claim(readings: Mapping[str, str]) -> Claim:
    """Build the game with these readings of its rulings; none has a switch."""
    return Claim("claim", IDS, dict(readings))


CLAIM = Ruleset(
    code="claim",
    version=1,
    title="Claim: tricks in two phases",
    page="editions/claim.md",
    source="rules of Claim",
    rule_prefix="claim",
    game_name="claim",
    confidence="complete; one garbled sentence is restored, and who leads first in phase two is inferred",
    switches=(),
    build=build_claim,
)


def list_claim_facts(_: Claim) -> Sequence[Fact]:
    """Return the facts that the ruleset states about itself."""
    return ()
