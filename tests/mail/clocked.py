"""Games with a clock for tests: a random game's turns with notes, and what a clock is by counting hours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import count
from random import Random

from attrs import evolve

from tests.shared.strategies import record_of
from tkid.mail.game_clock import RunningClock, list_agenda, read_game_clock
from tkid.mail.timeline import Timeline, read_timeline
from tkid.record.clock import CLOCK, STARTED, write_time
from tkid.record.clock_notes import At, Line, Note, make_note_reader
from tkid.record.format.model import Header, Record
from tkid.record.play.replay import Replay, replay

START = datetime(2026, 11, 21, 10, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def after(days: float = 0, hours: float = 0) -> datetime:
    """So long after the start."""
    return START + timedelta(days=days, hours=hours)


@cache
def _whole(players: int) -> Record:
    games = (record_of(Random(seed), players, 0.2) for seed in count())
    return next(game for game in games if game.deal and game.deal.first == 0)


class Game:
    """A game that goes on turn by turn, with what is noted."""

    def __init__(self, terms: str = "3 days a turn", players: int = 2, start: datetime | None = START) -> None:
        self.whole = _whole(players)
        self.terms, self.start = terms, start
        self.turns: list[tuple[str, ...]] = []
        self.deep: list[int] = []
        """How many turns that were taken back later each turn was played on."""
        self.lines: list[tuple[str, ...]] = [()]
        self.reader = make_note_reader(self.whole.names)

    def turn(self, *notes: datetime | Note | str, deep: int = 0) -> Game:
        """The next turn of the game with its notes; a moment is when it was taken."""
        self.deep.append(deep)
        values = (At(note) if isinstance(note, datetime) else note for note in notes)
        self.turns.append(tuple(note if isinstance(note, str) else self.reader.write_note(note) for note in values))
        self.lines.append(())
        return self

    def line(self, *lines: Line | str) -> Game:
        """Comment lines before the next turn."""
        written = (line if isinstance(line, str) else self.reader.write_line(line) for line in lines)
        self.lines[-1] = (*self.lines[-1], *written)
        return self

    @property
    def played(self) -> Replay:
        """The game played through; turns that were taken back leave the ones of the game for later."""
        turns, left = [], list(self.whole.turns)
        for number, (notes, lines) in enumerate(zip(self.turns, self.lines[:-1], strict=True), 1):
            undone = any(note.startswith("undone") for note in notes)
            turn = left[self.deep[number - 1]] if undone else left.pop(0)
            turns.append(evolve(turn, number=number, hash="", notes=notes, comments=lines, line=number + 20))
        headers = list(self.whole.headers)
        headers += [Header(CLOCK, self.terms)] if self.terms else []
        headers += [Header(STARTED, write_time(self.start))] if self.start else []
        record = evolve(self.whole, headers=tuple(headers), turns=tuple(turns), end=self.lines[-1])
        played = replay(record)
        assert {problem.rule for problem in played.problems} <= {
            "post.resign.final",
            "post.note.form",
        }  # the turns here are no passes, and some lines are wrong
        return played

    @property
    def at(self) -> Timeline:
        """What the record tells of time."""
        return read_timeline(self.played)


def clock(game: Game, now: datetime) -> RunningClock:
    """What the clock shows."""
    found = read_game_clock(game.at, now)
    assert found is not None
    return found


def todo(game: Game) -> list[tuple[str, datetime]]:
    """Names and moments of what will be due."""
    return [(item.name, item.time) for item in list_agenda(game.at)]


def counted(start: datetime, now: datetime, away: Iterable[date]) -> int:
    """The hours for which a clock ran between two whole hours, counted one by one."""
    days, hours = set(away), 0
    while start < now:
        hours += start.date() not in days
        start += HOUR
    return hours


def bank_left(days: int, turns: int, taken: Sequence[tuple[datetime, datetime]], away: Iterable[date]) -> int:
    """A seat's bank after turns that began and were taken at whole hours, counted hour by hour."""
    bank, away = days, set(away)
    for number, (start, at) in enumerate(taken, 1):
        hours, moment = 0, start
        while moment < at:
            hours += moment.date() not in away
            moment += HOUR
            if hours == 24:
                hours, bank = 0, max(0, bank - 1)
        bank += days * (number % turns == 0)
    return bank
