"""The terms of a game's clock in the header of a record, and moments in time.

`3 days a turn, 1 day grace, remind after 2 days, then pass, adjourn after 3, 30 days away`

Players agree on the terms when the game is made. The chain hash covers the header, so they cannot change later. `hide_secrets`
shows them to everybody as they were read, and leaves out a header that can't be read, because it may hold anything.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Literal, cast

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import count_noun, make_plain
from tkid.record.format.model import Header, Record
from tkid.rulebook import cites

YEARS = range(2000, 3000)
"""The years in which games are played: sums with any time of the clock stay within the calendar."""
TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T|\s+)[0-9]{2}:[0-9]{2}(?::[0-9]{2})?(?:\s*(?:Z|UTC|[+-][0-9]{2}:[0-9]{2}))?"
"""A moment as it may be typed, for use within patterns that ignore case."""
WAY = "`2026-11-21T10:04Z`"
LAST_HOUR, LAST_MINUTE = 23, 59
_PARTS = re.compile(
    r"(?<![0-9])([0-9]{4})-([0-9]{2})-([0-9]{2})(?:(?:T|\s+)([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?)?(?![0-9])",
    re.IGNORECASE,
)
"""The numbers of a day, and of a time on it."""
_WHOLE = re.compile(TIME, re.IGNORECASE)


def parse_moment(typed: str) -> datetime | None:
    """Read a moment in UTC or its own zone (`+01:00`), with `T` or a space, cut to the minute; None if it isn't one."""
    text = make_plain(typed).strip().upper()
    if not _WHOLE.fullmatch(text):
        return None
    day, clock = text[:10], "".join(text[10:].split()).removeprefix("T")
    try:
        moment = datetime.fromisoformat(f"{day}T{clock.removesuffix('UTC').removesuffix('Z')}")
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return to_minute(moment) if moment.year in YEARS else None


def find_time_fault(text: str) -> str:
    """Return why a text has no moment although it has one in its form; "" where it has none in that form, or a right one."""
    for match in _PARTS.finditer(make_plain(text)):
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
        try:
            date(year or 1, month, day)
        except ValueError:
            return f"The calendar has no day {match[0][:10]}"
        if year not in YEARS:
            return f"The year {match[1]} is not between {YEARS[0]} and {YEARS[-1]}"
        if hour > LAST_HOUR:
            midnight = ": midnight is 00:00 on the next day" if hour == LAST_HOUR + 1 and not minute else ""
            return f"The hours of a day are 00 to {LAST_HOUR}{midnight}"
        if max(minute, second) > LAST_MINUTE:
            return f"{'Minutes' if minute > LAST_MINUTE else 'Seconds'} go from 00 to {LAST_MINUTE}"
    return ""


def write_time(moment: datetime) -> str:
    """Write a moment in UTC, cut to the minute. Raises ValueError for one without a zone."""
    return f"{to_minute(moment):%Y-%m-%dT%H:%M}Z"


def to_minute(moment: datetime) -> datetime:
    """Return a moment in UTC, cut to the minute. Raises ValueError for one without a zone."""
    if moment.tzinfo is None:
        raise ValueError("a moment has a time zone")
    moment = moment.astimezone(UTC)
    return moment - timedelta(seconds=moment.second, microseconds=moment.microsecond)


CLOCK, STARTED = "X-Clock", "X-Started"
FORM, STARTED_RULE = "post.clock.form", "post.clock.started"
DAY, HOUR = timedelta(days=1), timedelta(hours=1)
LONGEST = timedelta(days=999)
MOST_REMINDERS, MOST_TURNS, MOST_MISSES = 9, 999, 99
EXAMPLE = "3 days a turn, 1 day grace, remind after 2 days, then pass, adjourn after 3, 30 days away"

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEKEND = (5, 6)

AtLast = Literal["adjourn", "stand-in"]


@frozen
class PerTurn:
    """The same time for each turn."""

    time: timedelta


@frozen
class Bank:
    """A bank of days for `turns` own turns, filled again after them. Unused days stay."""

    days: int
    turns: int


