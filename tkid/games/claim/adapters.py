"""Claim for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tkid.adapters.match import AdaptersPlugin, Block
from tkid.games.claim.rules import COPIES, FACTIONS
from tkid.kernel.game import HIDDEN

CARDS = (*COPIES, HIDDEN)
"""Every different card, and one that is not known."""


class ClaimAdapters(AdaptersPlugin):
    """Claim for programs that learn."""

    def observe(self, game: Any, view: Any) -> Mapping[str, Block]:  # noqa: ARG002 - the same for all
        """Return the numbers of an observation: cards are counted, everything else is 1 if it is so."""
        shown = view.shown
        seats = [(view.seat + step) % len(shown.seats) for step in shown.seats]

        def count(pile: Sequence[str]) -> list[int]:
            return [pile.count(card) for card in CARDS]

        return {
            "hands": [count(shown.hands[seat]) for seat in seats],
            "followers": [count(shown.followers[seat]) for seat in seats],
            "scores": [count(shown.scores[seat]) for seat in seats],
            "discards": count(shown.discards),
            "led": count((shown.led,)),
            "prize": count((shown.prize,)),
            "lacks": [[letter in shown.lacks[seat] for letter in FACTIONS] for seat in seats],
            "deck": [len(shown.deck)],
            "leader": [shown.leader == seat for seat in seats],
            "phase": [shown.phase == phase for phase in (1, 2)],
        }


PLUGIN = ClaimAdapters()
