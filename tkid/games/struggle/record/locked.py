"""The King is Dead's part for locked deals: the cunning cards, dealt without a dealer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from attrs import evolve

from tkid.games.struggle.rules.game import Struggle
from tkid.games.struggle.rules.setup import Deal
from tkid.kernel.game import HIDDEN
from tkid.record.locked_deal import Deck, LockedPlugin, Shown
from tkid.record.play.replay import Moment


class StruggleLocked(LockedPlugin):
    """The deck of cunning cards; the rules say how many go to each hand."""

    kept = "Everybody revealed the cards that they had to"

    def make_deck(self, game: Struggle, players: int) -> Deck:
        dealt = game.hands.dealt
        return Deck(game.hands.deck, tuple(range(dealt * seat, dealt * (seat + 1)) for seat in range(players)))

    def fill_deal(self, game: Struggle, deal: Deal, known: Mapping[int, str]) -> Deal:
        places = self.make_deck(game, len(deal.hands)).hands
        hands = ([known.get(place, HIDDEN) for place in each] for each in places)
        return evolve(deal, hands=tuple(self._sort_hand(game, hand) for hand in hands))

    def _sort_hand(self, game: Struggle, cards: Sequence[str]) -> tuple[str, ...]:
        """Sort a hand as a record has it; a hand without known cunning cards is unknown as a whole."""
        order = {card: at for at, card in enumerate(game.hands.deck)}
        if all(card == HIDDEN for card in cards):
            return game.hands.unknown
        return (*game.hands.same, *sorted(cards, key=lambda card: order.get(card, len(order))))

    def list_plays(self, game: Struggle, moments: Sequence[Moment]) -> Iterator[Shown]:
        """Yield the cunning cards put on a discard pile, and the card revealed at the end."""
        positions: list[Any] = [moment.position for moment in moments]
        piles: list[Sequence[Sequence[str]]] = [position.discards for position in positions]
        places = self.make_deck(game, len(piles[0])).hands
        for turn, (before, after) in enumerate(pairwise(piles), 1):
            for seat, pile in enumerate(after):
                new = pile[len(before[seat]) :]
                yield from (Shown(turn, seat, card, tuple(places[seat])) for card in new if card in game.hands.deck)
            if game.plot:
                yield from self._find_revealed(game, turn, moments[turn], places)

    def _find_revealed(self, game: Struggle, turn: int, moment: Moment, places: Sequence[range]) -> Iterator[Shown]:
        """Yield the card that is revealed at the end, in the turn after which its holder is named."""
        for event in moment.events:
            for seat, own in enumerate(places):
                if event.line == f"{game.plot}: {{{seat}}}":
                    yield Shown(turn, seat, game.plot, tuple(own))


PLUGIN = StruggleLocked()
