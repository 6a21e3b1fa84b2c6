"""Pauses, more time from the host, and times in which no clock ran: what the clock shows, and what a bank pays."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from tests.mail.clocked import DAY, HOUR, Game, after, clock
from tests.shared.tables import each_row
from tkid.mail.game_clock import list_agenda, read_game_clock
from tkid.record.clock_notes import (
    Adjourned,
    At,
    Deadline,
    Ended,
    Extended,
    Line,
    Moved,
    Paused,
    Resigned,
    Resumed,
    StandIn,
    StoodStill,
    Undone,
)
from tkid.record.play.replay import find_early_end
from tkid.record.play.writer import take_back_by_host

BOTH = (0, 1)
NOON = after(2).date()
MIDNIGHT = timedelta(hours=38)
"""From the start to the beginning of the second day after it."""


@each_row(
    ("lines", "deadline"),
    [
        ([Paused(after(), NOON, BOTH)], after(3) + MIDNIGHT),
        ([Paused(after(1), NOON, BOTH)], after(2) + MIDNIGHT),
        ([Paused(after(1), NOON, BOTH), Resumed(after(1, 6))], after(3, 6)),
        ([Paused(after(1)), Resumed(after(4))], after(6)),
        ([Paused(after(1)), Paused(after(1, 4)), Resumed(after(4))], after(6)),
        ([StoodStill(after(1), after(2))], after(4)),
        ([StoodStill(after(1), after(2)), StoodStill(after(1), after(2, 6))], after(4, 6)),
        ([Extended(0, after(1), 2 * DAY)], after(5)),
        ([Extended(0, after(1), 2 * DAY), Extended(0, after(1), HOUR)], after(5, 1)),
        ([Deadline(0, after(1), after(9))], after(9)),
        ([Deadline(0, after(1), after(1, 1))], after(1, 1)),
        ([Deadline(0, after(1), after(9)), Extended(0, after(1), DAY)], after(10)),
        ([Extended(0, after(1), DAY), Deadline(0, after(1), after(9))], after(9)),
        ([Paused(after(), NOON, BOTH), Deadline(0, after(1), after(9))], after(9)),
        ([Deadline(0, after(1), after(9)), StoodStill(after(1), after(2))], after(10)),
        ([Paused(after(1)), Deadline(0, after(2), after(9)), Resumed(after(3))], after(10)),
        ([Adjourned(after(1)), Resumed(after(4))], after(7)),
    ],
)
def test_what_moves_a_deadline(lines: list[Line], deadline: object) -> None:
    game = Game().line(*lines)
    assert game.at.problems == ()
    clock = read_game_clock(game.at, after(4))
    assert clock is not None
    assert clock.deadline == deadline


@each_row(
    ("lines", "hours", "bank"),
    [
        ([], 50, 8),
        ([Paused(after(), NOON, BOTH)], 50, 10),
        ([Paused(after(hours=1)), Resumed(after(hours=49))], 50, 10),
        ([Paused(after(hours=1))], 50, 10),
        ([StoodStill(after(), after(1))], 50, 9),
        ([Extended(0, after(), 2 * DAY)], 50, 10),
    ],
)
def test_what_a_bank_pays(lines: list[Line], hours: int, bank: int) -> None:
    game = Game("10 days for 10 turns").line(*lines).turn(after(hours=hours))
    assert game.at.seats[0].bank == bank


@each_row(("given", "problems"), [(after(1), 0), (after(2), 0), (after(2, 1), 1)])
def test_a_deadline_for_a_turn_that_is_gone_counts_no_more(given: datetime, problems: int) -> None:
    """The host gave the second player one, and took the first player's turn back after that, or at that moment."""
    undone = Undone((), after(2), by_host=True)
    game = Game().turn(At(after(hours=1)), undone).line(Deadline(1, given, after(9)))
    assert len(game.at.problems) == problems
    assert clock(game, after(3)).deadline == after(5)


