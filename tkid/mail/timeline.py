"""The times in a record, turn by turn: moments, allotted time, pauses, absences.

All of it comes from the record: the header's terms, the notes on the turns, and the comment lines between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from attrs import define, evolve, field, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.plugin import adapt_terms
from tkid.notation.names import list_names
from tkid.record import clock_notes
from tkid.record.clock import DAY, DEFAULT, Bank, Clock, PerTurn, Terms, find_clock_terms, has_host, write_time
from tkid.record.format.model import Comments, Turn
from tkid.record.format.plugin import find_record_plugin
from tkid.record.format.reader import ReadRecord
from tkid.record.play.note_chain import EndReader
from tkid.record.play.replay import EarlyEnd, Replay, find_early_end
from tkid.record.play.validation import judge_record
from tkid.rulebook import cites


@frozen
class Pause:
    """A time in which a clock stands still, from `start` on and before `end`."""

    start: datetime
    end: datetime


Pauses = Sequence[Pause]
"""Pauses in the order of time, none of them overlapping another."""


def join_spans(pauses: Iterable[Pause]) -> tuple[Pause, ...]:
    """Return the same times without overlaps, in order."""
    whole: list[Pause] = []
    for pause in sorted(pauses, key=lambda pause: (pause.start, pause.end)):
        if whole and pause.start <= whole[-1].end:
            whole[-1] = Pause(whole[-1].start, max(whole[-1].end, pause.end))
        else:
            whole.append(pause)
    return tuple(whole)


def measure_running_time(start: datetime, now: datetime, pauses: Pauses = ()) -> timedelta:
    """Return how long a clock that was started has run by now: nothing before it was started, and nothing in pauses."""
    still = (min(now, pause.end) - max(start, pause.start) for pause in pauses)
    stood = sum((time for time in still if time > timedelta()), timedelta())
    return max(timedelta(), now - start - stood)


def find_moment_after(start: datetime, time: timedelta, pauses: Pauses = ()) -> datetime:
    """Return the first moment at which a clock that was started has run for some time."""
    now, left = start, time
    if not left:
        return start
    for pause in pauses:
        if pause.end <= now:
            continue
        if now + left <= pause.start:
            break
        left -= max(timedelta(), pause.start - now)
        now = pause.end
    return now + left


@cites("post.clock.off")
def list_days_off(off: Sequence[int], start: datetime, end: datetime, ahead: timedelta) -> Iterator[Pause]:
    """Yield the days of the week on which no clock runs, from the day of `start` on and up to `end`; they begin `ahead` of UTC."""
    day = _find_midnight((start.astimezone(UTC) + ahead).date())
    while off and day - ahead < end:
        if day.weekday() in off:
            yield Pause(day - ahead, day - ahead + DAY)
        day += DAY


def find_pause_end(now: datetime, pauses: Pauses) -> datetime | None:
    """Return the end of the pause in which a moment lies, and of those that follow at once; None if the clock runs."""
    end = None
    for pause in pauses:
        if pause.start <= (end or now) < pause.end:
            end = pause.end
    return end


@define
class Stoppages:
    """Pauses of all clocks, and the time for the current turn, as far as a record was gone through.

    `past` are the times in which no clock ran, as far as nothing can shorten them any more, and `until` is a pause that ends on
    a day. `paused` is the latest pause that nobody resumed; `since` is when it began. `given` is the time that the host set for the
    current turn, None where it set none. This deadline takes into account the first `counted` pauses of `past`, and those that are
    `ignored`. `extra` is what the host added for that turn.
    """

    past: list[Pause] = field(factory=list)
    until: Pause | None = None
    paused: clock_notes.Paused | None = None
    given: timedelta | None = None
    extra: timedelta = timedelta()
    counted: int = 0
    ignored: frozenset[Pause] = frozenset()
    since: datetime | None = None

    def list_for_next_turn(self, pauses: Pauses, now: datetime | None = None) -> tuple[Pause, ...]:
        """Return when the next turn's clock stands still, without overlaps; an open pause only up to `now`."""
        open_end = [Pause(self.since, now)] if self.since and now and self.since < now else []
        still = (*self.past[self.counted :], *([self.until] if self.until else []))
        return join_spans(pause for pause in (*pauses, *still, *open_end) if pause not in self.ignored)

    def begin_next_turn(self, moment: datetime | None) -> None:
        """Begin another turn: the host's changes, and the pauses that ended before `moment`, counted only for those before."""
        self.given, self.extra, self.counted, self.ignored = None, timedelta(), 0, frozenset()
        self.past = [pause for pause in self.past if moment is None or pause.end > moment]

    @cites("post.pause", "post.host.pause")
    def add_pause(self, line: clock_notes.Paused) -> None:
        self.end_pause(line.time)
        self.paused = line
        if line.until is None:
            self.since = line.time
        else:
            self.until = Pause(line.time, datetime.combine(line.until, time(), UTC))

    def end_pause(self, moment: datetime) -> None:
        if self.since is not None and self.since < moment:
            self.past.append(Pause(self.since, moment))
        if self.until is not None:
            self.past += _cut_pauses((self.until,), moment)
        self.paused, self.since, self.until = None, None, None
        self.ignored = frozenset(_cut_pauses(tuple(self.ignored), moment))

    @cites("post.host.still")
    def add_standstill(self, line: clock_notes.StoodStill) -> None:
        if line.first < line.last:
            self.past.append(Pause(line.first, line.last))

    @cites("post.host.time")
    def update_deadline(self, line: clock_notes.Deadline, start: datetime, pauses: Pauses) -> None:
        """Set the deadline of the next player. Only later stoppages of the clock move it."""
        self.given, self.extra = max(timedelta(), line.until - start), timedelta()
        if self.since is not None and self.since < line.time:
            self.past.append(Pause(self.since, line.time))
            self.since = line.time
        self.counted, self.ignored = len(self.past), frozenset((*([self.until] if self.until else []), *pauses))


