"""Many games as one table: rows, formats, and files that the command leaves out."""

from __future__ import annotations

import csv
import json
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.cli import RECORD, complaint, record_in, said, tkid
from tkid.cli import archives, check
from tkid.cli.check import COLUMNS
from tkid.cli.printing import json_text
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.rulebook.rulesets import ruleset

GAMES = Path("fixtures/games/second-edition")
FILES = sorted(GAMES.rglob("*.tkid"))[:8]
ENDED = FILES[0]


def read_table(file: Path) -> list[dict[str, Any]]:
    if file.suffix == ".jsonl":
        return list(map(json.loads, file.read_text("utf-8").splitlines()))
    if file.suffix == ".csv":
        lists = {
            name for columns in COLUMNS.values() for name, kind in columns.items() if kind in {list[str], list[int]}
        }
        return [
            {name: json.loads(value) if name in lists else value for name, value in row.items()}
            for row in csv.DictReader(StringIO(file.read_text("utf-8"), newline=""))
        ]
    table = parquet.read_table(file) if file.suffix == ".parquet" else pa.ipc.open_file(file).read_all()
    return list(table.to_pylist())


@pytest.mark.parametrize("table", COLUMNS)
def test_the_formats_say_the_same(table: str, tmp_path: Path) -> None:
    made = {}
    for ending in check.TABLE_FORMATS:
        file = tmp_path / f"games{ending}"
        told = said("export", *FILES, "-o", file, "--table", table)
        made[ending] = read_table(file)
        assert told == f"{file}: {len(made[ending])} rows from {len(FILES)} games, 0 left out\n"
    lines = made.pop(".jsonl")
    assert list(lines[0]) == list(COLUMNS[table])
    assert made.pop(".csv") == [
        {name: value if isinstance(value, list) else "" if value is None else str(value) for name, value in row.items()}
        for row in lines
    ]
    assert list(made.values()) == [lines, lines]


def test_the_rows_are_those_of_the_replay(tmp_path: Path) -> None:
    rows = {}
    for table in COLUMNS:
        said("export", ENDED, "-o", tmp_path / "t.jsonl", "--table", table)
        rows[table] = read_table(tmp_path / "t.jsonl")
    record = read_record(ENDED.read_bytes()).record
    assert record is not None
    played = replay(record)
    (game,) = rows["games"]
    assert game["names"] == list(record.names)
    assert (game["turns"], game["hash"]) == (len(record.turns), played.last.hash)
    assert (game["ending"], game["winners"]) == (played.position.ending, list(played.position.winners))
    lines = [f"{row['turn']}. {record.names[row['seat']]} {row['move']}" for row in rows["turns"]]
    assert lines == [moment.line for moment in played.moments[1:]]
    events = [(row["rule"], row["text"]) for row in rows["events"]]
    assert events == [(each.rule, each.read(record.names)) for moment in played.moments[1:] for each in moment.events]


def test_the_first_card_has_its_printed_name(tmp_path: Path) -> None:
    """It is the card with which the first turn that is no pass begins, in every game."""
    whole = [file for folder in GAMES.parent.iterdir() for file in sorted(folder.glob("whole-game-for-2.tkid"))]
    said("export", *whole, "-o", tmp_path / "games.jsonl")
    found = read_table(tmp_path / "games.jsonl")
    assert "claim" in {row["ruleset"] for row in found}
    for row in found:
        game: Any = ruleset(row["ruleset"]).game()
        assert row["first_card"] in game.cards or (row["first_card"], row["ruleset"] != "claim") == ("", True)


def test_processes_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "ALONE", 0)
    for jobs in (1, 2):
        said("export", *FILES, "-o", tmp_path / f"{jobs}.csv", "--table", "turns", "--jobs", jobs)
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


def test_files_with_mistakes_are_left_out_and_named(tmp_path: Path) -> None:
    wrong, missing, file = tmp_path / "wrong.tkid", tmp_path / "missing.tkid", tmp_path / "games.csv"
    wrong.write_bytes(ENDED.read_bytes().replace(b"1. ", b"9. ", 1))
    result = tkid("export", wrong, ENDED, missing, "-o", file)
    assert result.exit_code == 1
    assert result.stdout == f"{file}: 1 row from 1 game, 2 left out\n"
    assert [line.partition(": ")[0] for line in result.stderr.splitlines()] == [str(wrong), str(missing)]
    assert "which `tkid check --all` shows" in result.stderr
    assert len(read_table(file)) == 1


def test_the_table_may_be_in_the_folder_of_the_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = tmp_path / "game.tkid"
    game.write_bytes(ENDED.read_bytes())
    monkeypatch.chdir(tmp_path)
    assert said("export", ".", "-o", "games.csv") == "games.csv: 1 row from 1 game, 0 left out\n"
    assert said("conformance", "--export", "suite.zip").startswith("The suite is in suite.zip")


