"""Records: written, read, replayed, bound by the chain."""

from __future__ import annotations

from hashlib import sha256
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.games.struggle.shared.family import board
from tests.shared.examples import examples
from tests.shared.strategies import GAME, passings, players, record_of, seeds
from tkid.bots.roster import find_player
from tkid.kernel.problems import Kind
from tkid.record.format.model import Record
from tkid.record.format.new_game import NewGameError, new_record
from tkid.record.format.reader import read_record
from tkid.record.json.positions import moment_json, position_json, read_position_json
from tkid.record.play.replay import append, replay
from tkid.record.play.writer import write_record


def read(text: str) -> Record:
    """A record that has no problems."""
    found = read_record(text.encode())
    assert found.problems == ()
    assert found.record is not None
    return found.record


@pytest.mark.slow
@given(seeds, players, passings)
@examples(60)
def test_what_is_written_is_read_back_and_replays_the_same(seed: int, seats: int, passing: float) -> None:
    record = record_of(Random(seed), seats, passing)
    text = write_record(record)
    again = read(text)
    assert write_record(again) == text
    first, second = replay(record), replay(again)
    assert second.problems == []
    assert [(m.position, m.hash, m.events) for m in first.moments] == [
        (m.position, m.hash, m.events) for m in second.moments
    ]
    assert second.position.ending is not None


@given(seeds, players, st.data())
@examples(40)
def test_replaying_from_the_middle_ends_the_same(seed: int, seats: int, data: st.DataObject) -> None:
    """A record may begin with a position: the rest of the turns leads to the same end."""
    record = record_of(Random(seed), seats, 0.4)
    moments = replay(record).moments
    at = data.draw(st.integers(0, len(moments) - 2))
    _, position = read_position_json(position_json(GAME, moments[at].position))
    turns = tuple(evolve(turn, number=number) for number, turn in enumerate(record.turns[at:], 1))
    rest = replay(evolve(record, deal=None, position=position, turns=turns))
    assert rest.problems == []
    last, end = board(moments[-1].position), board(rest.position)
    assert (end.regions, end.courts, end.ending, end.winners) == (last.regions, last.courts, last.ending, last.winners)


def test_the_chain_is_the_documented_one() -> None:
    text = write_record(record_of(Random(7), 2, 0.5))
    start, _, turns = text.partition("\nTurns\n")
    value = sha256(start.encode()).digest()
    for line in turns.splitlines():
        if line.startswith("--"):
            continue
        turn, _, shown = line.rpartition(" #")
        value = sha256(value + turn.encode()).digest()
        assert value[:3].hex() == shown


@pytest.mark.slow
@given(seeds, st.data())
@examples(60)
def test_an_edited_past_is_noticed(seed: int, data: st.DataObject) -> None:
    lines = write_record(record_of(Random(seed), 2, 0.5)).splitlines()
    turns = [at for at, line in enumerate(lines) if " #" in line]
    at = data.draw(st.sampled_from(turns[:-1]))
    lines[at] = lines[at][:-1] + ("0" if lines[at][-1] != "0" else "1")
    found = read_record("\n".join(lines).encode())
    assert found.record is not None
    problems = replay(found.record).problems
    assert [(p.rule, p.line) for p in problems] == [("record.turn.hash", at + 1)]
    missing = read_record("\n".join(lines[:at] + lines[at + 1 :]).encode())
    rules = {p.rule for p in missing.problems} | (
        {p.rule for p in replay(missing.record).problems} if missing.record else set()
    )
    assert "record.turn.number" in rules


def test_a_wrong_number_is_one_mistake() -> None:
    lines = write_record(record_of(Random(7), 2, 0.5)).splitlines()
    third = next(at for at, line in enumerate(lines) if line.startswith("3. "))
    lines[third] = lines[third].replace("3. ", "4. ", 1)
    found = read_record("\n".join(lines).encode())
    assert [(problem.rule, problem.line) for problem in found.problems] == [("record.turn.number", third + 1)]


def test_a_renamed_seat_is_reported_once_for_the_turns() -> None:
    written = write_record(record_of(Random(7), 2, 0.5))
    name = next(line.removeprefix("Seat: ") for line in written.splitlines() if line.startswith("Seat: "))
    found = read_record(written.replace(f"Seat: {name}", f"Seat: {name}x", 1).encode())
    told = [problem.rule for problem in found.problems if "is not a player" in problem.message]
    assert 1 <= len(told) <= 2, "once for the set-up, and once for the turns"


def test_turns_are_appended_as_moves_too() -> None:
    """Also one that names a player."""
    at = replay(new_record("second-edition-advanced", ["Ann", "Bob"], bytes([1]) * 32))
    chance = find_player(at.record.game, "random")
    lines = []
    while (seat := at.position.to_act) is not None:
        at = append(at, chance.choose(at.record.game.view(at.position, seat), 1))
        assert not at.problems
        lines.append(at.last.line)
    assert any(line.startswith("10. Ann Spy Bob: ") for line in lines), lines
    assert write_record(read(write_record(at.record, at))) == write_record(at.record, at)


def test_a_deal_for_one_name_is_refused() -> None:
    with pytest.raises(TypeError, match="a list of names"):
        new_record("second-edition", "Ann", bytes(32))
    with pytest.raises(NewGameError, match="32 bytes, and here are 1"):
        new_record("second-edition", ["Ann", "Bob"], b"x")


@given(st.binary(max_size=300))
@examples(200)
def test_any_bytes_are_a_record_or_a_problem(data: bytes) -> None:
    for text in (
        data,
        b"Tkid-Record: 1\n" + data,
        b"Tkid-Record: 1\nRuleset: second-edition\nSeat: A1\nSeat: B1\n" + data,
    ):
        found = read_record(text)
        assert found.problems or found.record


