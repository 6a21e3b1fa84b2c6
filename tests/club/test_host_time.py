"""Whether a host believes the machine's clock, and how long it was away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.shared.tables import each_row
from tkid.club.host_time import Absence, HostTime, Reading, confirm_time, judge_clock

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
CREDITED = 6 * HOUR
START = HostTime(NOON, "first", 1000.0)


def reading(wall: timedelta, counted: timedelta, boot: str = "first") -> Reading:
    """The clocks so long after noon, by the one and by the other."""
    return Reading(NOON + wall, boot, 1000.0 + counted.total_seconds())


@each_row(
    ("wall", "counted", "boot", "believed", "away"),
    [
        (HOUR, HOUR, "first", True, False),
        (6 * HOUR, 6 * HOUR, "first", True, True),
        (5 * HOUR, 5 * HOUR, "first", True, False),
        (25 * DAY, 25 * DAY, "first", True, True),  # the machine was on all the time
        (3 * DAY, timedelta(), "first", False, False),  # the clock alone went on
        (DAY, timedelta(), "first", True, True),
        (DAY + HOUR, timedelta(), "first", False, False),
        (-2 * HOUR, timedelta(), "first", False, False),
        (-HOUR / 2, timedelta(), "first", True, False),
        (19 * DAY, timedelta(), "second", True, True),
        (21 * DAY, timedelta(), "second", False, False),
        (-2 * DAY, timedelta(), "second", False, False),
    ],
)
def test_what_a_host_makes_of_its_clocks(
    wall: timedelta, counted: timedelta, boot: str, *, believed: bool, away: bool
) -> None:
    after = judge_clock(START, reading(wall, counted, boot), CREDITED)
    assert after.believed == believed
    assert after.away == (Absence(NOON, NOON + wall) if away else None)
    assert HostTime.read_text(after.text) == after


def test_a_host_that_never_worked_believes_its_clock() -> None:
    assert judge_clock(None, reading(HOUR, HOUR), CREDITED) == HostTime(NOON + HOUR, "first", 4600.0)


def test_while_the_clock_is_not_believed_time_goes_on_by_the_other_one() -> None:
    doubted = judge_clock(START, reading(40 * DAY, HOUR), CREDITED)
    assert doubted.stopped == NOON
    assert doubted.find_time(reading(40 * DAY + HOUR, 2 * HOUR)) == NOON + 2 * HOUR
    again = judge_clock(doubted, reading(40 * DAY + HOUR, 2 * HOUR), CREDITED)
    assert (again.stopped, again.last) == (NOON, NOON + 2 * HOUR)


def test_a_clock_that_is_set_right_is_believed_again() -> None:
    doubted = judge_clock(START, reading(40 * DAY, HOUR), CREDITED)
    assert judge_clock(doubted, reading(2 * HOUR, 2 * HOUR), CREDITED).away is None
    assert judge_clock(doubted, reading(8 * HOUR, 8 * HOUR), CREDITED).away == Absence(NOON, NOON + 8 * HOUR)


def test_a_start_of_the_machine_does_not_settle_a_doubt() -> None:
    doubted = judge_clock(START, reading(3 * DAY, HOUR), CREDITED)
    assert not judge_clock(doubted, Reading(NOON + 3 * DAY, "second", 5.0), CREDITED).believed


def test_a_clock_that_is_confirmed_gives_the_whole_time_back() -> None:
    doubted = judge_clock(START, reading(25 * DAY, timedelta(), "second"), CREDITED)
    after = confirm_time(doubted, reading(26 * DAY, DAY, "second"), CREDITED)
    assert after.believed
    assert after.away == Absence(NOON, NOON + 26 * DAY)


def test_an_absence_that_nobody_was_told_of_becomes_longer() -> None:
    once = judge_clock(START, reading(DAY, DAY), CREDITED)
    twice = judge_clock(once, reading(3 * DAY, 3 * DAY), CREDITED)
    assert twice.away == Absence(NOON, NOON + 3 * DAY)
