"""The King is Dead for programs that learn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any

from tkid.adapters.match import AdaptersPlugin, Layout
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
            game.board.group(group) for size in range(1, MAX_GROUP + 1) for group in list_groups(size, len(letters))
        ]
        regions = [region.name for region in game.board.regions]
        seats = [f"{{{seat}}}" for seat in range(players)]
        return tuple(dict.fromkeys([*SMALL, *game.cards, *regions, *seats, *in_order, *pairs]))

    def divide_moves(self, legal: Any) -> Iterator[Sequence[Any]]:
        """Keep the ways to play a card together: they begin with its name."""
        for part in legal.parts:
            yield from (part,) if isinstance(part, Each) else ([move] for move in part)

    def make_layout(self, game: Any, players: int) -> Layout:
        """Return the blocks; rows are regions, spaces of the track, or seats from the viewer on."""
        regions, factions, cards = len(game.board.regions), len(game.board.factions), len(game.cards)
        return Layout(
            {
                "followers": (regions, factions),
                "discs": (regions, factions + 1),
                "track": (regions, regions),
                "negotiated": (regions,),
                "supply": (factions,),
                "courts": (players, factions),
                "hands": (players, cards + 1),
                "discards": (players, cards + 1),
                "negotiation_discs": (players,),
                "passes": (1,),
                "starter": (players,),
                "decision": (len(DECISIONS),),
            }
        )

    def observe(self, game: Any, view: Any) -> Mapping[str, Sequence[float]]:
        """Count followers and cards; everything else is 1 if true. Hidden cards are counted apart, last."""
        shown, factions = view.shown, len(game.board.factions)
        regions, seats = range(len(shown.regions)), [(view.seat + step) % len(shown.seats) for step in shown.seats]
        outcomes = [*range(factions), UNSTABLE]

        def row(values: Any) -> list[float]:
            return [*map(float, values)]

        return {
            "followers": row(chain.from_iterable(shown.regions)),
            "discs": row([disc == outcome for disc in shown.discs for outcome in outcomes]),
            "track": row([region == space for region in shown.track for space in regions]),
            "negotiated": row(region in shown.negotiated for region in regions),
            "supply": row(shown.supply),
            "courts": row(chain.from_iterable(shown.courts[seat] for seat in seats)),
            "hands": self.count_cards(game, view, shown.hands),
            "discards": self.count_cards(game, view, shown.discards),
            "negotiation_discs": row(shown.negotiation_discs[seat] for seat in seats),
            "passes": [float(shown.passes)],
            "starter": row(shown.starter == seat for seat in seats),
            "decision": row(shown.decision == decision for decision in DECISIONS),
        }


PLUGIN = StruggleAdapters()
