"""What one seat may know of a position."""

from __future__ import annotations

from attrs import frozen

from tkid.games.struggle.position import HIDDEN, Position
from tkid.rulebook import cites


@frozen
class View:
    """A position as one seat sees it (None: a spectator); cards that it may not see stand as `?`."""

    seat: int | None
    shown: Position


@cites("ruling.open-record")
def view(position: Position, seat: int | None, *, secret: bool, plot: str = "") -> View:
    """What a seat may know: everything on the board, its own cards, the others' top discards.

    Where everybody starts with the same known cards, hands are open to whoever remembers; where they are `secret`,
    the others' are hidden, but for the card `plot` once it has been revealed.
    """
    revealed = {plot} if position.decision in {"plot", None} else set()

    def hand(owner: int, cards: tuple[str, ...]) -> tuple[str, ...]:
        if not secret or owner == seat:
            return cards
        known = tuple(card for card in cards if card in revealed)
        return (HIDDEN,) * (len(cards) - len(known)) + known

    def pile(owner: int, cards: tuple[str, ...]) -> tuple[str, ...]:
        return cards if owner == seat else (HIDDEN,) * (len(cards) - 1) + cards[-1:]

    shown = position.but(
        hands=tuple(hand(owner, cards) for owner, cards in enumerate(position.hands)),
        discards=tuple(pile(owner, cards) for owner, cards in enumerate(position.discards)),
    )
    return View(seat, shown)
