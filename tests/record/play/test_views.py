"""What a seat may know of a game is made once; nothing that goes on from there takes it over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.shared.examples import examples
from tests.shared.strategies import ADVANCED, players, record_of, seeds
from tkid.record.clock_notes import At
from tkid.record.format.model import Record
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import with_note, write_record

TIME = datetime(2026, 11, 21, 10, tzinfo=UTC)


def cut(record: Record, turns: int) -> Replay:
    """The beginning of a game, with the time of each turn and a comment of somebody's."""
    kept = tuple(
        evolve(turn, notes=(f"at {TIME + timedelta(hours=turn.number):%Y-%m-%dT%H:%MZ}", "a secret"))
        for turn in record.turns[:turns]
    )
    return replay(evolve(record, turns=kept, end=()))


def anew(at: Replay) -> Replay:
    """The same replay, with nothing remembered."""
    return evolve(at, moments=[evolve(moment) for moment in at.moments])


def told(known: Replay) -> tuple[str, str]:
    """All that a replay tells."""
    return write_record(known.record, known), repr([(moment.position, moment.events) for moment in known.moments])


@given(seeds, players, st.integers(0, 12), st.permutations((None, 0, 1)))
@examples(25)
def test_what_is_remembered_is_what_would_be_made_anew(
    seed: int, seats: int, turns: int, order: list[int | None]
) -> None:
    at = cut(record_of(Random(seed), seats, 0.3, ADVANCED), turns)
    for seat in order:
        known = hide_secrets(at, seat)
        assert hide_secrets(at, seat) is known
        assert hide_secrets(known, seat) is known
        assert told(known) == told(hide_secrets(anew(at), seat)) == told(hide_secrets(anew(known), seat))
        assert "a secret" not in write_record(known.record, known)


@pytest.mark.parametrize("seed", range(5))
def test_a_game_that_goes_on_is_seen_anew(seed: int) -> None:
    at = cut(record_of(Random(seed), 2, 0.3, ADVANCED), 4)
    seat = at.position.to_act
    assert seat is not None
    before = hide_secrets(at, seat)
    after = append(at, "Pass")
    later = with_note(after, At(TIME + timedelta(days=1)))
    for longer in (after, later):
        known = hide_secrets(longer, seat)
        assert known is not before
        assert known.moments[:-1] == before.moments
        assert len(known.record.turns) == len(longer.record.turns)
        assert told(known) == told(hide_secrets(anew(longer), seat))
    assert "{at 2026-11-22T10:00Z}" in write_record(hide_secrets(later, seat).record, hide_secrets(later, seat))
