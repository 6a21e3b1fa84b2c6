"""Going through a record line by line for what it says about time. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.game.elapsed import Pause, Pauses, ran
from tkid.mail.game.seat_time import SeatTime
from tkid.mail.game.stoppages import Stoppages
from tkid.mail.plugin import agreed
from tkid.notation.vocabulary import listed
from tkid.record.clock.interventions import Deadline, Ended, Extended, Moved, Paused, StoodStill
from tkid.record.clock.notes import (
    BY_RESIGNATION,
    NOTHING_TO_PLAY,
    OUT_OF_TIME,
    UNDONE_BY_HOST_RULE,
    UNDONE_RULE,
    Adjourned,
    At,
    Away,
    Back,
    Line,
    NoteReader,
    Passed,
    Resigned,
    Resumed,
    StandIn,
    Undone,
    note_reader,
)
from tkid.record.clock.terms import DAY, DEFAULT, Bank, terms_of
from tkid.record.clock.times import write_time
from tkid.record.format.bot_seats import bot_seats
from tkid.record.format.model import Comments, Turn
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

ORDER, FINAL, HOST_TIME = "post.note.order", "post.resign.final", "post.host.time"
AGREED_BY_ALL, PAUSE_DATE = "post.agree.all", "post.pause.date"
FULLEST = 10_000
"""Days that a bank holds at most: a bound for sums, not for people."""
REMEMBERED = 5000
"""Lines of turns whose notes are remembered: a record is gone through again with each turn."""


@frozen
class _Notes:
    """The notes of a turn: when it was taken, why it was passed, when it was taken back.

    `problems` are those of notes that are none, each with its index among them.
    """

    moment: datetime | None = None
    passed: Passed | None = None
    undone: Undone | None = None
    problems: tuple[tuple[int, Problem], ...] = ()


@lru_cache(REMEMBERED)
def _notes(reader: NoteReader, texts: tuple[str, ...]) -> _Notes:
    """The notes of a turn; of several of a kind the last one counts."""
    notes = _Notes()
    for index, text in enumerate(texts):
        match reader.note(text):
            case At(moment):
                notes = evolve(notes, moment=moment)
            case Passed() as passed:
                notes = evolve(notes, passed=passed)
            case Undone() as undone:
                notes = evolve(notes, undone=undone)
            case Problem() as problem if problem.rule not in {UNDONE_RULE, UNDONE_BY_HOST_RULE}:
                notes = evolve(notes, problems=(*notes.problems, (index, problem)))
    return notes


class Fold:
    """What a record says about time, as far as it was gone through."""

    def __init__(self, played: Replay) -> None:
        self.played, self.record = played, played.record
        self.reader = note_reader(self.record.names)
        stated = terms_of(self.record)
        self.terms = evolve(stated, clock=agreed(stated.clock, self.record.game) if stated.clock else None)
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
        self.winners: tuple[int, ...] = ()
        self.ended: Ended | None = None
        self.latest = self.terms.started
        self.problems: list[Problem] = list(self.terms.problems)

    def run(self) -> None:
        """Go through the record."""
        numbers = iter(self.record.numbered_remarks())
        for index, turn in enumerate(self.record.turns):
            self._comments(turn.comments, numbers, self._to_act(index))
            self._turn(turn)
            for outcome in turn.outcomes:
                self._comments(outcome.comments, numbers, self._to_act(index + 1))
        self._comments(self.record.end, numbers, self._to_act(len(self.record.turns)))

    def _to_act(self, turns: int) -> int | None:
        return self.played.moments[turns].position.to_act

    def start(self, moment: datetime | None) -> datetime | None:
        """When the clock of a turn began to run that was taken at some moment; None: that of the current turn.

        After a turn was taken back it begins at that moment, but not for a turn that was taken before.
        """
        if self.reopened is None or self.since is None or (moment is not None and moment < self.reopened):
            return self.since
        return max(self.since, self.reopened)

    # -- turns --------------------------------------------------------------------------------------------

    def _turn(self, turn: Turn) -> None:
        notes = _notes(self.reader, turn.notes)
        for index, problem in notes.problems:
            col = turn.note_cols[index] + 1 if index < len(turn.note_cols) else 0
            self.problems.append(problem.moved(line=turn.line or 1, col=col))
        self._forward(notes.moment, turn.line, turn.name_col)
        seat = self._spent(self.seats[turn.seat], notes)
        self.restarts = 0
        self.stoppages.next_turn()
        if notes.undone is None:
            seat = self._counted(seat, notes.passed)
            self.adjourned = None
            self.since = notes.moment or (self.since if notes.passed else None)
        else:
            self._back_to(notes.moment, notes.undone.time)
        self.seats[turn.seat] = seat

    @cites("post.clock.bank", "post.host.time")
    def _spent(self, seat: SeatTime, notes: _Notes) -> SeatTime:
        """The seat with the whole days taken out of its bank that the clock ran for a turn."""
        if not isinstance(self.clock.time, Bank) or notes.passed in {NOTHING_TO_PLAY, BY_RESIGNATION}:
            return seat
        if notes.passed is not None:
            return evolve(seat, bank=0)
        start = self.start(notes.moment)
        if start is None or notes.moment is None:
            return seat
        run = ran(start, notes.moment, self.stoppages.of(seat.pauses, notes.moment)) - self.stoppages.extra
        return evolve(seat, bank=max(0, seat.bank - max(timedelta(), run) // DAY))

    @cites("post.clock.misses")
    def _counted(self, seat: SeatTime, passed: Passed | None) -> SeatTime:
        """The seat with one turn more: misses in a row, and the bank filled up when it is time."""
        misses = 0 if passed is None else seat.misses + (passed == OUT_OF_TIME)
        turns, bank, terms = seat.turns + 1, seat.bank, self.clock.time
        if isinstance(terms, Bank) and turns % terms.turns == 0:
            bank = min(FULLEST, bank + terms.days)
        return evolve(seat, turns=turns, bank=bank, misses=misses)

    @cites("post.undo.time")
    def _back_to(self, moment: datetime | None, undone: datetime | None) -> None:
        """A turn was taken back: time that was used stays used, and the clock begins again when that was agreed."""
        self.since = moment or self.since
        moments = [moment for moment in (self.reopened, undone or moment) if moment]
        self.reopened = max(moments, default=None)

    # -- lines --------------------------------------------------------------------------------------------

    def _comments(self, comments: Comments, numbers: Iterator[int], to_act: int | None) -> None:
        for text, number in zip(comments, numbers, strict=False):
            line = self.reader.line(text)
            if isinstance(line, Problem):
                self.problems.append(line.moved(line=max(1, number)))
            elif line is not None:
                self._forward(line.said if isinstance(line, Away) else line.time, number)
                if isinstance(line, Moved):
                    self._moved(line)
                elif to_act is not None and not self.winners and not self.ended:
                    self._happened(line, to_act, number)

    def _happened(self, line: Line, to_act: int, number: int) -> None:
        match line:
            case Away():
                self._away(line)
            case Resigned(seat, moment):
                self.seats[seat] = evolve(self.seats[seat], resigned=moment, stand_in=None)
                self._decided()
            case Back():
                self._back(line, to_act, number)
            case StandIn():
                self._stood_in(line, to_act)
            case Adjourned(moment):
                self.adjourned = moment
            case Resumed(moment):
                self._resumed(moment)
            case _:
                self._intervened(line, to_act, number)

    def _intervened(self, line: Line, to_act: int, number: int) -> None:
        """An end or a pause, or what the host did."""
        match line:
            case Ended():
                self._ended(line, number)
            case Paused():
                self._paused(line, number)
            case StoodStill():
                self.stoppages.stood_still(line)
            case Extended() | Deadline():
                self._more_time(line, to_act, number)

    @cites("post.away", "post.away.late", "post.away.most")
    def _away(self, line: Away) -> None:
        """A player will be away: days that have not begun, as many as there are left for a game."""
        seat = self.seats[line.seat]
        days = {pause.start: pause for pause in seat.pauses}
        day = _midnight(line.first)
        if line.said is not None and day < line.said:
            day = _midnight((line.said - timedelta(microseconds=1)).date()) + DAY
        while day <= _midnight(line.last) and len(days) < self.clock.away:
            days.setdefault(day, Pause(day, day + DAY))
            day += DAY
        self.seats[line.seat] = evolve(seat, pauses=tuple(sorted(days.values(), key=lambda pause: pause.start)))

    @cites("post.resign")
    def _decided(self) -> None:
        """The game is over when nobody plays any more but those who win together."""
        parties = self.record.table.parties
        left = [party for party in parties if any(self.seats[seat].plays for seat in party)]
        self.winners = left[0] if len(left) == 1 else ()

    @cites("post.back", "post.resign.final")
    def _back(self, line: Back, to_act: int, number: int) -> None:
        """A player is back at the table; who has resigned does not come back."""
        seat = self.seats[line.seat]
        if seat.resigned is not None:
            message = f"{self.record.names[line.seat]} has resigned, and does not come back"
            self._wrong(FINAL, message, line, number, "Somebody else may play the seat: write a line `# stand-in: …`.")
            return
        self.seats[line.seat] = evolve(seat, pauses=_cut(seat.pauses, line.time), misses=0, stand_in=None)
        if seat.stand_in is not None and line.seat == to_act:
            self._begin_again(line.time)

    @cites("post.stand-in")
    def _stood_in(self, line: StandIn, to_act: int) -> None:
        seat = self.seats[line.seat]
        bank = max(seat.bank, self.clock.time.days) if isinstance(self.clock.time, Bank) else 0
        pauses = _cut(seat.pauses, line.time)
        self.seats[line.seat] = evolve(seat, bank=bank, misses=0, pauses=pauses, stand_in=line)
        if line.seat == to_act:
            self._begin_again(line.time)

    @cites("post.moved")
    def _moved(self, line: Moved) -> None:
        """Whoever plays a seat has another address; a record that is public leaves it out."""
        seat = self.seats[line.seat]
        if seat.stand_in:
            seat = evolve(seat, stand_in=evolve(seat.stand_in, address=line.address or seat.stand_in.address))
        else:
            seat = evolve(seat, address=line.address or seat.address)
        self.seats[line.seat] = seat

    @cites("post.agree", "post.host.abort")
    def _ended(self, line: Ended, number: int) -> None:
        """The game is over; those who still play share a draw."""
        if line.how == "aborted" or self._all_agreed(line, number):
            self.ended = line
            self.winners = self._players() if line.how == "draw" else ()

    @cites("post.pause", "post.pause.date", "post.host.pause")
    def _paused(self, line: Paused, number: int) -> None:
        """Clocks stand still until a day, or until the host resumes the game."""
        if line.until is not None and _midnight(line.until) <= line.time:
            message = f"The pause ends on {line.until.isoformat()}, but that day has begun"
            self._wrong(
                PAUSE_DATE, message, line, number, "A pause ends on a later day than the one on which it begins."
            )
        elif line.until is None or self._all_agreed(line, number):
            self.stoppages.pause(line)

    @cites("post.agree.all")
    def _all_agreed(self, line: Ended | Paused, number: int) -> bool:
        """Whether all who still play have agreed. Bots and players who have resigned are not asked."""
        known = bot_seats(self.record)
        bots = (seat.stand_in.bot if seat.stand_in else number in known for number, seat in enumerate(self.seats))
        asked = [seat for seat, bot in enumerate(bots) if self.seats[seat].plays and not bot]
        missing = [self.record.names[seat] for seat in asked if seat not in line.agreed]
        if missing:
            message = f"Everybody who still plays has to agree. {listed(missing, 'and')} did not"
            self._wrong(AGREED_BY_ALL, message, line, number, "Name everybody who agreed.")
        return not missing

    @cites("post.host.time")
    def _more_time(self, line: Extended | Deadline, to_act: int, number: int) -> None:
        """The host gives the next player more time, or another deadline; nothing is left of it if that turn was taken back."""
        start = self.start(None)
        if line.seat != to_act and self.reopened is not None and line.time <= self.reopened:
            return
        if line.seat != to_act:
            names = self.record.names
            message = f"The next turn is {names[to_act]}'s, not {names[line.seat]}'s"
            self._wrong(HOST_TIME, message, line, number, "Only the current turn gets another deadline.")
        elif isinstance(line, Extended):
            self.stoppages.extend(line)
        elif start is not None:
            self.stoppages.set_deadline(line, start, self.seats[to_act].pauses)

    def _wrong(self, rule: str, message: str, line: Line, number: int, hint: str) -> None:
        """Report a line that is written well, but cannot be."""
        length = len(self.reader.write_line(line))
        self.problems.append(Problem(Kind.INTEGRITY, rule, message, max(1, number), 1, length, hint))

    def _players(self) -> tuple[int, ...]:
        """The seats that somebody plays."""
        return tuple(seat for seat, each in enumerate(self.seats) if each.plays)

    @cites("post.adjourn", "post.pause")
    def _resumed(self, moment: datetime) -> None:
        """A paused game goes on with the time that was left; of an adjourned one the next turn begins again."""
        self.stoppages.resume(moment)
        if self.adjourned is None:
            return
        self.adjourned = None
        self.seats = [evolve(seat, misses=0) for seat in self.seats]
        self._begin_again(moment)

    def _begin_again(self, moment: datetime) -> None:
        self.since = max(self.since, moment) if self.since else moment
        self.restarts += 1

    # -- order --------------------------------------------------------------------------------------------

    @cites("post.note.order")
    def _forward(self, moment: datetime | None, line: int, col: int = 0) -> None:
        if moment is None:
            return
        if self.latest is not None and moment < self.latest:
            message = f"This has the time {write_time(moment)}, but an earlier line has {write_time(self.latest)}"
            hint = "Earlier events come first. One of the two times is wrong."
            self.problems.append(Problem(Kind.INTEGRITY, ORDER, message, max(1, line), col + 1, 1, hint))
        self.latest = max(self.latest, moment) if self.latest else moment


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _cut(pauses: Pauses, moment: datetime) -> tuple[Pause, ...]:
    return tuple(evolve(pause, end=min(pause.end, moment)) for pause in pauses if pause.start < moment)
