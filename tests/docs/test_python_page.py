"""The pages for programmers: their examples run and say what they say, and what they name is there."""

import ast
import inspect
import json
import re
import shutil
import subprocess
import sys
from doctest import ELLIPSIS, DocTestParser, DocTestRunner
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.cli import said, tkid
from tests.shared.tables import each_row
from tkid.record.format.reader import read_record
from tkid.record.play.replay import replay
from tkid.record.play.writer import write_record

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "python.md").read_text("utf-8")
REFERENCE = re.findall(r"^::: (\S+)\.(\w+)$", (DOCS / "python-reference.md").read_text("utf-8") + PAGE, re.MULTILINE)


def test_the_examples_run_and_answer_as_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = re.search(
        r"^```(?:record|tkid)\n(.*?)^```$", (DOCS / "game-file.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert record
    (tmp_path / "winter.tkid").write_text(record[1], "utf-8")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```pycon\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 8
    examples = DocTestParser().get_doctest("".join(blocks), {}, "python.md", None, None)
    said: list[str] = []
    result = DocTestRunner(optionflags=ELLIPSIS).run(examples, out=said.append)
    assert not result.failed, "".join(said)
    assert result.attempted > 40


@pytest.mark.exhaustive(seconds=30)
def test_a_checker_of_types_finds_nothing_wrong_in_the_examples(tmp_path: Path) -> None:
    """The strictest one, also for the types of a position and a view."""
    examples = DocTestParser().get_examples(
        "\n".join(re.findall(r"^```pycon\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
    )
    typed = (
        "seen: tkid.View[tkid.Position] = record.game.view(record.start(), 0)\nscots: int = seen.shown.regions[0][0]\n"
    )
    (tmp_path / "page.py").write_text("".join(each.source for each in examples) + typed, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "page.py")]
    checked = subprocess.run(command, cwd=DOCS.parent, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_notebook_runs_and_shows_what_it_says() -> None:
    """With fewer games in its long cells. The page has the figures of its last run."""
    cells = [
        each for each in json.loads((DOCS / "start-player.ipynb").read_text("utf-8"))["cells"] if "outputs" in each
    ]
    names: dict[str, Any] = {}
    for cell in cells[:4]:
        *lines, last = ast.parse("".join(cell["source"])).body
        assert isinstance(last, ast.Expr | ast.FunctionDef)
        exec(compile(ast.Module(lines, []), "notebook", "exec"), names)  # noqa: S102 - our own notebook
        shown = cell["outputs"][0]["data"] if cell["outputs"] else {}
        if isinstance(last, ast.FunctionDef):
            exec(compile(ast.Module([last], []), "notebook", "exec"), names)  # noqa: S102
        else:
            value = eval(compile(ast.Expression(last.value), "notebook", "eval"), names)  # noqa: S307
            assert "".join(shown["text/plain"]) == repr(value)
            if "image/svg+xml" in shown:
                assert "".join(shown["image/svg+xml"]) == value._repr_svg_()
    for cell, (kind, games) in zip(cells[4:], (("random", 1000), ("greedy", 400)), strict=True):
        assert "".join(cell["source"]) == f'compare_rulesets("{kind}", games={games})'
        for row in re.findall(r"^(\S+) +([0-9.]+)% +\(([0-9.]+)% to ([0-9.]+)%\)", _join_output(cell), re.MULTILINE):
            code, share, low, high = row
            assert re.search(rf"^\| `{code}` .*\| {share} % \| {low} to {high} % \|", PAGE, re.MULTILINE)
        names["compare_rulesets"](kind, games=1)


def _join_output(cell: dict[str, Any]) -> str:
    return "".join("".join(each["text"]) for each in cell["outputs"])


def test_three_libraries_read_a_table_in_the_same_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's examples for DuckDB, pandas and Polars, on the recorded games."""
    for library in ("duckdb", "pandas", "polars"):
        pytest.importorskip(library, reason=f"{library} is not installed: it has no wheel for this machine")
    monkeypatch.chdir(tmp_path)
    said("export", DOCS.parent / "fixtures" / "games", "-o", "games.parquet")
    found = {}
    for code in re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        if imported := re.match(r"import (duckdb|pandas|polars)\n", code):
            names: dict[str, Any] = {}
            exec(code, names)  # noqa: S102 - that is what the page is for
            found[imported[1]] = names["starters"]
    rows = {
        "duckdb": found["duckdb"],
        "pandas": list(found["pandas"].itertuples()),
        "polars": found["polars"].rows(),
    }
    tables = [sorted((code, games, round(share, 9)) for code, games, share in each) for each in rows.values()]
    assert len(tables[0]) > 5
    assert tables[0] == tables[1] == tables[2]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed here")
def test_the_engine_in_another_language_gets_the_report_that_its_page_shows(tmp_path: Path) -> None:
    blocks = dict(reversed(find_engine_blocks()))
    engine, answers = tmp_path / "engine.mjs", tmp_path / "answers.jsonl"
    engine.write_text(blocks["js"], "utf-8")
    questions = said("conformance", "--questions")
    assert json.loads(blocks["json"]) == json.loads(questions.splitlines()[0])
    answered = subprocess.run(["node", engine], input=questions.encode(), capture_output=True, check=True)
    answers.write_bytes(answered.stdout)
    assert tkid("conformance", "--check", answers).stdout == blocks["result"]


def find_engine_blocks() -> list[tuple[str, str]]:
    page = (DOCS / "own-engine.md").read_text("utf-8")
    return re.findall(r"^```(js|json|result)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed here")
def test_the_reader_reads_game_files_as_tkid_does(tmp_path: Path) -> None:
    """One whole game of each ruleset and number of players, as tkid writes it."""
    program = tmp_path / "reader.mjs"
    program.write_text(find_engine_blocks()[-1][1], "utf-8")
    files = sorted((DOCS.parent / "fixtures" / "games").glob("*/whole-game-for-?.tkid"))
    assert len(files) > 10
    for file in files:
        record = read_record(file.read_bytes()).record
        assert record is not None
        (tmp_path / "game.tkid").write_text(write_record(record, replay(record)), "utf-8")
        ran = subprocess.run(["node", program, tmp_path / "game.tkid"], capture_output=True, check=True)
        found = json.loads(ran.stdout)
        assert found["header"] == [f"{header.name}: {header.value}" for header in record.headers]
        assert [(turn["number"], turn["player"], turn["results"]) for turn in found["turns"]] == [
            (turn.number, record.names[turn.seat], [outcome.text for outcome in turn.outcomes]) for turn in record.turns
        ]
        lines = [
            f"{turn['number']}. {turn['player']} {'; '.join(turn['moves'])} #{turn['hash']}" for turn in found["turns"]
        ]
        assert lines == [f"{moment.line} #{moment.hash}" for moment in replay(record).moments[1:]]


@each_row(("module", "name"), REFERENCE)
def test_what_the_reference_names_is_there_and_says_what_it_is(module: str, name: str) -> None:
    found = getattr(import_module(module), name)
    assert found.__doc__
    assert not found.__doc__.startswith("Method generated"), name


@each_row(("module", "name"), REFERENCE)
def test_the_reference_states_arguments_and_what_comes_back(module: str, name: str) -> None:
    function = inspect.unwrap(getattr(import_module(module), name))
    if not inspect.isfunction(function):
        assert inspect.isclass(function)
        return
    documented = inspect.getdoc(function) or ""
    assert "Returns:" in documented, name
    assert ("Args:" in documented) == bool(inspect.signature(function).parameters), name


def test_what_the_examples_import_is_in_the_reference() -> None:
    """Nothing is shown as public that the reference leaves out."""
    named = {name for _, name in REFERENCE}
    for line in re.findall(r"^>>> from tkid\.[\w.]+ import (.+)$", PAGE, re.MULTILINE):
        for part in line.split(", "):
            assert part.split(" as ")[0] in named
