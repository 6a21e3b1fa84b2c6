"""The seats of a game that the owner of a host offers. Kept as a document."""

from __future__ import annotations

from attrs import frozen

from tkid.club import values
from tkid.club.door.visit import ClubState

KIND = "seat"
"""The kind of documents with seats that the owner offers. Their id is the name of the game."""


@frozen
class Offers:
    """The seats of a game that the owner of the host offers."""

    seats: tuple[int, ...] = ()

    @classmethod
    def of(cls, state: ClubState, game: str) -> Offers:
        """Those that are kept for a game."""
        text = state.document(KIND, game)
        return values.read(text, cls) if text else cls()
