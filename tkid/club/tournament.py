"""A tournament: entrants, rounds, pairings, table, cross-table.

Each possible pair has a cost, and `make_pairings` searches for the pairing with the smallest sum. A more important criterion
outweighs all less important ones together: meetings again, then the bye, then differences of scores, then starts, then the
halves of score groups.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, permutations
from typing import Any, Literal

from attrs import define, evolve, field, frozen

from tkid.club.results import Player, Result
from tkid.mail.model import Address, Stored
from tkid.notation.names import list_names
from tkid.rulebook import cites
from tkid.rulebook.rulesets import ruleset

HALF = Fraction(1, 2)


@frozen
class Score:
    """A game that counts in a table: the two sides, and the points of each. A bye has no second side."""

    first: int
    second: int | None
    points: tuple[Fraction, Fraction]


@frozen
class Standing:
    """A line of a table: side, place (shared in a tie), points, games without byes, and each tie-break."""

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
                told[game.second].append(Score(game.second, game.first, game.points[::-1]))
        return told

    @cached_property
    def points(self) -> Mapping[int, Fraction]:
        return {side: sum((game.points[0] for game in games), Fraction()) for side, games in self.by_side.items()}


Group = Sequence[int]


@frozen
class TieBreak:
    """A tie-break: its rule, what a table calls it, and its value for a side of a group with equal points."""

    rule: str
    title: str
    value: Callable[[Scores, int, Group], Fraction] = field(repr=False)


@cites("club.tournament.direct")
def _compute_direct(scores: Scores, side: int, group: Group) -> Fraction:
    met = {frozenset((game.first, game.second)) for game in scores.games}
    if any(frozenset(pair) not in met for pair in combinations(group, 2)):
        return Fraction()
    return sum((game.points[0] for game in scores.by_side[side] if game.second in group), Fraction())


def _list_opponent_points(scores: Scores, side: int) -> Iterable[tuple[Fraction, Fraction]]:
    for game in scores.by_side[side]:
        yield game.points[0], scores.points[side if game.second is None else game.second]


@cites("club.tournament.buchholz")
def _compute_buchholz(scores: Scores, side: int, _: Group) -> Fraction:
    return sum((theirs for _, theirs in _list_opponent_points(scores, side)), Fraction())


@cites("club.tournament.sonneborn")
def _compute_sonneborn(scores: Scores, side: int, _: Group) -> Fraction:
    return sum((mine * theirs for mine, theirs in _list_opponent_points(scores, side)), Fraction())


DIRECT = TieBreak("club.tournament.direct", "Direct", _compute_direct)
BUCHHOLZ = TieBreak("club.tournament.buchholz", "Buchholz", _compute_buchholz)
SONNEBORN = TieBreak("club.tournament.sonneborn", "Sonneborn-Berger", _compute_sonneborn)
WINS = TieBreak("club.tournament.tie-break", "Wins", lambda scores, side, _: Fraction(_count_results(scores, side)[0]))


@cites("club.tournament.tie-break")
def rank_sides(scores: Scores, breaks: Sequence[TieBreak]) -> tuple[Standing, ...]:
    """Rank the sides of a tournament, best first; sides that share a place stay in the order in which they entered."""
    groups = _split_groups([list(scores.sides)], lambda side, _: scores.points[side])
    values: dict[int, list[Fraction]] = {side: [] for side in scores.sides}
    for each in breaks:
        asked = {side: each.value(scores, side, group) for group in groups for side in group}
        for side, value in asked.items():
            values[side].append(value)
        groups = _split_groups(groups, lambda side, group: each.value(scores, side, group))  # noqa: B023 - called at once
    table, place = [], 1
    for group in groups:
        for side in group:
            wins, draws, losses = _count_results(scores, side)
            games = wins + draws + losses
            table.append(Standing(side, place, scores.points[side], games, wins, draws, losses, tuple(values[side])))
        place += len(group)
    return tuple(table)


def _split_groups(groups: Iterable[list[int]], value: Callable[[int, Group], Fraction]) -> list[list[int]]:
    """Split each group into those with equal values, highest first."""
    divided = []
    for group in groups:
        values = {side: value(side, group) for side in group}
        highest_first = sorted({*values.values()}, reverse=True)
        divided += [[side for side in group if values[side] == each] for each in highest_first]
    return divided


def _count_results(scores: Scores, side: int) -> tuple[int, int, int]:
    """Count the wins, draws and losses of a side. A game without points is lost by both."""
    games = [game for game in scores.by_side[side] if game.second is not None]
    wins = sum(game.points[0] > HALF for game in games)
    draws = sum(game.points[0] == HALF for game in games)
    return wins, draws, len(games) - wins - draws


@frozen
class Cell:
    """The wins, draws and losses of one player against another."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> Fraction:
        return self.won + HALF * self.drawn


