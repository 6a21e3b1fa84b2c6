"""Claim, another game about who is to be king: tricks in two phases, for two (readings: `claim.ruling.*`)."""

from __future__ import annotations

from collections.abc import Mapping

from tkid.games.tricks.game import Tricks
from tkid.rulebook import Ids

IDS = Ids("claim")

IDS.cite("cards.pack", "cards.values", "setup.players", "trick.phases", "power.goblins", "power.doppelgangers.led")


def build(readings: Mapping[str, str]) -> Tricks:
    """The game under these readings of its rulings, of which none has a switch."""
    return Tricks("claim", IDS, dict(readings))
