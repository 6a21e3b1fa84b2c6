"""What one seat may know of a position."""

from __future__ import annotations

from attrs import frozen

from tkid.games.struggle.position import Position
from tkid.rulebook import cites

HIDDEN = "?"
"""In place of a card that the viewer may not see."""


@frozen
class View:
    """A position as one seat sees it (None: a spectator); cards that it may not see stand as `?`."""

    seat: int | None
    shown: Position


@cites("ruling.open-record")
def view(position: Position, seat: int | None, *, open_hands: bool) -> View:
    """What a seat may know: everything on the board, its own cards, the others' top discards.

    Where everybody starts with the same known cards, hands are open to whoever remembers; `open_hands` shows them.
    """

    def hand(owner: int, cards: tuple[str, ...]) -> tuple[str, ...]:
        return cards if open_hands or owner == seat else (HIDDEN,) * len(cards)

    def pile(owner: int, cards: tuple[str, ...]) -> tuple[str, ...]:
        return cards if owner == seat else (HIDDEN,) * (len(cards) - 1) + cards[-1:]

    shown = position.but(
        hands=tuple(hand(owner, cards) for owner, cards in enumerate(position.hands)),
        discards=tuple(pile(owner, cards) for owner, cards in enumerate(position.discards)),
    )
    return View(seat, shown)
