"""Claim's part for locked deals: both hands, and the deck card by card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from attrs import evolve

from tkid.games.claim.rules import COPIES, HAND, NAMES, PACK, SEATS, Claim, Deal, Play, sort_cards
from tkid.kernel.game import HIDDEN
from tkid.record.locked_deal import Deck, LockedPlugin, Share, Shown
from tkid.record.play.replay import Moment

BY_NAME = {NAMES[card]: card for card in COPIES} | {HIDDEN: HIDDEN}
STOCK = HAND * SEATS
"""The place of the top card of the deck: the first prize. Behind it are the loser's card of each trick and the next prize."""
HANDS = tuple(range(HAND * seat, HAND * (seat + 1)) for seat in range(SEATS))


class ClaimLocked(LockedPlugin):
    """The whole pack: two hands, and the deck, from which each trick of phase one takes two cards."""

    kept = "Everybody followed suit when they could"

    def make_deck(self, _: Claim, __: int) -> Deck:
        """Return the pack; both players unlock the first prize."""
        return Deck(tuple(NAMES[card] for card in PACK), HANDS, (STOCK,))

    def fill_deal(self, _: Claim, deal: Deal, known: Mapping[int, str]) -> Deal:
        cards = [BY_NAME[known.get(place, HIDDEN)] for place in range(len(PACK))]
        hands = tuple(sort_cards(cards[place] for place in hand) for hand in HANDS)
        return evolve(deal, hands=hands, deck=tuple(cards[STOCK:]))

    def list_plays(self, _: Claim, moments: Sequence[Moment]) -> Iterator[Shown]:
        """Yield the played cards: in phase one from a hand, in phase two from cards taken in phase one."""
        taken: list[list[int]] = [[] for _ in range(SEATS)]
        for trick, winner, _drawn in _list_tricks(moments):
            taken[winner].append(STOCK + 2 * trick)
            taken[1 - winner].append(STOCK + 2 * trick + 1)
        positions: list[Any] = [moment.position for moment in moments]
        for turn, before in enumerate(positions[:-1], 1):
            played, seat = moments[turn].turn, before.to_act
            if seat is None or played is None or played.undone:
                continue
            places = tuple(HANDS[seat] if before.phase == 1 else taken[seat])
            for move in played.moves:
                if isinstance(move, Play):
                    yield Shown(turn, seat, NAMES[move.card], places)

    def list_shares(self, _: Claim, moments: Sequence[Moment]) -> Iterator[Share]:
        """Yield, after a trick of phase one, the winner's share of the loser's card and both of the next prize."""
        for trick, winner, turn in _list_tricks(moments):
            second = moments[turn - 1].position.to_act
            assert second is not None
            yield Share(turn, winner, STOCK + 2 * trick + 1)
            if trick + 1 < HAND:
                yield Share(turn, second, STOCK + 2 * (trick + 1))
                yield Share(turn, 1 - second, STOCK + 2 * (trick + 1))


def _list_tricks(moments: Sequence[Moment]) -> Iterator[tuple[int, int, int]]:
    """Yield the completed tricks of phase one: number from 0, winner, and the turn that ended it."""
    trick = 0
    positions: list[Any] = [moment.position for moment in moments]
    for turn, (before, after) in enumerate(pairwise(positions), 1):
        if before.phase == 1 and before.led is not None and after.led is None:
            yield trick, after.to_act, turn
            trick += 1


PLUGIN = ClaimLocked()
