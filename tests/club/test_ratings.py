"""Ratings: Glickman's own example, and that lists depend on nothing but the results."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from attrs import evolve

from tests.shared.tables import each_row
from tkid.club.results import (
    ENOUGH,
    LARGEST,
    Glicko,
    Player,
    Rating,
    RatingList,
    Result,
    after_period,
    rating_lists,
)

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
PARTIES = {2: ((0,), (1,)), 3: ((0,), (1,), (2,)), 4: ((0, 2), (1, 3))}


def game(number: int, names: str, winners: str, days: float, **changes: object) -> Result:
    """A game of some players, each a letter; where nobody won, all shared the victory."""
    seats = tuple(range(len(names)))
    won = tuple(seat for seat in seats if names[seat] in winners) or seats
    others = tuple(seat for seat in seats if seat not in won)
    made = Result(
        game=f"game-{number}",
        ruleset="second-edition",
        plays="struggle",
        players=tuple(Player(name, name.upper()) for name in names),
        parties=PARTIES[len(names)],
        places=tuple(filter(None, (won, others))),
        how="rules",
        ending="coronation",
        first=0,
        turns=20,
        began=BEGAN,
        ended=BEGAN + timedelta(days=days),
    )
    return evolve(made, **changes)  # type: ignore[arg-type]


def season(rng: Random, number: int, players: int) -> list[Result]:
    """Games at random between players of whom later letters are better."""
    names = "abcdefghijklmnopqrstuvwxyz"[:players]
    games = []
    for index in range(number):
        size = rng.choice((2, 2, 3, 4))
        sitting = "".join(rng.sample(names, size))
        best = max(PARTIES[size], key=lambda party: sum(map(ord, (sitting[s] for s in party))) + rng.gauss(0, 6))
        games.append(game(index, sitting, "".join(sitting[seat] for seat in best), index / 8))
    return games


def line(ratings: RatingList, player: str) -> Rating:
    """A player's line."""
    return next(each for each in ratings.ratings if each.player.id == player)


def two(results: list[Result], days: float) -> RatingList:
    """The list for two players after so many days."""
    return next(each for each in rating_lists(results, BEGAN + timedelta(days=days)) if each.kind == "two")


def test_the_example_of_the_paper() -> None:
    """Glickman, "Example of the Glicko-2 system": 1464.06, 151.52 and 0.05999."""
    opponents = [Glicko(1400, 30), Glicko(1550, 100), Glicko(1700, 300)]
    after = after_period(Glicko(1500, 200), list(zip(opponents, (1, 0, 0), strict=True)))
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_an_upset_raises_the_volatility() -> None:
    """The other way to begin the search of step 5: the result is far from what was expected."""
    after = after_period(Glicko(1500, 50), [(Glicko(2400, 40), 1)] * 6)
    assert after.volatility > 0.06


def test_who_does_not_play_becomes_less_certain_up_to_a_new_player() -> None:
    rating = Glicko(1700, 60)
    deviations = [rating.deviation]
    for _ in range(2000):
        rating = after_period(rating, ())
        deviations.append(rating.deviation)
    assert deviations == sorted(deviations)
    assert (rating.rating, rating.deviation) == (1700, LARGEST)


def test_lists_depend_on_the_results_and_not_on_their_order() -> None:
    for seed in range(5):
        rng = Random(seed)
        results = season(rng, 300, 12)
        now = BEGAN + timedelta(days=90)
        lists = rating_lists(results, now)
        assert [each.kind for each in lists] == ["two", "several"]
        rng.shuffle(results)
        assert rating_lists(results, now) == lists, f"seed {seed}"


def test_better_players_end_above_weaker_ones() -> None:
    results = season(Random(3), 1500, 6)
    for each in rating_lists(results, BEGAN + timedelta(days=190)):
        order = [rating.player.id for rating in each.ratings]
        assert order[0] in {"e", "f"}, each.kind
        assert order[-1] in {"a", "b"}, each.kind


