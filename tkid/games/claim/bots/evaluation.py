"""Evaluate positions of Claim: worlds that fit a view, phase two solved exactly, weights.

A view does not show which prizes the other side took, so worlds infer nothing from them. A hidden card may be anywhere,
except in a hand that could not follow its faction. In phase two only one world fits: every played card is seen, so the other
hand is the rest of the pack.

`Solver` searches phase two by alpha-beta over tricks. It treats positions as one if hands and leader are the same, and so is
the standing of each faction: the seat certain of its vote or, while that is open, the lead in cards and the holder of the
highest card. Of cards with the same effect it tries one.

`Estimate` guesses who gets each card still to be won: in phase two all cards in hand, in phase one the followers and the
Undead in hand. The guesses give each faction's lead and its certainty, hence the chance of its vote, and of three votes.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain, combinations, islice, permutations
from math import comb, perm, sqrt
from random import Random

from attrs import field, fields, frozen

from tkid.bots.player import add_in_order
from tkid.games.claim import rules
from tkid.kernel.game import HIDDEN

BITS = range(len(rules.PACK))
"""Places in the pack, one for each card; within a faction a higher place is never a lower value."""
FIRST = {card: rules.PACK.index(card) for card in rules.COPIES}
"""The lowest place of each card: there are five Goblins 0."""
LETTERS = tuple(rules.FACTIONS)
FACTION = tuple(LETTERS.index(card[0]) for card in rules.PACK)
VALUE = tuple(rules.VALUES[card] for card in rules.PACK)
OF = tuple(sum(1 << bit for bit in BITS if FACTION[bit] == number) for number in range(len(LETTERS)))
"""The cards of each faction, as a mask."""
BEATEN_BY = tuple(
    sum(1 << bit for bit in BITS if rules.judge_trick(led, rules.PACK[bit]).second_wins) for led in rules.PACK
)
"""For each card that is led, the cards that win the trick when they are played second."""
BETWEEN = tuple(
    tuple(sum(1 << bit for bit in BITS if low <= VALUE[bit] <= high) for high in range(10)) for low in range(10)
)
"""The cards with a value from one to another, both included."""


def make_masks(*places: tuple[rules.Card, ...]) -> list[int]:
    """Return a mask for the cards of each place; no card is in two masks, and hidden cards are left out."""
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


def iter_bits(cards: int) -> Iterable[int]:
    """Yield the places of a mask, from the lowest."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def cards_of(found: int) -> tuple[rules.Card, ...]:
    return tuple(rules.PACK[bit] for bit in iter_bits(found))


@cache
def find_masked_vote(faction: int, first: int, second: int) -> int | None:
    """Return the seat that gets a faction's vote, given the faction's cards in the score piles."""
    return rules.find_vote(rules.FACTIONS[LETTERS[faction]], (cards_of(first), cards_of(second))).seat


def second_phase(hands: tuple[int, int], led: int | None) -> rules.Position:
    """Return a position of phase two in which seat 1 is to play; the score piles are left out."""
    return rules.Position(
        leader=1 if led is None else 0,
        led=None if led is None else rules.PACK[led],
        hands=(cards_of(hands[0]), cards_of(hands[1])),
        followers=((), ()),
        scores=((), ()),
        discards=(),
        deck=(),
        prize=None,
        lacks=("", ""),
    )


@cache
def collect_trick(game: rules.Claim, led: int, second: int) -> tuple[bool, int, int]:
    """Return whether the second card wins a trick of phase two, and the cards for the leader's pile and for the other."""
    after, _ = game.apply(second_phase((0, 1 << second), led), rules.PLAYS[rules.PACK[second]])
    piles = after.scores
    mine = sum(1 << bit for bit in (led, second) if rules.PACK[bit] in piles[0])
    return bool(BEATEN_BY[led] >> second & 1), mine, (1 << led | 1 << second) ^ mine


@cache
def find_legal_cards(game: rules.Claim, hand: int, faction: int) -> int:
    """Return the legal cards of a hand after a card of a faction was led, as a mask with one of each card."""
    moves = game.legal(second_phase((0, hand), FACTION.index(faction)))
    return sum(1 << next(bit for bit in range(FIRST[move.card], len(rules.PACK)) if hand >> bit & 1) for move in moves)


WON, DRAWN, LOST = 2, 1, 0
"""Results for seat 0."""
UNDECIDED, NOBODY = 4, 2
WILD = LETTERS.index(rules.DOPPELGANGER)
Pair = tuple[int, int]
"""Something for each seat, as masks."""


