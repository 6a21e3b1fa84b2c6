"""How the family's games are shown, put together."""

from __future__ import annotations

from collections.abc import Sequence

from tkid.games.tricks.game import Tricks
from tkid.games.tricks.position import Position
from tkid.games.tricks.views import View
from tkid.kernel.game import Event
from tkid.render.marks import Pen
from tkid.render.tricks import text, why
from tkid.render.tricks.legal import legal


class TricksShowing:
    """How the games of the family are shown."""

    def position(self, game: Tricks, view: View, names: Sequence[str], last: Sequence[Event], pen: Pen) -> str:
        """All that a seat may know of a position."""
        return text.position(game, view, names, last, pen)

    def decided(self, game: Tricks, position: Position, names: Sequence[str]) -> list[str]:
        """The votes of a game that is over."""
        return why.decided(game, position, names)

    def legal(self, game: Tricks, position: Position, names: Sequence[str], card: str, *, every: bool) -> list[str]:  # noqa: ARG002 - a card has one way to be played
        """What may be played by whoever is to act."""
        return list(legal(game, position, names, card))

    def due(self, _: Tricks, position: Position) -> str:
        """What whoever is to act has to do."""
        return "lead" if position.led is None else "play"

    def undecided(self, _: Tricks, __: Position) -> str:
        """Nothing: a game that is over is decided."""
        return ""


SHOWING = TricksShowing()