OUTCOMES = {(True, True): "drawn", (True, False): "won", (False, True): "lost"}
"""What counts for a player against another, by whether each is a winner."""


def build_cross_table(results: Iterable[Result]) -> tuple[list[Player], Mapping[tuple[str, str], Cell]]:
    """Build the cross-table of some results: its players, by name, and the cells by the ids of two who have met as opponents.

    A winner has beaten each opponent who did not win, and opponents who share the victory have drawn. Opponents who
    both did not win are not compared. Games without a result are left out.
    """
    players: dict[str, Player] = {}
    cells: dict[tuple[str, str], Cell] = defaultdict(Cell)
    for result in results:
        if not result.places:
            continue
        players |= {player.id: player for player in result.players}
        for one, other in permutations(result.parties, 2):
            for first in one:
                for second in other:
                    key = result.players[first].id, result.players[second].id
                    if outcome := OUTCOMES.get((first in result.winners, second in result.winners)):
                        cells[key] = evolve(cells[key], **{outcome: getattr(cells[key], outcome) + 1})
    return sorted(players.values(), key=lambda player: (player.club_name.casefold(), player.id)), dict(cells)


def points_between(games: Sequence[Score]) -> Mapping[tuple[int, int], tuple[Fraction, ...]]:
    """Return the cells of a tournament's cross-table: the points of a side in each game against another, in order."""
    cells: dict[tuple[int, int], tuple[Fraction, ...]] = defaultdict(tuple)
    for game in games:
        if game.second is not None:
            cells[game.first, game.second] += (game.points[0],)
            cells[game.second, game.first] += (game.points[1],)
    return dict(cells)


Pair = tuple[int, int | None]
"""Two sides that meet, the one named first at the first seat; None for a bye."""


@cites("club.tournament.round-robin")
def make_rounds(sides: Sequence[int]) -> tuple[tuple[Pair, ...], ...]:
    """Pair the sides, in the order of entry, by the circle method; the first side of a pair changes from round to round."""
    circle: list[int | None] = [*sides, *([None] if len(sides) % 2 else [])]
    paired = []
    for number in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        turned = number % 2 == 1  # who stays takes turns; the others come to the first seat as they move on
        paired.append(tuple(_order_pair(*pair, turned=turned and board == 0) for board, pair in enumerate(pairs)))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(paired)


def _order_pair(first: int | None, second: int | None, *, turned: bool) -> Pair:
    if first is None or second is None:
        free = second if first is None else first
        assert free is not None
        return free, None
    return (second, first) if turned else (first, second)


AGAIN, BYE, DIFFERENCE, START = 10**24, 10**20, 10**13, 10**8
"""The cost of a meeting again; of a bye for each place above the last; of unequal scores; and of two who should both start."""
MOST_STEPS = 5_000
"""Steps after which the best pairing found so far is taken. Fields of up to a dozen sides need fewer."""


