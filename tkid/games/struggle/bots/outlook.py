"""The value of a position, its chances and its weights."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import prod, sqrt
from typing import Any

from attrs import define, evolve, fields, frozen

from tkid.bots.player import total, weighted
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Followers, Position
from tkid.games.struggle.rules.endings import ranking
from tkid.games.struggle.rules.game import Struggle

FILE = "weights.toml"
USUAL = "usual"
"""The table in the file for games that have none of their own."""


@frozen
class Weights:
    """How much each thing counts.

    Followers are the unit at court: `card` is the worth of a card in hand in followers of the leading faction, `spare`
    how fast that falls when there are more cards than regions, `second` the worth of a follower of the second faction,
    `move` that of being the next to act. `court` and `court_cards` say how far a lead at court is from certain, without
    cards and for each card that the players have left. In the regions `region` is how unsure a lead in followers is for
    each card to come, `later` how much less sure it is for each region that is resolved earlier, `passed` what is left of
    that in the contested region after a pass, `tie` how likely ties are. `power` is how unsure the order of the factions is.
    `part` is the worth of a begun set, in sets. `alone` is how many cards a follower on the board stands for, where a turn
    may be a summons alone, and `fall` how likely the regions are then emptied until the invasion comes.
    `stand` says how much counts what comes out if everybody passes from now on: so much to one for each card that is left.
    `early` is the worth of having played all cards before anybody else, in followers. `ahead` is how many times as much
    a card in hand is worth to a player who looks ahead: it sees what it will be used for, and what it may be needed for.
    """

    card: float
    spare: float
    second: float
    move: float
    court: float
    court_cards: float
    region: float
    later: float
    passed: float
    tie: float
    power: float
    part: float
    alone: float
    fall: float
    stand: float
    early: float
    ahead: float


NAMES = tuple(each.name for each in fields(Weights))


def as_it_stands(weights: Weights) -> Weights:
    """Parameters by which nothing changes any more: everybody passes, and leads last."""
    stays = dict.fromkeys(("card", "spare", "move", "court_cards", "region", "power", "part", "stand"), 0.0)
    return evolve(weights, **stays, court=0.02, second=0.05, early=0.02)


def kind(code: str, players: int) -> str:
    """The name of the table for a ruleset with so many players."""
    return f"{code}-{players}"


@cache
def tables() -> dict[str, Weights]:
    """All tables of the file; one that leaves something out has the usual value there."""
    read = tomllib.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    usual = read[USUAL]
    return {name: Weights(**{**usual, **table}) for name, table in read.items()}


def weights(code: str, players: int, *, ahead: bool = False) -> Weights:
    """The parameters for a ruleset with so many players, and for players who look ahead or do not."""
    known = tables()
    found = known.get(kind(code, players)) or known.get(str(players)) or known[USUAL]
    return looking_ahead(found) if ahead else found


def looking_ahead(known: Weights) -> Weights:
    """The parameters for a player who looks ahead."""
    return evolve(known, card=known.card * known.ahead)


REMEMBERED = 1 << 16


def lasting(lead: float, unsure: float) -> float:
    """The chance that a lead of so much lasts; 0.5 without a lead."""
    x = lead / unsure
    return 0.5 * (1 + x / sqrt(1 + x * x))


@lru_cache(REMEMBERED)
def region_chances(followers: Followers, unsure: float, tie: float) -> tuple[float, ...]:
    """The chance of each faction to win a region, and behind them that nobody does."""
    first, second = sorted(followers, reverse=True)[:2]
    shares = _weights(followers, unsure)
    apart = 1 / unsure
    lead = (first - second) * apart
    shares.append(tie * (1 + apart * apart) / (1 + lead * lead))
    whole = total(shares)
    return tuple([share / whole for share in shares])


def _weights(scores: Sequence[float], unsure: float) -> list[float]:
    """How much the lead of each over the best of the others counts; it is 1 where there is none."""
    first, second = sorted(scores, reverse=True)[:2]
    found = []
    for score in scores:
        x = (score - (second if score == first else first)) / unsure
        rise = x + sqrt(1 + x * x)
        found.append(rise * rise)
    return found


def shares(scores: Sequence[float], unsure: float) -> tuple[float, ...]:
    """The chance of each side to be ahead of all others in the end; they add up to 1."""
    if len(scores) == 2:
        ahead = lasting(scores[0] - scores[1], unsure)
        return ahead, 1 - ahead
    found = _weights(scores, unsure)
    whole = total(found)
    return tuple([share / whole for share in found])


CERTAIN = 0.05
"""The least doubt about anything."""
FEW = 6
"""With so many cards or fewer it counts what comes out if everybody passes."""


@define
class Prospect:
    """How the regions are likely to come out.

    `order` are the open regions, the contested one first, `unsure` how unsure a lead is in each of them. For each faction
    `regions` is how many it is likely to control, `spread` how far that may be wrong (a variance). `later` says of each
    pair of factions, in the order of `PAIRS`, how likely the first wins a struggle after the second's last. `lost` is the chance
    of an invasion, `near` that one region more would bring it, `usurped` the chance of a usurpation.
    """

    order: list[int]
    unsure: list[float]
    regions: list[float]
    spread: list[float]
    later: list[float]
    lost: float
    near: float
    usurped: float


@frozen
class Outlook:
    """The evaluation of one game with one number of players."""

    game: Struggle
    weights: Weights
    parties: tuple[tuple[int, ...], ...]
    nobody: bool
    """Whether an invasion makes nobody the winner."""
    pairs: tuple[tuple[int, int], ...]
    """The pairs of factions that are ranked."""
    behind: Mapping[int, tuple[int, tuple[int, int]]]
    """For each of these factions the pair of the others, and the index of that pair."""
    standing: Outlook | None
    """The evaluation of what comes out if everybody passes."""

    @classmethod
    def of(cls, game: Struggle, players: int, weights: Weights) -> Outlook:
        """The evaluation for so many players."""
        ranked = game.board.courtly
        pairs = tuple((f, g) for f in ranked for g in ranked if f < g)
        behind = {f: (index, pair) for f in ranked for index, pair in enumerate(pairs) if f not in pair}
        standing = cls.of(game, players, as_it_stands(weights)) if weights.stand else None
        return cls(game, weights, game.parties[players], not game.invasion.won, pairs, behind, standing)

    # -- regions ------------------------------------------------------------------------------------------

    def to_come(self, position: Position) -> float:
        """How many actions are to come: the cards, and where followers are summoned without one, those who may be."""
        cards = float(sum(map(len, position.hands)))
        if not self.game.summons.alone:
            return cards
        return cards + self.weights.alone * sum(map(sum, position.regions))

    def prospect(self, position: Position) -> Prospect:
        """How the regions are likely to come out."""
        weights, discs, tie = self.weights, position.discs, self.weights.tie
        order = [region for region in position.track if discs[region] == OPEN]
        step = weights.region * self.to_come(position) / (len(order) or 1)
        slope = step * weights.later
        unsure = [CERTAIN + step + slope * space for space in range(len(order))]
        if position.passes and order:
            unsure[0] = CERTAIN + step * weights.passed / position.passes
        regions = position.regions
        chances = [region_chances(regions[region], doubt, tie) for region, doubt in zip(order, unsure, strict=True)]
        kinds = range(len(position.supply))
        columns = list(zip(*chances, strict=True)) or [()] * (len(kinds) + 1)
        won = [discs.count(faction) + total(columns[faction]) for faction in kinds]
        spread = [total(column) - weighted(column, column) for column in columns[:-1]]
        later = []
        for f, g in self.pairs:
            chance = self._latest(position, f, g)
            for each in chances:
                chance = each[f] + chance * (1 - each[f] - each[g])
            later.append(chance)
        lost, near = self._lost(columns[-1], discs.count(UNSTABLE))
        if self.game.summons.alone and any(map(any, regions)):
            stays = 1 - weights.fall
            lost, near = 1 - stays * (1 - lost), near * stays
        usurped = 0.0
        for faction in self.game.board.apart:
            usurped = 1 - prod([1 - chance for chance in columns[faction]])
        return Prospect(order, unsure, won, spread, later, lost, near, usurped)

    def _latest(self, position: Position, f: int, g: int) -> float:
        """Which of two factions won a struggle later: 1 for the first, 0 for the second, 0.5 where neither has won any."""
        discs = position.discs
        for region in reversed(position.struggles):
            if discs[region] == f:
                return 1.0
            if discs[region] == g:
                return 0.0
        return 0.5

    def _lost(self, falls: Sequence[float], fallen: int) -> tuple[float, float]:
        """The chance that so many regions fall that the invasion comes, and that only one is missing."""
        need = self.game.invaders - fallen
        if len(falls) < need:
            return 0.0, 0.0
        none = [1.0] + [0.0] * (need - 1)
        lost = 0.0
        for fall in falls:
            lost += none[-1] * fall
            for count in range(need - 1, 0, -1):
                none[count] += (none[count - 1] - none[count]) * fall
            none[0] *= 1 - fall
        return lost, none[-1]

    def power(self, prospect: Prospect, more: int = 0, by: float = 0.0) -> tuple[list[float], list[float]]:
        """The chance of each faction to be first, and of each to be ahead of another, pair by pair.

        With `by` one faction, `more`, is likely to control so many regions more.
        """
        regions, spread, doubt = list(prospect.regions), prospect.spread, self.weights.power
        regions[more] += by
        first = [1.0] * len(regions)
        ahead = []
        for index, (f, g) in enumerate(self.pairs):
            lead = regions[f] - regions[g] + prospect.later[index] - 0.5
            chance = lasting(lead, CERTAIN + doubt * sqrt(spread[f] + spread[g]))
            ahead.append(chance)
            first[f] *= chance
            first[g] *= 1 - chance
        for faction in self.game.board.apart:
            first[faction] = 0.0
        whole = total(first)
        return [chance / whole for chance in first], ahead

    # -- courts -------------------------------------------------------------------------------------------

    def hands(self, position: Position) -> list[float]:
        """What the cards of each seat are worth, and being the next to act, in followers."""
        weights, plot = self.weights, self.game.plot
        ahead = position.discs.count(OPEN) or 1
        worth = []
        for hand in position.hands:
            kept = 1 if plot and plot in hand else 0
            cards = len(hand) - kept
            worth.append(weights.card * cards / (1 + weights.spare * cards / ahead) + kept)
        if position.to_act is not None:
            worth[position.to_act] += weights.move
        emptied = [(turn, seat) for seat, turn in enumerate(position.emptied) if turn is not None]
        if emptied:
            worth[min(emptied)[1]] += weights.early
        return worth

    def unsure(self, position: Position) -> float:
        """How unsure a lead at court is, in followers."""
        return self.weights.court + self.weights.court_cards * self.to_come(position)

    def worth(self, position: Position) -> list[float]:
        """The chance of each party in a position in play."""
        found = self.estimate(position)
        to_come = self.to_come(position)
        if self.standing is None or to_come > FEW:
            return found
        stand = self.weights.stand
        return mixed(found, self.standing.estimate(position), stand / (stand + to_come * to_come))

    def estimate(self, position: Position) -> list[float]:
        """The chance of each party, from what may change in the regions and at court."""
        prospect, hands, unsure = self.prospect(position), self.hands(position), self.unsure(position)
        courts = position.courts
        first, ahead = self.power(prospect)
        found = [0.0] * len(self.parties)
        for faction in self.game.board.courtly:
            scores = self.scores(faction, ahead, courts, hands)
            for party, share in enumerate(self.by_party(shares(scores, unsure))):
                found[party] += first[faction] * share
        if prospect.lost:
            found = mixed(found, self.invaded(position, courts, hands, unsure), prospect.lost)
        if prospect.usurped:
            found = mixed(found, self.usurped(position, hands, unsure), prospect.usurped)
        return found

    def scores(
        self, first: int, ahead: Sequence[float], courts: Sequence[Followers], hands: Sequence[float]
    ) -> list[float]:
        """What the court and the hand of each seat are worth in followers where a faction is first."""
        second = self.weights.second
        (one, chance), (other, rest) = self.runners(first, ahead)
        chance, rest = chance * second, rest * second
        return [
            court[first] + hand + chance * court[one] + rest * court[other]
            for court, hand in zip(courts, hands, strict=True)
        ]

    def runners(self, first: int, ahead: Sequence[float]) -> tuple[tuple[int, float], tuple[int, float]]:
        """The two other factions, each with the chance to be second."""
        index, (f, g) = self.behind[first]
        return (f, ahead[index]), (g, 1 - ahead[index])

    def invaded(
        self, position: Position, courts: Sequence[Followers], hands: Sequence[float], unsure: float
    ) -> Sequence[float]:
        """The chance of each party in an invasion: complete sets count, then who played a card last."""
        if self.nobody:
            return [1 / len(self.parties)] * len(self.parties)
        courtly, part = self.game.board.courtly, self.weights.part
        last = max([turn for turn in position.last_acted if turn is not None], default=-1)
        scores = []
        for party in self.parties:
            court = [sum([courts[seat][faction] for seat in party]) for faction in courtly]
            sets = min(court)
            begun = len(court) - court.count(sets)
            cards = total([hands[seat] for seat in party])
            latest = self.weights.early if any(position.last_acted[seat] == last for seat in party) else 0.0
            scores.append(sets + part * begun + cards / len(court) + latest)
        return shares(scores, unsure)

    def usurped(self, position: Position, hands: Sequence[float], unsure: float) -> list[float]:
        """The chance of each party where a usurper takes the next region: the factions stand as they do now."""
        order = ranking(position, self.game.board.apart)
        scores = []
        for court, hand in zip(position.courts, hands, strict=True):
            first = court[order[0]] if order else 0
            second = court[order[1]] if len(order) > 1 else sum(court)
            scores.append(hand / 2 + first + self.weights.second * second)
        return self.by_party(shares(scores, unsure))

    def by_party(self, seats: Sequence[float]) -> list[float]:
        """What the seats of each party have together."""
        return [total([seats[seat] for seat in party]) for party in self.parties]

    # -- the whole ----------------------------------------------------------------------------------------

    def values(self, position: Position) -> tuple[float, ...]:
        """The chance of each party."""
        if position.decision is None:
            return self.finished(position.winners)
        if position.decision == "plot":
            return max(self.named(position), key=lambda found: found[self.party(position.to_act)])
        return tuple(self.worth(position))

    def named(self, position: Position) -> list[tuple[float, ...]]:
        """What comes out for each faction that Plot may be."""
        return [self.values(self.game.apply(position, move)[0]) for move in self.game.legal(position)]

    def finished(self, winners: Sequence[int]) -> tuple[float, ...]:
        """What came out: a victory is shared by all who have it, and by everybody where nobody does."""
        won = [any(seat in winners for seat in party) or not winners for party in self.parties]
        return tuple([each / sum(won) for each in won])

    def party(self, seat: Any) -> int:
        """The index of a seat's party."""
        return next(index for index, party in enumerate(self.parties) if seat in party)


def mixed(usual: Sequence[float], other: Sequence[float], chance: float) -> list[float]:
    """Values where something else happens with some chance."""
    return [a + (b - a) * chance for a, b in zip(usual, other, strict=True)]
