"""The pairings of a Swiss round: equal scores meet, nobody meets twice, byes and starts are shared out.

Each possible pair has a cost, and the pairing with the smallest sum is searched for. What matters more outweighs all that
matters less: meetings again, then who has the bye, then differences of scores, then starts, then the halves of score groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from attrs import define, field, frozen

from tkid.club.results.round_robin import Pair
from tkid.rulebook import cites

AGAIN, BYE, DIFFERENCE, START = 10**24, 10**20, 10**13, 10**8
"""The cost of a meeting again; of a bye for each place above the last; of unequal scores; and of two who should both start."""
MOST_STEPS = 5_000
"""After so many steps the best pairing found so far is taken. Fields of up to a dozen sides need fewer."""


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

    def again(self, first: int | None, second: int | None) -> bool:
        """Whether two have met, or a side has had a bye."""
        if first is None or second is None:
            return (second if first is None else first) in self.byes
        return frozenset((first, second)) in self.met

    @cites("club.tournament.swiss", "club.tournament.bye")
    def cost(self, first: int | None, second: int | None) -> int:
        """What a pair costs."""
        again = AGAIN * self.again(first, second)
        if first is None or second is None:
            free = second if first is None else first
            assert free is not None
            return again + BYE * (len(self.sides) - 1 - self._groups[free][0])
        (place, size), (other, _) = self._groups[first], self._groups[second]
        difference = int(2 * (self.points[first] - self.points[second])) ** 2
        apart = abs(place - other) - (0 if difference else size // 2)
        starts = self.balance.get(first, 0), self.balance.get(second, 0)
        clash = min(map(abs, starts)) if starts[0] * starts[1] > 0 else 0
        return again + DIFFERENCE * difference + START * clash + apart**2

    @cites("club.tournament.start")
    def starts(self, first: int, second: int, board: int) -> bool:
        """Whether the first of two starts; where nothing speaks for one of them, boards take turns."""
        here, there = self.balance.get(first, 0), self.balance.get(second, 0)
        if here != there:
            return here < there
        if self.last.get(first) != self.last.get(second):
            return not self.last.get(first, False)
        return board % 2 == 0


def pairings(round_field: Field) -> tuple[Pair, ...]:
    """The pairs of a round, the highest first; of each, the side comes first that starts. A bye comes last."""
    search = _Search(round_field)
    pairs = search.best()
    ordered = sorted(pairs, key=lambda pair: (pair[1] is None, pair))
    seats = round_field.sides
    made: list[Pair] = []
    for board, (one, other) in enumerate(ordered):
        if other is None:
            made.append((seats[one], None))
        elif round_field.starts(seats[one], seats[other], board):
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
        self.costs = [[0 if one is other else self.entered.cost(one, other) for other in seats] for one in seats]
        self.least = [min((cost for other, cost in enumerate(row) if other != one), default=0) for one, row in enumerate(self.costs)]  # fmt: skip

    def best(self) -> list[tuple[int, int | None]]:
        """The best pairing: the lower number of each pair first, None for the bye."""
        everybody = tuple(range(len(self.costs)))
        fresh = self._can_pair(everybody)
        self._extend(everybody, [], 0, fresh=fresh)
        assert self.found is not None
        bye = len(self.entered.sides)
        return [(one, None if other == bye else other) for one, other in self.found[1]]

    def _extend(self, left: tuple[int, ...], pairs: list[tuple[int, int]], cost: int, *, fresh: bool) -> None:
        """Try the partners of the first who is left, the cheapest first; with `fresh` only those whom nobody has met."""
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
            if self.found is not None and (self.steps > MOST_STEPS or self._hopeless(cost + added, rest, other)):
                continue
            others = tuple(each for each in rest if each != other)
            if not fresh or self._can_pair(others):
                self._extend(others, [*pairs, (one, other)], cost + added, fresh=fresh)

    def _hopeless(self, cost: int, rest: Sequence[int], other: int) -> bool:
        """Whether the others cost too much, even if each gets the partner it likes best."""
        assert self.found is not None
        return 2 * cost + sum(self.least[each] for each in rest if each != other) >= 2 * self.found[0]

    def _can_pair(self, left: tuple[int, ...]) -> bool:
        """Whether all who are left can meet somebody new. That is so when each can meet half of them (Dirac)."""
        if left not in self.pairable:
            new = {one: [other for other in left if other != one and self.costs[one][other] < AGAIN] for one in left}
            hardest = min(left, key=lambda one: len(new[one]), default=None)
            self.pairable[left] = (
                hardest is None
                or 2 * len(new[hardest]) >= len(left)
                or any(self._can_pair(tuple(e for e in left if e not in {hardest, other})) for other in new[hardest])
            )
        return self.pairable[left]
