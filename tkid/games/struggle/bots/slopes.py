"""What small changes of a position are worth, estimated without playing them: slopes of the evaluation."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from tkid.bots.sums import weighted
from tkid.games.struggle.bots.chances import region_chances, shares
from tkid.games.struggle.bots.changes import Change
from tkid.games.struggle.bots.outlook import Outlook
from tkid.games.struggle.rules.board import OPEN, Followers, plus
from tkid.games.struggle.rules.moves import Exchange, Summon
from tkid.games.struggle.rules.position import Position, put
from tkid.games.struggle.rules.transfers import COURT

STEP = 0.25
"""How far to go to see how steep it is, in regions."""


@define(eq=False)
class Slopes:
    """The evaluation of one position for the seat to act, made linear.

    `outcomes` is what it is worth that a region goes to each faction, and behind them that nobody wins it; `court`
    what one more follower of each faction at court is worth.
    """

    outlook: Outlook
    position: Position
    outcomes: list[float] = field(init=False)
    court: list[float] = field(init=False)
    _unsure: dict[int, float] = field(init=False)
    _known: dict[tuple[float, Followers], float] = field(init=False, factory=dict)
    _grown: dict[tuple[int, Followers], float] = field(init=False, factory=dict)
    _taken: dict[tuple[Summon, Followers], float] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        outlook, position = self.outlook, self.position
        prospect = outlook.prospect(position)
        self._unsure = dict(zip(prospect.order, prospect.unsure, strict=True))
        seat, courtly = position.to_act, outlook.game.board.courtly
        assert seat is not None
        party = outlook.party(seat)
        hands, unsure, courts = outlook.hands(position), outlook.unsure(position), position.courts
        first, ahead = outlook.power(prospect)
        kinds, kept = len(position.supply), (1 - prospect.lost) * (1 - prospect.usurped)
        share, steep = [0.0] * kinds, [0.0] * kinds
        for faction in courtly:
            scores = outlook.scores(faction, ahead, courts, hands)
            share[faction] = outlook.by_party(shares(scores, unsure))[party]
            scores[seat] += 1
            steep[faction] = (outlook.by_party(shares(scores, unsure))[party] - share[faction]) * first[faction] * kept
        crowned = weighted(first, share)
        self.outcomes = [0.0] * (kinds + 1)
        self.court = list(steep)
        for faction in courtly:
            more, _ = outlook.power(prospect, faction, STEP)
            self.outcomes[faction] = (weighted(more, share) - crowned) / STEP * kept
            for other, chance in outlook.runners(faction, ahead):
                self.court[other] += steep[faction] * chance * outlook.weights.second
        invaded = outlook.invaded(position, courts, hands, unsure)[party]
        self.outcomes[kinds] = (invaded - crowned) * prospect.near
        for faction in courtly:
            if prospect.lost:
                larger = put(courts, seat, plus(courts[seat], outlook.game.board.one(faction)))
                self.court[faction] += (
                    outlook.invaded(position, larger, hands, unsure)[party] - invaded
                ) * prospect.lost
        for faction in outlook.game.board.apart:
            usurped = outlook.usurped(position, hands, unsure)[party]
            self.outcomes[faction] = (usurped - crowned) * (1 - prospect.usurped)

    def region(self, region: int, followers: Followers) -> float:
        """What a region with these followers is worth."""
        return self._in(followers, self._unsure[region])

    def _in(self, followers: Followers, unsure: float) -> float:
        known = self._known.get((unsure, followers))
        if known is None:
            chances = region_chances(followers, unsure, self.outlook.weights.tie)
            known = self._known[unsure, followers] = weighted(chances, self.outcomes)
        return known

    def gain(self, change: Change) -> float:
        """What it is worth that places grow."""
        grown, whole = self._grown, 0.0
        for at in change:
            gain = grown.get(at)
            if gain is None:
                gain = grown[at] = self._gain(*at)
            whole += gain
        return whole

    def _gain(self, place: int, growth: Followers) -> float:
        if place == COURT:
            return weighted(growth, self.court)
        if place < 0 or self.position.discs[place] != OPEN:
            return 0.0
        before = self.position.regions[place]
        return self.region(place, plus(before, growth)) - self.region(place, before)

    def summoned(self, position: Position, move: Any) -> float:
        """What it is worth to summon somebody, or nobody, in a position that regions have changed in."""
        if not isinstance(move, Summon):
            return 0.0
        before = position.regions[move.region]
        known = self._taken.get((move, before))
        if known is None:
            known = self._taken[move, before] = self._summons(move, before)
        return known

    def _summons(self, move: Summon, before: Followers) -> float:
        after = put(before, move.faction, before[move.faction] - 1)
        gain = self.court[move.faction]
        if self.position.discs[move.region] != OPEN:
            return gain
        return gain + self.region(move.region, after) - self.region(move.region, before)

    def exchanged(self, exchange: Exchange) -> float:
        """What it is worth that two regions change places on the track."""
        regions = self.position.regions
        here, there = regions[exchange.first], regions[exchange.second]
        soon, late = self._unsure[exchange.first], self._unsure[exchange.second]
        then = self._in(here, late) + self._in(there, soon)
        return then - self._in(here, soon) - self._in(there, late)
