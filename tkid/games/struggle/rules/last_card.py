"""The last card of a game: all open regions are resolved at once behind it, and the winner is known.

`Finish` finds once what many positions share: the outcomes of the regions rank the factions, and the courts then decide the winners.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field, frozen

from tkid.games.struggle.rules import moves
from tkid.games.struggle.rules.board import OPEN, Followers, Position, add_followers, replace_item, subtract_followers
from tkid.games.struggle.rules.endings import GameEnd, rank_factions
from tkid.games.struggle.rules.struggles import NO_SUMMON, Arrivals, find_struggle_outcome
from tkid.kernel.problems import Fix, Scope, Violation
from tkid.rulebook import Ids, cites

Winners = tuple[int, ...]
REMEMBERED = 1 << 16
"""Maximum number of endings, and of winners, in the cache."""


@define(eq=False)
class Finish:
    """The finishes of one game; `arrivals` are those of its set-up."""

    arrivals: Arrivals | None
    end: GameEnd
    _overs: dict[tuple[Any, ...], tuple[str, tuple[int, ...], Position]] = field(init=False, factory=dict)
    _winners: dict[tuple[Any, ...], Winners] = field(init=False, factory=dict)

    def spend_last_card(self, position: Position) -> Position:
        """Play the last card in this turn, as far as the position doesn't depend on how it is played."""
        last_acted, emptied = (
            replace_item(turns, position.actor, position.turn + 1) for turns in (position.last_acted, position.emptied)
        )
        return position.replace(hands=((),) * len(position.courts), last_acted=last_acted, emptied=emptied)

    def list_finishes(
        self, spent: Position, changed: moves.Changes
    ) -> Iterator[tuple[moves.Summon | moves.NoSummon, Winners]]:
        """Yield every summons with its winners after the changes of a card in the position without it (`spent`)."""
        board, seat = self.end.board, spent.actor
        regions: tuple[Followers, ...] = changed.get("regions", spent.regions)
        track: tuple[int, ...] = changed.get("track", spent.track)
        courts: tuple[Followers, ...] = changed.get("courts", spent.courts)
        order = tuple([region for region in track if spent.discs[region] == OPEN])
        coming = self._find_arrivals(order, regions, changed.get("supply", spent.supply))
        taking_part = tuple(map(add_followers, regions, coming)) if coming else regions
        discs = tuple([find_struggle_outcome(taking_part[region])[0] for region in order])
        larger = [
            replace_item(courts, seat, add_followers(courts[seat], board.make_single(kind)))
            for kind in range(len(board.factions))
        ]
        nobody = True
        for region, group in enumerate(regions):
            for faction in board.courtly:
                if group[faction]:
                    nobody, ends = False, discs
                    if region in order:
                        left = subtract_followers(taking_part[region], board.make_single(faction))
                        ends = replace_item(discs, order.index(region), find_struggle_outcome(left)[0])
                    yield moves.Summon(faction, region), self._find_winners(spent, order, ends, larger[faction])
        if nobody:
            yield NO_SUMMON, self._find_winners(spent, order, discs, courts)

    def filter_winning(self, position: Position, resolutions: Iterable[Any]) -> tuple[Any, ...]:
        """Keep the ways to play the very last card that can win for its player alone with some summons."""
        spent, won = self.spend_last_card(position), (position.actor,)
        return tuple(
            resolution
            for resolution in resolutions
            if any(winners == won for _, winners in self.list_finishes(spent, moves.find_changes(position, resolution)))
        )

    def list_winning_summonses(self, position: Position) -> tuple[moves.Summon | moves.NoSummon, ...]:
        won = (position.actor,)
        return tuple(summons for summons, winners in self.list_finishes(position, {}) if winners == won)

    def describe_outcome(self, position: Position, resolution: moves.Resolution) -> str:
        changed = moves.find_changes(position, resolution)
        outcomes = dict.fromkeys(winners for _, winners in self.list_finishes(self.spend_last_card(position), changed))
        names = ", or ".join(map(_name_winners, outcomes))
        return f"with this {names} would win" + (", with any summons" if len(outcomes) == 1 else "")

    def describe_summons(self, position: Position, move: moves.Summon | moves.NoSummon) -> str:
        winners = dict(self.list_finishes(position, {})).get(move, ())
        return f"with this summons {_name_winners(winners)} would win"

    def _find_arrivals(
        self, order: tuple[int, ...], regions: tuple[Followers, ...], supply: Followers
    ) -> list[Followers] | None:
        """Find the followers who come into each region before its power struggle; None in games without arrivals."""
        board, arrivals = self.end.board, self.arrivals
        if arrivals is None:
            return None
        coming = [(0,) * len(board.factions)] * len(regions)
        one, stock = board.make_single(arrivals.faction), supply[arrivals.faction]
        for index, region in enumerate(order):
            stock += add_followers(regions[region], coming[region])[arrivals.faction]
            target = arrivals.target[region]
            if stock and target in order[index + 1 :]:
                coming[target] = add_followers(coming[target], one)
                stock -= 1
        return coming

    def _find_winners(
        self, spent: Position, order: tuple[int, ...], ends: tuple[int, ...], courts: tuple[Followers, ...]
    ) -> Winners:
        """Find the winners with these regions in this order and these courts, as ending, ranking and last turns decide."""
        key = spent.discs, spent.struggles, order, ends
        if (known := self._overs.get(key)) is None:
            known = _remember(self._overs, key, self._find_end(spent, order, ends))
        ending, ranked, over = known
        last = ending, ranked, courts, spent.last_acted, spent.emptied
        if (winners := self._winners.get(last)) is None:
            finished = over.replace(courts=courts, last_acted=spent.last_acted, emptied=spent.emptied)
            result = self.end.find_result(finished)
            assert result is not None
            winners = _remember(self._winners, last, result.winners)
        return winners

    def _find_end(
        self, spent: Position, order: tuple[int, ...], ends: tuple[int, ...]
    ) -> tuple[str, tuple[int, ...], Position]:
        discs, struggles = list(spent.discs), list(spent.struggles)
        for region, disc in zip(order, ends, strict=True):
            discs[region] = disc
            struggles.append(region)
            if self.end.is_over_with(discs):
                break
        over = spent.replace(discs=tuple(discs), struggles=tuple(struggles))
        ending = self.end.find_ending(over)
        assert ending is not None
        return ending.name, rank_factions(over, self.end.board.apart) if ending.ranked else (), over


