"""Results of games, made from their records: who won, how and when a game ended, and whether it is rated."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

from attrs import evolve

from tests.mail.clocked import Game, after
from tests.shared.strategies import record_of
from tests.shared.tables import each_row
from tkid.club.results import How, Player, Result, result_of
from tkid.record.clock_notes import OUT_OF_TIME, At, Ended, Resigned, StandIn
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, replay
from tkid.record.play.writer import add_comments, take_back_turn, with_note

FIXTURES = Path(__file__).parents[2] / "fixtures" / "games"
ANN, BOB, CLEO, DAN = (Player(name.lower(), name) for name in ("Ann", "Bob", "Cleo", "Dan"))


def result(played: Replay) -> Result:
    """The result of a game that is over."""
    made = result_of(played, "winter", (ANN, BOB, CLEO, DAN)[: len(played.record.seats)])
    assert made is not None
    return made


def over(players: int = 2, seed: int = 1) -> Replay:
    """A random game that its rules ended, its last turn with a time."""
    return with_note(replay(record_of(Random(seed), players)), At(after(days=9)))


def test_a_game_that_goes_on_has_no_result() -> None:
    assert result_of(Game().turn(after(1)).played, "winter", (ANN, BOB)) is None


def test_every_recorded_game_that_is_over_has_the_winners_of_its_position() -> None:
    finished = 0
    for file in sorted(FIXTURES.rglob("*.tkid")):
        record = read_record(file.read_bytes()).record
        assert record is not None, file
        played = replay(record)
        made = result_of(played, file.stem, tuple(Player(name, name) for name in record.names))
        if made is not None and made.how == "rules":
            finished += 1
            won = tuple(sorted(played.position.winners)) or tuple(range(len(record.seats)))  # nobody won: a draw
            assert made.winners == won, file
            assert made.ending == played.position.ending, file
            assert sorted(seat for place in made.places for seat in place) == list(range(len(record.seats))), file
            assert sum(made.get_points(party[0]) for party in made.parties) == 1, file
            assert Result.read_text(made.text) == made, file
    assert finished > 20


def test_what_a_result_says() -> None:
    made = result(over())
    assert (made.game, made.ruleset, made.plays) == ("winter", "second-edition", "struggle")
    assert made.ended == after(days=9)
    assert made.how == "rules"
    assert made.rated
    assert made.kind == "two"


def test_a_resignation_is_a_result_and_has_its_date() -> None:
    played = add_comments(Game().turn(after(1)).played, Resigned(0, after(2)))
    made = result(played)
    assert (made.how, made.winners, made.places, made.ended) == ("resignation", (1,), ((1,), (0,)), after(2))
    assert made.get_points(0) == 0
    assert made.get_points(1) == 1
    assert made.rated


@each_row(("how", "winners", "rated"), [("draw", (0, 1), True), ("abandoned", (), False), ("aborted", (), False)])
def test_a_game_that_was_ended(how: str, winners: tuple[int, ...], rated: bool) -> None:  # noqa: FBT001 - a column
    agreed = () if how == "aborted" else (0, 1)
    made = result(add_comments(Game().turn(after(1)).played, Ended(how, after(2), agreed, "")))  # type: ignore[arg-type]
    assert (made.how, made.winners, made.rated, made.ended) == (how, winners, rated, after(2))


def test_a_stand_in_finishes_a_game_for_the_player_and_a_bot_makes_it_unrated() -> None:
    game = Game().turn(after(1)).played
    person, bot = StandIn(0, "Eve", after(2)), StandIn(0, "Merlin", after(2), bot=True)
    helped = result(add_comments(add_comments(game, person), Resigned(1, after(3))))
    assert (helped.stand_ins, helped.players[0], helped.rated) == ((0,), ANN, True)
    played = result(add_comments(add_comments(game, bot), Resigned(1, after(3))))
    assert (played.bots, played.rated) == ((0,), False)


def test_a_game_that_ended_before_anybody_had_played_is_not_rated() -> None:
    """Neither a turn that was taken back nor one that the host passed counts as played."""
    resigned = Resigned(0, after(2))
    unplayed = [
        Game().played,
        with_note(Game().turn(after(1)).played, OUT_OF_TIME),
        take_back_turn(Game().turn(after(1)).played, (0, 1), after(1)),
    ]
    for played in unplayed:
        made = result(add_comments(played, resigned))
        assert (made.how, made.unplayed, made.rated) == ("resignation", True, False)
        assert not result(add_comments(played, Ended("draw", after(2), (0, 1), ""))).rated
    assert result(add_comments(Game().turn(after(1)).turn(after(1)).played, resigned)).rated


def test_a_game_without_dates_or_against_oneself_is_not_rated() -> None:
    undated = replay(record_of(Random(1), 2))
    assert not result(undated).rated
    alone = result_of(over(), "winter", (ANN, ANN))
    assert alone is not None
    assert not alone.rated


SHARED = Result(
    "w", "second-edition", "struggle", (ANN, BOB, CLEO), ((0,), (1,), (2,)), (), "rules", "", 0, 9, None, None
)


@each_row(
    ("places", "how", "points"),
    [
        (((0,), (1, 2)), "rules", (1, 0, 0)),
        (((0, 2), (1,)), "rules", (Fraction(1, 2), 0, Fraction(1, 2))),
        (((0, 1, 2),), "draw", (Fraction(1, 3),) * 3),
        ((), "abandoned", (0, 0, 0)),
        ((), "aborted", (Fraction(1, 3),) * 3),
    ],
)
def test_parties_that_share_the_victory_share_the_point(
    places: tuple[tuple[int, ...], ...], how: How, points: tuple[Fraction, ...]
) -> None:
    made = evolve(SHARED, places=places, how=how)
    assert tuple(map(made.get_points, range(3))) == points


def test_each_member_of_a_team_gets_the_point_of_the_team() -> None:
    made = result(over(4))
    assert made.parties == ((0, 2), (1, 3))
    assert made.get_points(0) == made.get_points(2)
    assert made.get_points(0) + made.get_points(1) == 1
    assert made.kind == "several"
