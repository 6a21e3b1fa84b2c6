"""A real deal of three in the real group, but of cards whose logarithms the test knows: which hands explain it, with which keys."""

from __future__ import annotations

from functools import cache, partial
from itertools import permutations, product

import pytest

from tests.record.second_deal.curve import BASE_TABLE, L, encode_all
from tests.record.second_deal.deal import Player
from tests.record.second_deal.hashes import scalar
from tests.record.second_deal.text import Deal, hand, play

from .coalition import SEATS, Held, player_of, seeds_without, times, whole

LOGARITHMS = [scalar("a card whose logarithm is known", number) for number in range(12)]


class KnownLogarithms(Deal):
    """A deal of cards whose logarithms the test knows."""

    @property
    def start(self) -> tuple[bytes, ...]:
        """The deck before anybody has locked it."""
        return unlocked_deck()


@cache
def unlocked_deck() -> tuple[bytes, ...]:
    """These cards."""
    return tuple(encode_all([BASE_TABLE.times(each) for each in LOGARITHMS]))


@cache
def mailed() -> Deal:
    """All mails of such a deal."""
    deal = KnownLogarithms(whole().header)
    play(deal, [partial(Player, deal.terms, name, seed) for name, seed in zip(deal.names, whole().seeds, strict=True)])
    return deal


@pytest.mark.exhaustive(seconds=2)
def test_a_key_for_each_card_explains_every_other_hand_and_one_key_for_all_only_the_true_one() -> None:
    """Each hidden card explains each hidden point by a key of its own, in the whole of what two players hold."""
    for third in SEATS:
        seed = whole().seeds[third]
        seen, key = Held(mailed(), third, seeds_without(third)), player_of(mailed(), third, seed).key
        true_hand = tuple(seen.deal.cards.index(card) for card in hand(mailed(), seen.deal.names[third], seed))
        cards = [number for number in range(12) if number not in seen.shown.values()]
        assert len(cards) == len(seen.hidden) == 6
        slots = [seen.slot(place) for place in seen.hand]
        keys = keys_by_slot_and_card(seen, key, cards)
        explained, with_one_key = set(), []
        for order in permutations(cards):
            found = dict(zip(seen.hidden, order, strict=True))
            explained.add(tuple(found[slot] for slot in slots))
            if len({keys[slot, card] for slot, card in found.items()}) == 1:
                with_one_key.append(tuple(found[slot] for slot in slots))
        assert explained == set(permutations(cards, 3)), "every hand of the cards that the others do not have"
        assert with_one_key == [true_hand], "the limit: whoever computes logarithms knows the hand"
        assert encode_all([BASE_TABLE.times(key)]) == [seen.deal.owners[third].public]


def keys_by_slot_and_card(seen: Held, key: int, cards: list[int]) -> dict[tuple[int, int], int]:
    """The key that makes the point of a hidden slot from a hidden card, for each of both. The group confirms each."""
    known = dict(zip(unlocked_deck(), LOGARITHMS, strict=True))
    found = {}
    for slot, card in product(seen.hidden, cards):
        (true_card,) = times([seen.points[slot]], pow(key, -1, L))
        found[slot, card] = key * known[true_card] * pow(LOGARITHMS[card], -1, L) % L
        assert times([unlocked_deck()[card]], found[slot, card]) == [seen.points[slot]]
    return found
