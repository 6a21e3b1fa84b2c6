"""Versions of a ruleset: a record keeps the version that it was begun with, with the readings that were usual then."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tkid.record.format.new_game import new_record
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.record.play.writer import write_record
from tkid.rulebook.rulesets import Ruleset, load_version, ruleset, rulesets, state_ruleset

GAMES = Path(__file__).parents[3] / "fixtures" / "games"
INVADED = GAMES / "digest" / "invasion-invasion-nobody-players.tkid"
RULING = "digest.ruling.invasion"
VERSIONED = [entry for entry in rulesets() if entry.former]


@pytest.mark.parametrize(
    ("header", "stated", "option"),
    [("digest", "digest", "nobody"), ("digest 1", "digest", "nobody"), ("digest 2", "digest 2", "sets")],
)
def test_a_record_keeps_the_readings_of_its_version(header: str, stated: str, option: str) -> None:
    text = (
        f"Tkid-Record: 1\nRuleset: {header}\nSeat: Ann\nSeat: Bob\n" + INVADED.read_text("utf-8").partition("Bob\n")[2]
    )
    record = read_record(text[: text.index("Turns\n") + 6].encode()).record
    assert record is not None
    assert (record.ruleset.stated, record.game.readings[RULING]) == (stated, option)
    assert f"\nRuleset: {stated}\n" in write_record(record)


def test_old_records_end_as_they_did() -> None:
    record = read_record(INVADED.read_bytes()).record
    assert record is not None
    assert (record.ruleset.version, replay(record).moments[-1].position.winners) == (1, ())


def test_another_reading_may_be_chosen_in_every_version() -> None:
    for version, option in ((1, "sets"), (2, "nobody")):
        game = load_version("digest", version).game({RULING: option})
        assert game.readings[RULING] == option
        assert game is ruleset("digest").game({RULING: option})


@pytest.mark.parametrize("entry", VERSIONED, ids=lambda entry: entry.code)
def test_a_new_record_states_the_version(entry: Ruleset) -> None:
    code, version = entry.code, entry.version
    record = new_record(code, ["Ann", "Bob"], bytes(32))
    assert (record.ruleset.version, record.ruleset.stated) == (version, f"{code} {version}")
    assert state_ruleset(code.upper()) == f"{code} {version}"


def test_what_is_no_code_is_stated_as_it_is() -> None:
    assert (state_ruleset("second-edition"), state_ruleset("digest 1"), state_ruleset("chess")) == (
        "second-edition",
        "digest 1",
        "chess",
    )


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("digest 3", "digest has the versions 1 and 2 in this program, not 3"),
        ("digest two", "digest has the versions 1 and 2 in this program, not two"),
        ("second-edition 2", "second-edition has version 1 in this program, not 2"),
    ],
)
def test_a_version_that_there_is_not_is_refused(header: str, message: str) -> None:
    found = read_record(f"Tkid-Record: 1\nRuleset: {header}\nSeat: Ann\nSeat: Bob\n".encode()).problems
    assert [each.message for each in found if each.rule == "record.ruleset"] == [message]


def test_every_former_version_differs_from_the_one_of_today_and_can_be_pickled() -> None:
    for entry in VERSIONED:
        assert entry.version == max(entry.former) + 1
        for version in entry.former:
            old = load_version(entry.code, version)
            assert old.list_defaults() != entry.list_defaults()
            assert pickle.loads(pickle.dumps(old)) is old  # noqa: S301 - our own
