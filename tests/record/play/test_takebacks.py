"""Turns taken back: they stay in the record, the position is as before them, and everybody agreed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.record.test_opening import played as secret_game
from tests.shared.examples import examples
from tests.shared.strategies import players, record_of, seeds
from tkid.record.clock_notes import At
from tkid.record.copies import make_shared_copy
from tkid.record.format.model import Record
from tkid.record.format.reader import read_record
from tkid.record.json.positions import moment_json
from tkid.record.play import writer
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.views import hide_secrets
from tkid.record.play.writer import write_record

WHEN = datetime(2026, 11, 21, 10, tzinfo=UTC)
HEAD = """\
Tkid-Record: 1
Ruleset: second-edition
Seat: Ann
Seat: Bob

Setup
Moray        SSWE
Strathclyde  SSWW
Lancaster    SEEE
Northumbria  SSSW
Gwynedd      WWWE
Warwick      WWEE
Essex        WEEE
Devon        SWEE
Supply       5S 5W 2E
Court Ann    SE
Court Bob    SE
Track        Strathclyde, Essex, Moray, Warwick, Northumbria, Gwynedd, Lancaster, Devon
First        Ann

Turns
"""
AGREED = "{undone: Ann, Bob agreed}"


def read(text: str) -> Replay:
    """A record's replay."""
    found = read_record(text.encode())
    assert found.problems == ()
    assert found.record is not None
    return replay(found.record)


def rules(turns: str) -> list[tuple[str, int]]:
    """The rules that some turns break, and the lines, counted from the first turn."""
    return [(problem.rule, problem.line - HEAD.count("\n")) for problem in read(HEAD + turns).problems]


def short(seed: int, seats: int, most: int) -> Record:
    """A game of so many turns at most."""
    record = record_of(Random(seed), seats, 0.3)
    return evolve(record, turns=record.turns[:most])


@given(seeds, players, st.integers(1, 12), st.integers(1, 4), st.randoms())
@examples(40)
def test_what_is_taken_back_and_played_otherwise(seed: int, seats: int, turns: int, back: int, rng: Random) -> None:
    """Hashes stay, positions are those before; the file is read back as it is, and formatting changes nothing."""
    before = replay(short(seed, seats, turns))
    at, everybody = before, range(seats)
    back = min(back, len(before.record.turns))
    for count in range(back):
        at = writer.take_back_turn(at, everybody, WHEN + count * timedelta(hours=1))
    earlier = before.moments[-1 - back].position
    assert at.problems == []
    assert at.position == earlier
    assert at.position.turn == len(before.record.turns)
    assert [moment.hash for moment in at.moments] == [moment.hash for moment in before.moments]
    assert [moment.line for moment in at.moments] == [moment.line for moment in before.moments]
    options = at.record.game.legal(at.position)
    words = at.record.game.words
    if at.position.decision == "play" and rng.random() < 0.5:
        at = append(at, "Pass")
    else:
        first = options[rng.randrange(len(options))]
        after, _ = at.record.game.play(at.position, first)
        rest = (at.record.game.legal(after)[0],) if after.decision == "summon" else ()
        at = append(at, words.write_turn((first, *rest)))
    assert at.problems == []
    assert at.last.turn is not None
    assert (at.last.turn.number, at.last.turn.seat) == (len(before.record.turns) + 1, earlier.to_act)
    text = write_record(at.record, at)
    again = read(text)
    assert again.problems == []
    assert write_record(again.record, again) == text
    assert again.position == at.position
    assert [moment.hash for moment in again.moments] == [moment.hash for moment in at.moments]
    assert text.count("{undone: ") == back
    common = make_shared_copy(again)
    assert common.problems == []
    assert [moment.hash for moment in common.moments] == [moment.hash for moment in at.moments]


@pytest.mark.parametrize("seed", range(8))
def test_with_secret_hands_everybody_knows_what_was_taken_back(seed: int) -> None:
    at = secret_game(seed, 2 + seed % 3, 0.3, 5 + seed)
    everybody = range(len(at.record.seats))
    for count in range(1 + seed % 3):
        at = writer.take_back_turn(at, everybody, WHEN + count * timedelta(hours=1))
    at = append(at, "Pass")
    assert at.problems == []
    for seat in (*everybody, None):
        shown = hide_secrets(at, seat)
        again = read(write_record(shown.record, shown))
        assert again.problems == []
        assert at.record.game.view(again.position, seat).shown == shown.position
        assert [moment.hash for moment in again.moments] == [moment.hash for moment in shown.moments]


def test_a_game_that_was_over_goes_on() -> None:
    for seed in range(6):
        over = replay(record_of(Random(seed), 2, 0.5))
        at = writer.take_back_turn(over, (0, 1), WHEN)
        assert (at.problems, at.position.ending) == ([], None)
        text = write_record(at.record, at)
        assert text.count("\n-- ") < write_record(over.record, over).count("\n-- ")
        assert append(at, "Pass").problems == []


