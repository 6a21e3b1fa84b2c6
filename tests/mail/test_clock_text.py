"""What mails say of the clock, and what is wrong with what a record says of time."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.mail.clocked import START, Game, after
from tkid.mail.game_clock import (
    describe_deadline,
    describe_own_deadline,
    describe_people,
    format_length,
    format_moment,
    read_game_clock,
)
from tkid.record.clock import find_clock_terms
from tkid.record.clock_notes import OUT_OF_TIME, Adjourned, Away, Back, Resigned, StandIn
from tkid.record.format.model import Header
from tkid.rulebook import all_rules

NAMES = ("Ann", "Bob", "Cal", "Dee")


def shown(game: Game, days: float) -> tuple[str, str]:
    """The time for the next turn, and what happens when it is out."""
    clock = read_game_clock(game.at, after(days))
    assert clock is not None
    return describe_deadline(clock), clock.then


@pytest.mark.parametrize(
    ("time", "words"),
    [
        (timedelta(days=2), "2 days"),
        (timedelta(days=1, hours=4, minutes=59), "1 day 4 hours"),
        (timedelta(days=1, minutes=59), "1 day"),
        (timedelta(hours=1, minutes=1), "1 hour 1 minute"),
        (timedelta(minutes=12, seconds=59), "12 minutes"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(), "less than a minute"),
    ],
)
def test_a_length_of_time(time: timedelta, words: str) -> None:
    assert format_length(time) == words


def test_a_moment() -> None:
    assert format_moment(START) == "Saturday 21 November 2026, 10:00 UTC"


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (1, "by Tuesday 24 November 2026, 10:00 UTC; 2 days left"),
        (3, "the time ran out on Tuesday 24 November 2026, 10:00 UTC; grace until Wednesday 25 November 2026, 10:00 UTC; 1 day left"),
        (5, "the time ran out on Wednesday 25 November 2026, 10:00 UTC"),
    ],
)  # fmt: skip
def test_a_turn(days: int, said: str) -> None:
    assert shown(Game("3 days a turn, 1 day grace"), days) == (said, "pass")


def test_absences_misses_and_an_empty_bank() -> None:
    game = Game("1 day for 10 turns, stand-in after 2").turn(after(2), OUT_OF_TIME).turn(after(2))
    game.line(Away(0, date(2026, 11, 24), date(2026, 11, 25)))
    assert shown(game, 3) == ("by Thursday 26 November 2026, 10:00 UTC; 10 hours left; bank empty", "stand-in")
    own = describe_own_deadline(game.at, after(3))
    assert "You are away: your clock is stopped until Thursday 26 November 2026, 00:00 UTC." in own
    assert own.endswith("You have missed one turn in a row.")
    assert describe_own_deadline(game.at, after(9)).endswith("The host offers your seat to somebody else.")


def test_who_does_not_play_and_a_game_that_rests() -> None:
    game = Game("3 days a turn", 3).line(
        Resigned(1, after(1)), StandIn(0, "Merlin", after(1), bot=True), Adjourned(after(2))
    )
    assert describe_people(game.at, NAMES) == ["Bob has resigned.", "The bot Merlin plays for Ann."]
    assert (game.at.adjourned, read_game_clock(game.at, after(3))) == (after(2), None)
    two = Game("3 days a turn").line(Resigned(1, after(1)))
    assert (describe_people(two.at, NAMES), two.at.winners) == (["Bob has resigned."], (0,))
    four = Game("3 days a turn", 4).line(Resigned(1, after(1)), Resigned(3, after(1)))
    assert four.at.winners == (0, 2)
    assert (describe_people(Game("").at, NAMES), read_game_clock(Game("").at, after(3))) == ([], None)


# -- what is wrong ----------------------------------------------------------------------------------------

WRONG = [
    (Game("soon"), "post.clock.form", 1),
    (Game().turn("at 2026-11-31T10:00Z"), "post.note.form", 21),
    (Game().turn(after(1)).line("# away: Ann", "# resigned: Bob"), "post.note.form", 23),
    (Game().turn(after(1)).line("# somebody else's", "# back: Bib 2026-12-01T10:00Z"), "post.note.player", 23),
    (Game().turn(after(2)).turn(after(1)), "post.note.order", 22),
    (Game().turn(after(-1)), "post.note.order", 21),
    (Game().turn(after(2)).line(Adjourned(after(1))), "post.note.order", 22),
    (Game("", 3).line(Resigned(1, after(1)), Back(1, after(2))).turn(after(3)), "post.resign.final", 20),
]


@pytest.mark.parametrize(("game", "rule", "line"), WRONG)
def test_what_is_wrong_is_told_with_its_place(game: Game, rule: str, line: int) -> None:
    problem = game.at.problems[-1]
    assert (problem.rule, problem.line) == (rule, line)
    assert problem.hint


def test_what_is_wrong_with_the_header() -> None:
    record = Game().whole

    def rules(*headers: Header) -> list[tuple[str, int, int]]:
        from attrs import evolve  # noqa: PLC0415 - for this test only

        return [(p.rule, p.line, p.col) for p in find_clock_terms(evolve(record, headers=headers)).problems]

    assert rules(Header("x-started", "soon", line=7)) == [("post.clock.started", 7, 12)]
    assert rules(Header("X-Clock", "3 days a turn, x", line=7)) == [("post.clock.form", 7, 25)]
    twice = [Header("X-Clock", "3 days a turn", line=6), Header("x-clock", "4 days a turn", line=7)]
    assert rules(*twice) == [("post.clock.form", 7, 1)]
    assert find_clock_terms(record).clock is None


def test_each_constraint_is_broken_somewhere_here() -> None:
    constraints = {rule.id for rule in all_rules() if rule.kind == "constraint"}
    ours = {rule for rule in constraints if rule.startswith(("post.clock.", "post.note.", "post.resign."))}
    assert {rule for _, rule, _ in WRONG} | {"post.clock.started"} == ours


def test_a_record_that_is_all_right() -> None:
    game = Game().turn(after(1)).line(Away(0, date(2026, 12, 1), date(2026, 12, 2), after(1))).turn(after(2))
    assert game.at.problems == ()
    assert game.at.latest == after(2)
