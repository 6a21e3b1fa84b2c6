"""The table of a tournament: points, and the tie-breaks between sides with equal points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations

from attrs import field, frozen

from tkid.rulebook import cites

HALF = Fraction(1, 2)


@frozen
class Score:
    """A game that counts in a table: the two sides, and the points of each. A bye has no second side."""

    first: int
    second: int | None
    points: tuple[Fraction, Fraction]

    def turned(self) -> Score:
        """The same game, told from the second side."""
        assert self.second is not None
        return Score(self.second, self.first, (self.points[1], self.points[0]))


@frozen
class Standing:
    """A line of a table: a side, its place and points, its games, and what each tie-break says of it.

    Sides that no tie-break separates share a place. `games` does not count byes.
    """

    side: int
    place: int
    points: Fraction
    games: int
    wins: int
    draws: int
    losses: int
    breaks: tuple[Fraction, ...]


@frozen
class Scores:
    """The games of a tournament as each side sees them."""

    sides: tuple[int, ...]
    games: tuple[Score, ...]

    @cached_property
    def by_side(self) -> Mapping[int, list[Score]]:
        """The games of each side, told from it."""
        told: dict[int, list[Score]] = {side: [] for side in self.sides}
        for game in self.games:
            told[game.first].append(game)
            if game.second is not None:
                told[game.second].append(game.turned())
        return told

    @cached_property
    def points(self) -> Mapping[int, Fraction]:
        """The points of each side."""
        return {side: sum((game.points[0] for game in games), Fraction()) for side, games in self.by_side.items()}


Group = Sequence[int]


@frozen
class TieBreak:
    """A tie-break: its rule, what a table calls it, and its value for a side of a group with equal points."""

    rule: str
    title: str
    value: Callable[[Scores, int, Group], Fraction] = field(repr=False)


@cites("club.tournament.direct")
def _direct(scores: Scores, side: int, group: Group) -> Fraction:
    met = {frozenset((game.first, game.second)) for game in scores.games}
    if any(frozenset(pair) not in met for pair in combinations(group, 2)):
        return Fraction()
    return sum((game.points[0] for game in scores.by_side[side] if game.second in group), Fraction())


def _opponents(scores: Scores, side: int) -> Iterable[tuple[Fraction, Fraction]]:
    """The points of a side in each of its games, and those of the opponent in the whole tournament."""
    for game in scores.by_side[side]:
        yield game.points[0], scores.points[side if game.second is None else game.second]


@cites("club.tournament.buchholz")
def _buchholz(scores: Scores, side: int, group: Group) -> Fraction:
    del group
    return sum((theirs for _, theirs in _opponents(scores, side)), Fraction())


@cites("club.tournament.sonneborn")
def _sonneborn(scores: Scores, side: int, group: Group) -> Fraction:
    del group
    return sum((mine * theirs for mine, theirs in _opponents(scores, side)), Fraction())


def _wins(scores: Scores, side: int, group: Group) -> Fraction:
    del group
    return Fraction(_count(scores, side)[0])


DIRECT = TieBreak("club.tournament.direct", "Direct", _direct)
BUCHHOLZ = TieBreak("club.tournament.buchholz", "Buchholz", _buchholz)
SONNEBORN = TieBreak("club.tournament.sonneborn", "Sonneborn-Berger", _sonneborn)
WINS = TieBreak("club.tournament.tie-break", "Wins", _wins)


@cites("club.tournament.tie-break")
def standings(scores: Scores, breaks: Sequence[TieBreak]) -> tuple[Standing, ...]:
    """The table of a tournament, best first; sides that share a place stand in the order in which they entered."""
    groups = _split([list(scores.sides)], lambda side, _: scores.points[side])
    values: dict[int, list[Fraction]] = {side: [] for side in scores.sides}
    for each in breaks:
        asked = {side: each.value(scores, side, group) for group in groups for side in group}
        for side, value in asked.items():
            values[side].append(value)
        groups = _split(groups, lambda side, group: each.value(scores, side, group))  # noqa: B023 - called at once
    table, place = [], 1
    for group in groups:
        for side in group:
            wins, draws, losses = _count(scores, side)
            games = wins + draws + losses
            table.append(Standing(side, place, scores.points[side], games, wins, draws, losses, tuple(values[side])))
        place += len(group)
    return tuple(table)


def _split(groups: Iterable[list[int]], value: Callable[[int, Group], Fraction]) -> list[list[int]]:
    """The groups, each divided into those with equal values, highest first."""
    divided = []
    for group in groups:
        values = {side: value(side, group) for side in group}
        divided += [
            [side for side in group if values[side] == each] for each in sorted({*values.values()}, reverse=True)
        ]
    return divided


def _count(scores: Scores, side: int) -> tuple[int, int, int]:
    """The wins, draws and losses of a side. A game in which nobody got a point is lost by both."""
    games = [game for game in scores.by_side[side] if game.second is not None]
    wins = sum(game.points[0] > HALF for game in games)
    draws = sum(game.points[0] == HALF for game in games)
    return wins, draws, len(games) - wins - draws
