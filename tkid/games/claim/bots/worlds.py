"""Positions without hidden cards that fit a view of Claim.

What is not seen may be anywhere, but a hand has no card of a faction that it could not follow. A view does not show which
prizes the other side took, so nothing is inferred from them. In phase two there is one such
position: every card that was played is seen, so the other hand is what is left of the pack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, permutations
from math import comb, perm
from random import Random

from tkid.games.claim.rules.deck import Card, Cards, ordered
from tkid.games.claim.rules.moves import unseen
from tkid.games.claim.rules.position import Position
from tkid.kernel.game import HIDDEN


def worlds(shown: Position, most: int, lot: Random) -> Sequence[Position]:
    """All worlds where there are at most so many (those that are more likely more than once), else a fair sample."""
    pool = [card for card, copies in unseen(shown).items() for _ in range(copies)]
    if not pool:
        return (shown,)
    few = _count(shown, len(pool)) <= most
    rows = [*_every(shown, pool)] if few else [_one(shown, pool, lot) for _ in range(most)]
    return [_filled(shown, row) for row in rows]


def _places(shown: Position) -> list[tuple[int, str]]:
    """The places that cards are hidden in: how many, and the factions that are not there. Hands come first."""
    hands = [(hand.count(HIDDEN), lacks) for hand, lacks in zip(shown.hands, shown.lacks, strict=True)]
    return [*hands, *((pile.count(HIDDEN), "") for pile in shown.followers)]


def _ahead(shown: Position) -> int:
    """How many cards are to come in an order: the prize, where it is not known, and the deck."""
    return shown.deck.count(HIDDEN) + (shown.prize == HIDDEN)


def _count(shown: Position, left: int) -> int:
    """How many worlds there are at most with so many cards that are not seen, copies of a card told apart."""
    count = 1
    for size, _ in _places(shown):
        count *= comb(left, size)
        left -= size
    return count * perm(left, _ahead(shown))


def _every(shown: Position, pool: list[Card]) -> Iterator[list[Card]]:
    """Every way to lay out the cards that are not seen, as one row. A position may leave some out: these lie nowhere."""

    def laid(places: list[tuple[int, str]], left: list[Card]) -> Iterator[list[Card]]:
        if not places:
            yield from map(list, permutations(left, _ahead(shown)))
            return
        (size, lacks), *others = places
        able = [at for at, card in enumerate(left) if card[0] not in lacks]
        for chosen in combinations(able, size):
            rest = [card for at, card in enumerate(left) if at not in chosen]
            for row in laid(others, rest):
                yield [*(left[at] for at in chosen), *row]

    return laid(_places(shown), pool)


def _one(shown: Position, pool: list[Card], lot: Random) -> list[Card]:
    """One way by lot. The hand that can hold the least is dealt first."""
    left = list(pool)
    lot.shuffle(left)
    places = _places(shown)
    dealt: list[list[Card]] = [[] for _ in places]
    for at in sorted(range(len(places)), key=lambda at: -len(places[at][1])):
        size, lacks = places[at]
        dealt[at] = list(islice((card for card in left if card[0] not in lacks), size))
        for card in dealt[at]:
            left.remove(card)
    return [*chain.from_iterable(dealt), *left]


def _filled(shown: Position, row: list[Card]) -> Position:
    """The view with the cards of a row in place of hidden ones."""
    cards = iter(row)

    def put(place: Cards) -> Cards:
        return tuple([next(cards) if card == HIDDEN else card for card in place])

    hands = tuple([ordered(put(hand)) for hand in shown.hands])
    followers = tuple([ordered(put(pile)) for pile in shown.followers])
    prize = next(cards) if shown.prize == HIDDEN else shown.prize
    return shown.but(hands=hands, followers=followers, prize=prize, deck=put(shown.deck))
