"""The cunning cards of The King is Dead, dealt without a dealer."""

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
    """The deck of cunning cards, of which every hand gets as many as the rules say."""

    kept = "Everybody revealed the cards that they had to"

    def deck(self, game: Struggle, players: int) -> Deck:
        """The cunning cards, a part of them for each seat."""
        dealt = game.hands.dealt
        return Deck(game.hands.deck, tuple(range(dealt * seat, dealt * (seat + 1)) for seat in range(players)))

    def filled(self, game: Struggle, deal: Deal, known: Mapping[int, str]) -> Deal:
        """A deal with the cunning cards at the places of each seat, hidden where they are not known."""
        places = self.deck(game, len(deal.hands)).hands
        return evolve(
            deal, hands=tuple(self._hand(game, [known.get(place, HIDDEN) for place in each]) for each in places)
        )

    def _hand(self, game: Struggle, cards: Sequence[str]) -> tuple[str, ...]:
        """A hand as a record has it; one of which nothing secret is known, as one that is not known at all."""
        order = {card: at for at, card in enumerate(game.hands.deck)}
        if all(card == HIDDEN for card in cards):
            return game.hands.unknown
        return (*game.hands.same, *sorted(cards, key=lambda card: order.get(card, len(order))))

    def plays(self, game: Struggle, moments: Sequence[Moment]) -> Iterator[Shown]:
        """The cunning cards that were put on a discard pile, and the card that was revealed at the end."""
        piles: list[Sequence[Sequence[str]]] = [each.discards for each in _positions(moments)]
        places = self.deck(game, len(piles[0])).hands
        for turn, (before, after) in enumerate(pairwise(piles), 1):
            for seat, pile in enumerate(after):
                new = pile[len(before[seat]) :]
                yield from (Shown(turn, seat, card, tuple(places[seat])) for card in new if card in game.hands.deck)
            if game.plot:
                yield from self._revealed(game, turn, moments[turn], places)

    def _revealed(self, game: Struggle, turn: int, moment: Moment, places: Sequence[range]) -> Iterator[Shown]:
        """The card that is revealed at the end, in the turn after which it is told who holds it."""
        for event in moment.events:
            for seat, own in enumerate(places):
                if event.line == f"{game.plot}: {{{seat}}}":
                    yield Shown(turn, seat, game.plot, tuple(own))


def _positions(moments: Sequence[Moment]) -> list[Any]:
    return [moment.position for moment in moments]


PLUGIN = StruggleLocked()