class TooLongError(Exception):
    """The solver may not look at as many positions as it needs."""


@cache
def find_standing(faction: int, first: int, second: int, rest: int) -> int:
    """Return the seat certain of a faction's vote with these cards in piles and hands, NOBODY, or a number from UNDECIDED on."""
    best, worst = find_masked_vote(faction, first | rest, second), find_masked_vote(faction, first, second | rest)
    if best == worst:
        return NOBODY if best is None else best
    everything = first | second | rest
    top = everything & BETWEEN[VALUE[everything.bit_length() - 1]][9]
    tip = bool(first & top) + 2 * bool(second & top)
    return UNDECIDED + (first.bit_count() - second.bit_count() + len(rules.PACK)) * 4 + tip


class Solver:
    """Solves one position and those that follow from it."""

    def __init__(self, game: rules.Claim, most: int) -> None:
        self._game, self._left = game, most
        self._found: dict[tuple[int, ...], tuple[int, int, int]] = {}

    def find_value(self, position: rules.Position) -> int:
        """Return the result of a position of phase two in which every card is known. Raises TooLongError."""
        led = () if position.led is None else (position.led,)
        first, second, taken, other, on_table = make_masks(*position.hands, *position.scores, led)
        leader = position.leader
        if leader is None:
            return WON if 0 in position.winners else LOST if 1 in position.winners else DRAWN
        hands, piles = (first, second), (taken, other)
        if on_table:
            return self._solve_reply(hands, piles, leader, on_table.bit_length() - 1, LOST, WON)
        return self._solve_lead(hands, piles, leader, LOST, WON)

    def _solve_lead(self, hands: Pair, piles: Pair, leader: int, low: int, high: int) -> int:
        """Return the value before a lead; exact between `low` and `high`, otherwise a bound on that side."""
        rest = hands[0] | hands[1]
        codes = tuple([find_standing(n, piles[0] & of, piles[1] & of, rest & of) for n, of in enumerate(OF)])
        votes = codes.count(0), codes.count(1)
        open_votes = sum(code >= UNDECIDED for code in codes)
        best, worst = _judge_end(votes[0] + open_votes, votes[1]), _judge_end(votes[0], votes[1] + open_votes)
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
        cards = sorted(
            list_different(mine, others), key=lambda card: (card != bit, (BEATEN_BY[card] & others).bit_count())
        )
        low, high = max(low, below), min(high, above)
        begin_low, begin_high = low, high
        value = LOST if leader == 0 else WON
        for card in cards:
            after = (mine ^ 1 << card, others) if leader == 0 else (others, mine ^ 1 << card)
            found = self._solve_reply(after, piles, leader, card, low, high)
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

    def _solve_reply(  # noqa: PLR0917 - a position in plain values, for speed
        self, hands: Pair, piles: Pair, leader: int, led: int, low: int, high: int
    ) -> int:
        seat = 1 - leader
        hand = hands[seat]
        legal = find_legal_cards(self._game, hand, FACTION[led])
        beaters = BEATEN_BY[led]
        value = LOST if seat == 0 else WON
        for card in sorted(list_different(legal, hands[leader] | 1 << led), key=lambda card: not beaters >> card & 1):
            wins, mine, others = collect_trick(self._game, led, card)
            left = hand ^ 1 << card
            if leader == 0:
                after, taken = (hands[0], left), (piles[0] | mine, piles[1] | others)
            else:
                after, taken = (left, hands[1]), (piles[0] | others, piles[1] | mine)
            found = self._solve_lead(after, taken, seat if wins else leader, low, high)
            if seat == 0:
                value = max(value, found)
                low = max(low, value)
            else:
                value = min(value, found)
                high = min(high, value)
            if low >= high:
                break
        return value


def _judge_end(first: int, second: int) -> int:
    return WON if first >= rules.NEEDED else LOST if second >= rules.NEEDED else DRAWN


def list_different(cards: int, others: int) -> list[int]:
    """Return the lowest of each run of equivalent cards, and the highest card of each faction, which decides ties."""
    found = []
    for number, of in enumerate(OF):
        rivals = others if number == WILD else others & (of | OF[WILD])
        before = -1
        for bit in iter_bits(cards & of):
            if before < 0 or not _is_alike(before, bit, rivals, others & of | cards & of):
                found.append(bit)
            before = bit
    return found


