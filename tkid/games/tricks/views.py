"""What one seat may know of a position of Claim."""

from __future__ import annotations

from attrs import frozen

from tkid.games.tricks.deck import Cards
from tkid.games.tricks.position import Position
from tkid.kernel.game import HIDDEN
from tkid.rulebook import cites


@frozen
class View:
    """A position as one seat sees it (None: a spectator); cards that it may not see stand as `?`."""

    seat: int | None
    shown: Position


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
