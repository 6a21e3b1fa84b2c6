"""`tkid new --from`: a new game that begins in a position of a recorded one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import complaint, said
from tkid.kernel.game import Position
from tkid.notation.positions import write_position
from tkid.record.format.model import Record
from tkid.record.format.new_game import NewGameError, new_record, new_record_at
from tkid.record.format.reader import read_record
from tkid.record.play.replay import Replay, append, replay
from tkid.record.play.writer import write_record
from tkid.rulebook import rule
from tkid.rulebook.rulesets import find_readings, load_version, rulesets

WHOLE = sorted((Path(__file__).parents[2] / "fixtures" / "games").glob("*/whole-game-for-[23].tkid"))


def play_through(data: bytes) -> Replay:
    record = read_record(data).record
    assert record is not None
    return replay(record)


def begin_in(record: Record, position: Position) -> Record:
    rulings = [f"{ruling} {option}" for ruling, option in find_readings(record.game).items()]
    return new_record_at(write_position(record.game, position), record.ruleset.code, record.names, rulings=rulings)


@pytest.mark.parametrize("file", WHOLE, ids=lambda file: f"{file.parent.name}-{file.stem[-1]}")
def test_the_same_turns_lead_to_the_same_end(file: Path) -> None:
    whole = play_through(file.read_bytes())

    def write(position: Position) -> str:
        """Without the numbers of turns: passes before the beginning are not counted."""
        return re.sub(r"(acted|emptied) \d+", r"\1", write_position(whole.record.game, position))

    for begin in range(0, len(whole.moments) - 1, 5):
        begun = begin_in(whole.record, whole.moments[begin].position)
        played = replay(begun)
        assert write(played.position) == write(whole.moments[begin].position)
        for turn in whole.record.turns[begin:]:
            played = append(played, turn.moves)
        assert not played.problems
        assert write(played.position) == write(whole.position)
        again = play_through(write_record(played.record, played).encode())
        assert (again.problems, again.position) == ([], played.position)
    with pytest.raises(NewGameError, match="the game is over there"):
        begin_in(whole.record, whole.position)


def test_a_game_begins_after_a_turn_with_other_players(tmp_path: Path) -> None:
    recorded = next(file for file in WHOLE if file.parent.name == "second-edition" and "for-3" in file.stem)
    new = tmp_path / "again.tkid"
    told = said("new", new, "Hal", "Ida <ida@example.org>", "Jon", "--from", recorded, "--turn", 12, "--game", "again")
    assert "with Hal, Ida, Jon" in told
    assert "entropy" not in told
    assert said("show", new, "--line") == said("show", recorded, "--turn", 12, "--line")
    assert "all right, 0 turns" in said("check", new)
    assert "Seat: Ida <ida@example.org>\n" in new.read_text("utf-8")


@pytest.mark.parametrize("file", WHOLE, ids=lambda file: f"{file.parent.name}-{file.stem[-1]}")
def test_a_position_as_json_is_the_position_itself(file: Path, tmp_path: Path) -> None:
    """Typed, in a file, or in a line of a replay; as a line of text too. A new game begins there, if a turn follows."""
    line = said("replay", file, "--json").splitlines()[6]
    position, written = json.dumps(json.loads(line)["position"]), said("show", file, "--turn", 6, "--line").strip()
    saved, names = (
        tmp_path / "position.json",
        [f"Player {seat}" for seat in range(len(play_through(file.read_bytes()).record.seats))],
    )
    for number, source in enumerate((position, line, written)):
        saved.write_text(f"\n{source}\n", "utf-8")
        for given in [source] if source == written else [source, saved]:
            assert said("show", given, "--line").strip() == written
            assert said("legal", given) == said("legal", written)
        new = tmp_path / f"{number}.tkid"
        said("new", new, *names, "--from", source)
        assert said("show", new, "--line").strip() == written
    assert "Name the players" in complaint("new", tmp_path / "x.tkid", "--from", position, code=2)
    assert f"and here are {len(names) + 1}" in complaint(
        "new", tmp_path / "x.tkid", *names, "Zoe", "--from", position, code=1
    )
    assert "--turn needs a game file" in complaint(
        "new", tmp_path / "x.tkid", *names, "--from", position, "--turn", 3, code=2
    )
    assert "the game is over there" in complaint(
        "new", tmp_path / "x.tkid", *names, "--from", said("show", file, "--json"), code=1
    )
    assert "This is not JSON" in complaint("show", '{"position": ', code=1)
    assert "There is no `position`" in complaint("show", "{}", code=1)


def list_readings() -> Iterator[tuple[str, int, str]]:
    """The versions of each ruleset, and each of its rulings with another option than the usual one."""
    for entry in rulesets():
        for version in range(1, entry.version + 1):
            usual = load_version(entry.code, version).list_defaults()
            yield entry.code, version, ""
            for switch, option in usual.items():
                yield from (
                    (entry.code, version, f"{switch} {other}") for other in rule(switch).options if other != option
                )


@pytest.mark.parametrize(("code", "version", "ruling"), [*list_readings()], ids=str)
def test_readings_come_along(code: str, version: int, ruling: str, tmp_path: Path) -> None:
    """From a game file, and from its position as JSON: also those of a former version of the ruleset."""
    old, new = tmp_path / "old.tkid", tmp_path / "new.tkid"
    record = new_record(code, ["Ann", "Bob"], bytes(32), rulings=[ruling] if ruling else [])
    text = write_record(record, replay(record)).replace(
        f"Ruleset: {code} {record.ruleset.version}\n", f"Ruleset: {code} {version}\n"
    )
    old.write_text(text, "utf-8")
    game = play_through(old.read_bytes()).record.game
    for source in (old, said("show", old, "--json")):
        said("new", new, "Ann", "Bob", "--from", source)
        begun = play_through(new.read_bytes()).record
        assert begun.game is game
        new.unlink()


def test_a_program_may_take_a_seat(tmp_path: Path) -> None:
    old, new = tmp_path / "old.tkid", tmp_path / "new.tkid"
    said("new", old, "Ann", "Bob", "--first", "Bob")
    assert "Bob" in said("new", new, "--from", old, "--bot", "Bob=random")
    assert "all right, 1 turn, Ann to play" in said("check", new)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (("--turn", 3), "--turn needs --from"),
        (("Ann", "Bob", "Cal", "--from", "OLD"), "[record.seats]"),
        (("--from", "OLD", "--turn", 1), "has only the turns 0 to 0"),
        (("--from", "OLD", "--turn", -1), "has only the turns 0 to 0"),
        (("--from", "OLD", "--first", "Ann"), "--first is for a new deal"),
        (("--from", "OLD", "--ruleset", "claim"), "--ruleset is for a new deal"),
        (("--from", "no-such-file"), "no-such-file"),
        ((), "Name the players"),
    ],
    ids=repr,
)
def test_what_cannot_be_begun_is_explained(tmp_path: Path, options: tuple[object, ...], wrong: str) -> None:
    old, new = tmp_path / "old.tkid", tmp_path / "new.tkid"
    said("new", old, "Ann", "Bob")
    typed = [old if word == "OLD" else word for word in options]
    code = 1 if "record.seats" in wrong or "only the turns" in wrong else 2
    assert wrong in complaint("new", new, *typed, code=code)
    assert not new.exists()
