"""Pairings of Swiss rounds and round robins: proven by exhaustion for small fields, tried at random for larger ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.shared.examples import examples
from tests.shared.tables import each_row
from tkid.club.tournament import AGAIN, Field, Pair, make_pairings, make_rounds


def every_pairing(seats: tuple[int | None, ...]) -> Iterator[list[Pair]]:
    """Every way to pair some seats; a bye is the last of them."""
    first, *rest = seats or (None,)
    if first is None:
        yield []
        return
    for index, second in enumerate(rest):
        for others in every_pairing((*rest[:index], *rest[index + 1 :])):
            yield [(first, second), *others]


def least(field: Field) -> int:
    """The cost of the best pairing, found by trying all."""
    return min(sum(field.compute_cost(*pair) for pair in pairs) for pairs in every_pairing(field.seats))


def cost(field: Field, pairs: tuple[Pair, ...]) -> int:
    """What a pairing costs."""
    return sum(field.compute_cost(*pair) for pair in pairs)


def random_field(rng: Random, sides: int) -> Field:
    """Sides with scores, meetings and byes at random: also such as no tournament has."""
    places = tuple(range(sides))
    points = sorted((Fraction(rng.randrange(9), 2) for _ in places), reverse=True)
    share = rng.random()
    met = frozenset(frozenset(pair) for pair in combinations(places, 2) if rng.random() < share)
    byes = frozenset(side for side in places if rng.random() < share)
    balance = {side: rng.randrange(-2, 3) for side in places}
    return Field(places, dict(enumerate(points)), met, byes, balance, {side: rng.random() < 0.5 for side in places})


def played(rng: Random, sides: int, number: int) -> list[tuple[Pair, ...]]:
    """The rounds of a Swiss tournament with random results."""
    points = dict.fromkeys(range(sides), Fraction())
    met, byes = set[frozenset[int]](), set[int]()
    balance, last = Counter[int](), dict[int, bool]()
    made = []
    for _ in range(number):
        order = tuple(sorted(points, key=lambda side: (-points[side], side)))
        pairs = make_pairings(Field(order, points, frozenset(met), frozenset(byes), balance, last))
        made.append(pairs)
        for first, second in pairs:
            if second is None:
                byes.add(first)
                points[first] += 1
                continue
            met.add(frozenset((first, second)))
            balance[first] += 1
            balance[second] -= 1
            last |= {first: True, second: False}
            gained = Fraction(rng.randrange(3), 2)
            points[first] += gained
            points[second] += 1 - gained
    return made


def test_the_pairing_of_a_small_field_costs_least_whatever_came_before() -> None:
    for seed in range(400):
        field = random_field(Random(seed), 2 + seed % 7)
        assert cost(field, make_pairings(field)) == least(field), f"seed {seed}"


@each_row("sides", range(2, 9))
def test_each_pairing_names_everybody_once(sides: int) -> None:
    pairs = make_pairings(random_field(Random(sides), sides))
    named = [side for pair in pairs for side in pair if side is not None]
    assert sorted(named) == list(range(sides))
    assert sum(second is None for _, second in pairs) == sides % 2


@examples(40)
@given(st.integers(2, 20), st.integers(0, 2**32))
def test_nobody_meets_twice_and_nobody_has_two_byes(sides: int, seed: int) -> None:
    """As long as there are fewer than half as many rounds as sides, this can always be avoided."""
    made = played(Random(seed), sides, max(1, (sides - 1) // 2))
    meetings = Counter(frozenset(pair) for pairs in made for pair in pairs)
    assert max(meetings.values()) == 1


@given(st.integers(2, 7), st.integers(0, 2**32))
def test_a_meeting_again_is_never_one_that_could_be_avoided(sides: int, seed: int) -> None:
    met, byes = set[frozenset[int]](), set[int]()
    for pairs in played(Random(seed), sides, sides + 2):
        field = Field(tuple(range(sides)), dict.fromkeys(range(sides), Fraction()), frozenset(met), frozenset(byes))
        again = sum(field.has_met(*pair) for pair in pairs)
        assert again == least(field) // AGAIN
        met |= {frozenset(pair) for pair in pairs if None not in pair}  # type: ignore[arg-type]
        byes |= {first for first, second in pairs if second is None}


def test_the_first_round_plays_the_upper_half_against_the_lower_and_the_last_has_the_bye() -> None:
    field = Field(tuple(range(7)), dict.fromkeys(range(7), Fraction()))
    assert {frozenset(pair) for pair in make_pairings(field)} == {
        frozenset(pair) for pair in [(0, 3), (1, 4), (2, 5), (6, None)]
    }


def test_starts_are_shared_out() -> None:
    for seed in range(20):
        balance = Counter[int]()
        for pairs in played(Random(seed), 10, 6):
            for first, second in pairs:
                balance[first] += 1
                balance[second or 0] -= 1
        assert max(map(abs, balance.values())) <= 2, f"seed {seed}"


def test_a_large_field_is_paired_without_meetings_again() -> None:
    made = played(Random(7), 41, 8)
    assert max(Counter(frozenset(pair) for pairs in made for pair in pairs).values()) == 1


@each_row("sides", range(2, 13))
def test_a_round_robin_lets_everybody_meet_everybody_once(sides: int) -> None:
    made = make_rounds(range(sides))
    meetings = Counter(frozenset(pair) for pairs in made for pair in pairs if None not in pair)
    assert meetings == Counter(frozenset(pair) for pair in combinations(range(sides), 2))
    for pairs in made:
        assert sorted(side for pair in pairs for side in pair if side is not None) == list(range(sides))
    starts = Counter(first for pairs in made for first, second in pairs if second is not None)
    assert max(starts.values()) - min(starts[side] for side in range(sides)) <= 2