@each_row(
    ("names", "winners", "above", "level"),
    [
        ("ab", "a", "a>b", ""),
        ("ab", "", "", "ab"),
        ("abc", "b", "b>a b>c", "ac"),
        ("abc", "ac", "a>b c>b", "ac"),
        ("abcd", "ac", "a>b c>d", "ac"),
        ("abcd", "", "", "abcd"),
    ],
)
def test_winners_gain_and_those_who_share_a_place_stay_level(names: str, winners: str, above: str, level: str) -> None:
    (ratings,) = rating_lists([game(1, names, winners, 1)], BEGAN + timedelta(days=2))
    rated = {each.player.id: each.rating for each in ratings.ratings}
    for pair in above.split():
        assert rated[pair[0]] > 1500 > rated[pair[2]] or rated[pair[0]] > rated[pair[2]]
    assert len({rated[name] for name in level}) <= 1


def test_a_rating_is_provisional_until_it_rests_on_ten_games() -> None:
    results = [game(index, "ab", "a", index) for index in range(ENOUGH)]
    almost, enough = two(results[:-1], 20), two(results, 20)
    assert [each.place for each in almost.ratings] == [None, None]
    assert [each.provisional for each in almost.ratings] == [True, True]
    assert [(each.player.id, each.place) for each in enough.ratings] == [("a", 1), ("b", 2)]
    assert line(enough, "a").uncertainty < line(almost, "a").uncertainty


def test_who_pauses_for_long_has_no_place_and_keeps_the_rating() -> None:
    results = [game(index, "ab", "a", index) for index in range(ENOUGH)]
    july, august = two(results, 200), two(results, 220)
    assert line(july, "a").place == 1
    assert line(august, "a").place is None
    assert line(august, "a").inactive
    assert line(august, "a").rating == line(july, "a").rating
    assert line(two(results, 900), "a").uncertainty > line(july, "a").uncertainty


def test_the_change_is_that_of_the_month_that_goes_on() -> None:
    results = [game(1, "ab", "a", 5), game(2, "ab", "a", 40), game(3, "abc", "a", 5), game(4, "abc", "a", 40)]
    for january, february in zip(rating_lists(results[::2], BEGAN + timedelta(days=6)), rating_lists(results, BEGAN + timedelta(days=41)), strict=True):  # fmt: skip
        assert line(february, "a").change == line(february, "a").rating - line(january, "a").rating > 0
        assert line(january, "a").change == line(january, "a").rating - 1500


def test_games_that_are_not_rated_change_nothing() -> None:
    counted = game(1, "ab", "a", 1)
    others = [
        game(2, "ab", "b", 2, bots=(1,)),
        game(3, "ab", "b", 2, ended=None),
        game(4, "ab", "b", 2, places=(), how="abandoned"),
        game(5, "ab", "b", 50),
        game(6, "aa", "a", 2),
    ]
    now = BEGAN + timedelta(days=3)
    assert rating_lists([counted, *others], now) == rating_lists([counted], now)
    assert rating_lists(others, now) == ()


def test_each_game_has_a_list_of_its_own_and_its_editions_share_it() -> None:
    results = [
        game(1, "ab", "a", 1),
        game(2, "ab", "a", 2, ruleset="digest"),
        game(3, "ab", "b", 3, plays="claim", ruleset="claim"),
    ]
    lists = rating_lists(results, BEGAN + timedelta(days=9))
    assert [(each.plays, line(each, "a").games) for each in lists] == [("claim", 1), ("struggle", 2)]


def test_the_history_ends_with_the_rating_of_the_list() -> None:
    for each in rating_lists(season(Random(2), 200, 6), BEGAN + timedelta(days=26)):
        assert all(rating.history[-1][1] == rating.rating for rating in each.ratings), each.kind
        assert all(rating.history == tuple(sorted(rating.history)) for rating in each.ratings), each.kind


def test_a_list_shows_the_latest_name_of_a_player() -> None:
    results = [game(1, "ab", "a", 1), game(2, "ab", "a", 2)]
    results[1] = evolve(results[1], players=(Player("a", "Otter"), Player("b", "B")))
    assert line(two(results, 9), "a").player.name == "Otter"
    assert two(results, 9).data["ratings"][0]["name"] == "Otter"
