"""Tables of tournaments: points, each tie-break on its own, and cross-tables."""

from __future__ import annotations

from fractions import Fraction

from tests.club.test_ratings import game
from tests.shared.tables import each_row
from tkid.club.tournament import (
    BUCHHOLZ,
    DIRECT,
    SONNEBORN,
    WINS,
    Cell,
    Score,
    Scores,
    TieBreak,
    build_cross_table,
    points_between,
    rank_sides,
)

HALF = Fraction(1, 2)


def scores(typed: str) -> Scores:
    """Games as `01+ 12= 2-`: side 0 beat side 1, sides 1 and 2 drew, side 2 had a bye; `x` gives nobody a point."""
    points = {"+": (Fraction(1), Fraction()), "=": (HALF, HALF), "x": (Fraction(), Fraction())}
    games = []
    for each in typed.split():
        if each.endswith("-"):
            games.append(Score(int(each[0]), None, (Fraction(1), Fraction())))
        else:
            games.append(Score(int(each[0]), int(each[1]), points[each[2]]))
    sides = {int(char) for char in typed if char.isdigit()}
    return Scores(tuple(sorted(sides)), tuple(games))


@each_row(
    ("typed", "breaks", "table"),
    [
        ("01+ 02+ 12+", (), "0:1 1:2 2:3"),
        ("01= 02= 12=", (DIRECT, SONNEBORN, WINS), "0:1 1:1 2:1"),
        ("10+ 02+ 03+ 12+ 31+ 23+", (), "0:1 1:1 2:3 3:3"),
        ("10+ 02+ 03+ 12+ 31+ 23+", (DIRECT,), "1:1 0:2 2:3 3:4"),
        # three who beat each other in a ring: the direct encounter says nothing
        ("01+ 12+ 20+ 03+ 13+ 23+", (DIRECT,), "0:1 1:1 2:1 3:4"),
        # 0 and 1 have not met, so only Buchholz tells them apart: 0 had the stronger opponents
        ("02+ 13+ 23+ 04= 15=", (DIRECT,), "0:1 1:1 2:3 4:4 5:4 3:6"),
        ("02+ 13+ 23+ 04= 15=", (DIRECT, BUCHHOLZ), "0:1 1:2 2:3 4:4 5:4 3:6"),
        # three have one point: 1 beat the side with three points, 0 the one with two, 5 the one with none
        ("02+ 30+ 13+ 21+ 24+ 35+ 36+ 56+", (SONNEBORN,), "3:1 2:2 1:3 0:4 5:5 4:6 6:6"),
        # a win and a loss against two draws
        ("02+ 30+ 12= 13=", (WINS,), "3:1 0:2 1:3 2:4"),
        ("0-", (BUCHHOLZ,), "0:1"),
    ],
)
def test_a_table(typed: str, breaks: tuple[TieBreak, ...], table: str) -> None:
    made = rank_sides(scores(typed), breaks)
    assert " ".join(f"{line.side}:{line.place}" for line in made) == table


@each_row(
    ("typed", "each", "side", "value"),
    [
        ("01+ 02= 12+", BUCHHOLZ, 0, Fraction(3, 2)),
        ("01+ 0- 12+", BUCHHOLZ, 0, Fraction(3)),  # the bye counts as an opponent with 0's own two points
        ("01+ 02= 12+", SONNEBORN, 0, Fraction(5, 4)),
        ("01+ 0-", SONNEBORN, 0, Fraction(2)),
        ("01+ 02= 12+", WINS, 0, Fraction(1)),
        ("01+ 0-", WINS, 0, Fraction(1)),
        ("01x 0-", WINS, 0, Fraction()),
    ],
)
def test_a_tie_break(typed: str, each: TieBreak, side: int, value: Fraction) -> None:
    assert each.value(scores(typed), side, (side,)) == value


def test_a_line_counts_games_and_not_byes() -> None:
    (first, *_) = rank_sides(scores("01+ 02= 0- 03x"), (WINS,))
    assert (first.points, first.games, first.wins, first.draws, first.losses) == (Fraction(5, 2), 3, 1, 1, 1)


def test_the_cells_of_a_tournament_list_each_game() -> None:
    assert points_between(scores("01+ 10= 0-").games) == {(0, 1): (Fraction(1), HALF), (1, 0): (Fraction(), HALF)}


def test_a_cross_table_compares_winners_with_those_who_did_not_win() -> None:
    results = [
        game(1, "ab", "a", 1),
        game(2, "ab", "", 2),
        game(3, "abc", "c", 3),
        game(4, "acbd", "ab", 4),
        game(5, "ab", "b", 5, places=(), how="abandoned"),
    ]
    players, cells = build_cross_table(results)
    assert [player.id for player in players] == ["a", "b", "c", "d"]
    assert cells["a", "b"] == Cell(won=1, drawn=1)
    assert cells["b", "a"] == Cell(drawn=1, lost=1)
    assert cells["a", "c"] == Cell(won=1, lost=1)
    assert cells["d", "b"] == Cell(lost=1)
    assert ("c", "d") not in cells
