"""Moves of Claim, one card each: what may be played, and how it is written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import attrgetter

from attrs import frozen

from tkid.games.claim.rules.deck import COPIES, DOPPELGANGER, FACTIONS, NAMES, Card, Cards
from tkid.games.claim.rules.position import Position
from tkid.kernel.game import HIDDEN
from tkid.kernel.ladder import Condition, Ladder, Shape, Slot


@frozen(cache_hash=True)
class Play:
    """Play a card to the trick."""

    card: Card


PLAYS = {card: Play(card) for card in COPIES}
"""Every move there is, by its card."""


@frozen
class Words:
    """Writes moves in canonical notation."""

    def move(self, move: Play) -> str:
        """A card by its printed name: `Goblin 5`."""
        return NAMES[move.card]

    def turn(self, moves: Iterable[Play]) -> str:
        """A turn line: one card."""
        return "; ".join(map(self.move, moves))


# -- what a hand may hold ---------------------------------------------------------------------------------


def unseen(position: Position) -> Counter[Card]:
    """The cards that may be any hidden one: all that are not seen anywhere."""
    places = (*position.hands, *position.followers, *position.scores, position.discards, position.deck)
    seen = Counter(card for cards in places for card in cards)
    seen.update(card for card in (position.led, position.prize) if card)
    return COPIES - seen


@frozen
class Hand:
    """The hand of the seat to act: the different cards that it holds or may hold, and how many are `hidden`.

    `follows` is the faction that it has to follow, None if nothing is led or it may hold none of that faction.
    `lacks` are the factions that it has shown not to have.
    """

    seat: int
    cards: Cards
    follows: str | None
    hidden: int
    lacks: str

    def playable(self, card: Card) -> bool:
        """Whether the card may be in the hand."""
        return card in self.cards


def hand_of(position: Position) -> Hand:
    """The hand of the seat to act, as far as it is known. Raises ValueError where nobody is to act."""
    seat = position.to_act
    if seat is None:
        raise ValueError("the game is over")
    hand, led = position.hands[seat], position.led
    hidden = hand.count(HIDDEN)
    faction = led[0] if led else None
    if not hidden:
        has = led is not None and faction in [card[0] for card in hand]
        return Hand(seat, tuple(dict.fromkeys(hand)), faction if has else None, 0, position.lacks[seat])
    pool = unseen(position)
    able = {card: n for card, n in pool.items() if card[0] not in position.lacks[seat]}
    others = sum(n for card, n in able.items() if card[0] != faction)
    has = any(card[0] == faction for card in hand) or (led is not None and others < hidden)
    cards = tuple(card for card in COPIES if card in able or card in hand)
    return Hand(seat, cards, faction if has else None, hidden, position.lacks[seat])


# -- what may be played -----------------------------------------------------------------------------------


def _lacking(hand: Hand, card: Card) -> str:
    if not hand.hidden:
        return f"{{{hand.seat}}} has no {NAMES[card]} in hand"
    sentence = f"{{{hand.seat}}} cannot have {NAMES[card]}"
    return sentence + f" after failing to follow {FACTIONS[card[0]].plural}" * (card[0] in hand.lacks)


def _off(_: Hand, card: Card) -> str:
    return f"{NAMES[card]} does not follow"


IN_HAND = Condition("claim.trick.hand", Hand.playable, _lacking)
SAME_FACTION = Condition[Hand, Card]("claim.trick.follow", lambda hand, card: card[0] == hand.follows, _off)
WILD = Condition[Hand, Card](
    "claim.power.doppelgangers.always",
    lambda hand, card: card[0] == DOPPELGANGER and hand.follows not in {None, DOPPELGANGER},
    _off,
)


def _must_follow(position: Position, fuller: str) -> str:
    """Why a card of another faction may not be played."""
    hand = hand_of(position)
    assert hand.follows is not None
    faction = FACTIONS[hand.follows]
    held = f"{{{hand.seat}}} {'must have' if hand.hidden else 'has'} {faction.plural}"
    return f"{held} and must follow: {fuller} is possible"


def _shape(rule: str, label: str, *conditions: Condition[Hand, Card]) -> Shape[Position, Play]:
    """A card of the hand that satisfies the conditions."""
    slot: Slot[Hand, Card] = Slot(
        "card", lambda position, _: hand_of(position), attrgetter("cards"), (IN_HAND, *conditions), remembered=False
    )
    return Shape(rule, label, Play, (slot,), make=PLAYS.__getitem__)


FOLLOW = _shape("claim.trick.follow", "a card of the led faction", SAME_FACTION)
STAND_IN = _shape("claim.power.doppelgangers.always", "a Doppelganger", WILD)
ANY = _shape("claim.trick.free", "any card")


def _words(move: object) -> str:
    return NAMES[move.card] if isinstance(move, Play) else "nothing"


LEADING: Ladder[Position, Play] = Ladder(((ANY,),), "claim.trick.lead", "claim.trick.lead", _words)
"""Any card may be led."""
FOLLOWING: Ladder[Position, Play] = Ladder(
    ((FOLLOW, STAND_IN), (ANY,)), "claim.trick.follow", "claim.trick.follow", _words, falls_short=_must_follow
)
"""Following faction if able: a card of the led faction or a Doppelganger; without one of that faction, any card."""