def _cut_pauses(pauses: Pauses, moment: datetime) -> tuple[Pause, ...]:
    return tuple(evolve(pause, end=min(pause.end, moment)) for pause in pauses if pause.start < moment)


@frozen
class SeatTime:
    """The clock of a seat. Its days begin `ahead` of UTC; `next_ahead` counts from the next turn on."""

    bank: int = 0
    ahead: timedelta = timedelta()
    next_ahead: timedelta = timedelta()
    misses: int = 0
    turns: int = 0
    pauses: tuple[Pause, ...] = ()
    resigned: datetime | None = None
    stand_in: clock_notes.StandIn | None = None
    address: str = ""

    @property
    def gone(self) -> datetime | None:
        """Since when nobody plays the seat."""
        return None if self.stand_in else self.resigned

    @property
    def plays(self) -> bool:
        """True if anybody plays the seat."""
        return self.gone is None


@cites("post.clock.turn", "post.clock.bank")
def compute_allotted(clock: Clock, seat_time: SeatTime) -> timedelta:
    """Return the time for the next turn, without grace.

    With a bank these are its days and one more: only whole days are taken from it, so that the first 24 hours cost
    nothing, and the time is out when the clock would need a day that the bank doesn't have.
    """
    match clock.time:
        case PerTurn(time):
            return time
        case Bank():
            return (seat_time.bank + 1) * DAY


ORDER, FINAL, HOST_TIME = "post.note.order", "post.resign.final", "post.host.time"
AGREED_BY_ALL, PAUSE_DATE = "post.agree.all", "post.pause.date"
FULLEST = 10_000
"""Days that a bank holds at most: a bound for sums, not for people."""
REMEMBERED = 500
"""Lines of turns whose notes are remembered: a record is gone through again with each turn."""
WEEK = 7 * DAY
FURTHEST = 36_500 * DAY
"""Span ahead for which weekdays without a clock are listed: a bound for calendars, not for people."""


@frozen
class _Notes:
    """A turn's notes: when it was taken, why passed, when taken back; `problems` by their index."""

    moment: datetime | None = None
    passed: clock_notes.Passed | None = None
    undone: clock_notes.Undone | None = None
    problems: tuple[tuple[int, Problem], ...] = ()