def _is_alike(lower: int, higher: int, rivals: int, faction: int) -> bool:
    """Return True if two of a hand's cards are equivalent; `faction` has all cards of their faction in hands."""
    if rivals & BETWEEN[VALUE[lower]][VALUE[higher]]:
        return False
    return VALUE[lower] == VALUE[higher] or bool(faction & BETWEEN[min(VALUE[higher] + 1, 9)][9] & ~(1 << higher))


def find_claim_worlds(shown: rules.Position, most: int, lot: Random) -> Sequence[rules.Position]:
    """Return every world that fits a position if there are at most `most`; else a fair sample, likely ones perhaps repeated."""
    pool = [card for card, copies in rules.count_unseen(shown).items() for _ in range(copies)]
    if not pool:
        return (shown,)
    few = _count_worlds(shown, len(pool)) <= most
    rows = [*_iter_layouts(shown, pool)] if few else [_draw_layout(shown, pool, lot) for _ in range(most)]
    return [_fill_in(shown, row) for row in rows]


def _list_places(shown: rules.Position) -> list[tuple[int, str]]:
    """Return the size of each place with hidden cards, and the factions that are not there; hands first."""
    hands = [(hand.count(HIDDEN), lacks) for hand, lacks in zip(shown.hands, shown.lacks, strict=True)]
    return [*hands, *((pile.count(HIDDEN), "") for pile in shown.followers)]


def _count_ahead(shown: rules.Position) -> int:
    """Return the number of hidden cards that come in an order: the prize and the deck."""
    return shown.deck.count(HIDDEN) + (shown.prize == HIDDEN)


def _count_worlds(shown: rules.Position, left: int) -> int:
    """Return an upper bound of the number of worlds; copies of a card count separately."""
    count = 1
    for size, _ in _list_places(shown):
        count *= comb(left, size)
        left -= size
    return count * perm(left, _count_ahead(shown))


def _iter_layouts(shown: rules.Position, pool: list[rules.Card]) -> Iterator[list[rules.Card]]:
    """Yield every layout of the unseen cards, as one row; cards that the position leaves out lie nowhere."""

    def laid(places: list[tuple[int, str]], left: list[rules.Card]) -> Iterator[list[rules.Card]]:
        if not places:
            yield from map(list, permutations(left, _count_ahead(shown)))
            return
        (size, lacks), *others = places
        able = [at for at, card in enumerate(left) if card[0] not in lacks]
        for chosen in combinations(able, size):
            rest = [card for at, card in enumerate(left) if at not in chosen]
            for row in laid(others, rest):
                yield [*(left[at] for at in chosen), *row]

    return laid(_list_places(shown), pool)


def _draw_layout(shown: rules.Position, pool: list[rules.Card], lot: Random) -> list[rules.Card]:
    """Return a random layout. The hand that can hold the fewest cards is dealt first."""
    left = list(pool)
    lot.shuffle(left)
    places = _list_places(shown)
    dealt: list[list[rules.Card]] = [[] for _ in places]
    for at in sorted(range(len(places)), key=lambda at: -len(places[at][1])):
        size, lacks = places[at]
        dealt[at] = list(islice((card for card in left if card[0] not in lacks), size))
        for card in dealt[at]:
            left.remove(card)
    return [*chain.from_iterable(dealt), *left]


def _fill_in(shown: rules.Position, row: list[rules.Card]) -> rules.Position:
    cards = iter(row)

    def put(place: rules.Cards) -> rules.Cards:
        return tuple([next(cards) if card == HIDDEN else card for card in place])

    hands = tuple([rules.sort_cards(put(hand)) for hand in shown.hands])
    followers = tuple([rules.sort_cards(put(pile)) for pile in shown.followers])
    prize = next(cards) if shown.prize == HIDDEN else shown.prize
    return shown.replace(hands=hands, followers=followers, prize=prize, deck=put(shown.deck))


FILE = "weights.toml"


@frozen
class Weights:
    """The weight of each thing in the evaluation.

    Whether a card goes to its owner: `keep` for any card, `beats` for each card of its faction that the other side has
    and it beats, `beaten` for each that beats it, `wild` for each Doppelganger that beats it, `knight` for each Knight
    that beats a Goblin, `value` for the number on it. A Dwarf goes the other way, `dwarf` times as surely. `unknown` is
    the weight of a card of the deck, compared with one that the other side has. For a vote: `noise` is the doubt about
    a lead, `doubt` the doubt that each card of the deck adds, `tip` the weight of the highest card. In tricks to come:
    `lead` is the worth of the lead, `hand` of a strong hand while followers are recruited, where a Doppelganger counts
    `hand_wild` more, a Knight `hand_knight`, and an Undead `hand_undead` less, as it is better won than played.
    """

    keep: float
    beats: float
    beaten: float
    wild: float
    knight: float
    value: float
    dwarf: float
    unknown: float
    noise: float
    doubt: float
    tip: float
    lead: float
    hand: float
    hand_wild: float
    hand_knight: float
    hand_undead: float