def _remember(known: dict[tuple[Any, ...], Any], key: tuple[Any, ...], value: Any) -> Any:
    if len(known) >= REMEMBERED:
        known.clear()
    known[key] = value
    return value


@frozen
class LastCard:
    """A rule (local id `rule`) for games of `players` players: the very last card has to win the game."""

    players: int
    rule: str

    def is_held(self, position: Position, card: str) -> bool:
        """Return True if a card is the very last one, in the hand of the seat to act."""
        if len(position.courts) != self.players or position.decision != "play" or position.to_act is None:
            return False
        return sum(map(len, position.hands)) == 1 and card in position.hands[position.to_act]

    def is_spent(self, position: Position) -> bool:
        """Return True if the very last card has been played and the summons after it is still due."""
        return len(position.courts) == self.players and position.decision == "summon" and not any(position.hands)

    @cites("ruling.last-card")
    def make_violation(self, ids: Ids, outcome: str, winning: tuple[object, ...]) -> Violation:
        sentence = f"you may play the very last card only to win outright; {outcome}"
        if winning:
            return Violation(ids(self.rule), sentence, alternatives=winning)
        return Violation(ids(self.rule), sentence, hint="Write `Pass`.", fixes=(Fix("Pass", Scope.LINE),))


def _name_winners(winners: Winners) -> str:
    return " and ".join(f"{{{seat}}}" for seat in winners)
