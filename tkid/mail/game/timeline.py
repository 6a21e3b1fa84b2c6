"""What a record says about time, turn by turn: when the next turn began, and how each seat stands. Pure.

Nothing is remembered elsewhere: the header's terms, the notes on the turns and the comment lines between them say it
all.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import frozen

from tkid.kernel.problems import Problem
from tkid.mail.game.elapsed import Pause
from tkid.mail.game.seat_time import SeatTime
from tkid.mail.game.timeline_fold import Fold
from tkid.mail.plugin import mail_plugin
from tkid.record.clock.interventions import Ended, Paused
from tkid.record.clock.terms import Clock, Terms
from tkid.record.play.replay import Replay
from tkid.rulebook import cites

ORDER, FINAL, HOST_TIME = "post.note.order", "post.resign.final", "post.host.time"
AGREED_BY_ALL, PAUSE_DATE = "post.agree.all", "post.pause.date"
FULLEST = 10_000
"""Days that a bank holds at most: a bound for sums, not for people."""
REMEMBERED = 5000
"""Lines of turns whose notes are remembered: a record is gone through again with each turn."""


@frozen
class Timeline:
    """What a record says about time.

    `turn` is the number of the next turn and `to_act` the seat that takes it, None when the game is over; `since` is
    when its clock began to run, None where the record does not say. `restarts` counts how often it began again in this
    turn. `passable` says that the turn could be passed. `adjourned` is since when the game rests, `winners` the seats
    that won because all others resigned, or that share a draw, and `ended` how the game ended without its rules.

    `paused` is the pause that goes on, or went on until its day. `pauses` are the times in which the clock of the next
    turn stands still. `given` is the time for that turn where the host set a deadline, `extra` what the host added.
    `latest` is the last moment that the record names.
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
    ended: Ended | None = None
    paused: Paused | None = None
    pauses: tuple[Pause, ...] = ()
    given: timedelta | None = None
    extra: timedelta = timedelta()

    @property
    def clock(self) -> Clock | None:
        """The clock's terms, None where there is no clock."""
        return self.terms.clock

    @property
    def over(self) -> bool:
        """Whether nobody is to act any more: by the rules of the game, as all others resigned, or as it was ended."""
        return self.to_act is None or bool(self.winners) or self.ended is not None

    @property
    def stopped(self) -> bool:
        """Whether no clock runs until somebody resumes the game: it is adjourned, or the host paused it."""
        return self.adjourned is not None or (self.paused is not None and self.paused.until is None)


@cites("post.clock")
def timeline(played: Replay) -> Timeline:
    """What a record says about time; the problems are those of its notes, terms and times."""
    fold = Fold(played)
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
        ended=fold.ended,
        paused=fold.stoppages.paused,
        pauses=() if position.to_act is None else fold.stoppages.of(fold.seats[position.to_act].pauses),
        given=fold.stoppages.given,
        extra=fold.stoppages.extra,
        problems=tuple(sorted(fold.problems, key=lambda problem: (problem.line, problem.col))),
    )


def with_notes(problems: Sequence[Problem], played: Replay | None) -> list[Problem]:
    """The problems of a record and those of what it says about time, in the order of the lines."""
    if played is None:
        return list(problems)
    known = {(problem.line, problem.col, problem.rule) for problem in problems}
    notes = (found for found in timeline(played).problems if (found.line, found.col, found.rule) not in known)
    return sorted([*problems, *notes], key=lambda problem: (problem.line, problem.col))


def next_turn(played: Replay) -> int:
    """The number of the next turn of a game."""
    turns = played.record.turns
    return turns[-1].number + 1 if turns else 1
