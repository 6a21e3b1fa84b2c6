"""How a game ends once its last card is spent, without playing it out.

Nobody can act any more then: all open regions are resolved at once, and the winner is known. What many positions have in
common is found once: how the regions come out makes a ranking of the factions, and with the courts that makes the winners.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field

from tkid.games.struggle.rules.board import OPEN, Board, Followers, minus, plus
from tkid.games.struggle.rules.effects import Changes
from tkid.games.struggle.rules.endings.ending import ranking
from tkid.games.struggle.rules.endings.game_end import GameEnd
from tkid.games.struggle.rules.moves import NoSummon, Summon
from tkid.games.struggle.rules.position import Position, put
from tkid.games.struggle.rules.turns.arrivals import Arrivals
from tkid.games.struggle.rules.turns.struggles import outcome
from tkid.games.struggle.rules.turns.summoning import NO_SUMMON

Winners = tuple[int, ...]
REMEMBERED = 1 << 16
"""So many endings, and so many winners, are remembered at most."""


@define(eq=False)
class Finish:
    """The finishes of one game. The attributes are those of `Struggle`; `arrivals` are those of its set-up."""

    board: Board
    arrivals: Arrivals | None
    end: GameEnd
    _overs: dict[tuple[Any, ...], tuple[str, tuple[int, ...], Position]] = field(init=False, factory=dict)
    _winners: dict[tuple[Any, ...], Winners] = field(init=False, factory=dict)

    def spent(self, position: Position) -> Position:
        """The position as far as it does not depend on how the last card is played: it is played, in this turn."""
        if position.decision == "summon":
            return position
        seat = position.to_act
        assert seat is not None
        last_acted, emptied = (put(turns, seat, position.turn + 1) for turns in (position.last_acted, position.emptied))
        return position.but(hands=((),) * len(position.courts), last_acted=last_acted, emptied=emptied)

    def each(self, spent: Position, changed: Changes) -> Iterator[tuple[Summon | NoSummon, Winners]]:
        """Every summons after some changes, with the winners.

        Args:
            spent: the position once the card is spent.
            changed: what the card changes in it.
        """
        board, seat = self.board, spent.to_act
        assert seat is not None
        regions: tuple[Followers, ...] = changed.get("regions", spent.regions)
        track: tuple[int, ...] = changed.get("track", spent.track)
        courts: tuple[Followers, ...] = changed.get("courts", spent.courts)
        order = tuple([region for region in track if spent.discs[region] == OPEN])
        coming = self._coming(order, regions, changed.get("supply", spent.supply))
        taking_part = tuple(map(plus, regions, coming)) if coming else regions
        discs = tuple([outcome(taking_part[region])[0] for region in order])
        larger = [put(courts, seat, plus(courts[seat], board.one(kind))) for kind in range(len(board.factions))]
        nobody = True
        for region, group in enumerate(regions):
            for faction in board.courtly:
                if group[faction]:
                    nobody, ends = False, discs
                    if region in order:
                        left = minus(taking_part[region], board.one(faction))
                        ends = put(discs, order.index(region), outcome(left)[0])
                    yield Summon(faction, region), self._found(spent, order, ends, larger[faction])
        if nobody:
            yield NO_SUMMON, self._found(spent, order, discs, courts)

    def _coming(
        self, order: tuple[int, ...], regions: tuple[Followers, ...], supply: Followers
    ) -> list[Followers] | None:
        """Who comes into each region by himself before its power struggle; None where nobody does in this game."""
        board, arrivals = self.board, self.arrivals
        if arrivals is None:
            return None
        coming = [(0,) * len(board.factions)] * len(regions)
        one, stock = board.one(arrivals.faction), supply[arrivals.faction]
        for index, region in enumerate(order):
            stock += plus(regions[region], coming[region])[arrivals.faction]
            target = arrivals.target[region]
            if stock and target in order[index + 1 :]:
                coming[target] = plus(coming[target], one)
                stock -= 1
        return coming

    def _found(
        self, spent: Position, order: tuple[int, ...], ends: tuple[int, ...], courts: tuple[Followers, ...]
    ) -> Winners:
        """Who wins if the regions come out in this way, in this order, with these courts.

        That depends on the ending, the ranking of the factions, the courts, and who played cards when.
        """
        key = spent.discs, spent.struggles, order, ends
        if (known := self._overs.get(key)) is None:
            known = _remember(self._overs, key, self._over(spent, order, ends))
        ending, ranked, over = known
        last = ending, ranked, courts, spent.last_acted, spent.emptied
        if (winners := self._winners.get(last)) is None:
            finished = over.but(courts=courts, last_acted=spent.last_acted, emptied=spent.emptied)
            result = self.end.result(finished)
            assert result is not None
            winners = _remember(self._winners, last, result.winners)
        return winners

    def _over(
        self, spent: Position, order: tuple[int, ...], ends: tuple[int, ...]
    ) -> tuple[str, tuple[int, ...], Position]:
        """The ending, the ranking of the factions, and the position when the game is over."""
        discs, struggles = list(spent.discs), list(spent.struggles)
        for region, disc in zip(order, ends, strict=True):
            discs[region] = disc
            struggles.append(region)
            if self.end.comes_at_once(discs):
                break
        over = spent.but(discs=tuple(discs), struggles=tuple(struggles))
        ending = self.end.ending(over)
        assert ending is not None
        return ending.name, ranking(over, self.board.apart) if ending.ranked else (), over


def _remember(known: dict[tuple[Any, ...], Any], key: tuple[Any, ...], value: Any) -> Any:
    """Note what was found; when there is no more room, forget all else."""
    if len(known) >= REMEMBERED:
        known.clear()
    known[key] = value
    return value
