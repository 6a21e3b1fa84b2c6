"""Records as a club publishes them: without addresses, press and what the host wrote, under the names that were agreed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from attrs import evolve

from tests.club.clubs import hosted, person
from tests.shared.tables import each_row
from tkid.club.game_facts import Cast, collect_game_facts, make_spectator_replay, publish_record
from tkid.record.clock_notes import Announced, Ended, Extended, Moved, Paused, StandIn, make_note_reader
from tkid.record.format.model import Record
from tkid.record.play.replay import replay
from tkid.record.play.writer import write_record

PLAYERS = (person("Ann Archer"), person("Bob Baker"))
TIME = datetime(2026, 12, 1, 9, tzinfo=UTC)
LINES = (
    StandIn(0, "Dee Dyer", TIME, "dee@example.org"),
    Moved(1, TIME, "robert@example.org"),
    Paused(TIME, reason="Bob is ill"),
    Extended(1, TIME, timedelta(days=2), "for Bob"),
    Announced(TIME, "Bob is ill, get well"),
    Ended("aborted", TIME, (), "Bob wanted it"),
)


def with_lines(record: Record) -> Record:
    """A record with lines about people, and what people wrote."""
    reader = make_note_reader(record.names)
    lines = tuple(reader.write_line(line) for line in LINES)
    turns = tuple(
        evolve(turn, notes=(*turn.notes, "Bob: well played"), comments=("# Bob laughs",)) for turn in record.turns
    )
    return evolve(record, turns=turns, end=("# Ann: bye, Bob", *lines))


def test_a_published_record_has_no_address_and_no_press() -> None:
    record = with_lines(hosted(PLAYERS, turns=6).record)
    text = write_record(publish_record(record, Cast(record.names)))
    assert "@" not in text
    assert not [word for word in ("laughs", "well played", "bye", "ill", "wanted", "for Bob") if word in text]
    for word in ("# stand-in:", "# paused:", "# extended:", "# ended: aborted"):
        assert word in text


def test_an_anonymous_player_is_not_in_it() -> None:
    record = with_lines(hosted(PLAYERS, title="Bob against Ann", turns=6).record)
    cast = Cast(("Ann Archer", "Guest Heron"), frozenset({"Bob Baker", "Dee Dyer"}), {"Dee Dyer": "Guest Wren"})
    text = write_record(publish_record(record, cast))
    assert not [name for name in ("Bob", "Baker", "Dee", "robert") if name in text]
    assert "Guest Heron" in text
    assert "Guest Wren" in text
    assert "X-Copy" in text
    assert "Seal" not in text


def test_a_copy_tells_the_same_game() -> None:
    game = hosted(PLAYERS)
    copy = replay(publish_record(game.record, Cast(("Guest Heron", "Guest Wren"), frozenset(game.names))))
    assert not copy.problems
    assert [moment.position for moment in copy.moments] == [moment.position for moment in game.replay.moments]
    assert copy.moments[-1].hash != game.replay.moments[-1].hash


@each_row(
    "text, named",
    [
        ("Bob Baker's game", True),
        ("A game for bob", True),
        ("BAKER street", True),
        ("Bobsleigh", False),
        ("Winter", False),
        ("", False),
    ],
)
def test_a_title_that_names_a_player(text: str, named: bool) -> None:  # noqa: FBT001 - a row of a table
    cast = Cast(("Ann", "Guest Heron"), frozenset({"Bob Baker"}))
    assert cast.hide_title(text) == ("" if named else text)


@each_row("delay, last", [(0, 6), (1, 5), (5, 1), (6, 0), (99, 0)])
def test_a_delay(delay: int, last: int) -> None:
    game = hosted(PLAYERS, turns=6)
    shown = make_spectator_replay(game.replay, Cast(game.names), delay)
    assert len(shown.record.turns) == last
    facts, _ = collect_game_facts(game.replay, Cast(game.names), "winter", ("", ""), delay)
    assert facts.turns == last


def test_a_game_that_is_over_is_not_late() -> None:
    game = hosted(PLAYERS)
    facts, _ = collect_game_facts(game.replay, Cast(game.names), "winter", ("", ""), 5)
    assert facts.turns == game.turns
    assert facts.over
