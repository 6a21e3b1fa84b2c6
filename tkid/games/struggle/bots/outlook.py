"""The value of a position: chances in each region, shares of the win, and the weights behind them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import prod, sqrt
from typing import Any

from attrs import define, evolve, fields, frozen

from tkid.bots.player import add_in_order, add_weighted
from tkid.games.struggle.rules.board import OPEN, UNSTABLE, Followers, Position
from tkid.games.struggle.rules.endings import rank_factions
from tkid.games.struggle.rules.game import Struggle

FILE = "weights.toml"
USUAL = "usual"
"""The table in the file for games that have none of their own."""


@frozen
class Weights:
    """The weights of an evaluation.

    Followers are the unit at court: `card` is the worth of a card in hand in followers of the leading faction, `spare`
    how fast that falls when there are more cards than regions, `second` the worth of a follower of the second faction,
    `move` that of being the next to act. `court` and `court_cards` say how far a lead at court is from certain, without
    cards and for each card that the players have left. In the regions `region` is how unsure a lead in followers is for
    each card to come, `later` how much less sure it is for each region that is resolved earlier, `passed` the rest of
    that doubt in the contested region after a pass, `tie` how likely ties are. `power` is how unsure the order of the
    factions is. `part` is the worth of a begun set, in sets. `alone` is how many cards a follower on the board counts
    for, if a turn may be a summons alone, and `fall` how likely it is then that the regions are emptied until the
    invasion comes. `stand` is the weight of the outcome if everybody passes from now on, against one for each card that
    is left. `early` is the worth of having played all cards before the others, in followers. `ahead` is the factor on
    the worth of a card in hand for a player who looks ahead: it sees uses and needs of the card.
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


def freeze_weights(weights: Weights) -> Weights:
    """Return weights for positions in which everybody passes and leads last."""
    stays = dict.fromkeys(("card", "spare", "move", "court_cards", "region", "power", "part", "stand"), 0.0)
    return evolve(weights, **stays, court=0.02, second=0.05, early=0.02)


def name_weights_table(code: str, players: int) -> str:
    return f"{code}-{players}"


@cache
def read_weights_tables() -> dict[str, Weights]:
    read = tomllib.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    usual = read[USUAL]
    return {name: Weights(**{**usual, **table}) for name, table in read.items()}


def find_struggle_weights(code: str, players: int, *, ahead: bool = False) -> Weights:
    known = read_weights_tables()
    found = known.get(name_weights_table(code, players)) or known.get(str(players)) or known[USUAL]
    return adjust_for_looking_ahead(found) if ahead else found


def adjust_for_looking_ahead(known: Weights) -> Weights:
    return evolve(known, card=known.card * known.ahead)


REMEMBERED = 1 << 16


def estimate_lasting(lead: float, unsure: float) -> float:
    """Estimate the chance that a lead lasts; 0.5 without a lead."""
    x = lead / unsure
    return 0.5 * (1 + x / sqrt(1 + x * x))


@lru_cache(REMEMBERED)
def estimate_region(followers: Followers, unsure: float, tie: float) -> tuple[float, ...]:
    """Estimate each faction's chance to win a region, and at the end the chance that no faction does."""
    first, second = sorted(followers, reverse=True)[:2]
    shares = _weigh_leads(followers, unsure)
    apart = 1 / unsure
    lead = (first - second) * apart
    shares.append(tie * (1 + apart * apart) / (1 + lead * lead))
    whole = add_in_order(shares)
    return tuple([share / whole for share in shares])


def _weigh_leads(scores: Sequence[float], unsure: float) -> list[float]:
    """Weigh the lead of each over the best of the others; 1 means no lead."""
    first, second = sorted(scores, reverse=True)[:2]
    found = []
    for score in scores:
        x = (score - (second if score == first else first)) / unsure
        rise = x + sqrt(1 + x * x)
        found.append(rise * rise)
    return found


def estimate_shares(scores: Sequence[float], unsure: float) -> tuple[float, ...]:
    """Estimate each side's chance to finish ahead of all others; the chances add up to 1."""
    if len(scores) == 2:
        ahead = estimate_lasting(scores[0] - scores[1], unsure)
        return ahead, 1 - ahead
    found = _weigh_leads(scores, unsure)
    whole = add_in_order(found)
    return tuple([share / whole for share in found])


MIN_DOUBT = 0.05
MAX_CARDS_WITH_STANDING = 6
"""Maximum number of cards to come for which the outcome counts that follows if everybody passes."""