NAMES = tuple(each.name for each in fields(Weights))


def name_claim_table(code: str, players: int) -> str:
    return f"{code}-{players}"


@cache
def read_claim_weights(code: str, players: int) -> Weights:
    read = tomllib.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    return Weights(**read[name_claim_table(code, players)])


GOBLINS, KNIGHTS, DWARVES, DEAD, WILD_FACTION = (
    OF[LETTERS.index(each)] for each in (rules.GOBLIN, rules.KNIGHT, rules.DWARF, rules.UNDEAD, rules.DOPPELGANGER)
)
MIDDLE = 4.5
RIVALS = [WILD_FACTION | (KNIGHTS if of == GOBLINS else 0) for of in OF]
"""The cards of other factions that can beat a faction's."""
MOST_KNOWN = 200_000
"""Maximum number of answers kept."""


@frozen
class Estimate:
    """The evaluation with its parameters."""

    weights: Weights
    _known: dict[tuple[int, int, int, int], tuple[float, float]] = field(init=False, factory=dict, eq=False)

    def estimate_chance(self, position: rules.Position) -> float:
        """Return the chance of seat 0 to win before a lead; a draw counts half."""
        if position.leader is None:
            return 1.0 if 0 in position.winners else 0.0 if 1 in position.winners else 0.5
        at = make_masks(
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
            lean += self.weights.hand * (self.measure_strength(hands[0]) - self.measure_strength(hands[1]))
        wins, losses = [1.0] + [0.0] * len(OF), [1.0] + [0.0] * len(OF)
        for number, of in enumerate(OF):
            p, q = self._estimate_vote(number, live, scores, deck & of, lean)
            wins, losses = _add_vote(wins, p), _add_vote(losses, q)
        return 0.5 + (add_in_order(wins[rules.NEEDED :]) - add_in_order(losses[rules.NEEDED :])) / 2

    def _estimate_vote(self, number: int, live: Pair, scores: Pair, deck: int, lean: float) -> tuple[float, float]:
        weights, of = self.weights, OF[number]
        piles, own = (scores[0] & of, scores[1] & of), (live[0] & of, live[1] & of)
        rest = own[0] | own[1] | deck
        code = find_standing(number, *piles, rest)
        if code < UNDECIDED:
            return float(code == 0), float(code == 1)
        rivals = of | RIVALS[number]
        first, spread = self._estimate_kept(number, own[0], live[1] & rivals, deck)
        second, more = self._estimate_kept(number, own[1], live[0] & rivals, deck)
        lead = lean + first - second + piles[0].bit_count() - piles[1].bit_count()
        everything = piles[0] | piles[1] | rest
        top = everything & BETWEEN[VALUE[everything.bit_length() - 1]][9]
        lead += weights.tip * (bool(top & (piles[0] | own[0])) - bool(top & (piles[1] | own[1])))
        x = lead / sqrt(spread + more + weights.noise + weights.doubt * deck.bit_count())
        p = 0.5 + 0.5 * x / sqrt(1 + x * x)
        return p, 1 - p

    def _estimate_kept(self, number: int, own: int, others: int, deck: int) -> tuple[float, float]:
        """Estimate how many more cards of a faction a seat keeps than it loses to `others` or gets of the `deck`; and the doubt."""
        key = number, own, others, deck
        if key in self._known:
            return self._known[key]
        weights, of = self.weights, OF[number]
        same, wild = others & of, others & WILD_FACTION if of != WILD_FACTION else 0
        knights = (others & KNIGHTS).bit_count() if of == GOBLINS else 0
        kept, unsure = 0.0, 0.0
        for bit in iter_bits(own):
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

    def measure_strength(self, hand: int) -> float:
        weights = self.weights
        found = add_in_order((VALUE[bit] - MIDDLE) / MIDDLE for bit in iter_bits(hand))
        found += weights.hand_wild * (hand & WILD_FACTION).bit_count()
        found += weights.hand_knight * (hand & KNIGHTS).bit_count()
        return found - weights.hand_undead * (hand & DEAD).bit_count()


def _add_vote(counts: list[float], p: float) -> list[float]:
    return [here * (1 - p) + before * p for here, before in zip(counts, [0.0, *counts], strict=False)]
