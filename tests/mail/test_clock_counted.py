"""The clock against counting hours one by one, and what holds for every clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.mail.clocked import DAY, HOUR, START, Game, after, bank_left, clock, counted, todo
from tests.shared.examples import examples
from tkid.mail.game_clock import describe_own_deadline, find_due, find_next_moment, list_agenda
from tkid.mail.timeline import Pause, find_moment_after, find_pause_end, list_days_off, measure_running_time
from tkid.record.clock import WEEKDAYS
from tkid.record.clock_notes import Away, Deadline, Zone

UNTIMED = examples(60)
BOTH = (0, 1)
TERMS = "3 days a turn, 1 day grace, remind after 1 day and 2 days, then pass, adjourn after 2"

hours = st.integers(0, 140)
absences = st.lists(st.tuples(st.integers(0, 1), st.integers(-2, 40), st.integers(0, 5)), max_size=4)


def absent(found: list[tuple[int, int, int]]) -> list[Away]:
    """Absences from seats, first days after the start, and lengths."""
    first = START.date()
    return [Away(seat, first + day * DAY, first + (day + more) * DAY) for seat, day, more in found]


def days_of(seat: int, lines: list[Away], most: int) -> list[date]:
    """The first days of absence that a seat announced, each once."""
    every = [
        line.first + n * DAY for line in lines if line.seat == seat for n in range((line.last - line.first).days + 1)
    ]
    return list(dict.fromkeys(every))[:most]


@given(st.lists(hours, max_size=9), absences, st.integers(1, 8), st.integers(1, 3), st.integers(0, 9))
@UNTIMED
def test_a_bank_is_what_counting_hours_says(
    gaps: list[int], found: list[tuple[int, int, int]], days: int, turns: int, most: int
) -> None:
    lines = absent(found)
    game = Game(f"{days} days for {turns} turns, {most} days away").line(*lines)
    taken: tuple[list[tuple[datetime, datetime]], ...] = ([], [])
    moment = START
    for number, gap in enumerate(gaps):
        taken[number % 2].append((moment, moment + gap * HOUR))
        moment += gap * HOUR
        game.turn(moment)
    away = [days_of(seat, lines, most) for seat in BOTH]
    banks = [bank_left(days, turns, taken[seat], away[seat]) for seat in BOTH]
    assert [seat.bank for seat in game.at.seats] == banks
    seat = len(gaps) % 2
    end = clock(game, moment).deadline
    assert counted(moment, end, away[seat]) == (banks[seat] + 1) * 24
    assert end == moment or counted(moment, end - HOUR, away[seat]) < (banks[seat] + 1) * 24


@given(
    absences, st.integers(0, 400), st.sampled_from(("3 days a turn, 1 day grace", "2 days for 3 turns, 5 hours grace"))
)
@UNTIMED
def test_time_left_goes_down_and_is_there_until_the_end(
    found: list[tuple[int, int, int]], now: int, terms: str
) -> None:
    game, moment = Game(terms).line(*absent(found)), after(hours=now)
    earlier, later = clock(game, moment), clock(game, moment + HOUR)
    assert (earlier.deadline, earlier.end) == (later.deadline, later.end)
    assert (earlier.left > timedelta()) == (moment < earlier.end)
    assert (earlier.stage == "running") == (moment < earlier.deadline)
    assert (earlier.stage == "out") == (moment >= earlier.end)
    assert later.left <= earlier.left or (earlier.stage, later.stage) == ("running", "grace")
    if earlier.still_until is not None and earlier.still_until > moment + HOUR:
        assert later.left == earlier.left


@given(absences, absences)
@UNTIMED
def test_an_absence_never_shortens(one: list[tuple[int, int, int]], two: list[tuple[int, int, int]]) -> None:
    game = Game(TERMS).line(*absent(one))
    before = [moment for _, moment in todo(game)]
    after_more = [moment for _, moment in todo(game.line(*absent(two)))]
    assert all(early <= late for early, late in zip(before, after_more, strict=True))


@given(absences, st.integers(-10, 500), st.integers(0, 100))
@UNTIMED
def test_what_is_next_comes_later_and_later(found: list[tuple[int, int, int]], now: int, more: int) -> None:
    """And everything on the agenda comes to be due, in its order."""
    at = Game(TERMS).line(*absent(found)).at
    one, two = (find_next_moment(at, after(hours=hour)) for hour in (now, now + more))
    assert one is None or one > after(hours=now)
    assert two is None or (one is not None and two >= one)
    order = [item.name for item in list_agenda(at)]
    moment, seen = START, list[str]()
    while (following := find_next_moment(at, moment)) is not None:
        moment = following
        item = find_due(at, moment)
        assert item is not None
        seen.append(item.name)
    assert seen == sorted(seen, key=order.index)
    assert seen[-1] == order[-1]


moments = st.integers(0, 200).map(lambda hour: after(hours=hour))


@given(st.lists(st.integers(0, 150), max_size=5, unique=True), moments, st.integers(0, 200))
def test_when_a_clock_has_run_so_long(starts: list[int], start: datetime, length: int) -> None:
    """The first moment at which it has: a clock ran so long then, and not an hour before."""
    pauses = [Pause(after(hours=hour), after(hours=hour + 1)) for hour in sorted(starts)]
    end = find_moment_after(start, length * HOUR, pauses)
    assert measure_running_time(start, end, pauses) == length * HOUR
    assert end == start or measure_running_time(start, end - HOUR, pauses) < length * HOUR
    until = find_pause_end(start, pauses)
    assert until is None or (until > start and measure_running_time(start, until, pauses) == timedelta())


@given(
    st.lists(hours, max_size=7),
    absences,
    st.lists(st.integers(0, 6), min_size=1, max_size=5, unique=True),
    st.sampled_from(("5 days for 3 turns", "2 days a turn", "30 hours a turn, 1 day grace")),
)
@UNTIMED
def test_days_of_the_week_without_a_clock_are_what_counting_hours_says(
    gaps: list[int], found: list[tuple[int, int, int]], off: list[int], terms: str
) -> None:
    """Cites: post.clock.off."""
    lines, days = absent(found), " and ".join(WEEKDAYS[day] for day in off)
    game, moment = Game(f"{terms}, no clock on {days}").line(*lines), START
    taken: tuple[list[tuple[datetime, datetime]], ...] = ([], [])
    for number, gap in enumerate(gaps):
        taken[number % 2].append((moment, moment + gap * HOUR))
        moment += gap * HOUR
        game.turn(moment)
    first = START.date()
    every = [day for n in range(900) if (day := first + n * DAY).weekday() in off]
    still = [{*days_of(seat, lines, 30), *every} for seat in BOTH]
    seat, now = len(gaps) % 2, clock(game, moment)
    if now.bank is not None:
        banks = [bank_left(5, 3, taken[each], list(still[each])) for each in BOTH]
        assert [each.bank for each in game.at.seats] == banks
    time = {"5": ((now.bank or 0) + 1) * 24, "2": 48, "3": 30}[terms[0]]
    end = now.deadline
    assert counted(moment, end, list(still[seat])) == time
    assert counted(moment, end - HOUR, list(still[seat])) < time
    grace = counted(moment, now.end, list(still[seat]))
    assert grace == time + (24 if "grace" in terms else 0)


zones = st.integers(-48, 56).map(lambda quarters: quarters * timedelta(minutes=15))


@given(hours, zones, st.lists(st.integers(0, 6), min_size=1, max_size=5, unique=True))
def test_days_without_a_clock_begin_at_midnight_in_the_time_zone_of_the_player(
    gap: int, ahead: timedelta, off: list[int]
) -> None:
    """Cites: post.clock.zone."""
    game, now = Game(f"2 days a turn, no clock on {' and '.join(WEEKDAYS[day] for day in off)}"), START + gap * HOUR
    game.line(Zone(1, ahead, START)).turn(now)
    quarters, left = now, timedelta(days=2)
    while left:
        left -= timedelta(minutes=15) if (quarters + ahead).weekday() not in off else timedelta()
        quarters += timedelta(minutes=15)
    assert clock(game, now).deadline == quarters


def test_a_time_zone_does_not_change_the_clock_that_is_running() -> None:
    """Cites: post.clock.zone."""
    friday, east = START + 6 * DAY, timedelta(hours=14)
    game = Game("3 working days a turn").turn(friday)
    before = clock(game, friday).deadline
    assert clock(game.line(Zone(1, east, friday)), friday).deadline == before
    next_friday = friday + 7 * DAY
    game.turn(friday).turn(next_friday)
    assert clock(game, next_friday).deadline == next_friday + 5 * DAY
    assert (
        list_days_off((5,), next_friday, next_friday + 2 * DAY, east).__next__().start
        == next_friday - next_friday.hour * HOUR + 10 * HOUR
    )


def test_days_away_begin_at_midnight_in_the_time_zone_of_the_player() -> None:
    """Cites: post.clock.zone, post.away.late."""
    day, west = START.date() + 2 * DAY, -5 * HOUR
    game = Game("2 days a turn").line(Zone(1, west, START), Away(1, day, day, START))
    (pause,) = game.at.seats[1].pauses
    assert pause == Pause(datetime.combine(day, time(5), UTC), datetime.combine(day + DAY, time(5), UTC))
    today = Game("2 days a turn").line(Zone(1, 14 * HOUR, START), Away(1, START.date(), START.date() + DAY, START))
    assert all(pause.start >= START for pause in today.at.seats[1].pauses)
    assert today.at.seats[1].pauses


def test_a_deadline_of_the_host_counts_every_day() -> None:
    """Cites: post.clock.off, post.host.time."""
    friday = START + 6 * DAY
    game = Game("3 working days a turn").turn(friday)
    assert clock(game, friday).deadline == friday + 5 * DAY
    assert clock(game.line(Deadline(1, friday, friday + 2 * DAY)), friday).deadline == friday + 2 * DAY


def test_the_letter_says_why_the_clock_stands_still() -> None:
    game = Game("3 working days a turn")
    assert "Your clock is stopped until Monday 23 November 2026, 00:00 UTC." in describe_own_deadline(game.at, START)
    game.line(Away(0, START.date() + DAY, START.date() + DAY))
    assert "You are away: your clock is stopped" in describe_own_deadline(game.at, START + DAY)
