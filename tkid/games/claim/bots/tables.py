"""Cards as bits, and what the rules answer about them, asked once and remembered."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import COPIES, FACTIONS, PACK, VALUES, Card
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.moves import PLAYS
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.tricks import verdict
from tkid.kernel.game import HIDDEN

BITS = range(len(PACK))
"""A card of the pack by its place in it; within a faction a higher place is never a lower value."""
FIRST = {card: PACK.index(card) for card in COPIES}
"""The lowest place of each card: there are five Goblins 0."""
LETTERS = tuple(FACTIONS)
FACTION = tuple(LETTERS.index(card[0]) for card in PACK)
"""The number of each card's faction."""
VALUE = tuple(VALUES[card] for card in PACK)
OF = tuple(sum(1 << bit for bit in BITS if FACTION[bit] == number) for number in range(len(LETTERS)))
"""The cards of each faction, as a mask."""
BEATEN_BY = tuple(sum(1 << bit for bit in BITS if verdict(led, PACK[bit]).second_wins) for led in PACK)
"""For each card that is led, the cards that win the trick when they are played second."""
BETWEEN = tuple(
    tuple(sum(1 << bit for bit in BITS if low <= VALUE[bit] <= high) for high in range(10)) for low in range(10)
)
"""The cards with a value from one to another, both included."""


def masks(*places: tuple[Card, ...]) -> list[int]:
    """Cards of several places as masks that have no card in common; hidden cards are left out."""
    found, taken = [], 0
    for cards in places:
        here = 0
        for card in cards:
            if card == HIDDEN:
                continue
            bit = 1 << FIRST[card]
            while taken & bit:
                bit <<= 1
            taken |= bit
            here |= bit
        found.append(here)
    return found


def bits(cards: int) -> Iterable[int]:
    """The places of a mask, from the lowest."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def cards_of(found: int) -> tuple[Card, ...]:
    """A mask as cards."""
    return tuple(PACK[bit] for bit in bits(found))


@cache
def vote(faction: int, first: int, second: int) -> int | None:
    """The seat that gets a faction's vote with these cards of it in the score piles."""
    return scoring.vote(FACTIONS[LETTERS[faction]], (cards_of(first), cards_of(second))).seat


def second_phase(hands: tuple[int, int], led: int | None) -> Position:
    """A position of phase two in which seat 1 is to play; the score piles are left out."""
    return Position(
        leader=1 if led is None else 0,
        led=None if led is None else PACK[led],
        hands=(cards_of(hands[0]), cards_of(hands[1])),
        followers=((), ()),
        scores=((), ()),
        discards=(),
        deck=(),
        prize=None,
        lacks=("", ""),
    )


@cache
def collected(game: Claim, led: int, second: int) -> tuple[bool, int, int]:
    """A trick of phase two: whether the second card wins, and what goes to the leader's pile and to the other's."""
    after, _ = game.apply(second_phase((0, 1 << second), led), PLAYS[PACK[second]])
    piles = after.scores
    mine = sum(1 << bit for bit in (led, second) if PACK[bit] in piles[0])
    return bool(BEATEN_BY[led] >> second & 1), mine, (1 << led | 1 << second) ^ mine


class Legal:
    """What a hand may play, asked of the game once for each hand and led faction."""

    def __init__(self, game: Claim) -> None:
        self._game = game
        self._known: dict[tuple[int, int], int] = {}

    def __call__(self, hand: int, led: int) -> int:
        """The legal cards of a hand after a led card, as a mask with one of each card."""
        key = hand, FACTION[led]
        if key not in self._known:
            moves = self._game.legal(second_phase((0, hand), led))
            low = [next(bit for bit in range(FIRST[move.card], len(PACK)) if hand >> bit & 1) for move in moves]
            self._known[key] = sum(1 << bit for bit in low)
        return self._known[key]
