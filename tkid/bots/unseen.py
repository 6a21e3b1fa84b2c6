"""A win that is certain although cards are hidden: it is proven for all worlds at once.

A world is a position without hidden cards that fits what a seat sees. A turn is proven if the seat wins in every world, whatever
all others do, by decisions that hang on nothing but what it sees: worlds that look alike to it get the same decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field

from tkid.bots.player import Turn
from tkid.bots.plugin import Judge
from tkid.bots.solver import LIKELY, UnsolvedError, every_turn
from tkid.bots.turns import party_of, played, shares
from tkid.kernel.game import AnyGame

Worlds = tuple[Any, ...]


@define
class Certainty:
    """Asks whether a seat wins in all worlds that look alike to it.

    Attributes:
        game: The game.
        judge: Says which turns to try first.
        seat: The seat. Its team-mates do not see what it sees, so it does not count on them.
        budget: How many positions may be looked at.
        nodes: How many were.
    """

    game: AnyGame
    judge: Judge
    seat: int
    budget: int
    nodes: int = 0
    _known: dict[Worlds, bool] = field(init=False, factory=dict)

    def wins(self, worlds: Worlds) -> bool:
        """Whether the seat wins in all of these worlds, which look alike to it.

        Raises:
            UnsolvedError: the budget is used up.
        """
        first = worlds[0]
        if first.to_act is None:
            party = party_of(self.game, first, self.seat)
            return all(shares(self.game, world)[party] == 1 for world in worlds)
        if worlds not in self._known:
            ours = first.to_act == self.seat
            self._known[worlds] = self._decides(worlds) if ours else self._withstands(worlds)
        return self._known[worlds]

    def wins_by(self, worlds: Worlds, moves: Turn) -> bool:
        """Whether the seat wins in all of these worlds with these decisions."""
        self.nodes += len(worlds)
        if self.nodes > self.budget:
            raise UnsolvedError
        return all(self.wins(alike) for alike in self._alike(played(self.game, world, moves) for world in worlds))

    def _decides(self, worlds: Worlds) -> bool:
        """Whether one decision of the seat wins in all worlds; those that look best in the first world come first."""
        if not self.game.turn_continues(worlds[0]):
            likely = self.judge.ranked(worlds[0], LIKELY)
            if any(self.wins_by(worlds, turn) for turn, _ in likely):
                return True
        return any(self.wins_by(worlds, (move,)) for move in self.game.legal(worlds[0]))

    def _withstands(self, worlds: Worlds) -> bool:
        """Whether no decision of another seat hurts, in any world in which it is legal."""
        tried: set[Any] = set()
        for world in worlds:
            for move in self.game.legal(world):
                if move in tried:
                    continue
                tried.add(move)
                where = tuple([each for each in worlds if each is world or not self.game.check(each, move)])
                if not self.wins_by(where, (move,)):
                    return False
        return True

    def _alike(self, worlds: Iterable[Any]) -> Iterator[Worlds]:
        """Worlds in groups that look alike to the seat, each world once."""
        groups: dict[Any, dict[Any, None]] = {}
        for world in worlds:
            groups.setdefault(self.game.view(world, self.seat), {})[world] = None
        yield from map(tuple, groups.values())


def certain(game: AnyGame, judge: Judge, worlds: Worlds, budget: int) -> Turn | None:
    """A turn that wins in every world, whatever the others do; None where there is none, or the budget does not suffice.

    Args:
        game: the game.
        judge: what is known of it.
        worlds: every position that fits what the seat to act sees.
        budget: how many positions may be looked at.
    """
    proof = Certainty(game, judge, worlds[0].to_act, budget)
    try:
        return next((turn for turn, _ in every_turn(game, judge, worlds[0]) if proof.wins_by(worlds, turn)), None)
    except UnsolvedError:
        return None
