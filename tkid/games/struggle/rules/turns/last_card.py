"""The very last card: with some numbers of players it may only be played by whoever wins outright with it.

Once it is spent nobody can act any more: all open regions are resolved at once, and the winner is known. The outcome
is computed for every resolution with every summons; what they have in common is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from attrs import define, field, frozen

from tkid.games.struggle.rules.board import OPEN, Board, Followers, minus, plus
from tkid.games.struggle.rules.effects import Changes, changes
from tkid.games.struggle.rules.endings.ending import ranking
from tkid.games.struggle.rules.endings.game_end import GameEnd
from tkid.games.struggle.rules.moves import NoSummon, Resolution, Summon
from tkid.games.struggle.rules.position import Position, put
from tkid.games.struggle.rules.turns.arrivals import Arrivals
from tkid.games.struggle.rules.turns.struggles import outcome
from tkid.games.struggle.rules.turns.summoning import NO_SUMMON
from tkid.kernel.problems import Fix, Scope, Violation
from tkid.rulebook import Ids, cites

Winners = tuple[int, ...]


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

    `position` is the one before that card is played, or before its summons. `board`, `arrivals` and `end` are parts of
    the game.
    """

    board: Board
    arrivals: Arrivals | None
    end: GameEnd
    position: Position
    _seat: int = field(init=False)
    _spent: Position = field(init=False)
    _winners: Callable[[tuple[int, ...], tuple[int, ...], int | None], Winners] = field(init=False)
    _by_ranking: dict[tuple[Any, ...], Winners] = field(init=False, factory=dict)

    @_seat.default
    def _(self) -> int:
        assert self.position.to_act is not None
        return self.position.to_act

    @_spent.default
    def _(self) -> Position:
        """The position as far as it does not depend on what is chosen: the card is played, in this turn."""
        position, seat = self.position, self._seat
        if position.decision == "summon":
            return position
        last_acted, emptied = (put(turns, seat, position.turn + 1) for turns in (position.last_acted, position.emptied))
        return position.but(hands=((),) * len(position.courts), last_acted=last_acted, emptied=emptied)

    @_winners.default
    def _(self) -> Callable[[tuple[int, ...], tuple[int, ...], int | None], Winners]:
        return cache(self._decided)

    # -- what is asked ------------------------------------------------------------------------------------

    def winning(self, resolutions: Iterable[Any]) -> tuple[Any, ...]:
        """Those of some legal resolutions that some summons makes a victory of the seat alone."""
        return tuple(filter(self.can_win, resolutions))

    def can_win(self, resolution: Resolution) -> bool:
        """Whether some summons after a resolution makes the seat win alone."""
        won = (self._seat,)
        return any(winners == won for _, winners in self._each(changes(self.position, resolution)))

    def winning_summons(self) -> tuple[Summon | NoSummon, ...]:
        """The summonses after the card that make the seat win alone."""
        won = (self._seat,)
        return tuple(summons for summons, winners in self._each({}) if winners == won)

    def in_words(self, resolution: Resolution) -> str:
        """The outcome of a resolution that cannot win."""
        outcomes = dict.fromkeys(winners for _, winners in self._each(changes(self.position, resolution)))
        names = ", or ".join(map(_named, outcomes))
        return f"with this {names} would win" + (", whoever is summoned" if len(outcomes) == 1 else "")

    def summons_in_words(self, move: Summon | NoSummon) -> str:
        """The outcome of a summons."""
        winners = dict(self._each({})).get(move, ())
        return f"with this summons {_named(winners)} would win"

    # -- how it comes out ---------------------------------------------------------------------------------

    def _each(self, changed: Changes) -> Iterator[tuple[Summon | NoSummon, Winners]]:
        """Every summons after some changes, with the winners."""
        board = self.board
        regions: tuple[Followers, ...] = changed.get("regions", self.position.regions)
        track: tuple[int, ...] = changed.get("track", self.position.track)
        order = tuple(region for region in track if self.position.discs[region] == OPEN)
        coming = self._coming(order, regions)
        discs = tuple(outcome(plus(regions[region], coming[region]))[0] for region in order)
        present = [
            (region, faction) for region, group in enumerate(regions) for faction in board.courtly if group[faction]
        ]
        for region, faction in present:
            ends = discs
            if region in order:
                left = minus(plus(regions[region], coming[region]), board.one(faction))
                ends = put(discs, order.index(region), outcome(left)[0])
            yield Summon(faction, region), self._winners(order, ends, faction)
        if not present:
            yield NO_SUMMON, self._winners(order, discs, None)

    def _coming(self, order: tuple[int, ...], regions: tuple[Followers, ...]) -> tuple[Followers, ...]:
        """Who comes into each region by himself before its power struggle."""
        board, arrivals = self.board, self.arrivals
        coming = [(0,) * len(board.factions)] * len(regions)
        if arrivals is None:
            return tuple(coming)
        one, stock = board.one(arrivals.faction), self.position.supply[arrivals.faction]
        for index, region in enumerate(order):
            stock += plus(regions[region], coming[region])[arrivals.faction]
            target = arrivals.target[region]
            if stock and target in order[index + 1 :]:
                coming[target] = plus(coming[target], one)
                stock -= 1
        return tuple(coming)

    def _decided(self, order: tuple[int, ...], ends: tuple[int, ...], faction: int | None) -> Winners:
        """Who wins if the regions come out in this way, in this order, and the seat summons a follower of a faction.

        That depends on the ending and the ranking of the factions, and on the courts.
        """
        discs, struggles = list(self._spent.discs), list(self._spent.struggles)
        for region, disc in zip(order, ends, strict=True):
            discs[region] = disc
            struggles.append(region)
            if self.end.comes_at_once(discs):
                break
        over = self._spent.but(discs=tuple(discs), struggles=tuple(struggles))
        ending = self.end.ending(over)
        assert ending is not None
        key = (ending.name, ranking(over, self.board.apart) if ending.ranked else (), faction)
        winners = self._by_ranking.get(key)
        if winners is None:
            seat, courts = self._seat, over.courts
            if faction is not None:
                courts = put(courts, seat, plus(courts[seat], self.board.one(faction)))
            result = self.end.result(over.but(courts=courts))
            assert result is not None
            winners = self._by_ranking[key] = result.winners
        return winners


def _named(winners: Winners) -> str:
    return " and ".join(f"{{{seat}}}" for seat in winners)
