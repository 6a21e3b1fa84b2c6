"""The very last card: with some numbers of players it may only be played by whoever wins outright with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field, frozen

from tkid.games.struggle.rules.effects import changes
from tkid.games.struggle.rules.moves import NoSummon, Resolution, Summon
from tkid.games.struggle.rules.position import Position
from tkid.games.struggle.rules.turns.finish import Finish, Winners
from tkid.kernel.problems import Fix, Scope, Violation
from tkid.rulebook import Ids, cites


@frozen
class LastCard:
    """With so many players the very last card of the game has to win it; `rule` (a local id) says so."""

    players: int
    rule: str

    def is_held(self, position: Position, card: str) -> bool:
        """Whether a card is the very last one, in the hand of the seat to act."""
        if len(position.courts) != self.players or position.decision != "play" or position.to_act is None:
            return False
        return sum(map(len, position.hands)) == 1 and card in position.hands[position.to_act]

    def is_spent(self, position: Position) -> bool:
        """Whether the very last card has been played, and a follower is still to be summoned."""
        return len(position.courts) == self.players and position.decision == "summon" and not any(position.hands)

    @cites("ruling.last-card")
    def violation(self, ids: Ids, outcome: str, winning: tuple[object, ...]) -> Violation:
        """The refusal of a play, or of a summons after it, that comes to another end than this card has to."""
        sentence = f"you may play the very last card only to win outright; {outcome}"
        if winning:
            return Violation(ids(self.rule), sentence, alternatives=winning)
        return Violation(ids(self.rule), sentence, hint="Write `Pass`.", fixes=(Fix("Pass", Scope.LINE),))


@define(eq=False)
class LastCardOutcomes:
    """How a game ends once its very last card is spent, for every way to play it and to summon after it.

    `position` is the one before that card is played, or before its summons.
    """

    finish: Finish
    position: Position
    _seat: int = field(init=False)
    _spent: Position = field(init=False)

    @_seat.default
    def _(self) -> int:
        assert self.position.to_act is not None
        return self.position.to_act

    @_spent.default
    def _(self) -> Position:
        return self.finish.spent(self.position)

    def winning(self, resolutions: Iterable[Any]) -> tuple[Any, ...]:
        """Those of some legal resolutions that some summons makes a victory of the seat alone."""
        return tuple(filter(self.can_win, resolutions))

    def can_win(self, resolution: Resolution) -> bool:
        """Whether some summons after a resolution makes the seat win alone."""
        won = (self._seat,)
        return any(winners == won for _, winners in self.after(resolution))

    def after(self, resolution: Resolution) -> Iterator[tuple[Summon | NoSummon, Winners]]:
        """Every summons after a resolution, with the winners."""
        return self.finish.each(self._spent, changes(self.position, resolution))

    def winning_summons(self) -> tuple[Summon | NoSummon, ...]:
        """The summonses after the card that make the seat win alone."""
        won = (self._seat,)
        return tuple(summons for summons, winners in self.finish.each(self._spent, {}) if winners == won)

    def in_words(self, resolution: Resolution) -> str:
        """The outcome of a resolution that cannot win."""
        outcomes = dict.fromkeys(winners for _, winners in self.after(resolution))
        names = ", or ".join(map(_named, outcomes))
        return f"with this {names} would win" + (", whoever is summoned" if len(outcomes) == 1 else "")

    def summons_in_words(self, move: Summon | NoSummon) -> str:
        """The outcome of a summons."""
        winners = dict(self.finish.each(self._spent, {})).get(move, ())
        return f"with this summons {_named(winners)} would win"


def _named(winners: Winners) -> str:
    return " and ".join(f"{{{seat}}}" for seat in winners)
