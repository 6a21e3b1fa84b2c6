"""Claim for programs that learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tkid.adapters.match import AdaptersPlugin, Layout
from tkid.games.claim.rules import COPIES, FACTIONS
from tkid.kernel.game import HIDDEN

CARDS = (*COPIES, HIDDEN)
"""Every different card, and one that is not known."""


class ClaimAdapters:
    """Claim for programs that learn."""

    def list_names(self, game: Any) -> tuple[str, ...]:
        """Return the names of the cards."""
        return tuple(game.cards)

    def list_words(self, game: Any, players: int) -> tuple[str, ...]:  # noqa: ARG002 - it is for two
        """Return the names of the cards: every decision is one."""
        return tuple(game.cards)

    def make_layout(self, game: Any, players: int) -> Layout:  # noqa: ARG002 - the same for all
        """Return the blocks of an observation; rows are seats, the viewer's first."""
        cards = len(CARDS)
        return Layout(
            {
                "hands": (players, cards),
                "followers": (players, cards),
                "scores": (players, cards),
                "discards": (cards,),
                "led": (cards,),
                "prize": (cards,),
                "lacks": (players, len(FACTIONS)),
                "deck": (1,),
                "leader": (players,),
                "phase": (2,),
            }
        )

    def observe(self, game: Any, view: Any) -> Mapping[str, Sequence[float]]:  # noqa: ARG002 - the same for all
        """Return the numbers of an observation: cards are counted, everything else is 1 if it is so."""
        shown = view.shown
        seats = [(view.seat + step) % len(shown.seats) for step in shown.seats]

        def counted(*piles: Sequence[str]) -> list[float]:
            return [float(pile.count(card)) for pile in piles for card in CARDS]

        return {
            "hands": counted(*(shown.hands[seat] for seat in seats)),
            "followers": counted(*(shown.followers[seat] for seat in seats)),
            "scores": counted(*(shown.scores[seat] for seat in seats)),
            "discards": counted(shown.discards),
            "led": counted((shown.led,) if shown.led else ()),
            "prize": counted((shown.prize,) if shown.prize else ()),
            "lacks": [float(letter in shown.lacks[seat]) for seat in seats for letter in FACTIONS],
            "deck": [float(len(shown.deck))],
            "leader": [float(shown.leader == seat) for seat in seats],
            "phase": [float(shown.phase == phase) for phase in (1, 2)],
        }


PLUGIN: AdaptersPlugin = ClaimAdapters()
