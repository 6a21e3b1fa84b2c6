"""The very last card: with some numbers of players it may only be played by whoever wins outright with it.

Once it is spent nobody can act any more, so that all that is left is resolved at once and the winner is known. A fate
is worked out for every resolution with every summons; what those have in common is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from tkid.games.struggle.rules.board import OPEN, Followers, minus, plus
from tkid.games.struggle.rules.contest import outcome
from tkid.games.struggle.rules.effects import Changes, changes
from tkid.games.struggle.rules.endings import ranking
from tkid.games.struggle.rules.moves import NoSummon, Resolution, Summon
from tkid.games.struggle.rules.position import Position, put
from tkid.games.struggle.rules.summoning import NO_SUMMON
from tkid.kernel.problems import Violation
from tkid.rulebook import Ids, cites

if TYPE_CHECKING:
    from tkid.games.struggle.rules.game import Struggle

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
    def violation(self, ids: Ids, fate: str, winning: tuple[object, ...]) -> Violation:
        """The refusal of a play, or of a summons after it, that comes to another end than this card has to."""
        told = f"the very last card has to win the game outright for whoever plays it; {fate}"
        return Violation(ids(self.rule), told, alternatives=winning, hint="" if winning else "Write `Pass`.")


@define(eq=False)
class Fates:
    """How a game ends once its very last card is spent, for every way to play it and to summon after it.

    `position` is the one before that card is played, or before its summons.
    """

    game: Struggle
    position: Position
    _seat: int = field(init=False)
    _spent: Position = field(init=False)
    _by_discs: dict[tuple[Any, ...], Winners] = field(init=False, factory=dict)
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
        turn = position.turn + 1
        times = {"last_acted": list(position.last_acted), "emptied": list(position.emptied)}
        for time in times.values():
            time[seat] = turn
        changed = {name: tuple(time) for name, time in times.items()}
        return position.but(hands=((),) * len(position.courts), **changed)

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

    def told(self, resolution: Resolution) -> str:
        """What comes of a resolution that cannot win, in words."""
        ends = dict.fromkeys(winners for _, winners in self._each(changes(self.position, resolution)))
        told = ", or ".join(map(_named, ends))
        return f"with this {told} would win" + (", whoever is summoned" if len(ends) == 1 else "")

    def told_of(self, move: Summon | NoSummon) -> str:
        """What comes of a summons, in words."""
        winners = dict(self._each({})).get(move, ())
        return f"with this summons {_named(winners)} would win"

    # -- how it comes out ---------------------------------------------------------------------------------

    def _each(self, changed: Changes) -> Iterator[tuple[Summon | NoSummon, Winners]]:
        """Every summons after some changes, with the winners."""
        board = self.game.board
        regions: tuple[Followers, ...] = changed.get("regions", self.position.regions)
        track: tuple[int, ...] = changed.get("track", self.position.track)
        order = tuple(region for region in track if self.position.discs[region] == OPEN)
        coming = self._coming(order, regions)
        discs = tuple(outcome(plus(regions[region], coming[region]))[0] for region in order)
        somebody = False
        for region, followers in enumerate(regions):
            for faction in board.courtly:
                if followers[faction]:
                    somebody = True
                    ends = discs
                    if region in order:
                        left, at = minus(plus(followers, coming[region]), board.one(faction)), order.index(region)
                        ends = (*discs[:at], outcome(left)[0], *discs[at + 1 :])
                    yield Summon(faction, region), self._winners(order, ends, faction)
        if not somebody:
            yield NO_SUMMON, self._winners(order, discs, None)

    def _coming(self, order: tuple[int, ...], regions: tuple[Followers, ...]) -> tuple[Followers, ...]:
        """Who comes into each region by himself before its power struggle."""
        board, arrivals = self.game.board, self.game.setup.arrivals
        coming = [(0,) * len(board.factions)] * len(regions)
        if arrivals is None:
            return tuple(coming)
        one, stock = board.one(arrivals.faction), self.position.supply[arrivals.faction]
        for at, region in enumerate(order):
            stock += plus(regions[region], coming[region])[arrivals.faction]
            target = arrivals.target[region]
            if stock and target in order[at + 1 :]:
                coming[target] = plus(coming[target], one)
                stock -= 1
        return tuple(coming)

    def _winners(self, order: tuple[int, ...], ends: tuple[int, ...], faction: int | None) -> Winners:
        """Who wins if the regions come out in this way, in this order, and the seat summons a follower of a faction."""
        key = (order, ends, faction)
        winners = self._by_discs.get(key)
        if winners is None:
            winners = self._by_discs[key] = self._decided(order, ends, faction)
        return winners

    def _decided(self, order: tuple[int, ...], ends: tuple[int, ...], faction: int | None) -> Winners:
        """The same, not remembered: who wins depends on the ending and the ranking of the factions, and on the courts."""
        game, discs, resolved = self.game, list(self._spent.discs), list[int]()
        for region, disc in zip(order, ends, strict=True):
            discs[region] = disc
            resolved.append(region)
            if game.ends_at_once(discs):
                break
        end = self._spent.but(discs=tuple(discs), struggles=(*self._spent.struggles, *resolved))
        ending = game.ending(end)
        assert ending is not None
        key = (ending.name, ranking(end, game.board.apart) if ending.ranked else (), faction)
        winners = self._by_ranking.get(key)
        if winners is None:
            seat, courts = self._seat, end.courts
            if faction is not None:
                courts = put(courts, seat, plus(courts[seat], game.board.one(faction)))
            result = game.result(end.but(courts=courts))
            assert result is not None
            winners = self._by_ranking[key] = result.winners
        return winners


def _named(winners: Winners) -> str:
    return " and ".join(f"{{{seat}}}" for seat in winners)