@lru_cache(REMEMBERED)
def _group_notes(reader: clock_notes.NoteReader, texts: tuple[str, ...]) -> _Notes:
    """Collect the notes of a turn. The last one of each kind counts."""
    notes = _Notes()
    for index, text in enumerate(texts):
        match reader.read_note(text):
            case clock_notes.At(moment):
                notes = evolve(notes, moment=moment)
            case clock_notes.Passed() as passed:
                notes = evolve(notes, passed=passed)
            case clock_notes.Undone() as undone:
                notes = evolve(notes, undone=undone)
            case Problem() as problem if problem.rule not in {clock_notes.UNDONE_RULE, clock_notes.UNDONE_BY_HOST_RULE}:
                notes = evolve(notes, problems=(*notes.problems, (index, problem)))
    return notes


class Fold:
    """The times in a record, as far as it was read."""

    def __init__(self, played: Replay) -> None:
        self.played, self.record = played, played.record
        self.reader = clock_notes.make_note_reader(self.record.names)
        stated = find_clock_terms(self.record)
        self.terms = evolve(stated, clock=adapt_terms(stated.clock, self.record.game) if stated.clock else None)
        self.clock = self.terms.clock or DEFAULT
        bank = self.clock.time.days if isinstance(self.clock.time, Bank) else 0
        self.seats = [SeatTime(bank) for _ in self.record.seats]
        self.since = self.terms.started
        """When the last turn was taken, or the clock began again."""
        self.reopened: datetime | None = None
        """When a turn was taken back."""
        self.restarts = 0
        self.adjourned: datetime | None = None
        self.stoppages = Stoppages()
        self.ends, self.is_over = EndReader(self.record), False
        self.latest = self.terms.started
        self.problems: list[Problem] = list(self.terms.problems)

    def read_all(self) -> None:
        numbers = iter(self.record.numbered_remarks())
        for index, turn in enumerate(self.record.turns):
            self._read_comments(turn.comments, numbers, self._to_act(index))
            self._add_turn(turn)
            for outcome in turn.outcomes:
                self._read_comments(outcome.comments, numbers, self._to_act(index + 1))
        self._read_comments(self.record.end, numbers, self._to_act(len(self.record.turns)))

    def _to_act(self, turns: int) -> int | None:
        return self.played.moments[turns].position.to_act

    def find_start(self, moment: datetime | None) -> datetime | None:
        """Return when the clock began for a turn taken at a moment (None: now), or when a later one was taken back."""
        if self.reopened is None or self.since is None or (moment is not None and moment < self.reopened):
            return self.since
        return max(self.since, self.reopened)

    def _add_turn(self, turn: Turn) -> None:
        notes = _group_notes(self.reader, turn.notes)
        for index, problem in notes.problems:
            col = turn.note_cols[index] + 1 if index < len(turn.note_cols) else 0
            self.problems.append(problem.move_to(line=turn.line or 1, col=col))
        seat = self.seats[turn.seat]
        if self._move_forward(notes.moment, turn.line, turn.name_col):
            seat = self._spend_time(seat, notes)
        self.restarts = 0
        self.stoppages.begin_next_turn(notes.moment)
        if notes.undone is None:
            seat = self._count_turn(seat, notes.passed)
            self.adjourned = None
            self.since = notes.moment or (self.since if notes.passed else None)
        else:
            self._take_back_to(notes.moment, notes.undone.time)
        self.seats[turn.seat] = seat

    @cites("post.clock.bank", "post.host.time")
    def _spend_time(self, seat_time: SeatTime, notes: _Notes) -> SeatTime:
        """Take from a seat's bank the whole days that the clock ran for a turn."""
        is_free = notes.passed in {clock_notes.NOTHING_TO_PLAY, clock_notes.BY_RESIGNATION}
        if not isinstance(self.clock.time, Bank) or is_free:
            return seat_time
        if notes.passed is not None:
            return evolve(seat_time, bank=0)
        start = self.find_start(notes.moment)
        if start is None or notes.moment is None:
            return seat_time
        still = self.list_pauses(seat_time, notes.moment)
        run = measure_running_time(start, notes.moment, still) - self.stoppages.extra
        return evolve(seat_time, bank=max(0, seat_time.bank - max(timedelta(), run) // DAY))

    @cites("post.clock.off", "post.host.time")
    def list_pauses(self, seat_time: SeatTime, end: datetime | None = None) -> tuple[Pause, ...]:
        """Return when a seat's clock stands still for the next turn, up to `end` or as long as the turn may last.

        A deadline that the host has set counts every day.
        """
        start, still = self.find_start(end), self.stoppages.list_for_next_turn(seat_time.pauses, end)
        off = self.clock.off if self.stoppages.given is None else ()
        if start is None or not off:
            return still
        stops = sum((pause.end - max(start, pause.start) for pause in still if pause.end > start), 2 * WEEK)
        needed = compute_allotted(self.clock, seat_time) + self.stoppages.extra + self.clock.grace + stops
        longest = min(FURTHEST, needed * (WEEK / (WEEK - len(off) * DAY)))
        return join_spans((*still, *list_days_off(off, start, end or start + longest, seat_time.ahead)))

    @cites("post.clock.misses")
    def _count_turn(self, seat_time: SeatTime, passed: clock_notes.Passed | None) -> SeatTime:
        misses = 0 if passed is None else seat_time.misses + (passed == clock_notes.OUT_OF_TIME)
        turns, bank, terms = seat_time.turns + 1, seat_time.bank, self.clock.time
        if isinstance(terms, Bank) and turns % terms.turns == 0:
            bank = min(FULLEST, bank + terms.days)
        return evolve(seat_time, turns=turns, bank=bank, misses=misses, ahead=seat_time.next_ahead)

    @cites("post.undo.time")
    def _take_back_to(self, moment: datetime | None, undone: datetime | None) -> None:
        """Take a turn back: used time stays used, and the clock begins again when the players agreed."""
        self.since = moment or self.since
        moments = [moment for moment in (self.reopened, undone or moment) if moment]
        self.reopened = max(moments, default=None)

    def _read_comments(self, comments: Comments, numbers: Iterator[int], to_act: int | None) -> None:
        for text, number in zip(comments, numbers, strict=False):
            line = self.reader.read_line(text)
            if isinstance(line, Problem):
                self.problems.append(line.move_to(line=max(1, number)))
            elif line is not None:
                moment = line.said if isinstance(line, clock_notes.Away) else line.time
                # without a host it may have come late, by letter
                if isinstance(line, clock_notes.Resigned) and not has_host(self.record):
                    moment = max(filter(None, (moment, self.latest)))
                self._move_forward(moment, number)
                if isinstance(line, clock_notes.Moved):
                    self._change_address(line)
                elif to_act is not None and not self.is_over:
                    self.is_over = self.ends.is_end(line)
                    self._add_event(line, to_act, number)

    def _add_event(self, line: clock_notes.Line, to_act: int, number: int) -> None:
        match line:
            case clock_notes.Away():
                self._add_absence(line)
            case clock_notes.Zone():
                self._change_zone(line, to_act)
            case clock_notes.Resigned(seat, moment):
                self.seats[seat] = evolve(self.seats[seat], resigned=moment, stand_in=None)
            case clock_notes.Back():
                self._end_absence(line, to_act, number)
            case clock_notes.StandIn():
                self._add_stand_in(line, to_act)
            case clock_notes.Adjourned(moment):
                self.adjourned = moment
            case clock_notes.Resumed(moment):
                self._resume(moment)
            case _:
                self._add_intervention(line, to_act, number)

    def _add_intervention(self, line: clock_notes.Line, to_act: int, number: int) -> None:
        match line:
            case clock_notes.Ended() if not self.is_over:
                self._have_all_agreed(line, number)
            case clock_notes.Paused():
                self._add_pause(line, number)
            case clock_notes.StoodStill():
                self.stoppages.add_standstill(line)
            case clock_notes.Extended() | clock_notes.Deadline():
                self._extend_time(line, to_act, number)

    @cites("post.away", "post.away.late", "post.away.most")
    def _add_absence(self, line: clock_notes.Away) -> None:
        """Add a player's absence: days that have not begun, up to the game's limit."""
        seat = self.seats[line.seat]
        days = {pause.start: pause for pause in seat.pauses}
        day = _find_midnight(line.first) - seat.next_ahead
        if line.said is not None and day < line.said:
            said = line.said.astimezone(UTC) + seat.next_ahead - timedelta(microseconds=1)
            day = _find_midnight(said.date()) - seat.next_ahead + DAY
        while day <= _find_midnight(line.last) - seat.next_ahead and len(days) < self.clock.away:
            days.setdefault(day, Pause(day, day + DAY))
            day += DAY
        self.seats[line.seat] = evolve(seat, pauses=tuple(sorted(days.values(), key=lambda pause: pause.start)))

    @cites("post.clock.zone")
    def _change_zone(self, line: clock_notes.Zone, to_act: int) -> None:
        """Change where a player's days begin: at once, or after the turn for which the clock is running."""
        seat = self.seats[line.seat]
        ahead = seat.ahead if line.seat == to_act else line.ahead
        self.seats[line.seat] = evolve(seat, ahead=ahead, next_ahead=line.ahead)

    @cites("post.back", "post.resign.final")
    def _end_absence(self, line: clock_notes.Back, to_act: int, number: int) -> None:
        seat = self.seats[line.seat]
        if seat.resigned is not None:
            message = f"{self.record.names[line.seat]} has resigned, and does not come back"
            hint = "Somebody else may play the seat: write a line `# stand-in: …`."
            self._report_wrong(FINAL, message, line, number, hint)
            return
        self.seats[line.seat] = evolve(seat, pauses=_cut_pauses(seat.pauses, line.time), misses=0, stand_in=None)
        if seat.stand_in is not None and line.seat == to_act:
            self._begin_again(line.time)

    @cites("post.stand-in")
    def _add_stand_in(self, line: clock_notes.StandIn, to_act: int) -> None:
        seat = self.seats[line.seat]
        bank = max(seat.bank, self.clock.time.days) if isinstance(self.clock.time, Bank) else 0
        pauses = _cut_pauses(seat.pauses, line.time)
        self.seats[line.seat] = evolve(seat, bank=bank, misses=0, pauses=pauses, stand_in=line)
        if line.seat == to_act:
            self._begin_again(line.time)

    @cites("post.moved")
    def _change_address(self, line: clock_notes.Moved) -> None:
        seat = self.seats[line.seat]
        if seat.stand_in:
            seat = evolve(seat, stand_in=evolve(seat.stand_in, address=line.address or seat.stand_in.address))
        else:
            seat = evolve(seat, address=line.address or seat.address)
        self.seats[line.seat] = seat

    @cites("post.pause", "post.pause.date", "post.host.pause")
    def _add_pause(self, line: clock_notes.Paused, number: int) -> None:
        """Stop the clocks until a day, or until the host resumes the game."""
        if line.until is not None and _find_midnight(line.until) <= line.time:
            message = f"The pause ends on {line.until.isoformat()}, but that day has begun"
            hint = "A pause ends on a later day than the one on which it begins."
            self._report_wrong(PAUSE_DATE, message, line, number, hint)
        elif line.until is None or self._have_all_agreed(line, number):
            self.stoppages.add_pause(line)

    @cites("post.agree.all")
    def _have_all_agreed(self, line: clock_notes.Ended | clock_notes.Paused, number: int) -> bool:
        missing = [self.record.names[seat] for seat in self.ends.list_missing(line.agreed)]
        if missing:
            message = f"Everybody who still plays has to agree. {list_names(missing, 'and')} did not"
            self._report_wrong(AGREED_BY_ALL, message, line, number, "Name everybody who agreed.")
        return not missing

    @cites("post.host.time")
    def _extend_time(self, line: clock_notes.Extended | clock_notes.Deadline, to_act: int, number: int) -> None:
        """Give the next player more time or another deadline, unless that turn was taken back."""
        start = self.find_start(None)
        if line.seat != to_act and self.reopened is not None and line.time <= self.reopened:
            return
        if line.seat != to_act:
            names = self.record.names
            message = f"The next turn is {names[to_act]}'s, not {names[line.seat]}'s"
            self._report_wrong(HOST_TIME, message, line, number, "Only the current turn gets another deadline.")
        elif isinstance(line, clock_notes.Extended):
            self.stoppages.extra += line.by
        elif start is not None:
            self.stoppages.update_deadline(line, start, self.seats[to_act].pauses)

    def _report_wrong(self, rule: str, message: str, line: clock_notes.Line, number: int, hint: str) -> None:
        length = len(self.reader.write_line(line))
        self.problems.append(Problem(Kind.INTEGRITY, rule, message, max(1, number), 1, length, hint))

    @cites("post.adjourn", "post.pause")
    def _resume(self, moment: datetime) -> None:
        """Resume a paused game with the time that was left. In an adjourned game the next turn begins again."""
        self.stoppages.end_pause(moment)
        if self.adjourned is None:
            return
        self.adjourned = None
        self.seats = [evolve(seat, misses=0) for seat in self.seats]
        self._begin_again(moment)

    def _begin_again(self, moment: datetime) -> None:
        self.since = max(self.since, moment) if self.since else moment
        self.restarts += 1

    @cites("post.note.order")
    def _move_forward(self, moment: datetime | None, line: int, col: int = 0) -> bool:
        """Return True if a moment is not earlier than those before it, and report it otherwise."""
        if moment is None or self.latest is None or moment >= self.latest:
            self.latest = moment or self.latest
            return True
        message = f"This has the time {write_time(moment)}, but an earlier line has {write_time(self.latest)}"
        hint = "Earlier events come first. One of the two times is wrong."
        self.problems.append(Problem(Kind.INTEGRITY, ORDER, message, max(1, line), col + 1, 1, hint))
        return False


def _find_midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


@frozen
class Timeline:
    """The times in a record."""

    terms: Terms
    seats: tuple[SeatTime, ...]
    turn: int
    to_act: int | None
    passable: bool = True
    since: datetime | None = None
    restarts: int = 0
    adjourned: datetime | None = None
    early: EarlyEnd | None = None
    latest: datetime | None = None
    problems: tuple[Problem, ...] = ()
    paused: clock_notes.Paused | None = None
    pauses: tuple[Pause, ...] = ()
    given: timedelta | None = None
    extra: timedelta = timedelta()

    @property
    def clock(self) -> Clock | None:
        return self.terms.clock

    @property
    def winners(self) -> tuple[int, ...]:
        """The winners of a game that ended without its rules."""
        return self.early.winners if self.early else ()

    @property
    def over(self) -> bool:
        """True if the game has ended: by its rules, because all others resigned, or because the players ended it."""
        return self.to_act is None or self.early is not None

    @property
    def stopped(self) -> bool:
        """True if no clock runs until somebody resumes the game: it is adjourned, or the host paused it."""
        return self.adjourned is not None or (self.paused is not None and self.paused.until is None)


@cites("post.clock")
def read_timeline(played: Replay) -> Timeline:
    fold = Fold(played)
    fold.read_all()
    position = played.position
    return Timeline(
        terms=fold.terms,
        seats=tuple(fold.seats),
        turn=find_next_turn(played),
        to_act=position.to_act,
        passable=find_record_plugin(played.record.game).is_passable(position),
        since=fold.find_start(None),
        restarts=fold.restarts,
        adjourned=fold.adjourned,
        early=find_early_end(played),
        latest=fold.latest,
        paused=fold.stoppages.paused,
        pauses=() if position.to_act is None else fold.list_pauses(fold.seats[position.to_act]),
        given=fold.stoppages.given,
        extra=fold.stoppages.extra,
        problems=tuple(sorted(fold.problems, key=lambda problem: (problem.line, problem.col))),
    )


def judge_file(read: ReadRecord) -> tuple[list[Problem], Replay | None]:
    """Judge a game file that was read: return all its problems, in the order of the lines, and its replay if there is one.

    Every command, the language server and a host find the same problems: those of the turns, and those of clocks, absences and ends.
    """
    problems, played = judge_record(read)
    if played is None or played.record.timeless:
        return problems, played
    known = {(problem.line, problem.col, problem.rule) for problem in problems}
    notes = (found for found in read_timeline(played).problems if (found.line, found.col, found.rule) not in known)
    return sorted([*problems, *notes], key=lambda problem: (problem.line, problem.col)), played


def find_next_turn(played: Replay) -> int:
    turns = played.record.turns
    return turns[-1].number + 1 if turns else 1
