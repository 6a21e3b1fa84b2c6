"""A trick that a card completes: who takes it."""

from __future__ import annotations

from attrs import frozen

from tkid.games.claim.rules.deck import HAND, Card
from tkid.games.claim.rules.position import Position
from tkid.games.claim.rules.tricks import Verdict, verdict
from tkid.record.play.replay import Replay


@frozen
class Trick:
    """A trick to which both have played: in which position the second card came, and who won it by what."""

    before: Position
    led: Card
    second: Card
    leader: int
    verdict: Verdict

    @classmethod
    def of(cls, before: Position, second: Card) -> Trick | None:
        """The trick that a card completes; None for a card that is led."""
        if before.led is None or before.leader is None:
            return None
        return cls(before, before.led, second, before.leader, verdict(before.led, second))

    @classmethod
    def at(cls, known: Replay, number: int) -> Trick | None:
        """The trick that the turn before a moment completed; None where it completed none."""
        moment = known.moments[number]
        if moment.turn is None or moment.turn.undone or not moment.moves:
            return None
        before = known.moments[number - 1].position
        assert isinstance(before, Position)
        return cls.of(before, moment.moves[0].card)

    @property
    def winner(self) -> int:
        """Who took it."""
        return 1 - self.leader if self.verdict.second_wins else self.leader

    @property
    def cards(self) -> tuple[Card, Card]:
        """Both cards, in the order played."""
        return self.led, self.second

    @property
    def last(self) -> bool:
        """Whether it was the last of the game."""
        return self.before.phase == 2 and self.before.trick == HAND