COMMENTED = """\
# before everything
tkid-record: 1
ruleset: Second-Edition
# about Ann
SEAT: Ann <ann@example.org>
seat: Bob
X-Place: the kitchen table
setup
# about Moray
mor SSWE
str SWWE
lan WWSE
nor SSEE
gwy WWWE
war SSWE
# about Essex
ess EESW
dev SSEE
supply 1S 4W 2E
court bob SW
court ann EE
track ess, mor, dev, gwy, war, lan, str, nor
first ann
# before the turns
turns
# before the first turn
1.Ann ass e ess, w dev, s mor ; summon w gwynedd {a bold start}
2 . 2 pass
# between the turns
3. ann Pass
# before what followed
--  essex:  ENGLISH (1s 1w 3e)
# at the end
"""


@pytest.mark.parametrize("wrong", ["winter.tkid", bytearray(b"Tkid-Record: 1\n")])
def test_what_are_no_bytes_is_no_record(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"read from bytes; `Path\(name\)\.read_bytes\(\)`"):
        read_record(wrong)


def test_what_is_no_record_is_not_played_through_and_another_replay_not_written() -> None:
    found: Any = read_record(_conserved(COMMENTED).encode())
    with pytest.raises(TypeError, match=r"ReadRecord is not a record; `read_record\(data\)\.record` is"):
        replay(found)
    assert found.record is not None
    other = new_record("second-edition", ["Ann", "Bob"], entropy=bytes(32))
    with pytest.raises(ValueError, match="the replay of another record"):
        write_record(other, replay(found.record))


def test_a_tolerated_record_is_made_canonical_and_keeps_its_comments() -> None:
    record = _conserved(COMMENTED)
    text = write_record(read(record))
    assert write_record(read(text)) == text
    for comment in [line for line in COMMENTED.splitlines() if line.startswith("# ")]:
        assert f"{comment}\n" in text
    assert "1. Ann Assemble S Moray, W Devon, E Essex; summon W Gwynedd {a bold start} #" in text
    assert "\n# before what followed\n-- Essex: English (1S 1W 3E)\n# at the end\n" in text
    assert text.startswith("# before everything\nTkid-Record: 1\nRuleset: second-edition\n# about Ann\nSeat: Ann")
    assert "\nX-Place: the kitchen table\n\nSetup\n# about Moray\nMoray        SSWE\n" in text


def _conserved(text: str) -> str:
    """The record with a supply that makes sixteen of each faction."""
    rows = text[text.index("mor SSWE") : text.index("supply")] + "SWEE"
    rows = "".join(row.split()[-1] for row in rows.splitlines() if not row.startswith("#"))
    supply = " ".join(f"{16 - rows.count(letter)}{letter}" for letter in "SWE" if rows.count(letter) < 16)
    return text.replace("supply 1S 4W 2E", f"supply {supply}")


def test_a_turn_that_stands_is_carried_out() -> None:
    record = _conserved(COMMENTED).replace("--  essex:  ENGLISH (1s 1w 3e)\n", "")
    wrong = record.replace("2 . 2 pass", "2. Bob Manoeuvre S Moray <> E Moray; summon E Essex {stands: nobody saw it}")
    found = read_record(wrong.encode())
    assert found.record is not None
    played = replay(found.record)
    assert played.problems == []
    assert board(played.moments[2].position).courts[1] == (1, 1, 1)
    unmarked = read_record(wrong.replace("stands: ", "").encode())
    assert unmarked.record is not None
    assert [p.rule for p in replay(unmarked.record).problems] == ["second.card.manoeuvre.another"]


def test_root_causes_are_told_from_what_follows_from_them() -> None:
    record = _conserved(COMMENTED).replace("2 . 2 pass", "2. Bob Manoeuvre S Mory <> E Essex; summon E Essex")
    found = read_record(record.encode())
    assert found.record is not None
    assert [p.rule for p in found.problems] == ["notation.region"]
    assert {p.kind for p in replay(found.record).problems} == {Kind.FOLLOW_ON}


@pytest.mark.parametrize(
    "line", ["Seat: {} <a@example.org", "Seat: {} a@example.org>", "Seat: {} <", "Seat: {} <<a@b.org>>"]
)
def test_a_seat_whose_address_is_not_closed_is_one_problem(line: str) -> None:
    """The rest of the file speaks of the name before it."""
    record = record_of(Random(3), 2, 0.3)
    name, text = record.names[0], write_record(record)
    found = read_record(text.replace(f"Seat: {name}\n", f"{line.format(name)}\n").encode())
    wrong = [problem.rule for problem in found.problems]
    assert set(wrong) == {"record.seat.name"} if "<" in line else wrong[0] == "record.seat.name"
    twice = read_record(text.replace(f"Seat: {record.names[1]}\n", f"Seat: {name} <x\n").encode())
    assert "record.seat.name" in [problem.rule for problem in twice.problems]


def test_append_judges_one_turn() -> None:
    played = replay(read(_conserved(COMMENTED).partition("2 . 2")[0]))
    good = append(played, "pass")
    assert (good.problems, good.last.line) == ([], "2. Bob Pass")
    assert [m["turn"] for m in (moment_json(good.record, good.last),)] == [2]
    bad = append(played, "Welsh Support WWW Devon; summon S Devon")
    assert [p.rule for p in bad.problems] == ["second.card.support.two"]
    assert append(played, "Manoeuvre S Moray <> E Essex").problems[0].rule == "second.summon.must"


@pytest.mark.parametrize("seed", range(5))
def test_a_game_that_is_over_takes_no_turn(seed: int) -> None:
    played = replay(record_of(Random(seed), 3, 0.5))
    assert [p.rule for p in append(played, "Pass").problems] == ["second.ending.over"]
