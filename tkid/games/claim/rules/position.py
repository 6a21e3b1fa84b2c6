"""A position of Claim: everything there is to know about a game at one moment, as a small value."""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from tkid.games.claim.rules import scoring
from tkid.games.claim.rules.deck import HAND, SEATS, Card, Cards
from tkid.kernel.values import Changeable

PHASES = {1: "one", 2: "two"}
"""The phases in words."""


@frozen
class Position(Changeable):
    """A moment of a game. Per-seat tuples are in turn order; cards in hands and piles in the order of the list.

    `leader` leads the trick, None when the game is over; `led` is the card that it has led. `prize` is the card played
    for in phase one, None in phase two. `deck` lies from its top on. `lacks` holds for each seat the factions, by
    letter, of which it has shown in this phase to hold no card. `turn` counts the cards played so far; two positions that
    differ only in it are equal. In a position as one seat may know it, HIDDEN stands
    for cards in hands, in follower piles and in the deck, and for the prize of a file whose deck is not known.
    """

    leader: int | None
    led: Card | None
    hands: tuple[Cards, ...]
    followers: tuple[Cards, ...]
    scores: tuple[Cards, ...]
    discards: Cards
    deck: Cards
    prize: Card | None
    lacks: tuple[str, ...]
    turn: int = field(default=0, eq=False)

    @property
    def seats(self) -> range:
        """The seats at the table."""
        return range(SEATS)

    @property
    def to_act(self) -> int | None:
        """The seat that plays a card next; None when the game is over."""
        if self.leader is None or self.led is None:
            return self.leader
        return 1 - self.leader

    @property
    def decision(self) -> Literal["play"] | None:
        """What the position waits for."""
        return None if self.leader is None else "play"

    @property
    def phase(self) -> int:
        """1 while followers are recruited, 2 while supporters are gathered."""
        return 1 if self.prize is not None else 2

    @property
    def trick(self) -> int:
        """The number of the trick within its phase, from 1: as many cards are gone from the hands."""
        return min(HAND, HAND + 1 - max(map(len, self.hands)))

    @property
    def ending(self) -> str | None:
        """The kind of ending; None while the game goes on."""
        return None if self.leader is not None else scoring.result(self.scores).ending

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won; nobody while the game goes on, and in a draw."""
        return () if self.leader is not None else scoring.result(self.scores).winners
