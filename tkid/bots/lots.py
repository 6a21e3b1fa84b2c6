"""The player that takes any legal turn by lot."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from tkid.bots.player import Choice, Turn, check_asked, lot
from tkid.kernel.game import AnyGame, AnyView


@frozen
class ByLot:
    """Any legal turn, each decision with the same chance."""

    game: AnyGame

    def choose(self, view: AnyView, thought: int) -> Turn:
        """Decide by lot until the turn is over."""
        check_asked(view, thought)
        chance, position = lot(self.game, view, "random"), view.shown
        turn: list[Any] = []
        while not turn or self.game.turn_continues(position):
            legal = self.game.legal(position)
            turn.append(legal[chance.randrange(len(legal))])
            position, _ = self.game.apply(position, turn[-1])
        return tuple(turn)

    def choices(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:  # noqa: ARG002 - one is all it has
        """The turn that fell to it, of which it thinks nothing."""
        return (Choice(self.choose(view, thought), 1 / len(self.game.parties[len(view.shown.seats)])),)