@frozen
class Clock:
    """The terms.

    `time` is what a turn, or a bank of turns, has; all times are whole hours. `reminders` are counted from the
    beginning of a turn, ascending. When time and grace are out the seat passes, until it does so for the `misses`th
    time in a row (None: it always passes): then `at_last` comes instead. `away` is how many days of absence a player
    has in a game. `off` are the days of the week, in UTC and from Monday as 0, on which no clock runs.
    """

    time: PerTurn | Bank
    grace: timedelta = timedelta()
    reminders: tuple[timedelta, ...] = ()
    misses: int | None = 3
    at_last: AtLast = "adjourn"
    away: int = 30
    off: tuple[int, ...] = ()


DEFAULT = Clock(PerTurn(7 * DAY), DAY, (4 * DAY,))
"""The default terms of a game by mail."""


@frozen
class Terms:
    """Terms of time as read: the clock (None if missing or wrong), the start of the game if stated, and the problems."""

    clock: Clock | None = None
    started: datetime | None = None
    problems: tuple[Problem, ...] = ()


def write_clock(clock: Clock) -> str:
    """Write the terms in canonical form, including all defaults."""
    match clock.time:
        case PerTurn(time):
            parts = [f"{write_span(time)} a turn"]
        case Bank(days, turns):
            parts = [f"{write_span(days * DAY)} for {count_noun(turns, 'turn')}"]
    parts.append(f"{write_span(clock.grace)} grace" if clock.grace else "no grace")
    reminders = " and ".join(map(write_span, clock.reminders))
    parts.append(f"remind after {reminders}" if reminders else "no reminder")
    parts.append("then pass" if clock.misses != 1 else f"then {clock.at_last}")
    parts += [f"{clock.at_last} after {clock.misses}"] if clock.misses not in {None, 1} else []
    parts.append(f"{write_span(clock.away * DAY)} away" if clock.away else "no days away")
    parts += [f"no clock on {' and '.join(WEEKDAYS[day][:3] for day in clock.off)}"] if clock.off else []
    return ", ".join(parts)