def test_mistakes_are_told_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.xlsx"
    assert "has to end in one of .jsonl, .csv, .parquet, .arrow" in complaint("export", ENDED, "-o", file, code=2)
    table = tmp_path / "games.csv"
    assert "choose one of games, turns, events" in complaint("export", ENDED, "-o", table, "--table", "cards", code=2)
    monkeypatch.setattr(check, "find_spec", lambda _: None)
    told = complaint("export", ENDED, "-o", tmp_path / "games.parquet", code=2)
    assert "pip install '.[tables]'" in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("table", "ending"), list(zip(["games", "turns", "events", "turns"], check.TABLE_FORMATS, strict=True))
)
def test_a_run_that_was_stopped_anywhere_ends_in_the_same_table(table: str, ending: str, tmp_path: Path) -> None:
    wrong, file = tmp_path / "wrong.tkid", tmp_path / f"games{ending}"
    wrong.write_bytes(b"Tkid-Record: 1\n")
    command = ("export", *FILES[:2], wrong, *FILES[2:4], "-o", file, "--table", table)
    whole = tkid(*command)
    made, part = file.read_bytes(), tmp_path / f"games{ending}.part"
    assert not part.exists()
    find = partial(archives.find_lines, find=partial(check.gather_rows, table=table))
    lines = b"".join(
        f"{json_text({'file': found.name, **row})}\n".encode()
        for found in map(find, archives.find_sources(map(str, command[1:6])))
        for row in found.rows or [{"error": found.error}]
    )
    for size in range(1, len(lines), len(lines) // 4):
        file.unlink()
        part.write_bytes(lines[:size])
        assert tkid(*command, "--resume").stdout == whole.stdout
        assert (file.read_bytes(), part.exists()) == (made, False)
    part.write_bytes(lines)
    assert "Add --resume" in complaint(*command, code=2)
    other = next(each for each in COLUMNS if each != table)
    assert "not the output of this command" in complaint(*command[:-1], other, "--resume", code=2)


def count(*arguments: object) -> dict[str, Any]:
    counted: dict[str, Any] = json.loads(said("stats", *arguments, "--json"))
    return counted


def test_statistics_count_what_the_table_of_games_has(tmp_path: Path) -> None:
    """The same groups, endings and wins, with one process or two, from files, folders and archives."""
    said("export", GAMES, "-o", tmp_path / "t.jsonl")
    rows = read_table(tmp_path / "t.jsonl")
    with ZipFile(tmp_path / "games.zip", "w") as archive:
        for file in GAMES.rglob("*.tkid"):
            archive.write(file)
    found = count(GAMES)
    assert found == count(tmp_path / "games.zip", "--jobs", "2")
    assert found["read"] == len(rows)
    for group in found["groups"]:
        mine = [row for row in rows if (row["ruleset"], len(row["names"])) == (group["ruleset"], group["players"])]
        assert group["games"] == len(mine) == sum(group["endings"].values())
        started = sum(row["first"] in row["winners"] for row in mine)
        assert group["seats"][0]["won"] == started == sum(card["won"] for card in group["first_cards"])
        parties = 1 / group["equal"]
        assert sum(seat["share"] for seat in group["seats"]) == pytest.approx(group["players"] / parties, abs=0.001)
        assert all(each["low"] <= each["share"] <= each["high"] for each in group["seats"])


@pytest.mark.parametrize(
    ("rows", "share", "low", "high"),
    [
        ([(0, [0])] * 50 + [(0, [1])] * 50, 0.5, 0.4038, 0.5962),  # Wilson's interval of 50 of 100
        ([(1, [1])] * 8 + [(1, [0])] * 2, 0.8, 0.4902, 0.9433),  # the start player is the second in the file
        ([(0, [0, 1])] * 10, 0.5, 0.2366, 0.7634),  # both won: half a win each
        ([(0, [])] * 10, 0.5, 0.2366, 0.7634),  # nobody won
        ([(0, [1])] * 3, 0.0, 0.0, 0.5615),
    ],
)
def test_a_share_has_an_interval(rows: list[tuple[int, list[int]]], share: float, low: float, high: float) -> None:
    tally = check.Tally("second-edition", 2)
    for first, winners in rows:
        tally.add_game({"ending": "coronation", "first": first, "winners": winners, "first_card": "Assemble"})
    made = tally.make_json()
    for found in (made["seats"][0], *made["first_cards"]):
        assert (found["share"], found["low"], found["high"]) == (share, low, high)


def test_a_team_shares_its_wins() -> None:
    tally = check.Tally("second-edition", 4)
    tally.add_game({"ending": "coronation", "first": 2, "winners": [0, 2], "first_card": ""})
    made = tally.make_json()
    assert (made["equal"], [seat["share"] for seat in made["seats"]]) == (0.5, [1, 0, 1, 0])


def test_games_without_a_result_are_counted_apart(tmp_path: Path) -> None:
    running = record_in(tmp_path)
    (group,) = count(running)["groups"]
    assert (group["games"], group["unfinished"], group["seats"][0]["share"]) == (0, 1, None)
    told = said("stats", running, ENDED)
    assert "2 games read, 1 without a result, 0 left out" in told
    wrong = record_in(tmp_path, RECORD.replace("Ann Pass", "Ann Poss"))
    run = tkid("stats", wrong, ENDED)
    assert run.exit_code == 1
    assert "left out: " in run.output
    assert "1 game read, 0 without a result, 1 left out" in run.output
