"""What a position of Claim is worth: the chance of each vote, and of three of them.

For every card that is to be won it is estimated who gets it: in phase two all cards in hand, in phase one the followers and
the Undead in hand. That gives a lead for each faction and how sure it is, the chance of its vote, and of three votes.
"""

from __future__ import annotations

from math import sqrt

from attrs import field, frozen

from tkid.bots.sums import total
from tkid.games.claim.bots.solver import UNDECIDED, standing
from tkid.games.claim.bots.tables import BEATEN_BY, BETWEEN, LETTERS, OF, VALUE, bits, masks
from tkid.games.claim.bots.weights import Weights
from tkid.games.claim.rules.deck import DOPPELGANGER, DWARF, GOBLIN, KNIGHT, UNDEAD
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.scoring import NEEDED

GOBLINS, KNIGHTS, DWARVES, DEAD, WILD = (
    OF[LETTERS.index(each)] for each in (GOBLIN, KNIGHT, DWARF, UNDEAD, DOPPELGANGER)
)
MIDDLE = 4.5
"""The middle of the values on the cards."""
RIVALS = [WILD | (KNIGHTS if of == GOBLINS else 0) for of in OF]
"""The cards of other factions that can beat a faction's."""
MOST_KNOWN = 200_000
"""How many answers are remembered."""


def squashed(x: float) -> float:
    """A number as a chance: 0 is even."""
    return 0.5 + 0.5 * x / sqrt(1 + x * x)


@frozen
class Estimate:
    """The evaluation with its parameters."""

    weights: Weights
    _known: dict[tuple[int, int, int, int], tuple[float, float]] = field(init=False, factory=dict, eq=False)

    def chance(self, position: Position) -> float:
        """The chance of seat 0 to win; a draw counts half. No card is led."""
        if position.leader is None:
            return 1.0 if 0 in position.winners else 0.0 if 1 in position.winners else 0.5
        at = masks(
            *position.hands,
            *position.followers,
            *position.scores,
            position.deck,
            (position.prize,) if position.prize else (),
        )
        hands, followers, scores, deck = (at[0], at[1]), (at[2], at[3]), (at[4], at[5]), at[6] | at[7]
        first = position.prize is not None
        live = (followers[0] | hands[0] & DEAD, followers[1] | hands[1] & DEAD) if first else hands
        lean = self.weights.lead * (1 - 2 * position.leader)
        if first:
            lean += self.weights.hand * (self.strength(hands[0]) - self.strength(hands[1]))
        wins, losses = [1.0] + [0.0] * len(OF), [1.0] + [0.0] * len(OF)
        for number, of in enumerate(OF):
            p, q = self._vote(number, live, scores, deck & of, lean)
            wins, losses = _with(wins, p), _with(losses, q)
        return 0.5 + (total(wins[NEEDED:]) - total(losses[NEEDED:])) / 2

    def _vote(self, number: int, live: Pair, scores: Pair, deck: int, lean: float) -> tuple[float, float]:
        """The chances of both seats to get the vote of a faction; `deck` are its cards that either may get."""
        weights, of = self.weights, OF[number]
        piles, own = (scores[0] & of, scores[1] & of), (live[0] & of, live[1] & of)
        rest = own[0] | own[1] | deck
        code = standing(number, *piles, rest)
        if code < UNDECIDED:
            return float(code == 0), float(code == 1)
        rivals = of | RIVALS[number]
        first, spread = self._kept(number, own[0], live[1] & rivals, deck)
        second, more = self._kept(number, own[1], live[0] & rivals, deck)
        lead = lean + first - second + piles[0].bit_count() - piles[1].bit_count()
        everything = piles[0] | piles[1] | rest
        top = everything & BETWEEN[VALUE[everything.bit_length() - 1]][9]
        lead += weights.tip * (bool(top & (piles[0] | own[0])) - bool(top & (piles[1] | own[1])))
        p = squashed(lead / sqrt(spread + more + weights.noise + weights.doubt * deck.bit_count()))
        return p, 1 - p

    def _kept(self, number: int, own: int, others: int, deck: int) -> tuple[float, float]:
        """How many more cards of a faction a seat keeps than it loses, of those that are its own to begin with, and how unsure.

        Args:
            number: the faction.
            own: its cards of the faction.
            others: the other side's cards, as far as they can win against one of the faction.
            deck: the cards of the faction that either may get.
        """
        key = number, own, others, deck
        if key in self._known:
            return self._known[key]
        weights, of = self.weights, OF[number]
        same, wild = others & of, others & WILD if of != WILD else 0
        knights = (others & KNIGHTS).bit_count() if of == GOBLINS else 0
        kept, unsure = 0.0, 0.0
        for bit in bits(own):
            beaters = BEATEN_BY[bit]
            x = weights.value * (VALUE[bit] - MIDDLE) / MIDDLE - weights.knight * knights
            x -= weights.beaten * ((same & beaters).bit_count() + weights.unknown * (deck & beaters).bit_count())
            x += weights.beats * ((same & ~beaters).bit_count() + weights.unknown * (deck & ~beaters).bit_count())
            x -= weights.wild * (wild & beaters).bit_count()
            if of == DWARVES:
                x *= -weights.dwarf
            x += weights.keep
            share = x / sqrt(1 + x * x)
            kept, unsure = kept + share, unsure + 1 - share * share
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        self._known[key] = kept, unsure
        return kept, unsure

    def strength(self, hand: int) -> float:
        """How good a hand is at winning tricks of phase one, in highest cards."""
        weights = self.weights
        found = total((VALUE[bit] - MIDDLE) / MIDDLE for bit in bits(hand))
        found += weights.hand_wild * (hand & WILD).bit_count() + weights.hand_knight * (hand & KNIGHTS).bit_count()
        return found - weights.hand_undead * (hand & DEAD).bit_count()


Pair = tuple[int, int]
"""Something for each seat, as masks."""


def _with(counts: list[float], p: float) -> list[float]:
    """The chances of so many votes, with one more vote that has this chance."""
    return [here * (1 - p) + before * p for here, before in zip(counts, [0.0, *counts], strict=False)]
