"""Judging what plans depend on: what the judges of all games have in common. Each game says what its conditions mean."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from attrs import field, frozen

from tkid.kernel.problems import Problem
from tkid.orders.model import If, Steps
from tkid.record.play.replay import Moment, Replay
from tkid.rulebook import cites


@frozen
class Judged:
    """What is true of a condition: whether it is met, whether it still may be, why in words, and by which rule."""

    met: bool
    reason: str
    rule: str
    possible: bool = True


@frozen
class Chosen:
    """What a standing order plays now, "" for nothing; why in words, and by which rule."""

    text: str
    reason: str
    rule: str


@frozen
class Judge(ABC):
    """Judges conditions and standing orders for a seat by what it knows of a game."""

    known: Replay
    seat: int
    turns: tuple[Moment, ...] = field(init=False)
    """The turns since the seat's last own turn, that turn first; all turns where it had none yet."""

    @turns.default
    def _(self) -> tuple[Moment, ...]:
        every = standing_turns(self.known)
        own = [index for index, moment in enumerate(every) if moment.turn and moment.turn.seat == self.seat]
        return every[own[-1] if own else 0 :]

    @property
    def since(self) -> str:
        """The time that a condition looks at, in words."""
        had = self.turns and self.turns[0].turn and self.turns[0].turn.seat == self.seat
        return "since your last turn" if had else "so far"

    @cites("post.condition")
    def together(self, step: If) -> Judged:
        """All conditions of a step, joined as it says."""
        judged = [self.judge(condition) for condition in step.conditions]
        deciding = [each for each in judged if each.met != step.every] or judged
        combined = all if step.every else any
        reason = " and ".join(dict.fromkeys(each.reason for each in deciding))
        possible = combined(each.possible for each in judged)
        return Judged(combined(each.met for each in judged), reason, deciding[0].rule, possible)

    def can_happen(self, steps: Steps) -> bool:
        """Whether the first of some steps can still come to anything."""
        first = steps[0]
        if not isinstance(first, If):
            return True
        if self.together(first).possible and self.can_happen(first.then):
            return True
        return first.otherwise is not None and self.can_happen(first.otherwise)

    @abstractmethod
    def judge(self, condition: Any) -> Judged:
        """One condition."""

    @abstractmethod
    def over(self, order: Any, since: int) -> Judged:
        """Whether a standing order has come to its end; `since` is the first turn that counts."""

    @abstractmethod
    def pointless(self, order: Any, since: int) -> Problem | None:
        """Why a standing order that is given now has nothing to wait for."""

    @abstractmethod
    def replaces(self, order: Any, older: Any) -> bool:
        """Whether a standing order takes the place of an older one."""

    @abstractmethod
    def stays(self, order: Any) -> bool:
        """Whether a standing order still holds when its owner sends a turn."""

    @abstractmethod
    def turn(self, order: Any, lasts: Judged) -> Chosen:
        """What a standing order plays now; `lasts` is what `over` says of it."""


def standing_turns(known: Replay) -> tuple[Moment, ...]:
    """The turns of a game but for those that were taken back."""
    return tuple(moment for moment in known.moments if moment.turn and not moment.turn.undone)
