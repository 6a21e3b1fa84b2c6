"""What a record says about time, turn by turn: when the next turn began, and how each seat stands. Pure.

Nothing is remembered elsewhere: the header's terms, the notes on the turns and the comment lines between them say it
all. The line of a problem in a comment is right where there are no empty lines among the turns, as in every record in
canonical form.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from attrs import evolve, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.mail.game.elapsed import Pause, Pauses, ran
from tkid.mail.plugin import agreed, mail_plugin
from tkid.record.clock.notes import (
    BY_RESIGNATION,
    NOTHING_TO_PLAY,
    OUT_OF_TIME,
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
from tkid.record.clock.terms import DAY, DEFAULT, Bank, Clock, Terms, terms_of
from tkid.record.clock.times import write_time
from tkid.record.format.model import Comments, Turn
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

ORDER, FINAL = "post.note.order", "post.resign.final"
FULLEST = 10_000
"""Days that a bank holds at most: a bound for sums, not for people."""
REMEMBERED = 5000
"""Lines of turns whose notes are remembered: a record is gone through again with each turn."""


@frozen
class SeatTime:
    """How a seat stands.

    `bank` counts days, `misses` the turns in a row that the clock passed, `turns` its own turns that were not taken
    back; `pauses` are the days of absence on which its clock stands still. `resigned` is since when.
    """

    bank: int = 0
    misses: int = 0
    turns: int = 0
    pauses: tuple[Pause, ...] = ()
    resigned: datetime | None = None
    stand_in: StandIn | None = None

    @property
    def gone(self) -> datetime | None:
        """Since when nobody plays the seat."""
        return None if self.stand_in else self.resigned

    @property
    def plays(self) -> bool:
        """Whether anybody plays the seat."""
        return self.gone is None


@frozen
class Timeline:
    """What a record says about time.

    `turn` is the number of the next turn and `to_act` the seat that takes it, None when the game is over; `since` is
    when its clock began to run, None where the record does not say. `restarts` counts how often it began again in this
    turn. `passable` says that the turn could be passed. `adjourned` is since when the game rests, `winners` the seats
    that won because all others resigned. `latest` is the last moment that the record names.
    """

    terms: Terms
    seats: tuple[SeatTime, ...]
    turn: int
    to_act: int | None
    passable: bool = True
    since: datetime | None = None
    restarts: int = 0
    adjourned: datetime | None = None
    winners: tuple[int, ...] = ()
    latest: datetime | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def clock(self) -> Clock | None:
        """The clock's terms, None where there is no clock."""
        return self.terms.clock

    @property
    def over(self) -> bool:
        """Whether nobody is to act any more, by the rules of the game or because all others resigned."""
        return self.to_act is None or bool(self.winners)


@cites("post.clock")
def timeline(played: Replay) -> Timeline:
    """What a record says about time; the problems are those of its notes, terms and times."""
    fold = _Fold(played)
    fold.run()
    position = played.position
    return Timeline(
        terms=fold.terms,
        seats=tuple(fold.seats),
        turn=next_turn(played),
        to_act=position.to_act,
        passable=mail_plugin(played.record.game).passable(position),
        since=fold.start(None),
        restarts=fold.restarts,
        adjourned=fold.adjourned,
        winners=fold.winners,
        latest=fold.latest,
        problems=tuple(sorted(fold.problems, key=lambda problem: (problem.line, problem.col))),
    )


def next_turn(played: Replay) -> int:
    """The number of the next turn of a game."""
    turns = played.record.turns
    return turns[-1].number + 1 if turns else 1


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
            case Problem() as problem if problem.rule != UNDONE_RULE:
                notes = evolve(notes, problems=(*notes.problems, (index, problem)))
    return notes


class _Fold:
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
        self.winners: tuple[int, ...] = ()
        self.latest = self.terms.started
        self.problems: list[Problem] = list(self.terms.problems)

    def run(self) -> None:
        """Go through the record."""
        line = 0
        for index, turn in enumerate(self.record.turns):
            self._comments(turn.comments, turn.line - len(turn.comments), self._to_act(index))
            self._turn(turn)
            line = turn.line + 1
            for outcome in turn.outcomes:
                self._comments(outcome.comments, outcome.line - len(outcome.comments), self._to_act(index + 1))
                line = outcome.line + 1
        self._comments(self.record.end, line, self._to_act(len(self.record.turns)))

    def _to_act(self, turns: int) -> int | None:
        return self.played.moments[turns].position.to_act

    def start(self, moment: datetime | None) -> datetime | None:
        """When the clock of a turn began to run that was taken at some moment; None: that of the turn that is due.

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
        if notes.undone is None:
            seat = self._counted(seat, notes.passed)
            self.adjourned = None
            self.since = notes.moment or (self.since if notes.passed else None)
        else:
            self._back_to(notes.moment, notes.undone.time)
        self.seats[turn.seat] = seat

    @cites("post.clock.bank")
    def _spent(self, seat: SeatTime, notes: _Notes) -> SeatTime:
        """The seat with the whole days taken out of its bank that the clock ran for a turn."""
        if not isinstance(self.clock.time, Bank) or notes.passed in {NOTHING_TO_PLAY, BY_RESIGNATION}:
            return seat
        if notes.passed is not None:
            return evolve(seat, bank=0)
        start = self.start(notes.moment)
        days = ran(start, notes.moment, seat.pauses) // DAY if start and notes.moment else 0
        return evolve(seat, bank=max(0, seat.bank - days))

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

    def _comments(self, comments: Comments, first_line: int, to_act: int | None) -> None:
        for number, text in enumerate(comments, first_line):
            line = self.reader.line(text)
            if isinstance(line, Problem):
                self.problems.append(line.moved(line=max(1, number)))
            elif line is not None:
                self._forward(line.said if isinstance(line, Away) else line.time, number)
                if to_act is not None and not self.winners:
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
            hint = "Somebody else may play the seat: write a line `# stand-in: …`."
            length = len(self.reader.write_line(line))
            self.problems.append(Problem(Kind.INTEGRITY, FINAL, message, max(1, number), 1, length, hint))
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

    @cites("post.adjourn")
    def _resumed(self, moment: datetime) -> None:
        """An adjourned game goes on: nobody has missed anything, and the next turn begins again."""
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
