"""What one seat may know of a position."""

from __future__ import annotations

from tkid.games.struggle.rules.position import HIDDEN, Position
from tkid.kernel import game
from tkid.rulebook import cites

View = game.View[Position]


@cites("ruling.open-record", "ruling.open-hands")
def view(position: Position, seat: int | None, *, hidden: bool, plot: str = "", own_pile: bool = True) -> View:
    """What a seat may know: everything on the board, its own cards, the others' top discards.

    With `own_pile` it may look through its own discard pile; otherwise it sees only the top card of that too. If
    other players' hands are `hidden`, it sees how many cards are in them, and the card `plot` once it has been revealed.
    """
    hands, revealed = position.hands, plot if position.decision in {"plot", None} else ""
    if hidden:
        hands = tuple([cards if owner == seat else _hidden(cards, revealed) for owner, cards in enumerate(hands)])
    piles = tuple(
        [cards if owner == seat and own_pile else _covered(cards) for owner, cards in enumerate(position.discards)]
    )
    return View(seat, position.but(hands=hands, discards=piles))


def _hidden(cards: tuple[str, ...], revealed: str) -> tuple[str, ...]:
    """A hand that is not known, but for a card that was revealed."""
    known = (revealed,) * cards.count(revealed) if revealed else ()
    return (HIDDEN,) * (len(cards) - len(known)) + known


def _covered(cards: tuple[str, ...]) -> tuple[str, ...]:
    """A discard pile, of which the top card is seen."""
    return (HIDDEN,) * (len(cards) - 1) + cards[-1:]
