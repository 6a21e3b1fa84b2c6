"""Many games as one table: rows, formats, and files that the command leaves out."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.cli import complaint, said, tkid
from tkid.cli import archives, check
from tkid.cli.check import COLUMNS
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay

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


def test_processes_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "TOGETHER", 3)
    for jobs in (1, 2):
        said("export", *FILES, "-o", tmp_path / f"{jobs}.csv", "--table", "turns", "--jobs", jobs)
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


def test_files_with_mistakes_are_left_out_and_named(tmp_path: Path) -> None:
    wrong, missing, file = tmp_path / "wrong.tkid", tmp_path / "missing.tkid", tmp_path / "games.csv"
    wrong.write_bytes(ENDED.read_bytes().replace(b"1. ", b"9. ", 1))
    result = tkid("export", wrong, ENDED, missing, "-o", file)
    assert result.exit_code == 1
    assert result.stdout == f"{file}: 1 row from 1 game, 2 left out\n"
    assert [line.partition(": left out: ")[0] for line in result.stderr.splitlines()] == [str(wrong), str(missing)]
    assert "which `tkid check` shows" in result.stderr
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
    assert "pip install 'tkid[tables]'" in told
    assert list(tmp_path.iterdir()) == []
