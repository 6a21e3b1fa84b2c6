"""What players have in common that judge turns: what they know of the game, and that they play the turn they like best."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from attrs import field, frozen

from tkid.bots.player import Choice, Turn
from tkid.bots.plugin import Judge, judge
from tkid.kernel.game import AnyGame, AnyView


@frozen
class Judging(ABC):
    """A player that judges turns; `looks_ahead` says whether it does so."""

    looks_ahead: ClassVar[bool] = False
    game: AnyGame
    judge: Judge = field()

    @judge.default
    def _(self) -> Judge:
        return judge(self.game, ahead=self.looks_ahead)

    def choose(self, view: AnyView, thought: int) -> Turn:
        """The turn that it likes best."""
        return self.choices(view, thought, 1)[0].turn

    @abstractmethod
    def choices(self, view: AnyView, thought: int, most: int) -> tuple[Choice, ...]:
        """Turns that it likes, best first."""