def write_span(time: timedelta) -> str:
    """Write a time in whole days if possible, else in hours."""
    count, unit = (time // DAY, "day") if not time % DAY else (time // HOUR, "hour")
    return count_noun(count, unit)


SPAN = r"(?:[0-9]{1,5}\s*(?:weeks?|w|days?|d|hours?|h))"
AMOUNT = re.compile(r"([0-9]{1,5})\s*([wdh])")
UNITS = {"w": 7 * DAY, "d": DAY, "h": HOUR}
CLAUSES = {
    "turn": rf"(?P<time>{SPAN}) (?:a|per|each|for each|for every|every) (?:turn|move)",
    "bank": rf"(?P<time>{SPAN}) (?:for|per|every|each) (?P<count>[0-9]{{1,5}}) (?:turns?|moves?)",
    "grace": rf"no grace|(?P<time>{SPAN}) (?:of )?grace",
    "remind": rf"no reminders?|remind(?:ers?)? after (?P<times>{SPAN}(?: and {SPAN})*)",
    "then": r"then (?:offer (?:a )?)?(?P<word>pass|adjourn|stand-in)",
    "after": r"(?:offer (?:a )?)?(?P<word>adjourn|stand-in) after (?P<count>[0-9]{1,5})(?: misses| times)?",
    "away": rf"no days? away|(?:at most )?(?P<time>{SPAN}) away",
    "off": r"no clocks? (?:on|at|over) (?:the )?(?P<days>[a-z]+(?:(?: and| or)? [a-z]+)*)",
}
PATTERNS = {kind: re.compile(pattern) for kind, pattern in CLAUSES.items()}
KINDS = {"turn": "the time", "bank": "the time", "grace": "grace", "remind": "reminders", "away": "absences"} | {
    "then": "what happens when time runs out",
    "after": "what happens after some misses",
    "off": "days of the week",
}
WORKING_DAY = re.compile(r"\b(?:work(?:ing)?|business|week)[ -]?(?=days?\b)")
HINT = f"Write the terms like this: `{EXAMPLE}`."


@cites("post.clock.form")
def read_clock(text: str) -> Terms:
    """Read the terms that a header's value states; the others have their defaults. Columns of problems are those of the value."""
    reading, col = _Reading(), 1
    for part in make_plain(text).replace(";", ",").split(","):
        reading.read_clause(part.strip().rstrip("."), col + len(part) - len(part.lstrip()))
        col += len(part) + 1
    clock = reading.make_clock(len(text))
    return Terms(None if reading.problems else clock, problems=tuple(reading.problems))


class _Reading:
    def __init__(self) -> None:
        self.matches: dict[str, re.Match[str]] = {}
        self.problems: list[Problem] = []
        self.places: dict[str, tuple[int, int]] = {}
        self.off: tuple[int, ...] = ()

    def read_clause(self, typed: str, col: int) -> None:
        text = " ".join(typed.casefold().split())
        place = (col, max(1, len(typed)))
        if "off" in self.matches and _find_weekdays(text):
            self._add_days_off(text, place)
            return
        if WORKING_DAY.search(text):
            text = WORKING_DAY.sub("", text)
            text += " a turn" * bool(re.fullmatch(SPAN, text))
            self.off = self.off or WEEKEND
        kind, match = next(((k, m) for k, p in PATTERNS.items() if (m := p.fullmatch(text))), ("", None))
        if match is None:
            message = f"`{typed}` does not belong to a clock's terms" if typed else "This part is empty"
            self._note_problem(message, place)
            return
        about = KINDS[kind]
        earlier = next((other for other in self.matches if KINDS[other] == about), None)
        if earlier is not None:
            message = f"This is about {about}, like `{self.matches[earlier][0]}`"
            self._note_problem(message, place, "Leave one of them out.")
            return
        self.matches[kind], self.places[kind] = match, place
        if kind == "off":
            self.off = ()
            self._add_days_off(match["days"], place)

    @cites("post.clock.off")
    def _add_days_off(self, text: str, place: tuple[int, int]) -> None:
        days = _find_weekdays(text)
        self.off = tuple(sorted({*self.off, *days}))
        if not days:
            self._note_problem(f"`{text}` is not a list of days of the week", place, "Write `no clock on Sat and Sun`.")
        elif len(self.off) == len(WEEKDAYS):
            self._note_problem("The clock has to run on one day of the week", place, "Leave one of them out.")

    def make_clock(self, length: int) -> Clock | None:
        if not {"turn", "bank"} & self.matches.keys():
            if not self.problems:
                self._note_problem("The time for a turn is missing", (1, max(1, length)))
            return None
        time = self._read_bank() if "bank" in self.matches else PerTurn(self._read_span("turn", least=HOUR))
        each = time.time if isinstance(time, PerTurn) else time.days * DAY / max(1, time.turns)
        grace, reminders = self._read_span("grace"), self._read_reminders(time, each)
        return self._add_last_step(Clock(time, grace, reminders, away=self._read_days("away", 30), off=self.off))

    def _read_bank(self) -> Bank:
        days = self._read_days("bank", 1)
        turns = int(self.matches["bank"]["count"])
        if not days or not 0 < turns <= MOST_TURNS:
            self._note_problem(f"A bank needs at least 1 day, for 1 to {MOST_TURNS} turns", self.places["bank"])
        return Bank(days, turns)

    def _read_reminders(self, time: PerTurn | Bank, each: timedelta) -> tuple[timedelta, ...]:
        """Return the times of reminders. By default there is one, when half of the time for a turn has gone."""
        if "remind" not in self.matches:
            half = each / 2 // HOUR * HOUR
            return (half,) if half else ()
        times = self.matches["remind"]["times"]
        spans = sorted({parse_span(typed) for typed in re.findall(SPAN, times)}) if times else []
        if spans and isinstance(time, PerTurn) and spans[-1] >= time.time:
            late, out = map(write_span, (spans[-1], time.time))
            message = f"A reminder after {late} comes too late: time runs out after {out}"
            self._note_problem(message, self.places["remind"], "Choose an earlier one.")
        elif spans and not (spans[0] and spans[-1] <= LONGEST and len(spans) <= MOST_REMINDERS):
            message = f"There may be {MOST_REMINDERS} reminders, each after 1 hour to {write_span(LONGEST)}"
            self._note_problem(message, self.places["remind"])
        return tuple(spans)

    def _add_last_step(self, clock: Clock) -> Clock:
        then, after = self.matches.get("then"), self.matches.get("after")
        if then is not None and then["word"] != "pass":
            if after is not None:
                message = f"`{then[0]}` already means the first time"
                self._note_problem(message, self.places["after"], "Write `then pass`, or leave this out.")
            return evolve(clock, misses=1, at_last=cast("AtLast", then["word"]))
        if after is None:
            return evolve(clock, misses=None) if then else clock
        misses = int(after["count"])
        if not 0 < misses <= MOST_MISSES:
            self._note_problem(f"This must be 1 to {MOST_MISSES} misses", self.places["after"])
        return evolve(clock, misses=misses, at_last=cast("AtLast", after["word"]))

    def _read_span(self, kind: str, least: timedelta = timedelta()) -> timedelta:
        """Return the time of a clause; zero if the clause is missing or says so."""
        match = self.matches.get(kind)
        time = parse_span(match["time"]) if match and match["time"] else timedelta()
        if match is not None and not least <= time <= LONGEST:
            message = f"This must be {write_span(least) if least else 'nothing'} to {write_span(LONGEST)}"
            self._note_problem(message, self.places[kind])
        return time

    def _read_days(self, kind: str, default: int) -> int:
        if kind not in self.matches:
            return default
        time = self._read_span(kind)
        if time % DAY:
            self._note_problem("This must be in whole days", self.places[kind])
        return time // DAY

    def _note_problem(self, message: str, place: tuple[int, int], hint: str = HINT) -> None:
        self.problems.append(Problem(Kind.SYNTAX, FORM, message, 1, *place, hint))


def _find_weekdays(text: str) -> tuple[int, ...]:
    """Return the days of the week that a text lists, () if any of its words is something else."""
    days: list[int] = []
    for word in (word for word in text.split() if word not in {"and", "or"}):
        found = [day for day, name in enumerate(WEEKDAYS) if len(word) > 2 and f"{name}s".casefold().startswith(word)]
        found += WEEKEND if word in {"weekend", "weekends"} else []
        if not found:
            return ()
        days += found
    return tuple(days)


def parse_span(typed: str) -> timedelta:
    """Read a time that fits SPAN, such as `2 days`."""
    match = AMOUNT.match(typed.casefold())
    assert match is not None
    return int(match[1]) * UNITS[match[2]]


def _find_headers(record: Record, name: str) -> list[Header]:
    return [header for header in record.headers if header.name.casefold() == name.casefold()]


def find_clock_terms(record: Record) -> Terms:
    clocks, starts = _find_headers(record, CLOCK), _find_headers(record, STARTED)
    problems = [_report_repetition(header, FORM) for header in clocks[1:]]
    problems += [_report_repetition(header, STARTED_RULE) for header in starts[1:]]
    read = read_clock(clocks[0].value) if clocks else Terms()
    problems += [problem.move_to(line=clocks[0].line or 1, col=len(f"{CLOCK}: ")) for problem in read.problems]
    started = parse_moment(starts[0].value) if starts else None
    problems += [_no_start(starts[0])] if starts and started is None else []
    return Terms(read.clock, started, tuple(problems))


@cites("post.clock.started")
def _no_start(header: Header) -> Problem:
    message, length = f"`{header.value}` is not a time", max(1, len(header.value))
    col = len(f"{STARTED}: ") + 1
    return Problem(Kind.SYNTAX, STARTED_RULE, message, header.line or 1, col, length, f"Write it as {WAY}.")


def _report_repetition(header: Header, rule: str) -> Problem:
    message = f"`{header.name}` appears twice"
    return Problem(Kind.SYNTAX, rule, message, header.line or 1, 1, len(header.name), "Leave one of them out.")


def make_public_header(header: Header) -> Header | None:
    """Write one of these headers again as everybody may read it; None for others and unreadable ones."""
    if header.name.casefold() == CLOCK.casefold():
        clock = read_clock(header.value).clock
        return Header(CLOCK, write_clock(clock), line=header.line) if clock else None
    started = parse_moment(header.value) if header.name.casefold() == STARTED.casefold() else None
    return Header(STARTED, write_time(started), line=header.line) if started else None


def has_host(record: Record) -> bool:
    return bool(_find_headers(record, CLOCK))
