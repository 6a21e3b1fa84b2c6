"""Followers who come by themselves: one of a faction that stands apart, after each power struggle."""

from __future__ import annotations

from attrs import frozen

from tkid.games.struggle.rules.board import OPEN, Board, minus, plus
from tkid.games.struggle.rules.position import Position, put
from tkid.kernel.game import Event
from tkid.rulebook import Ids, cites


@frozen
class Arrival:
    """A follower of a faction that has come to a region."""

    faction: int
    region: int


@frozen
class Arrivals:
    """Who comes, how many there are in all, in which regions one stands from the start, and where the next comes.

    `target` gives for each region where one comes once that region is resolved. Those who are in no region wait
    in the supply, which is their stock. `rule` (local id) is the rule on all of it.
    """

    rule: str
    faction: int
    number: int
    waiting: tuple[int, ...]
    target: tuple[int, ...]

    def coming(self, position: Position) -> int | None:
        """Where one comes after the latest power struggle: None where nobody does."""
        target = self.target[position.struggles[-1]]
        return target if position.discs[target] == OPEN and position.supply[self.faction] else None

    @cites("mordred.arrival", "ruling.mordred-stock")
    def arrive(self, position: Position, board: Board, ids: Ids) -> tuple[Position, tuple[Event, ...]]:
        """The position after the arrival that a power struggle brings, if it brings one."""
        target = self.coming(position)
        if target is None:
            return position, ()
        one = board.one(self.faction)
        regions = put(position.regions, target, plus(position.regions[target], one))
        text = f"A {board.factions[self.faction].name} follower comes to {board.name(target)}"
        arrived = position.but(regions=regions, supply=minus(position.supply, one))
        return arrived, (Event(ids("mordred.arrival"), text, about=Arrival(self.faction, target)),)
