"""Programs that play Crosses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

from attrs import evolve

from tests.games.crosses.rules import Position, list_possible_cards
from tkid.bots.plugin import Judge
from tkid.kernel.game import HIDDEN, AnyView


# --8<-- [start:bots]
class CrossesJudge(Judge):
    """Knows what a hidden card may be; every turn that doesn't end the game is as good as another."""

    def sample_positions(self, view: AnyView, most: int, lot: Random) -> Sequence[Position]:
        shown = view.shown
        hands = [
            [(card,) for card in list_possible_cards(shown, seat)] if HIDDEN in hand else [hand]
            for seat, hand in enumerate(shown.hands)
        ]
        found = [evolve(shown, hands=both) for both in product(*hands) if both[0] != both[1] or not both[0]]
        return found if len(found) <= most else lot.sample(found, most)


PLUGIN = CrossesJudge
# --8<-- [end:bots]