def test_what_is_told() -> None:
    at = read(f"{HEAD}1. Ann Pass {AGREED}\n2. Ann Pass\n")
    (event,) = at.moments[1].events
    assert (event.rule, event.read(("Ann", "Bob"))) == (
        "record.turn.undone",
        "Ann's turn 1 was taken back: everybody agreed",
    )
    assert event.line == ""
    told = moment_json(at.record, at.moments[1])
    assert (told["turn"], told["move"], told["position"]["to_act"]) == (1, "Pass", 0)
    assert at.record.turns[0].undone
    assert not at.record.turns[1].undone


def test_what_followed_may_stand_and_is_not_written_again() -> None:
    turns = f"1. Ann Pass\n2. Bob Pass {AGREED}\n-- Strathclyde: unstable (2S 2W)\n# why?\n-- Anything at all\n3. Bob Pass\n"
    at = read(HEAD + turns)
    assert at.problems == []
    written = write_record(at.record, at).partition("Turns\n")[2]
    assert [line.partition(" #")[0] for line in written.splitlines()] == [
        "1. Ann Pass",
        f"2. Bob Pass {AGREED}",
        "# why?".partition(" #")[0],
        "3. Bob Pass",
        "-- Strathclyde: unstable (2S 2W)",
    ]
    assert write_record(read(HEAD + written).record) == HEAD + written


def test_nothing_that_was_taken_back_is_judged() -> None:
    """Somebody may have noticed the mistake; but what stands there can be read."""
    assert rules(f"1. Ann Manoeuvre S Moray <> E Moray; summon E Essex {AGREED}\n2. Ann Pass\n") == []
    assert rules(f"1. Bob Pass {AGREED}\n2. Ann Pass\n") == []
    found = read_record(f"{HEAD}1. Ann Manoeuvre S Mory <> E Moray {AGREED}\n".encode())
    assert [problem.rule for problem in found.problems] == ["notation.region"]


def test_what_stands_is_judged() -> None:
    assert rules(f"1. Ann Pass {AGREED}\n2. Bob Pass\n") == [("second.turn.order", 2)]
    assert rules(f"1. Ann Pass {AGREED} #123456\n2. Ann Pass\n") == [("record.turn.hash", 1)]
    assert rules(f"1. Ann Pass\n2. Bob Pass {AGREED}\n3. Bob Manoeuvre S Moray <> E Moray; no summon\n") != []


def test_everybody_agrees() -> None:
    assert rules("1. Ann Pass {undone: Ann agreed}\n") == [("record.turn.undone", 1)]
    assert rules("1. Ann Pass {x} {undone: Ann}\n") == [("record.turn.undone", 1)]
    (problem,) = read(f"{HEAD}1. Ann Pass {{x}} {{undone: Ann}} {{y}}\n").problems
    assert (problem.col, problem.length) == (18, len("undone: Ann"))


T = "2026-11-2{}T10:00Z"


@pytest.mark.parametrize(
    ("first", "second", "third", "wrong"),
    [
        ("1 undone 4", "2 undone 3", "5", []),
        ("1 undone 2", "3 undone 4", "5", []),
        ("1 undone 3", "2 undone 3", "5", []),
        ("1 undone 3", "2 undone 4", "5", [1]),
        ("1", "2 undone 4", "3 undone 4", []),
        ("1", "2 undone 4", "3 undone 5", [2]),
        ("1 undone 2", "2 undone 3", "1", [1, 2]),
    ],
)
def test_turns_are_taken_back_the_latest_first(first: str, second: str, third: str, wrong: list[int]) -> None:
    """Two seats: who plays the third turn follows from what stands before it."""
    stands = [False]
    lines = []
    for number, each in enumerate((first, second, third), 1):
        at, _, undone = each.partition(" undone ")
        seat = "Ann" if len(stands) % 2 else "Bob"
        note = f" {{undone: Ann, Bob agreed at {T.format(undone)}}}" if undone else ""
        lines.append(f"{number}. {seat} Pass {{at {T.format(at)}}}{note}")
        stands += [] if undone else [True]
    assert rules("\n".join(lines) + "\n") == [("record.turn.undone", line) for line in wrong]


def test_only_what_stands_is_taken_back_and_only_by_all() -> None:
    at = replay(short(1, 3, 1))
    with pytest.raises(ValueError, match="every player"):
        writer.take_back_turn(at, (0, 1), WHEN)
    at = writer.take_back_turn(at, (2, 1, 0), WHEN)
    with pytest.raises(ValueError, match="no turn"):
        writer.take_back_turn(at, (0, 1, 2), WHEN)
    with pytest.raises(ValueError, match="no turn"):
        writer.with_note(replay(evolve(at.record, turns=())), At(WHEN))
