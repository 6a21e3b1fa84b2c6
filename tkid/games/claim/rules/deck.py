"""The cards of Claim: five factions, 52 cards, and how they are dealt.

A card is its code: the letter of its faction and its value, as in `G5`. HIDDEN is one that is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

from tkid.kernel.chance import Chance
from tkid.kernel.game import HIDDEN
from tkid.kernel.problems import Violation
from tkid.rulebook import cites

Card = str
Cards = tuple[Card, ...]
"""Some cards in the order of the list, hidden ones last; the deck alone is in the order in which it lies."""

GOBLIN, KNIGHT, DWARF, UNDEAD, DOPPELGANGER = "G", "K", "D", "U", "X"


@frozen
class Faction:
    """A faction: its letter, its name on one card and on several, and the values of its cards."""

    letter: str
    name: str
    plural: str
    values: tuple[int, ...]


TEN = tuple(range(10))
FACTIONS: Mapping[str, Faction] = {
    faction.letter: faction
    for faction in (
        Faction(GOBLIN, "Goblin", "Goblins", (0, 0, 0, 0, *TEN)),
        Faction(KNIGHT, "Knight", "Knights", TEN[2:]),
        Faction(DWARF, "Dwarf", "Dwarves", TEN),
        Faction(UNDEAD, "Undead", "Undead", TEN),
        Faction(DOPPELGANGER, "Doppelganger", "Doppelgangers", TEN),
    )
}
"""The factions by letter, in the order in which they are listed."""
PACK: Cards = tuple(f"{faction.letter}{value}" for faction in FACTIONS.values() for value in faction.values)
"""All 52 cards."""
COPIES = Counter(PACK)
"""How many there are of each card."""
ORDER: Mapping[Card, int] = {card: place for place, card in enumerate([*COPIES, HIDDEN])}
NAMES: Mapping[Card, str] = {card: f"{FACTIONS[card[0]].name} {card[1]}" for card in COPIES} | {HIDDEN: HIDDEN}
"""The printed names of the cards: `Goblin 5`."""
VALUES: Mapping[Card, int] = {card: int(card[1]) for card in COPIES}

SEATS = 2
HAND = 13
"""As many cards are dealt to each, and as many tricks has each phase."""


def ordered(cards: Iterable[Card]) -> Cards:
    """Cards in the order of the list."""
    return tuple(sorted(cards, key=ORDER.__getitem__))


def without(cards: Cards, card: Card) -> Cards:
    """Cards with one of them taken out: a hidden one where it is not among those known, and none where none is hidden."""
    gone = card if card in cards else HIDDEN
    if gone not in cards:
        return cards
    place = cards.index(gone)
    return cards[:place] + cards[place + 1 :]


def named(cards: Iterable[Card]) -> str:
    """Different cards as a list in words: `Goblin 0 (2), Knight 9`."""
    counts = Counter(cards)
    return ", ".join(f"{NAMES[card]} ({n})" if n > 1 else NAMES[card] for card, n in counts.items())


@frozen
class Deal:
    """All that chance decides, as data: the hands by seat, the face-down deck from its top, and who leads first."""

    hands: tuple[Cards, ...]
    deck: Cards
    first: int


@cites("claim.ruling.start-player")
def draw(chance: Chance) -> Deal:
    """Deal a game out of the shuffled pack, from its end: the hands in turn order, then the deck from its top; who leads."""
    left = chance.shuffled(PACK)
    hands = tuple(ordered(left.pop() for _ in range(HAND)) for _ in range(SEATS))
    deck = tuple(reversed(left))
    return Deal(hands, deck, chance.below(SEATS))


def faults(deal: Deal) -> Iterator[Violation]:
    """What is not as the set-up asks; the part of each violation is the label of its line. Hidden cards may be any."""
    for seat, hand in enumerate(deal.hands):
        if len(hand) != HAND:
            sentence = f"{HAND} cards are dealt to each player, not {len(hand)}"
            yield Violation("claim.setup.hands", sentence, f"Hand {seat}")
    left = len(PACK) - HAND * SEATS
    if len(deal.deck) != left:
        yield Violation("claim.setup.deck", f"the deck has {left} cards after the deal, not {len(deal.deck)}", "Deck")
    counts: Counter[Card] = Counter()
    for part, cards in (*((f"Hand {seat}", hand) for seat, hand in enumerate(deal.hands)), ("Deck", deal.deck)):
        counts.update(cards)
        for card in dict.fromkeys(cards):
            if card != HIDDEN and counts[card] > COPIES[card]:
                sentence = f"{NAMES[card]} is dealt {counts[card]} times: {exist(COPIES[card])}"
                yield Violation("claim.setup.pack", sentence, part)


def exist(copies: int) -> str:
    """How many there are of a card, in words."""
    return "there is one of it" if copies == 1 else f"there are {copies} of it"