@define
class Prospect:
    """The likely outcomes of the regions.

    `order` are the open regions, the contested one first, `unsure` how unsure a lead is in each of them. For each
    faction `regions` is the number that it is likely to control, `spread` the variance of that. `later` is for each
    pair of factions, in the order of `Outlook.pairs`, the chance that the first wins a struggle after the second's
    last. `lost` is the chance of an invasion, `near` that one more region would bring it, `usurped` the chance of a
    usurpation.
    """

    order: list[int]
    unsure: list[float]
    regions: list[float]
    spread: list[float]
    later: list[float]
    lost: float
    near: float
    usurped: float


@define
class Expectation:
    """What is expected of a game: `first` is each faction's chance to rule, `leads` each party's chance to win if it does."""

    prospect: Prospect
    first: list[float]
    leads: dict[int, list[float]]
    chances: list[float]


@frozen
class Outlook:
    """The evaluation of one game with one number of players."""

    game: Struggle
    weights: Weights
    parties: tuple[tuple[int, ...], ...]
    nobody: bool
    """True if no player wins in an invasion."""
    pairs: tuple[tuple[int, int], ...]
    """The pairs of factions that are ranked."""
    behind: Mapping[int, tuple[int, tuple[int, int]]]
    """For each of these factions the pair of the others, and the index of that pair."""
    standing: Outlook | None
    """The evaluation for the case that everybody passes."""

    @classmethod
    def build(cls, game: Struggle, players: int, weights: Weights) -> Outlook:
        ranked = game.board.courtly
        pairs = tuple((f, g) for f in ranked for g in ranked if f < g)
        behind = {f: (index, pair) for f in ranked for index, pair in enumerate(pairs) if f not in pair}
        standing = cls.build(game, players, freeze_weights(weights)) if weights.stand else None
        return cls(game, weights, game.parties[players], not game.invasion.won, pairs, behind, standing)

    def count_actions_to_come(self, position: Position) -> float:
        """Count the actions to come: cards, and followers if they can be summoned without one."""
        cards = float(sum(map(len, position.hands)))
        if not self.game.summons.alone:
            return cards
        return cards + self.weights.alone * sum(map(sum, position.regions))

    def estimate_prospect(self, position: Position) -> Prospect:
        weights, discs, tie = self.weights, position.discs, self.weights.tie
        order = [region for region in position.track if discs[region] == OPEN]
        step = weights.region * self.count_actions_to_come(position) / (len(order) or 1)
        slope = step * weights.later
        unsure = [MIN_DOUBT + step + slope * space for space in range(len(order))]
        if position.passes and order:
            unsure[0] = MIN_DOUBT + step * weights.passed / position.passes
        regions = position.regions
        chances = [estimate_region(regions[region], doubt, tie) for region, doubt in zip(order, unsure, strict=True)]
        kinds = range(len(position.supply))
        columns = list(zip(*chances, strict=True)) or [()] * (len(kinds) + 1)
        won = [discs.count(faction) + add_in_order(columns[faction]) for faction in kinds]
        spread = [add_in_order(column) - add_weighted(column, column) for column in columns[:-1]]
        later = []
        for f, g in self.pairs:
            chance = self._compare_latest(position, f, g)
            for each in chances:
                chance = each[f] + chance * (1 - each[f] - each[g])
            later.append(chance)
        lost, near = self._estimate_invasion(columns[-1], discs.count(UNSTABLE))
        if self.game.summons.alone and any(map(any, regions)):
            stays = 1 - weights.fall
            lost, near = 1 - stays * (1 - lost), near * stays
        usurped = 0.0
        for faction in self.game.board.apart:
            usurped = 1 - prod([1 - chance for chance in columns[faction]])
        return Prospect(order, unsure, won, spread, later, lost, near, usurped)

    def _compare_latest(self, position: Position, f: int, g: int) -> float:
        """Return 1 if the first faction won a struggle later, 0 if the second did, 0.5 if neither has won any."""
        discs = position.discs
        for region in reversed(position.struggles):
            if discs[region] == f:
                return 1.0
            if discs[region] == g:
                return 0.0
        return 0.5

    def _estimate_invasion(self, falls: Sequence[float], fallen: int) -> tuple[float, float]:
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

    def estimate_power(self, prospect: Prospect, more: int = 0, by: float = 0.0) -> tuple[list[float], list[float]]:
        """Estimate each faction's chance to be first, and of each pair to be ahead, if `more` gains `by` regions."""
        regions, spread, doubt = list(prospect.regions), prospect.spread, self.weights.power
        regions[more] += by
        first = [1.0] * len(regions)
        ahead = []
        for index, (f, g) in enumerate(self.pairs):
            lead = regions[f] - regions[g] + prospect.later[index] - 0.5
            chance = estimate_lasting(lead, MIN_DOUBT + doubt * sqrt(spread[f] + spread[g]))
            ahead.append(chance)
            first[f] *= chance
            first[g] *= 1 - chance
        for faction in self.game.board.apart:
            first[faction] = 0.0
        whole = add_in_order(first)
        return [chance / whole for chance in first], ahead

    def value_hands(self, position: Position) -> list[float]:
        """Value the cards of each seat and the next turn in followers."""
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

    def estimate_doubt(self, position: Position) -> float:
        """Estimate how unsure a lead at court is, in followers."""
        return self.weights.court + self.weights.court_cards * self.count_actions_to_come(position)

    def estimate(self, position: Position) -> Sequence[float]:
        """Estimate the chance of each party from the changes that are likely in the regions and at court."""
        return self.expect(position).chances

    def expect(self, position: Position) -> Expectation:
        prospect, hands = self.estimate_prospect(position), self.value_hands(position)
        unsure = self.estimate_doubt(position)
        courts = position.courts
        first, ahead = self.estimate_power(prospect)
        found = [0.0] * len(self.parties)
        leads = {}
        for faction in self.game.board.courtly:
            scores = self.score_seats(faction, ahead, courts, hands)
            leads[faction] = self.sum_by_party(estimate_shares(scores, unsure))
            for party, share in enumerate(leads[faction]):
                found[party] += first[faction] * share
        if prospect.lost:
            found = _mix_values(found, self.estimate_invaded(position, courts, hands, unsure), prospect.lost)
        if prospect.usurped:
            found = _mix_values(found, self.estimate_usurped(position, hands, unsure), prospect.usurped)
        return Expectation(prospect, first, leads, found)

    def score_seats(
        self, first: int, ahead: Sequence[float], courts: Sequence[Followers], hands: Sequence[float]
    ) -> list[float]:
        """Value the court and the hand of each seat in followers, for one faction in first place."""
        second = self.weights.second
        (one, chance), (other, rest) = self.list_runners_up(first, ahead)
        chance, rest = chance * second, rest * second
        return [
            court[first] + hand + chance * court[one] + rest * court[other]
            for court, hand in zip(courts, hands, strict=True)
        ]

    def list_runners_up(self, first: int, ahead: Sequence[float]) -> tuple[tuple[int, float], tuple[int, float]]:
        """Return the two other factions, each with its chance to be second."""
        index, (f, g) = self.behind[first]
        return (f, ahead[index]), (g, 1 - ahead[index])

    def estimate_invaded(
        self, position: Position, courts: Sequence[Followers], hands: Sequence[float], unsure: float
    ) -> Sequence[float]:
        """Estimate the chance of each party in an invasion: complete sets, then who played a card last."""
        if self.nobody:
            return [1 / len(self.parties)] * len(self.parties)
        courtly, part = self.game.board.courtly, self.weights.part
        last = max([turn for turn in position.last_acted if turn is not None], default=-1)
        scores = []
        for party in self.parties:
            court = [sum([courts[seat][faction] for seat in party]) for faction in courtly]
            sets = min(court)
            begun = len(court) - court.count(sets)
            cards = add_in_order([hands[seat] for seat in party])
            latest = self.weights.early if any(position.last_acted[seat] == last for seat in party) else 0.0
            scores.append(sets + part * begun + cards / len(court) + latest)
        return estimate_shares(scores, unsure)

    def estimate_usurped(self, position: Position, hands: Sequence[float], unsure: float) -> list[float]:
        """Estimate the chance of each party if a usurper takes the next region; the ranking stays as it is now."""
        order = rank_factions(position, self.game.board.apart)
        scores = []
        for court, hand in zip(position.courts, hands, strict=True):
            first = court[order[0]] if order else 0
            second = court[order[1]] if len(order) > 1 else sum(court)
            scores.append(hand / 2 + first + self.weights.second * second)
        return self.sum_by_party(estimate_shares(scores, unsure))

    def sum_by_party(self, seats: Sequence[float]) -> list[float]:
        return [add_in_order([seats[seat] for seat in party]) for party in self.parties]

    def evaluate(self, position: Position) -> tuple[float, ...]:
        if position.decision is None:
            won = [any(seat in position.winners for seat in party) or not position.winners for party in self.parties]
            return tuple([each / sum(won) for each in won])
        found, to_come = self.estimate(position), self.count_actions_to_come(position)
        if self.standing is not None and to_come <= MAX_CARDS_WITH_STANDING:
            stand = self.weights.stand
            found = _mix_values(found, self.standing.estimate(position), stand / (stand + to_come * to_come))
        return tuple(found)

    def find_party(self, seat: Any) -> int:
        return next(index for index, party in enumerate(self.parties) if seat in party)


def _mix_values(usual: Sequence[float], other: Sequence[float], chance: float) -> list[float]:
    return [a + (b - a) * chance for a, b in zip(usual, other, strict=True)]
