"""Notes on turns, lines between them, and the terms of the clock: read, written, and told what is wrong."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.games.struggle.shared.family import board
from tests.record.test_opening import played as secret_game
from tests.shared.tables import each_row
from tkid.kernel.problems import Problem
from tkid.record.clock import (
    CLOCK,
    DAY,
    DEFAULT,
    HOUR,
    STARTED,
    AtLast,
    Bank,
    Clock,
    PerTurn,
    parse_moment,
    read_clock,
    write_clock,
    write_time,
)
from tkid.record.clock_notes import (
    BY_RESIGNATION,
    NOTHING_TO_PLAY,
    OUT_OF_TIME,
    Adjourned,
    Announced,
    At,
    Away,
    Back,
    Deadline,
    Ended,
    Extended,
    Line,
    Moved,
    Note,
    Paused,
    Resigned,
    Resumed,
    StandIn,
    StoodStill,
    Undone,
    make_note_reader,
)
from tkid.record.format.model import Header
from tkid.record.format.reader import read_record
from tkid.record.play import writer
from tkid.record.play.replay import replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record

NAMES = ("Ann", "Bob", "Ann Lee", "Smith, Jo")
READER = make_note_reader(NAMES)
WHEN = datetime(2026, 11, 21, 10, 4, tzinfo=UTC)

seats = st.integers(0, len(NAMES) - 1)
times = st.datetimes(datetime(2000, 1, 2), datetime(2999, 12, 30)).map(  # noqa: DTZ001 - the zone follows
    lambda at: at.replace(second=0, microsecond=0, tzinfo=UTC)
)
days = st.dates(date(2000, 1, 1), date(2999, 12, 31))
spans = st.tuples(days, days).map(lambda pair: (min(pair), max(pair)))
notes: st.SearchStrategy[Note] = st.one_of(
    st.builds(At, times),
    st.sampled_from((OUT_OF_TIME, NOTHING_TO_PLAY, BY_RESIGNATION)),
    st.builds(Undone, st.just((0, 1, 2, 3)), st.none() | times),
    st.builds(
        lambda time, why: Undone((), time, by_host=True, reason=why), times, st.sampled_from(("", "A WRONG CARD"))
    ),
)
who_agreed = st.sets(seats, min_size=1).map(lambda agreed: tuple(sorted(agreed)))
reasons = st.sampled_from(("", "the host was away", "both asked: Ann, and Bob", "until 2026-12-20T10:00Z or so"))
who = st.sampled_from(("Merlin", "Cal O'Neill", "Zoë", "robot"))
lines: st.SearchStrategy[Line] = st.one_of(
    st.builds(lambda seat, span, said: Away(seat, span[0], span[1], said), seats, spans, st.none() | times),
    st.builds(Resigned, seats, times),
    st.builds(Back, seats, times),
    st.builds(StandIn, seats, who, times, st.sampled_from(("", "cal@example.org")), st.booleans()),
    st.builds(Adjourned, times),
    st.builds(Resumed, times),
    st.builds(Ended, st.sampled_from(("draw", "abandoned")), times, who_agreed),
    st.builds(lambda time, why: Ended("aborted", time, (), why), times, reasons),
    st.builds(Paused, times, days, who_agreed),
    st.builds(lambda time, why: Paused(time, None, (), why), times, reasons),
    st.builds(Extended, seats, times, st.integers(1, 999).map(lambda count: count * HOUR), reasons),
    st.builds(Deadline, seats, times, times, reasons),
    st.builds(lambda pair, why: StoodStill(min(pair), max(pair), why), st.tuples(times, times), reasons),
    st.builds(Moved, seats, times, st.just("")),
    st.builds(Announced, times, reasons.filter(bool)),
)


# -- round trips ------------------------------------------------------------------------------------------


@given(times)
def test_a_time_is_read_back(at: datetime) -> None:
    assert parse_moment(write_time(at)) == at
    assert parse_moment(write_time(at.astimezone(timezone(timedelta(hours=-5, minutes=30))))) == at


@given(notes)
def test_a_note_is_read_back(note: Note) -> None:
    text = READER.write_note(note)
    assert READER.read_note(text) == note
    assert READER.read_note(f" {text.upper()} ") == note


@given(lines)
def test_a_line_is_read_back(line: Line) -> None:
    text = READER.write_line(line)
    assert READER.read_line(text) == line
    public = evolve(line, address="") if isinstance(line, StandIn | Moved) else line
    assert READER.write_public_line(text.replace(": ", ":   ", 1) + "  ") == READER.write_line(public)


@given(
    st.text(max_size=60), st.sampled_from(("", "# away: ", "# stand-in: Ann is played by ", "undone: Ann, ", "at 2"))
)
def test_whatever_is_written_is_a_note_a_problem_or_a_comment(text: str, start: str) -> None:
    for found in (READER.read_note(start + text), READER.read_line(start + text)):
        if isinstance(found, Problem):
            assert found.line == 1 <= min(found.col, found.length)
        elif isinstance(found, At | Undone) or found in {OUT_OF_TIME, NOTHING_TO_PLAY, BY_RESIGNATION}:
            assert READER.read_note(READER.write_note(found)) == found


# -- what may be typed ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("2026-11-21 10:04", "2026-11-21T10:04Z"),
        ("2026-11-21t10:04z", "2026-11-21T10:04Z"),
        ("2026-11-21T10:04:59Z", "2026-11-21T10:04Z"),
        ("2026-11-21 10:04 UTC", "2026-11-21T10:04Z"),
        ("2026-11-21T11:04+01:00", "2026-11-21T10:04Z"),
        ("2026-01-01 00:30 +01:00", "2025-12-31T23:30Z"),
    ],
)
def test_a_time_may_be_typed_otherwise(typed: str, written: str) -> None:
    at = parse_moment(typed)
    assert at is not None
    assert write_time(at) == written


@pytest.mark.parametrize("typed", ["", "2026-11-21", "2026-13-01T10:00Z", "10:04", "1999-12-31T23:59Z", "soon", "2026-11-21T10:04+99:00"])  # fmt: skip
def test_what_is_no_time(typed: str) -> None:
    assert parse_moment(typed) is None


def test_a_time_to_write_has_a_zone() -> None:
    with pytest.raises(ValueError, match="zone"):
        write_time(datetime(2026, 11, 21, 10))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("AT 2026-11-21 10:04", "at 2026-11-21T10:04Z"),
        ("Out of  time", "out of time"),
        ("Undone by  the host at 2026-11-21 10:04 : A wrong card", "undone by the host at 2026-11-21T10:04Z: A wrong card"),
        ("undone: bob & ann and ann lee, smith, jo", "undone: Ann, Bob, Ann Lee, Smith, Jo agreed"),
        ("undone: 1, 2, 3, 4 agreed 2026-11-21 10:04", "undone: Ann, Bob, Ann Lee, Smith, Jo agreed at 2026-11-21T10:04Z"),
    ],
)  # fmt: skip
def test_a_note_may_be_typed_otherwise(typed: str, written: str) -> None:
    assert READER.write_public_note(typed) == written


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("# Away: ann 20 Dec 2026 until 28.12.2026", "# away: Ann 2026-12-20 to 2026-12-28"),
        ("# away: Ann Lee 2026-12-20", "# away: Ann Lee 2026-12-20 to 2026-12-20"),
        ("# resigned: bob, 2026-12-01 09:00.", "# resigned: Bob 2026-12-01T09:00Z"),
        ("# BACK: 2 2026-12-01T09:00Z", "# back: Bob 2026-12-01T09:00Z"),
        ("# stand-in: ann IS PLAYED BY  Bot  Merlin 2026-12-01T09:00Z", "# stand-in: Ann is played by bot Merlin 2026-12-01T09:00Z"),
        ("# stand-in: Ann is played by bot Merlin(Search) 2026-12-01T09:00Z", "# stand-in: Ann is played by bot Merlin (search) 2026-12-01T09:00Z"),
        ("#  adjourned : 2026-12-01T10:00+01:00", "# adjourned: 2026-12-01T09:00Z"),
        ("# Ended: DRAW agreed by smith, jo & ann 2026-12-01 09:00", "# ended: draw, agreed by Ann and Smith, Jo 2026-12-01T09:00Z"),
        ("# ended: aborted by the host 2026-12-01T09:00Z", "# ended: aborted by the host 2026-12-01T09:00Z"),
        ("# paused: until 20 Dec 2026, agreed by 1 and 2 2026-12-01T09:00Z", "# paused: until 2026-12-20, agreed by Ann and Bob 2026-12-01T09:00Z"),
        ("# extended: bob 48 hours BY THE HOST 2026-12-01T09:00Z : a train", "# extended: Bob 2 days by the host 2026-12-01T09:00Z: a train"),
        ("# Stood  still: 2026-12-01T09:00Z to 2026-12-03T10:00+01:00", "# stood still: 2026-12-01T09:00Z to 2026-12-03T09:00Z"),
        ("# moved: Ann Lee <ann@example.org> 2026-12-01T09:00Z", "# moved: Ann Lee 2026-12-01T09:00Z"),
        ("# host: 2026-12-01T09:00Z:  Hello,   everybody!", "# host: 2026-12-01T09:00Z: Hello, everybody!"),
    ],
)  # fmt: skip
def test_a_line_may_be_typed_otherwise(typed: str, written: str) -> None:
    assert READER.write_public_line(typed) == written


@pytest.mark.parametrize("text", ["at last", "atlas 2", "at the 2nd try", "resigned to it", "stands: nobody saw it"])
def test_a_remark_is_left_alone(text: str) -> None:
    assert READER.read_note(text) is None
    assert READER.write_public_note(text) == ""


@pytest.mark.parametrize(
    "text", ["# Ann was away for a week here.", "# away", "#", "# is anybody back: no", "#away: Ann"]
)
def test_a_comment_is_left_alone(text: str) -> None:
    assert READER.read_line(text) is None
    assert READER.write_public_line(text) == ""


@each_row(
    ("typed", "rule", "told", "hint"),
    [
        ("# away: Bib 2026-12-20", "post.note.player", "`Bib` is not a player", "Did you mean Bob?"),
        ("# away:", "post.note.player", "The player is missing", "The players are Ann, Bob, Ann Lee and Smith, Jo."),
        ("# away: Bob from Sunday", "post.date.calendar", "is not a date", "Write `2026-12-20`"),
        ("# away: Bob 10/11/2026", "post.date.ambiguous", "10 November 2026 or 11 October 2026", "2026-11-10"),
        ("# away: Bob 2026-12-28 to 2026-12-20", "post.away.span", "is before the first", "Write 2026-12-20 first."),
        ("# away: Bob 1999-12-28", "post.note.form", "The year 1999 is not between", "# away: Ann"),
        ("# away: Bob 2026-12-20, said 2026-13-01T09:00Z", "post.note.form", "The calendar has no day 2026-13-01", "2026-11-21T10:04Z"),
        ("# back: Bob from holiday", "post.note.form", "The time after `back` is missing", "2026-11-21T10:04Z"),
        ("# back: Bob at last 2026-12-01T09:00Z", "post.note.form", "This begins like", "# back: Ann"),
        ("# stand-in: Bob: Merlin 2026-12-01T09:00Z", "post.note.player", "`Bob:` is not a player", "Bob"),
        ("# stand-in: Bob is played by bot 2026-12-01T09:00Z", "post.note.form", "This begins like", "by bot Merlin"),
        ("# adjourned: Bob 2026-12-01T09:00Z", "post.note.form", "This begins like", "# adjourned:"),
        ("# ended: draw, agreed by Ann and Bib 2026-12-01T09:00Z", "post.note.player", "`Bib` is not a player", "Bob"),
        ("# ended: draw, agreed by Ann and Bob", "post.note.form", "The time after `ended`", "2026-11-21"),
        ("# ended: until 2026-12-20, agreed by Ann 2026-12-01T09:00Z", "post.note.form", "This begins like", "# ended: draw"),
        ("# paused: draw, agreed by Ann 2026-12-01T09:00Z", "post.note.form", "This begins like", "# paused: until"),
        ("# paused: until Sunday, agreed by Ann 2026-12-01T09:00Z", "post.date.calendar", "is not a date", "2026-12-20"),
        ("# extended: Bob 0 days by the host 2026-12-01T09:00Z", "post.note.form", "This begins like", "2 days"),
        ("# deadline: Bob 2026-12-32T10:00Z by the host 2026-12-01T09:00Z", "post.note.form", "The calendar has no day 2026-12-32", "2026-11"),
        ("# stood still: 2026-12-03T09:00Z to 2026-12-01T09:00Z", "post.note.form", "This begins like", "# stood still"),
        ("# moved: Cal <cal@example.org> 2026-12-01T09:00Z", "post.note.player", "`Cal` is not a player", "Ann"),
        ("# host: Hello!", "post.note.form", "The time after `host`", "2026-11-21"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_line(typed: str, rule: str, told: str, hint: str) -> None:
    found = READER.read_line(typed)
    assert isinstance(found, Problem)
    assert (found.rule, told in found.message, hint in found.hint) == (rule, True, True), found
    assert READER.write_public_line(typed) == ""


def test_where_a_name_is_wrong() -> None:
    found = READER.read_line("# away: Bib 2026-12-20")
    assert isinstance(found, Problem)
    assert (found.col, found.length) == (9, 3)


@pytest.mark.parametrize(
    ("typed", "rule", "told"),
    [
        ("at 2026-11-31T10:00Z", "post.note.form", "The calendar has no day 2026-11-31"),
        ("undone: Ann agreed", "record.turn.undone", "Bob, Ann Lee and Smith, Jo did not"),
        ("undone:", "record.turn.undone", "Ann, Bob, Ann Lee and Smith, Jo did not"),
        ("undone: Ann, Cal agreed at 2026-11-21T10:04Z", "record.turn.undone", "`Cal` is not a player in this game"),
        ("undone by the host: it was wrong", "post.undo.host", "The time when the host took the turn back is missing"),
        ("undone by the host at noon", "post.undo.host", "The time when the host took the turn back is missing"),
        ("undone: Ann agreed at noon", "record.turn.undone", "`noon` is not a time"),
    ],
)
def test_what_is_wrong_with_a_note(typed: str, rule: str, told: str) -> None:
    found = READER.read_note(typed)
    assert isinstance(found, Problem)
    assert (found.rule, told in found.message) == (rule, True), found


# -- the terms --------------------------------------------------------------------------------------------

hours = st.integers(1, 400).map(lambda count: count * HOUR)


@st.composite
def clocks(draw: st.DrawFn) -> Clock:
    """Terms of every kind."""
    banks = st.builds(Bank, st.integers(1, 99), st.integers(1, 20))
    time = draw(st.one_of(st.builds(PerTurn, hours), banks))
    longest = time.time if isinstance(time, PerTurn) else 400 * HOUR
    reminders = draw(st.sets(hours.filter(lambda after: after < longest), max_size=3)) if longest > HOUR else set()
    misses = draw(st.none() | st.integers(1, 9))
    lasts: tuple[AtLast, ...] = ("adjourn", "stand-in") if misses else ("adjourn",)
    at_last = draw(st.sampled_from(lasts))
    grace, away = draw(st.just(timedelta()) | hours), draw(st.integers(0, 60))
    return Clock(time, grace, tuple(sorted(reminders)), misses, at_last, away)


@given(clocks())
def test_terms_are_read_back(clock: Clock) -> None:
    text = write_clock(clock)
    assert read_clock(text).problems == ()
    assert read_clock(text).clock == clock
    assert read_clock(text.upper().replace(",", " ;")).clock == clock


@given(st.text("0123 days,turnforagce;hk", max_size=60) | st.text(max_size=40))
def test_whatever_stands_there_is_terms_or_a_problem(text: str) -> None:
    read = read_clock(text)
    assert (read.clock is None) == bool(read.problems)
    for problem in read.problems:
        assert problem.rule == "post.clock.form"
        assert 1 <= problem.col <= len(text) + 1
    if read.clock is not None:
        assert read_clock(write_clock(read.clock)).clock == read.clock


def test_the_default() -> None:
    assert (
        write_clock(DEFAULT)
        == "7 days a turn, 1 day grace, remind after 4 days, then pass, adjourn after 3, 30 days away"
    )
    assert read_clock("7 days a turn").clock == Clock(PerTurn(7 * DAY), reminders=(84 * HOUR,))
    assert read_clock("1 hour a turn").clock == Clock(PerTurn(HOUR))
    assert read_clock("30 days for 10 turns").clock == Clock(Bank(30, 10), reminders=(36 * HOUR,))


@each_row(
    ("typed", "told", "col", "length"),
    [
        ("", "This part is empty", 1, 1),
        ("1 day grace", "The time for a turn is missing", 1, 11),
        ("3 days a turn, soon", "`soon` does not belong", 16, 4),
        ("3 days a turn, 5 days for 10 turns", "like `3 days a turn`", 16, 19),
        ("0 days a turn", "This must be 1 hour to 999 days", 1, 13),
        ("9999 days a turn", "This must be 1 hour to 999 days", 1, 16),
        ("36 hours for 10 turns", "in whole days", 1, 21),
        ("3 days for 0 turns", "for 1 to 999 turns", 1, 18),
        ("3 days a turn, remind after 3 days", "comes too late", 16, 19),
        ("3 days for 10 turns, remind after 0 days", "after 1 hour", 22, 19),
        ("3 days a turn, then adjourn, stand-in after 3", "already means the first time", 30, 16),
        ("3 days a turn, adjourn after 0", "1 to 99 misses", 16, 15),
        ("3 days a turn, 36 hours away", "in whole days", 16, 13),
    ],
)
def test_what_is_wrong_with_terms(typed: str, told: str, col: int, length: int) -> None:
    (problem,) = read_clock(typed).problems
    assert told in problem.message
    assert (problem.col, problem.length) == (col, length)
    assert problem.hint


# -- as everybody may read them ---------------------------------------------------------------------------


def test_everybody_reads_what_was_understood_and_nothing_else() -> None:
    at = secret_game(3, 3, 0.3, 6)
    at = writer.with_note(at, At(WHEN), OUT_OF_TIME)
    at = writer.take_back_turn(at, (0, 1, 2), WHEN)
    at = writer.add_comments(at, Away(0, date(2026, 12, 20), date(2026, 12, 28)), StandIn(1, "Merlin", WHEN, bot=True))
    own = [Header("X-Clock", "3 DAYS a turn"), Header("x-started", "2026-11-21 10:00"), Header("X-Own", "SECRET")]
    commented = evolve(
        at.record.turns[-1],
        notes=(*at.record.turns[-1].notes, "at last SECRET", "undone SECRET"),
        hash="",
        comments=("# SECRET", "# resigned: Cal 2026-11-21T10:04Z", "# back: Cal SECRET"),
    )
    record = evolve(
        at.record,
        headers=(*at.record.headers, *own),
        turns=(*at.record.turns[:-1], commented),
        end=(*at.record.end, "# SECRET", "# adjourned: SECRET"),
    )
    whole = replay(record)
    assert not whole.problems
    for seat in (0, 1, None):
        shown = hide_secrets(whole, seat)
        text = write_record(shown.record, shown)
        assert "SECRET" not in text
        assert "X-Clock: 3 days a turn, no grace, remind after 36 hours, then pass" in text
        assert "X-Started: 2026-11-21T10:00Z" in text
        assert "{at 2026-11-21T10:04Z} {out of time} {undone: Ann, Bob, Cal agreed at 2026-11-21T10:04Z}" in text
        assert re.search(r"^# resigned: Cal 2026-11-21T10:04Z #[0-9a-f]{6}\n6\. ", text, re.MULTILINE)
        assert re.sub(r" #[0-9a-f]{6}$", "", text, flags=re.MULTILINE).endswith(
            "# away: Ann 2026-12-20 to 2026-12-28\n# stand-in: Bob is played by bot Merlin 2026-11-21T10:04Z\n"
        )
        found = read_record(text.encode())
        assert found.record is not None
        again = replay(found.record)
        assert (found.problems, again.problems) == ((), [])
        assert again.last.hash == shown.last.hash
        assert board(again.position).regions == board(whole.position).regions


@pytest.mark.parametrize("header", [Header(CLOCK, "SECRET"), Header(STARTED, "SECRET")])
def test_terms_that_cannot_be_read_are_not_shown(header: Header) -> None:
    whole = secret_game(1, 2, 0.3, 2)
    whole = replay(evolve(whole.record, headers=(*whole.record.headers, header)))
    assert "SECRET" not in write_record(hide_secrets(whole, 0).record)
