"""The table of times at the end of `make test`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import Factory, define

from tests import conftest
from tests.times import LONG, Costs, Folders, deal, main, read_costs, run, table


def test_the_table_adds_up_what_has_the_same_name() -> None:
    notes = "1000\nlint\t1.0\t2.0\nlint\t1.5\t0.5\n  tests/cli\t9.0\t8.0\ntests\t5.0\t10.0\n"
    assert [line.split() for line in table(notes, 1010.0).splitlines()] == [
        ["seconds", "clock", "processor"],
        ["lint", "2.5", "2.5"],
        ["tests", "5.0", "10.0"],
        ["all", "10.0", "12.5"],
        ["tests/cli", "9.0", "8.0"],
    ]


def test_folders_are_named_without_their_folders() -> None:
    folders = Folders()
    folders.add("tests/games/claim/test_a.py::test_b", 1.0, 0.0)
    folders.add("tests/games/struggle/rules/test_a.py::test_b[x/y]", 2.0, 0.5)
    folders.add("tests/test_a.py::test_b", 4.0, 1.0)
    assert (folders.clock, folders.processor) == (
        {"tests/games": 3.0, "tests": 4.0},
        {"tests/games": 0.5, "tests": 1.0},
    )


def test_parts_take_about_as_long() -> None:
    seconds = {"a": 100.0, "b": 60.0, "c": 30.0} | {f"d{number}": 2.0 for number in range(100)}
    parts = deal(seconds, 4)
    assert sorted(name for part in parts for name in part) == sorted(seconds)
    lengths = [sum(seconds[name] for name in part) for part in parts]
    assert max(lengths) == 100
    assert max(lengths) - min(lengths) <= 4
    assert all(any(name.startswith("d") for name in part) for part in parts if "a" not in part)


def test_the_costs_of_tests_that_ran_are_replaced(tmp_path: Path) -> None:
    file = tmp_path / "costs.txt"
    file.write_text("1.5 tests/a.py::test_a\n9.0 tests/a.py::test_fast_now\n2.0 tests/b.py::test_b\n", "utf-8")
    costs = Costs()
    for test, seconds in (("a.py::test_a[x]", 0.5), ("a.py::test_a[y]", 1.0), ("a.py::test_fast_now", LONG / 2)):
        costs.add(f"tests/{test}", seconds)
    costs.update(file)
    assert read_costs(file) == {"tests/a.py::test_a": 0.8, "tests/b.py::test_b": 2.0}


@define
class Item:
    """A test as pytest collects it, as far as marks go."""

    nodeid: str
    marks: list[str] = Factory(list)

    def add_marker(self, name: str) -> None:
        self.marks.append(name)

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.marks else None


def test_the_first_case_of_a_long_test_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "LONG", {"t.py::long": 0.5, "t.py::very_long": 1.1, "t.py::code": 2.0})
    items: list[Any] = [Item("t.py::long[a]", ["exhaustive"]), Item("t.py::code", ["guard"])]
    items += [Item(f"t.py::{name}") for name in ("long[b]", "long[c]", "very_long", "short[a]", "short[b]")]
    conftest.mark_long(items, 1.0)
    assert [item.marks for item in items] == [
        ["exhaustive"],
        ["guard"],
        ["slow"],
        ["slow", "exhaustive"],
        ["slow", "exhaustive"],
        [],
        [],
    ]


def test_a_part_is_noted_with_its_exit_code(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    notes = tmp_path / "times"
    notes.write_text("0\n")
    assert run(notes, "wheel", [sys.executable, "-c", "print('built'); raise SystemExit(3)"]) == 3
    assert main(str(notes)) == 0
    assert [line.split()[0] for line in capfd.readouterr().out.splitlines()] == ["built", "seconds", "wheel", "all"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")
def test_folders_of_killed_runs_are_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, own, other = (
        tmp_path / f"tkid-tests-{ended.pid}-a",
        tmp_path / f"tkid-tests-{os.getpid()}-b",
        tmp_path / "tkid-tests-c",
    )
    for folder in (left, own, other):
        folder.mkdir()
        (folder / "file").touch()
    conftest.remove_left_folders(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([own, other])