def test_nothing_is_due_while_the_host_has_paused_the_game() -> None:
    game = Game().line(Paused(after(1)))
    assert game.at.stopped
    assert read_game_clock(game.at, after(9)) is None
    assert not list(list_agenda(game.at))
    game.turn(after(2))
    assert game.at.stopped, "a turn in a pause does not end it"
    game.line(Resumed(after(5)))
    clock = read_game_clock(game.at, after(5))
    assert clock is not None
    assert (clock.seat, clock.deadline) == (1, after(8))


def test_what_the_host_changed_counts_for_one_turn_only() -> None:
    game = Game().line(Extended(0, after(1), 9 * DAY)).turn(after(2))
    clock = read_game_clock(game.at, after(2))
    assert clock is not None
    assert clock.deadline == after(5)


@each_row(
    ("lines", "rule"),
    [
        ([Ended("draw", after(1), (0,))], "post.agree.all"),
        ([Ended("abandoned", after(1), (1,))], "post.agree.all"),
        ([Paused(after(1), NOON, (0,))], "post.agree.all"),
        ([Paused(after(3), NOON, BOTH)], "post.pause.date"),
        ([Extended(1, after(1), DAY)], "post.host.time"),
        ([Deadline(1, after(1), after(5))], "post.host.time"),
        ([Ended("aborted", after(1)), Resigned(0, after(0.5))], "post.note.order"),
    ],
)
def test_what_cannot_be(lines: list[Line], rule: str) -> None:
    assert [problem.rule for problem in Game().line(*lines).at.problems] == [rule]


@each_row(
    ("players", "lines", "winners", "how"),
    [
        (2, [Ended("draw", after(1), BOTH)], (0, 1), "draw"),
        (2, [Ended("abandoned", after(1), BOTH)], (), "abandoned"),
        (2, [Ended("aborted", after(1))], (), "aborted"),
        (2, [Ended("draw", after(1), (0,))], (), None),
        (2, [Resigned(0, after(1))], (1,), "resigned"),
        (3, [Resigned(0, after(1))], (), None),
        (3, [Resigned(0, after(1)), Ended("draw", after(2), (1, 2))], (1, 2), "draw"),
        (3, [Resigned(0, after(1)), Resigned(1, after(2))], (2,), "resigned"),
        (3, [StandIn(0, "Merlin", after(1), bot=True), Ended("draw", after(2), (1, 2))], (0, 1, 2), "draw"),
        (3, [StandIn(0, "Eve", after(1)), Ended("draw", after(2), (1, 2))], (), None),
        (3, [Resigned(0, after(1)), StandIn(0, "Eve", after(1)), Resigned(1, after(2))], (), None),
        (4, [Resigned(0, after(1)), Resigned(2, after(2))], (1, 3), "resigned"),
        (4, [Ended("abandoned", after(1), (0, 1, 2, 3)), Resigned(2, after(2))], (), "abandoned"),
    ],
)
def test_how_a_game_ended(players: int, lines: list[Line], winners: tuple[int, ...], how: str | None) -> None:
    game = Game(players=players).line(*lines)
    end = find_early_end(game.played)
    assert game.at.over == (how is not None)
    assert game.at.winners == winners
    assert (end.how if end else None) == how
    assert (end.winners if end else ()) == winners


def test_an_address_that_changed() -> None:
    game = Game().line(Moved(0, after(1), "new@example.org"), StandIn(1, "Eve", after(1), "eve@example.org"))
    game.line(Moved(1, after(2), "eve@example.net"))
    first, second = game.at.seats
    assert first.address == "new@example.org"
    assert second.stand_in is not None
    assert (second.stand_in.address, second.address) == ("eve@example.net", "")


@pytest.mark.parametrize("reason", ["", "Ann sent {it} by mistake"])
def test_a_turn_that_the_host_takes_back(reason: str) -> None:
    game = Game().turn(At(after(1)), Undone((), after(2), by_host=True, reason=reason))
    (turn,) = game.played.record.turns
    assert turn.undone
    assert game.at.turn == 2
    assert game.at.to_act == 0
    assert game.at.since == after(2)
    assert game.played.last.events[0].rule == "post.undo.host"
    played = Game().turn(after(1)).played
    back = take_back_by_host(played, after(2), reason)
    assert back.problems == []
    assert back.record.turns[0].undone
    assert back.value == played.value, "the chain does not change"
