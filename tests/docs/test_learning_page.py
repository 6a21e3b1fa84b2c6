"""The example that learns, where its libraries are installed, and the curve of its games."""

from __future__ import annotations

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from docs.making.curves import fill_curves
from tkid.cli.check import find_interval

DOCS = Path(__file__).parents[2] / "docs"


def test_the_curve_has_a_dot_for_each_point_and_intervals_around_them() -> None:
    points = [json.loads(line) for line in (DOCS / "beat_greedy.jsonl").read_text("utf-8").splitlines()]
    drawn = fill_curves("Before\n<!-- curve: beat_greedy.jsonl -->")
    assert drawn.startswith("Before\n<svg ")
    assert drawn.count("<circle") == len(points) > 3
    assert [point["games"] for point in points] == sorted({point["games"] for point in points})
    assert [round(end, 3) for end in find_interval(0.5, 100)] == [0.404, 0.596]


@pytest.mark.exhaustive(seconds=20)
def test_the_example_learns_and_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: it needs PyTorch, which is large")
    spec = spec_from_file_location("beat_greedy", DOCS / "beat_greedy.py")
    assert spec
    assert spec.loader
    example = module_from_spec(spec)
    spec.loader.exec_module(example)
    for name, value in (("TABLES", 2), ("STEPS", 96), ("BIN", 1)):
        monkeypatch.setattr(example, name, value)
    monkeypatch.setattr(sys, "argv", ["beat_greedy.py", "--hours", "1e-6", "--test", "1", "--folder", str(tmp_path)])
    example.main()
    example.main()
    points = [json.loads(line) for line in (tmp_path / "curve.jsonl").read_text("utf-8").splitlines()]
    assert len(points) == 2
    assert 0 < points[0]["games"] < points[1]["games"]
    assert all(0 <= point["won"] <= point["of"] for point in points)
    assert "The test, with the usual greedy: " in capsys.readouterr().out
