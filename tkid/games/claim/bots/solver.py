"""Phase two of Claim to the end, exactly: every card is known by then.

Alpha-beta over tricks. Positions are alike when the hands, the leader, and each faction's standing are: who has its vote for
certain or, where that is open, the lead in cards and who holds the highest card. Cards that do the same are tried once.
"""

from __future__ import annotations

from functools import cache

from tkid.games.claim.bots.tables import (
    BEATEN_BY,
    BETWEEN,
    LETTERS,
    OF,
    VALUE,
    Legal,
    bits,
    collected,
    masks,
    vote,
)
from tkid.games.claim.rules.deck import DOPPELGANGER, PACK
from tkid.games.claim.rules.game import Claim
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.scoring import NEEDED

WON, DRAWN, LOST = 2, 1, 0
"""How a game ends for seat 0."""
UNDECIDED, NOBODY = 4, 2
WILD = LETTERS.index(DOPPELGANGER)
Pair = tuple[int, int]
"""Something for each seat, as masks."""


class TooLongError(Exception):
    """The solver may not look at as many positions as it needs."""


@cache
def standing(faction: int, first: int, second: int, rest: int) -> int:
    """How a faction's vote stands, with these cards of it in the score piles and so many in the hands.

    Returns:
        The seat that has the vote for certain, NOBODY where nobody will, else a number from UNDECIDED on.
    """
    best, worst = vote(faction, first | rest, second), vote(faction, first, second | rest)
    if best == worst:
        return NOBODY if best is None else best
    everything = first | second | rest
    top = everything & BETWEEN[VALUE[everything.bit_length() - 1]][9]
    tip = bool(first & top) + 2 * bool(second & top)
    return UNDECIDED + (first.bit_count() - second.bit_count() + len(PACK)) * 4 + tip


class Solver:
    """Solves one position and those that follow from it."""

    def __init__(self, game: Claim, legal: Legal, most: int) -> None:
        self._game, self._legal, self._left = game, legal, most
        self._found: dict[tuple[int, ...], tuple[int, int, int]] = {}

    def value(self, position: Position) -> int:
        """How a game ends from a position of phase two with every card known. Raises TooLongError."""
        led = () if position.led is None else (position.led,)
        first, second, taken, other, on_table = masks(*position.hands, *position.scores, led)
        leader = position.leader
        if leader is None:
            return WON if 0 in position.winners else LOST if 1 in position.winners else DRAWN
        hands, piles = (first, second), (taken, other)
        if on_table:
            return self._reply(hands, piles, leader, on_table.bit_length() - 1, LOST, WON)
        return self._lead(hands, piles, leader, LOST, WON)

    def _lead(self, hands: Pair, piles: Pair, leader: int, low: int, high: int) -> int:
        """The value where a card is to be led; exact if it is between `low` and `high`, else a bound on that side."""
        rest = hands[0] | hands[1]
        codes = tuple([standing(n, piles[0] & of, piles[1] & of, rest & of) for n, of in enumerate(OF)])
        votes = codes.count(0), codes.count(1)
        open_votes = sum(code >= UNDECIDED for code in codes)
        best, worst = _end(votes[0] + open_votes, votes[1]), _end(votes[0], votes[1] + open_votes)
        if best == worst or best <= low or worst >= high:
            return best if best <= low else worst
        key = (*hands, leader, *codes)
        below, above, bit = self._found.get(key, (worst, best, -1))
        if below == above or below >= high or above <= low:
            return above if above <= low else below
        self._left -= 1
        if self._left < 0:
            raise TooLongError
        mine, others = hands[leader], hands[1 - leader]
        cards = sorted(different(mine, others), key=lambda card: (card != bit, (BEATEN_BY[card] & others).bit_count()))
        low, high = max(low, below), min(high, above)
        begin_low, begin_high = low, high
        value = LOST if leader == 0 else WON
        for card in cards:
            after = (mine ^ 1 << card, others) if leader == 0 else (others, mine ^ 1 << card)
            found = self._reply(after, piles, leader, card, low, high)
            if (leader == 0 and found > value) or (leader == 1 and found < value):
                value, bit = found, card
            if leader == 0:
                low = max(low, value)
            else:
                high = min(high, value)
            if low >= high:
                break
        value = min(max(value, below), above)
        if value <= begin_low:
            above = value
        elif value >= begin_high:
            below = value
        else:
            below = above = value
        self._found[key] = below, above, bit
        return value

    def _reply(  # noqa: PLR0917 - a position in plain values, for speed
        self, hands: Pair, piles: Pair, leader: int, led: int, low: int, high: int
    ) -> int:
        """The value where a card has been led."""
        seat = 1 - leader
        hand = hands[seat]
        legal = self._legal(hand, led)
        beaters = BEATEN_BY[led]
        value = LOST if seat == 0 else WON
        for card in sorted(different(legal, hands[leader] | 1 << led), key=lambda card: not beaters >> card & 1):
            wins, mine, others = collected(self._game, led, card)
            left = hand ^ 1 << card
            if leader == 0:
                after, taken = (hands[0], left), (piles[0] | mine, piles[1] | others)
            else:
                after, taken = (left, hands[1]), (piles[0] | others, piles[1] | mine)
            found = self._lead(after, taken, seat if wins else leader, low, high)
            if seat == 0:
                value = max(value, found)
                low = max(low, value)
            else:
                value = min(value, found)
                high = min(high, value)
            if low >= high:
                break
        return value


def _end(first: int, second: int) -> int:
    """How a game ends with so many votes for each."""
    return WON if first >= NEEDED else LOST if second >= NEEDED else DRAWN


def different(cards: int, others: int) -> list[int]:
    """Cards that are worth a try: of those between which no card of the other side makes a difference, the lowest.

    The highest card of a faction is always one of its own, as it decides ties.
    """
    found = []
    for number, of in enumerate(OF):
        rivals = others if number == WILD else others & (of | OF[WILD])
        before = -1
        for bit in bits(cards & of):
            if before < 0 or not _alike(before, bit, rivals, others & of | cards & of):
                found.append(bit)
            before = bit
    return found


def _alike(lower: int, higher: int, rivals: int, faction: int) -> bool:
    """Whether two cards of a faction in one hand do the same; `faction` are all cards of it that are in the hands."""
    if rivals & BETWEEN[VALUE[lower]][VALUE[higher]]:
        return False
    return VALUE[lower] == VALUE[higher] or bool(faction & BETWEEN[min(VALUE[higher] + 1, 9)][9] & ~(1 << higher))
