"""What one seat may know of a position of Claim."""

from __future__ import annotations

from tkid.games.claim.rules.deck import Card, Cards
from tkid.games.claim.rules.position import Position
from tkid.kernel import game
from tkid.kernel.game import HIDDEN
from tkid.rulebook import cites

View = game.View[Position]


@cites("claim.ruling.open-cards")
def view(position: Position, seat: int | None) -> View:
    """What a seat may know: its own hand and follower pile, and whatever lies face up or was played face up.

    Of the other's hand and follower pile, and of the deck, only the number of cards is seen.
    """

    def seen(piles: tuple[Cards, ...]) -> tuple[Cards, ...]:
        return tuple([cards if owner == seat else covered(cards) for owner, cards in enumerate(piles)])

    shown = position.but(hands=seen(position.hands), followers=seen(position.followers), deck=covered(position.deck))
    return View(seat, shown)


def covered(cards: Cards) -> Cards:
    """Cards that lie face down."""
    return (HIDDEN,) * len(cards)


def knowing(position: Position, drawn: Card = HIDDEN, prize: Card = HIDDEN) -> Position:
    """The position before the end of a trick of phase one, with what was revealed of the deck filled in.

    `drawn` is what the loser takes, the top card; `prize` the next to be revealed. HIDDEN reveals nothing.
    """
    revealed = [card for card, _ in zip((drawn, prize), position.deck, strict=False)]
    top = [new if new != HIDDEN else old for new, old in zip(revealed, position.deck, strict=False)]
    return position.but(deck=(*top, *position.deck[len(top) :]))
