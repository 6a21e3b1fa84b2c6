"""What a locked deal asks of a game: its secret deck, who gets which card of it, and what its turns show of it.

Each game answers in its own room, in `record/locked.py`. Places of the deck are counted from 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import frozen

from tkid.kernel.game import AnyGame
from tkid.kernel.plugins import plugin
from tkid.record.play.replay import Moment


@frozen
class Deck:
    """A secret deck: its cards by printed name, equal ones several times; each seat's places; those that all unlock at the deal."""

    cards: tuple[str, ...]
    hands: tuple[range, ...]
    shown: tuple[int, ...] = ()


@frozen
class Share:
    """A place that a seat has to unlock for the others, after a turn."""

    turn: int
    seat: int
    place: int


@frozen
class Shown:
    """A secret card that a seat played in a turn, and the places that it may come from."""

    turn: int
    seat: int
    card: str
    places: tuple[int, ...]


class LockedPlugin(ABC):
    """How the secret cards of a game are dealt without a dealer.

    `kept` says which duty is known to be kept when all hands are known and every turn is legal.
    """

    kept: str

    @abstractmethod
    def deck(self, game: Any, players: int) -> Deck:
        """The secret deck."""

    @abstractmethod
    def filled(self, game: Any, deal: Any, known: Mapping[int, str]) -> Any:
        """A deal, with its secret cards replaced by those at known places, and hidden ones where they are not known."""

    @abstractmethod
    def plays(self, game: Any, moments: Sequence[Moment]) -> Iterator[Shown]:
        """The secret cards that were played."""

    def shares(self, game: Any, moments: Sequence[Moment]) -> Iterator[Share]:  # noqa: ARG002 - nothing is drawn
        """What the turns ask players to unlock for the others, in order."""
        return iter(())


def locked_plugin(game: AnyGame) -> LockedPlugin:
    """How the secret cards of a game are dealt."""
    found: LockedPlugin = plugin(game.name, "record/locked")
    return found