@frozen
class Field:
    """The sides of a round, best first, and what came before.

    `met` are the pairs that have met, `byes` the sides that have had one. `balance` is how much more often a side has
    started than not, and `last` whether it started in its last game.
    """

    sides: tuple[int, ...]
    points: Mapping[int, Fraction]
    met: frozenset[frozenset[int]] = frozenset()
    byes: frozenset[int] = frozenset()
    balance: Mapping[int, int] = field(factory=dict)
    last: Mapping[int, bool] = field(factory=dict)

    @property
    def seats(self) -> tuple[int | None, ...]:
        """The sides and, where their number is odd, the bye."""
        return (*self.sides, None) if len(self.sides) % 2 else self.sides

    @cached_property
    def _groups(self) -> Mapping[int, tuple[int, int]]:
        """The place of each side, and the size of its score group."""
        points = [self.points[side] for side in self.sides]
        return {side: (place, points.count(points[place])) for place, side in enumerate(self.sides)}

    def has_met(self, first: int, second: int | None) -> bool:
        """Return True if two have met, or a side has had a bye."""
        return first in self.byes if second is None else frozenset((first, second)) in self.met

    @cites("club.tournament.swiss", "club.tournament.bye")
    def compute_cost(self, first: int, second: int | None) -> int:
        again = AGAIN * self.has_met(first, second)
        if second is None:
            return again + BYE * (len(self.sides) - 1 - self._groups[first][0])
        (place, size), (other, _) = self._groups[first], self._groups[second]
        difference = int(2 * (self.points[first] - self.points[second])) ** 2
        apart = abs(place - other) - (0 if difference else size // 2)
        starts = self.balance.get(first, 0), self.balance.get(second, 0)
        clash = min(map(abs, starts)) if starts[0] * starts[1] > 0 else 0
        return again + DIFFERENCE * difference + START * clash + apart**2

    @cites("club.tournament.start")
    def is_starting(self, first: int, second: int, board: int) -> bool:
        """Return True if the first of two starts; between equals, boards alternate."""
        here, there = self.balance.get(first, 0), self.balance.get(second, 0)
        if here != there:
            return here < there
        if self.last.get(first) != self.last.get(second):
            return not self.last.get(first, False)
        return board % 2 == 0


def make_pairings(round_field: Field) -> tuple[Pair, ...]:
    """Pair a round, the highest first; the side named first starts. A bye comes last."""
    ordered = sorted(_Search(round_field).find_best(), key=lambda pair: (pair[1] is None, pair))
    seats = round_field.sides
    made: list[Pair] = []
    for board, (one, other) in enumerate(ordered):
        if other is None:
            made.append((seats[one], None))
        elif round_field.is_starting(seats[one], seats[other], board):
            made.append((seats[one], seats[other]))
        else:
            made.append((seats[other], seats[one]))
    return tuple(made)


@define
class _Search:
    """The search for the pairing that costs least. Sides are named by their places; the bye is the last number."""

    entered: Field
    costs: list[list[int]] = field(init=False)
    least: list[int] = field(init=False)
    pairable: dict[tuple[int, ...], bool] = field(factory=dict)
    steps: int = 0
    found: tuple[int, list[tuple[int, int]]] | None = None

    def __attrs_post_init__(self) -> None:
        seats = self.entered.seats
        self.costs = [[0] * len(seats) for _ in seats]
        for place, one in enumerate(self.entered.sides):
            for number, other in enumerate(seats[place + 1 :], place + 1):
                self.costs[place][number] = self.costs[number][place] = self.entered.compute_cost(one, other)
        self.least = [min((cost for other, cost in enumerate(row) if other != one), default=0) for one, row in enumerate(self.costs)]  # fmt: skip

    def find_best(self) -> list[tuple[int, int | None]]:
        """Find the best pairing: the lower number of each pair first, None for the bye."""
        everybody = tuple(range(len(self.costs)))
        self._extend(everybody, [], 0, fresh=self._can_pair(everybody))
        assert self.found is not None
        bye = len(self.entered.sides)
        return [(one, None if other == bye else other) for one, other in self.found[1]]

    def _extend(self, left: tuple[int, ...], pairs: list[tuple[int, int]], cost: int, *, fresh: bool) -> None:
        """Try the partners of the first one left, the cheapest first; with `fresh` only opponents that are new to all."""
        if not left:
            if self.found is None or cost < self.found[0]:
                self.found = cost, pairs
            return
        self.steps += 1
        one, *rest = left
        for other in sorted(rest, key=lambda each: (self.costs[one][each], each)):
            added = self.costs[one][other]
            if fresh and added >= AGAIN:
                return
            if self.found is not None and (self.steps > MOST_STEPS or self._is_hopeless(cost + added, rest, other)):
                continue
            others = tuple(each for each in rest if each != other)
            if not fresh or self._can_pair(others):
                self._extend(others, [*pairs, (one, other)], cost + added, fresh=fresh)

    def _is_hopeless(self, cost: int, rest: Sequence[int], other: int) -> bool:
        """Return True if the others cost too much, even if each gets the partner it likes best."""
        assert self.found is not None
        return 2 * cost + sum(self.least[each] for each in rest if each != other) >= 2 * self.found[0]

    def _can_pair(self, left: tuple[int, ...]) -> bool:
        """Return True if all who are left can meet somebody new: if each can meet half of them (Dirac)."""
        if left not in self.pairable:
            new = {one: [other for other in left if other != one and self.costs[one][other] < AGAIN] for one in left}
            hardest = min(left, key=lambda one: len(new[one]), default=None)
            self.pairable[left] = (
                hardest is None
                or 2 * len(new[hardest]) >= len(left)
                or any(self._can_pair(tuple(e for e in left if e not in {hardest, other})) for other in new[hardest])
            )
        return self.pairable[left]


TOURNAMENT_KIND = "tournament"
System = Literal["round-robin", "swiss"]
BREAKS: Mapping[System, tuple[TieBreak, ...]] = {
    "round-robin": (DIRECT, SONNEBORN, WINS),
    "swiss": (DIRECT, BUCHHOLZ, SONNEBORN, WINS),
}
ONE, NONE = Fraction(1), Fraction(0)


@frozen
class Entrant:
    """A person who plays or is invited: name, address in lower case, answer; `silent` stops the tournament's letters."""

    name: str
    address: Address
    answer: Literal["asked", "accepted", "declined"] = "asked"
    silent: bool = False


@frozen
class Side:
    """A player, or a team of two. `left` says that it has left the tournament."""

    people: tuple[Entrant, ...]
    left: bool = False

    @property
    def name(self) -> str:
        return list_names([each.name for each in self.people], "and")

    @property
    def accepted(self) -> bool:
        return all(each.answer == "accepted" for each in self.people)


@frozen
class Pairing:
    """Two sides that meet, by their numbers, or a side that has a bye; and the games that have begun."""

    first: int
    second: int | None = None
    games: tuple[str, ...] = ()

    @property
    def sides(self) -> tuple[int, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)


@frozen
class Leg:
    """A game that is to begin: its name, who sits where, whether the first seat starts, and which game has its deal ("" for none)."""

    pairing: int
    game: str
    seats: tuple[Entrant, ...]
    starts: bool
    deal_of: str = ""


@frozen
class Tournament(Stored):
    """A tournament.

    `planned` is the number of rounds. `clock` are the terms as a record's header has them, "" for no clock. `played` are the
    rounds that have begun, the last one may still be going on. `over` is when it ended. While it is `open`, anybody may join.
    """

    KIND = TOURNAMENT_KIND
    NAMED = "name"
    name: str
    system: System
    planned: int
    ruleset: str
    sides: tuple[Side, ...]
    made: datetime
    clock: str = ""
    rulings: tuple[str, ...] = ()
    played: tuple[tuple[Pairing, ...], ...] = ()
    over: datetime | None = None
    open: bool = False

    @property
    def begun(self) -> bool:
        return bool(self.played)

    @property
    def due(self) -> datetime | None:
        """Each round of the host, until it is over."""
        return None if self.over else self.made

    @property
    @cites("club.tournament.deals")
    def swapped(self) -> bool:
        """True if the second game of a pair has the deal of the first: only if no hands are secret."""
        return self.legs == 2 and not ruleset(self.ruleset).game().secret

    @property
    def legs(self) -> int:
        return 2 if self.system == "round-robin" else 1

    @property
    def breaks(self) -> tuple[TieBreak, ...]:
        return BREAKS[self.system]

    @property
    def people(self) -> tuple[Entrant, ...]:
        return tuple(each for side in self.sides for each in side.people)

    @property
    def pairs(self) -> tuple[Pairing, ...]:
        """The pairs of all rounds that have begun."""
        return tuple(chain.from_iterable(self.played))

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(game for pair in self.pairs for game in pair.games)

    def side_of(self, address: str) -> int | None:
        address = address.lower()
        return next((n for n, side in enumerate(self.sides) if any(p.address == address for p in side.people)), None)

    @cites("club.tournament.accept")
    def record_answer(self, address: str, answer: Literal["accepted", "declined"]) -> Tournament:
        return self._update_person(address, answer=answer)

    @cites("club.stop")
    def stop_letters(self, address: str) -> Tournament:
        return self._update_person(address, silent=True)

    def _update_person(self, address: str, **changes: Any) -> Tournament:
        address = address.lower()
        sides = tuple(
            evolve(side, people=tuple(evolve(p, **changes) if p.address == address else p for p in side.people))
            for side in self.sides
        )
        return evolve(self, sides=sides)

    @property
    def ready(self) -> bool:
        """True if all have answered; one that anybody may join begins when its owner says so."""
        return not self.open and all(each.answer != "asked" for each in self.people)

    @property
    def entered(self) -> tuple[Side, ...]:
        """The sides in which all have accepted."""
        return tuple(side for side in self.sides if side.accepted)

    def close_entries(self) -> Tournament:
        """Return the tournament as it begins, with the sides that have accepted. Raises ValueError for fewer than two."""
        if len(self.entered) < 2:
            raise ValueError("fewer than two sides have accepted")
        most = len(make_rounds(range(len(self.entered))))
        planned = most if self.system == "round-robin" else min(self.planned, most)
        return evolve(self, sides=self.entered, planned=planned, open=False)

    def next_round(self, results: Mapping[str, Result]) -> Tournament:
        """With the pairings of the next round; () if no two sides are left who could meet."""
        in_circle = self.system == "round-robin"
        pairs = make_rounds(range(len(self.sides)))[len(self.played)] if in_circle else self._pair_by_swiss(results)
        return evolve(self, played=(*self.played, tuple(Pairing(*pair) for pair in pairs)))

    def _pair_by_swiss(self, results: Mapping[str, Result]) -> tuple[Pair, ...]:
        """Pair a Swiss round from the table, without those who have left."""
        table = [line.side for line in self.build_table(results) if not self.sides[line.side].left]
        meetings = [pair for pair in self.pairs if pair.second is not None]
        byes = frozenset(pair.first for pair in self.pairs if pair.second is None)
        balance, last = dict.fromkeys(table, 0), dict[int, bool]()
        for pair in meetings:
            for side, starts in zip(pair.sides, (True, False), strict=True):
                balance[side] = balance.get(side, 0) + (1 if starts else -1)
                last[side] = starts
        points, met = self.collect_scores(results).points, frozenset(frozenset(pair.sides) for pair in meetings)
        return make_pairings(Field(tuple(table), points, met, byes, balance, last)) if len(table) > 1 else ()

    @cites("club.tournament.round", "club.tournament.deals")
    def to_begin(self, results: Mapping[str, Result]) -> Iterator[Leg]:
        """List the games of this round that begin now. With one deal for a pair, the second begins after the first."""
        parties: tuple[tuple[int, ...], ...] = ruleset(self.ruleset).game().parties[2 * len(self.sides[0].people)]
        for number, pair in enumerate(self.played[-1] if self.played else ()):
            if pair.second is None or any(self.sides[side].left for side in pair.sides):
                continue
            for leg in range(len(pair.games), self.legs):
                if leg and self.swapped and not (pair.games and pair.games[0] in results):
                    break
                seats: dict[int, Entrant] = {}
                for side, party in zip(pair.sides if leg == 0 else pair.sides[::-1], parties, strict=True):
                    seats |= dict(zip(party, self.sides[side].people, strict=True))
                players = tuple(seats[seat] for seat in sorted(seats))
                deal_of = pair.games[0] if leg and self.swapped else ""
                yield Leg(number, self._name_game(number, leg), players, starts=not self.swapped, deal_of=deal_of)

    def _name_game(self, pairing: int, leg: int) -> str:
        """Name a game: tournament, round, board, and `a` or `b` if two sides play two games."""
        return f"{self.name}-{len(self.played)}-{pairing + 1}{'ab'[leg] if self.legs > 1 else ''}"

    def with_game(self, leg: Leg) -> Tournament:
        *before, last = self.played
        changed = [evolve(p, games=(*p.games, leg.game)) if n == leg.pairing else p for n, p in enumerate(last)]
        return evolve(self, played=(*before, tuple(changed)))

    def round_over(self, results: Mapping[str, Result]) -> bool:
        """True if every game of this round is over, and no other game of it is still to begin."""
        games = (game for pair in (self.played[-1] if self.played else ()) for game in pair.games)
        return all(game in results for game in games) and not any(self.to_begin(results))

    @cites("club.tournament.withdraw")
    def withdraw_side(self, side: int) -> Tournament:
        return evolve(self, sides=tuple(evolve(s, left=True) if n == side else s for n, s in enumerate(self.sides)))

    @property
    def rounds_left(self) -> bool:
        """True if there is another round: one was planned, and two sides are left to meet."""
        return len(self.played) < self.planned and sum(not side.left for side in self.sides) > 1

    def build_table(self, results: Mapping[str, Result]) -> tuple[Standing, ...]:
        return rank_sides(self.collect_scores(results), self.breaks)

    @cites("club.tournament.points", "club.tournament.withdraw", "club.tournament.bye")
    def collect_scores(self, results: Mapping[str, Result]) -> Scores:
        """Collect the games that count. In a round robin, those of a side that left may not count."""
        annulled = self._find_annulled(results)
        counted = []
        for pair in self._list_pairs():
            if pair.second is None:
                counted += [Score(pair.first, None, (ONE, NONE))] if self.system == "swiss" else []
            elif not annulled & set(pair.sides):
                counted += self._score_finished(pair, results)
                counted += self._score_forfeited(pair)
        return Scores(tuple(range(len(self.sides))), tuple(counted))

    def _list_pairs(self) -> tuple[Pairing, ...]:
        """List the pairs of all rounds; a round robin includes those to come, which sides that have left forfeit."""
        if self.system == "swiss" or not self.begun:
            return self.pairs
        to_come = make_rounds(range(len(self.sides)))[len(self.played) :]
        return (*self.pairs, *(Pairing(*pair) for pairs in to_come for pair in pairs))

    def _score_finished(self, pair: Pairing, results: Mapping[str, Result]) -> Iterator[Score]:
        """Yield the scores of a pair's finished games, as seen by its first side."""
        assert pair.second is not None
        for leg, game in enumerate(pair.games):
            if (result := results.get(game)) is not None:
                at_first, at_second = (result.get_points(party[0]) for party in result.parties)
                points = (at_first, at_second) if leg == 0 else (at_second, at_first)
                yield Score(pair.first, pair.second, points)

    def _score_forfeited(self, pair: Pairing) -> Iterator[Score]:
        """Yield the scores of a pair's games that never began because one side has left: the other wins them."""
        assert pair.second is not None
        left = [self.sides[side].left for side in pair.sides]
        if self.system == "round-robin" and left.count(True) == 1:
            for _ in range(len(pair.games), self.legs):
                yield Score(pair.first, pair.second, (NONE, ONE) if left[0] else (ONE, NONE))

    def _find_annulled(self, results: Mapping[str, Result]) -> set[int]:
        """Find the sides whose games don't count: they have left a round robin and played less than half of it."""
        if self.system == "swiss":
            return set()
        most = self.legs * (len(self.sides) - 1)
        played = dict.fromkeys(range(len(self.sides)), 0)
        for pair in self.pairs:
            for side in pair.sides:
                played[side] += sum(game in results for game in pair.games)
        return {side for side, each in enumerate(self.sides) if each.left and 2 * played[side] < most}
