"""The King is Dead for programs that learn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from tkid.adapters.match import AdaptersPlugin, Block
from tkid.games.struggle.rules.board import UNSTABLE, list_groups
from tkid.kernel.ladder import Each

SMALL = ("Pass", "nothing", "no disc", "no summon", "disc", "place", "return", "move", "swap", "-")
"""The small words of the notation."""
MAX_GROUP = 4
DECISIONS = ("play", "summon", "plot")


class StruggleAdapters(AdaptersPlugin):
    """The King is Dead as a program that learns sees it."""

    def list_words(self, game: Any, players: int) -> tuple[str, ...]:
        """List small words, cards, regions, seats, and groups of followers; two followers may be in any order."""
        letters = [faction.letter for faction in game.board.factions]
        pairs = ["".join(pair) for pair in product(letters, repeat=2)]
        in_order = [
            game.board.write_group(group)
            for size in range(1, MAX_GROUP + 1)
            for group in list_groups(size, len(letters))
        ]
        regions = [region.name for region in game.board.regions]
        seats = [f"{{{seat}}}" for seat in range(players)]
        return tuple(dict.fromkeys([*SMALL, *game.cards, *regions, *seats, *in_order, *pairs]))

    def divide_moves(self, legal: Any) -> Iterator[Sequence[Any]]:
        """Keep the ways to play a card together: they begin with its name."""
        for part in legal.parts:
            yield from (part,) if isinstance(part, Each) else ([move] for move in part)

    def observe(self, game: Any, view: Any) -> Mapping[str, Block]:
        """Count followers and cards; everything else is 1 if true. Hidden cards are counted apart, last.

        Rows are regions, spaces of the track, or seats from the viewer on.
        """
        shown = view.shown
        regions, seats = range(len(shown.regions)), [(view.seat + step) % len(shown.seats) for step in shown.seats]
        outcomes = [*range(len(game.board.factions)), UNSTABLE]
        return {
            "followers": shown.regions,
            "discs": [[disc == outcome for outcome in outcomes] for disc in shown.discs],
            "track": [[region == space for space in regions] for region in shown.track],
            "negotiated": [region in shown.negotiated for region in regions],
            "supply": shown.supply,
            "courts": [shown.courts[seat] for seat in seats],
            "hands": self.count_cards(game, view, shown.hands),
            "discards": self.count_cards(game, view, shown.discards),
            "negotiation_discs": [shown.negotiation_discs[seat] for seat in seats],
            "passes": [shown.passes],
            "starter": [shown.starter == seat for seat in seats],
            "decision": [shown.decision == decision for decision in DECISIONS],
        }


PLUGIN = StruggleAdapters()
