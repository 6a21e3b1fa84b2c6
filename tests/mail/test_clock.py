"""The clock: what it shows and what is due, by tables made by hand."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from attrs import evolve

from tests.mail.clocked import START, Game, after, clock, todo
from tests.record.test_opening import played as secret_game
from tests.shared.tables import each_row
from tkid.mail.game_clock import find_due, find_next_moment, list_agenda, read_game_clock
from tkid.mail.timeline import read_timeline
from tkid.record.clock_notes import (
    BY_RESIGNATION,
    NOTHING_TO_PLAY,
    OUT_OF_TIME,
    Adjourned,
    Away,
    Back,
    Line,
    Passed,
    Resigned,
    Resumed,
    StandIn,
    Undone,
)
from tkid.record.format.model import Header
from tkid.record.play.replay import replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import add_comments

BOTH = (0, 1)


# -- a turn -----------------------------------------------------------------------------------------------

TERMS = "3 days a turn, 1 day grace, remind after 1 day and 2 days, then pass, adjourn after 2"


@each_row(
    ("now", "stage", "left", "name", "upcoming"),
    [
        (0, "running", 72, "", 24),
        (24, "running", 48, "turn 1 reminder 1", 48),
        (47.99, "running", 24.01, "turn 1 reminder 1", 48),
        (48, "running", 24, "turn 1 reminder 2", 72),
        (71, "running", 1, "turn 1 reminder 2", 72),
        (72, "grace", 24, "turn 1 grace", 96),
        (95, "grace", 1, "turn 1 grace", 96),
        (96, "out", 0, "turn 1 pass", None),
        (9999, "out", 0, "turn 1 pass", None),
        (-5, "running", 72, "", 24),
    ],
)
def test_a_turn_from_beginning_to_end(now: float, stage: str, left: float, name: str, upcoming: float | None) -> None:
    game, moment = Game(TERMS), after(hours=now)
    found, item = clock(game, moment), find_due(game.at, moment)
    assert (found.seat, found.turn, found.since, found.bank, found.misses, found.then) == (0, 1, START, None, 0, "pass")
    assert (found.deadline, found.end) == (after(3), after(4))
    assert (found.stage, found.left) == (stage, timedelta(hours=left))
    assert (item.name if item else "") == name
    assert find_next_moment(game.at, moment) == (upcoming and after(hours=upcoming))


def test_the_clock_begins_when_the_turn_before_was_taken() -> None:
    game = Game(TERMS).turn(after(2, 5))
    found = clock(game, after(3))
    assert (found.seat, found.turn, found.since, found.deadline) == (1, 2, after(2, 5), after(5, 5))
    assert todo(game) == [
        ("turn 2 reminder 1", after(3, 5)),
        ("turn 2 reminder 2", after(4, 5)),
        ("turn 2 grace", after(5, 5)),
        ("turn 2 pass", after(6, 5)),
    ]
    assert list_agenda(game.at)[-1].note == OUT_OF_TIME


def test_where_no_clock_runs() -> None:
    for game in (Game(""), Game(TERMS, start=None), Game(TERMS).turn(), Game("soon"), Game(TERMS).turn("x")):
        assert read_game_clock(game.at, after(1)) is None
        assert list_agenda(game.at) == ()
        assert find_due(game.at, after(99)) is None
        assert find_next_moment(game.at, START) is None
    over = Game(TERMS)
    for number in range(len(over.whole.turns)):
        over.turn(after(number))
    assert over.at.over
    assert (read_game_clock(over.at, after(1)), list_agenda(over.at)) == (None, ())


def test_a_clock_begins_to_run_where_times_are_told_again() -> None:
    game = Game(TERMS).turn().turn(after(5))
    assert clock(game, after(6)).deadline == after(8)
    passed = Game(TERMS, start=None).turn(after(1)).turn(NOTHING_TO_PLAY)
    assert clock(passed, after(2)).since == after(1)


# -- misses -----------------------------------------------------------------------------------------------


@each_row(
    ("terms", "notes", "misses", "then"),
    [
        ("then pass, adjourn after 3", [], 0, "pass"),
        ("then pass, adjourn after 3", [OUT_OF_TIME], 1, "pass"),
        ("then pass, adjourn after 3", [OUT_OF_TIME, OUT_OF_TIME], 2, "adjourn"),
        ("then pass, stand-in after 3", [OUT_OF_TIME, OUT_OF_TIME], 2, "stand-in"),
        ("then pass", [OUT_OF_TIME] * 4, 4, "pass"),
        ("then adjourn", [], 0, "adjourn"),
        ("then stand-in", [], 0, "stand-in"),
        ("adjourn after 3", [OUT_OF_TIME, None, OUT_OF_TIME], 1, "pass"),
        ("adjourn after 3", [OUT_OF_TIME, NOTHING_TO_PLAY, OUT_OF_TIME], 2, "adjourn"),
        ("adjourn after 3", [OUT_OF_TIME, OUT_OF_TIME, None], 0, "pass"),
    ],
)
def test_misses_in_a_row(terms: str, notes: list[Passed | None], misses: int, then: str) -> None:
    """The notes are on the turns of Ann, who begins; Bob plays."""
    game = Game(f"3 days a turn, no reminder, {terms}")
    for number, note in enumerate(notes):
        game.turn(after(2 * number), *([note] if note else []))
        game.turn(after(2 * number + 1))
    found = clock(game, after(2 * len(notes)))
    assert (found.seat, found.misses, found.then) == (0, misses, then)
    assert list_agenda(game.at)[-1].kind == then
    assert list_agenda(game.at)[-1].note == (OUT_OF_TIME if then == "pass" else None)


# -- a bank -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hours", "bank"), [(0, 3), (23.9, 3), (24, 2), (47.9, 2), (48, 1), (72, 0), (95.9, 0), (96, 0), (200, 0)]
)
def test_a_turn_costs_whole_days(hours: float, bank: int) -> None:
    game = Game("3 days for 10 turns, no reminder")
    assert clock(game, after(hours=hours)).bank == bank
    assert game.turn(after(hours=hours)).at.seats[0].bank == bank


def test_the_time_is_out_when_the_bank_cannot_give_another_day() -> None:
    game = Game("3 days for 10 turns, 1 day grace, no reminder")
    assert (clock(game, START).deadline, clock(game, START).end) == (after(4), after(5))
    game.turn(after(3)).turn(after(3))
    found = clock(game, after(3))
    assert (found.bank, found.deadline, found.end) == (0, after(4), after(5))


def test_the_bank_is_filled_up_after_so_many_own_turns() -> None:
    game = Game("3 days for 2 turns")
    for days, banks in ((0, (3, 3)), (1, (3, 2)), (3, (4, 2)), (3, (4, 5))):
        game.turn(after(days))
        assert tuple(seat.bank for seat in game.at.seats) == banks


def test_a_turn_that_the_clock_passed_leaves_an_empty_bank() -> None:
    game = Game("3 days for 2 turns").turn(OUT_OF_TIME, after(4)).turn(after(4), NOTHING_TO_PLAY)
    assert [seat.bank for seat in game.at.seats] == [0, 3]
    assert game.turn(after(9), OUT_OF_TIME).at.seats[0].bank == 3


# -- absences ---------------------------------------------------------------------------------------------

XMAS = Away(0, date(2026, 11, 22), date(2026, 11, 24))


@each_row(
    ("lines", "deadline"),
    [
        ([XMAS], after(6)),
        ([XMAS, XMAS], after(6)),
        ([Away(1, XMAS.first, XMAS.last)], after(3)),
        ([Away(0, date(2026, 11, 21), date(2026, 11, 21), after(hours=1))], after(3)),
        ([Away(0, date(2026, 11, 20), date(2026, 11, 22), after(hours=1))], after(4)),
        ([Away(0, date(2026, 11, 22), date(2026, 11, 22), START.replace(day=22, hour=0))], after(4)),
        ([Away(0, date(2026, 11, 22), date(2026, 11, 22), START.replace(day=22, hour=0, minute=1))], after(3)),
        ([Away(0, date(2026, 11, 24), date(2026, 11, 25))], after(5)),
        ([Away(0, date(2026, 11, 25), date(2026, 11, 25))], after(3)),
        ([Away(0, date(2026, 11, 1), date(2026, 11, 3)), XMAS], after(5)),
        ([Away(0, date(2026, 11, 22), date(2026, 12, 24))], after(8)),
        ([XMAS, Back(0, after(1))], after(3, 10)),
        ([XMAS, Back(0, after(1)), Away(0, date(2026, 11, 23), date(2026, 11, 23))], after(4, 10)),
    ],
)  # fmt: skip
def test_an_absence_stops_the_clock(lines: list[Line], deadline: datetime) -> None:
    """A day that was announced counts once, five in a game; before it begins, and until a return."""
    game = Game("3 days a turn, no reminder, 5 days away").line(*lines)
    assert clock(game, START).deadline == deadline


def test_what_is_shown_during_an_absence() -> None:
    game = Game("3 days a turn, remind after 2 days").line(XMAS)
    found = clock(game, after(2))
    assert (found.left, found.still_until) == (timedelta(days=2, hours=10), START.replace(day=25, hour=0))
    assert clock(game, after(4)).still_until is None
    assert todo(game)[0] == ("turn 1 reminder 1", after(5))


def test_a_bank_pays_for_no_day_of_absence() -> None:
    game = Game("3 days for 10 turns").line(XMAS).turn(after(5))
    assert game.at.seats[0].bank == 1


# -- giving up, standing in, resting ----------------------------------------------------------------------


def test_resigning_ends_a_game_of_two() -> None:
    game = Game(TERMS).turn(after(1)).line(Resigned(0, after(2)))
    assert (game.at.winners, game.at.over, list_agenda(game.at), read_game_clock(game.at, after(2))) == (
        (1,),
        True,
        (),
        None,
    )


@pytest.mark.parametrize(
    ("players", "resigned", "winners"),
    [(3, [1], ()), (3, [1, 0], (2,)), (4, [0], ()), (4, [0, 1], ()), (4, [0, 2], (1, 3)), (4, [3, 0, 1], (0, 2))],
)
def test_resigning_with_more(players: int, resigned: list[int], winners: tuple[int, ...]) -> None:
    game = Game(TERMS, players)
    game.line(*(Resigned(seat, after(number)) for number, seat in enumerate(resigned)))
    assert game.at.winners == winners


@pytest.mark.parametrize("terms", ["", TERMS])
def test_who_has_resigned_passes_at_once(terms: str) -> None:
    game = Game(terms, 3).turn(after(1)).line(Resigned(1, after(2)))
    (item,) = list_agenda(game.at)
    assert (item.name, item.kind, item.seat, item.time, item.note) == (
        "turn 2 pass",
        "pass",
        1,
        after(2),
        BY_RESIGNATION,
    )
    assert read_game_clock(game.at, after(2)) is None
    game.turn(after(2), BY_RESIGNATION)
    assert game.at.seats[1].misses == 0
    game.turn(after(3)).turn(after(4))
    assert list_agenda(game.at)[0].time == after(4)


def test_a_stand_in_begins_anew() -> None:
    game = Game("3 days for 10 turns, no reminder, stand-in after 2").line(
        Away(0, date(2026, 11, 28), date(2026, 11, 28))
    )
    game.turn(after(5), OUT_OF_TIME).turn(after(5))
    found = clock(game, after(6))
    assert (found.then, find_due(game.at, after(6))) == ("stand-in", list_agenda(game.at)[-1])
    assert todo(game) == [("turn 3 stand-in", after(6))]
    game.line(StandIn(0, "Merlin", after(8), bot=True))
    found = clock(game, after(8))
    assert (found.since, found.deadline, found.misses, found.bank, found.then) == (after(8), after(12), 0, 3, "pass")
    assert todo(game) == [("turn 3 (2) pass", after(12))]
    game.line(Back(0, after(9)))
    assert clock(game, after(9)).since == after(9)
    assert game.at.seats[0].stand_in is None
    assert todo(game)[0][0] == "turn 3 (3) pass"


def test_a_stand_in_for_another_seat_changes_nothing_for_who_is_to_act() -> None:
    game = Game(TERMS).line(StandIn(1, "Merlin", after(1)), Back(1, after(2)))
    assert (clock(game, after(2)).since, game.at.restarts) == (START, 0)


def test_a_seat_that_was_given_up_is_played_by_a_stand_in() -> None:
    game = Game(TERMS, 3).line(Resigned(0, after(1)), StandIn(0, "Merlin", after(2)), Resigned(1, after(3)))
    assert (game.at.winners, game.at.seats[0].plays) == ((), True)
    assert clock(game, after(3)).since == after(2)


def test_an_adjourned_game_rests_until_it_is_resumed() -> None:
    game = Game("3 days for 10 turns, no reminder, adjourn after 2").turn(after(1), OUT_OF_TIME).turn(after(1))
    game.line(Adjourned(after(2)))
    assert (game.at.adjourned, read_game_clock(game.at, after(3)), list_agenda(game.at)) == (after(2), None, ())
    game.line(Resumed(after(30)))
    found = clock(game, after(30))
    assert (found.since, found.misses, found.then, game.at.adjourned) == (after(30), 0, "pass", None)
    assert game.turn(after(31)).at.seats[0].bank == 0
    went_on = Game(TERMS).line(Adjourned(after(1))).turn(after(2))
    assert went_on.at.adjourned is None


def test_what_cannot_be_passed_is_never_passed() -> None:
    game = Game("3 days a turn, no reminder, then pass")
    at = game.at
    named = evolve(at, passable=False)
    assert [item.kind for item in list_agenda(named)] == ["adjourn"]
    gone = evolve(named, seats=(evolve(at.seats[0], resigned=after(1)), at.seats[1]))
    assert [(item.kind, item.time, item.note) for item in list_agenda(gone)] == [("adjourn", after(1), None)]


# -- turns taken back -------------------------------------------------------------------------------------


def test_a_turn_taken_back_begins_anew_and_its_days_stay_spent() -> None:
    game = Game("5 days for 1 turns, no reminder").turn(after(2), Undone(BOTH, after(4)))
    found = clock(game, after(4))
    assert (found.seat, found.turn, found.since, found.bank) == (0, 2, after(4), 3)
    assert game.at.seats[0].turns == 0
    game.turn(after(5))
    assert [(seat.bank, seat.turns) for seat in game.at.seats] == [(7, 1), (5, 0)]


def test_two_turns_taken_back_cost_what_they_cost() -> None:
    game = Game("9 days for 9 turns").turn(after(1), Undone(BOTH, after(7)))
    game.turn(after(4), Undone(BOTH, after(6)), deep=1)
    assert [seat.bank for seat in game.at.seats] == [8, 6]
    assert (game.at.since, game.at.to_act, game.at.turn) == (after(7), 0, 3)
    again = Game("9 days for 9 turns").turn(after(1), Undone(BOTH, after(3))).turn(after(4), Undone(BOTH, after(6)))
    assert [seat.bank for seat in again.at.seats] == [7, 9]
    assert again.at.since == after(6)


def test_a_turn_taken_back_at_no_known_time() -> None:
    game = Game("9 days for 9 turns").turn(after(1), Undone(BOTH))
    assert game.at.since == after(1)


def test_a_miss_that_was_taken_back_is_none() -> None:
    game = Game(TERMS).turn(after(4), OUT_OF_TIME, Undone(BOTH, after(4)))
    assert clock(game, after(4)).misses == 0


# -- secret hands -----------------------------------------------------------------------------------------


def test_every_player_finds_the_same_in_the_own_record() -> None:
    at = secret_game(5, 3, 0.3, 8)
    headers = (Header("X-Clock", "5 days for 2 turns, then stand-in"), Header("X-Started", "2026-11-20T10:00Z"))
    turns = (evolve(turn, notes=(f"at 2026-11-2{n // 2 + 1}T1{n}:00Z",)) for n, turn in enumerate(at.record.turns))
    whole = replay(evolve(at.record, headers=(*at.record.headers, *headers), turns=tuple(turns)))
    whole = add_comments(whole, XMAS, StandIn(1, "Merlin", after(6)), Adjourned(after(7)))
    found = read_timeline(whole)
    assert found.problems == ()
    assert found.adjourned == after(7)
    for seat in (0, 1, 2, None):
        assert read_timeline(hide_secrets(whole, seat)) == found
