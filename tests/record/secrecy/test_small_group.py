"""All secrets of a third player in groups so small that every one can be tried: what fits what the two others hold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations, product

from tests.record.second_deal.deal import answered, shown_by

Order = tuple[int, ...]


@dataclass(frozen=True)
class Point:
    """A point of a group of prime order, as its logarithm: so many times the base point."""

    logarithm: int
    size: int

    def times(self, scalar: int) -> Point:
        """A multiple of the point."""
        return Point(self.logarithm * scalar % self.size, self.size)

    def minus(self, other: Point) -> Point:
        """The point less another."""
        return Point((self.logarithm - other.logarithm) % self.size, self.size)


def points(size: int, *logarithms: int) -> tuple[Point, ...]:
    """Points of a group."""
    return tuple(Point(each, size) for each in logarithms)


def locked(deck: Sequence[Point], keys: Sequence[int], order: Order) -> tuple[Point, ...]:
    """A deck, shuffled and locked, with a key for each card."""
    return tuple(deck[card].times(keys[card]) for card in order)


# -- proofs -----------------------------------------------------------------------------------------------


def test_rounds_of_a_shuffle_proof_come_from_public_points_alone() -> None:
    """For every key and order, a round that is proven is as often each round that is made backwards, without key and order."""
    size, (base,), deck = 7, points(7, 1), points(7, 2, 3, 5)
    orders = list(permutations(range(3)))
    blinds = list(product(range(1, size), orders))
    for key, order in product(range(1, size), orders):
        public, after = base.times(key), locked(deck, [key] * 3, order)
        for bit in (0, 1):
            proven = Counter(
                (tuple(shown_by(blind, base, deck)), answered(blind, key, order, size) if bit else blind)
                for blind in blinds
            )
            start, before = (public, after) if bit else (base, deck)
            backwards = Counter((tuple(shown_by(answer, start, before)), answer) for answer in blinds)
            assert proven == backwards


def test_proofs_of_an_unlock_come_from_public_points_alone() -> None:
    """For every key and card, a proof is as often each proof that is made backwards, without the key."""
    size, (base,) = 11, points(11, 1)
    for key, card in product(range(1, size), repeat=2):
        public, left = base.times(key), Point(card, size)
        locked_card = left.times(key)
        proven = Counter(
            (e, (w + e * key) % size, base.times(w), left.times(w)) for e, w in product(range(size), repeat=2)
        )
        backwards = Counter(
            (e, z, base.times(z).minus(public.times(e)), left.times(z).minus(locked_card.times(e)))
            for e, z in product(range(size), repeat=2)
        )
        assert proven == backwards


# -- points -----------------------------------------------------------------------------------------------

SIZE = 5
BASE, *_ = DECK = points(SIZE, 1, 2, 3, 4)
KEYS = range(1, SIZE)
ORDERS = list(permutations(range(len(DECK))))
View = tuple[Point, tuple[Point, ...], Order]


def view(key: int, keys: Sequence[int], order: Order) -> View:
    """What two others hold when their own locks are off: the public key, the deck, and which cards they were dealt.

    There are four cards: the first two are theirs, the next one is the third hand, the last one nobody's.
    """
    return BASE.times(key), locked(DECK, keys, order), order[:2]


def third_hand(order: Order) -> int:
    """The card in the third hand."""
    return order[2]


def test_every_card_explains_a_locked_card() -> None:
    """For a single locked card, each card has exactly one key that gives this point."""
    for point, card in product(DECK, repeat=2):
        assert len([key for key in KEYS if card.times(key) == point]) == 1


def test_with_a_key_for_each_card_every_hand_explains_all_that_two_hold() -> None:
    """If locks were of many keys, what two of three hold would fit each hand that they were not dealt, equally often."""
    fitting = defaultdict[View, Counter[int]](Counter)
    for key, order, keys in product(KEYS, ORDERS, product(KEYS, repeat=len(DECK))):
        fitting[view(key, keys, order)][third_hand(order)] += 1
    assert len(fitting) == len(KEYS) * len(KEYS) ** len(DECK) * 12
    for (_, _, dealt), hands in fitting.items():
        assert set(hands) == set(range(len(DECK))) - set(dealt)
        assert len(set(hands.values())) == 1


def test_with_one_key_only_the_true_hand_explains_it_to_somebody_who_can_try_every_key() -> None:
    """The limit: one key locks all cards, so the public key decides which hand it is. It is only hard to compute."""
    fitting = defaultdict[View, set[int]](set)
    for key, order in product(KEYS, ORDERS):
        fitting[view(key, [key] * len(DECK), order)].add(third_hand(order))
    assert len(fitting) == len(KEYS) * len(ORDERS)
    assert {len(hands) for hands in fitting.values()} == {1}


def test_without_the_public_key_and_without_known_cards_one_key_explains_every_hand_of_this_deck() -> None:
    """In this group a locked deck alone fits each card as the third hand: the other points in the mails decide it."""
    fitting = defaultdict[tuple[Point, ...], set[int]](set)
    for key, order in product(KEYS, ORDERS):
        fitting[view(key, [key] * len(DECK), order)[1]].add(third_hand(order))
    assert all(hands == set(range(len(DECK))) for hands in fitting.values())
