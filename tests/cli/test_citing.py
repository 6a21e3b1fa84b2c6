"""Citing rules and weighing readings at the terminal."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli import tkid
from tkid.rulebook import all_rules, rule
from tkid.rulebook.citations import FORMATS
from tkid.rulebook.register import VERSION

GAME = Path(__file__).parents[2] / "fixtures/games/second-edition/coronation-final-tie-last-card-players.tkid"


@pytest.mark.parametrize("form", FORMATS)
def test_every_rule_can_be_cited(form: str) -> None:
    for entry in all_rules():
        cited = FORMATS[form](entry)
        assert entry.link in cited
        assert form == "url" or VERSION in cited
        if form == "bibtex":
            assert cited.count("{") == cited.count("}")
        if form == "csl-json":
            (item,) = json.loads(cited)
            assert (item["URL"], item["title"], item["issued"]) == (entry.link, entry.title, {"date-parts": [[2026]]})


def test_a_citation() -> None:
    result = tkid("cite", "second.turn.pass", "--format", "markdown")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"**{rule('second.turn.pass').title}:** ")
    assert "[second.turn.pass](https://tkid.readthedocs.io/r/second.turn.pass/)" in result.stdout


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("cite", "second.turn.pas"), 1, "did you mean second.turn.pass"),
        (("cite", "second.turn.pass", "--format", "html"), 2, "choose one of text, markdown, bibtex, csl-json, url"),
        (("impact", "--ruling", "second.turn.pass=x", GAME), 2, "is not a ruling. You can choose: "),
        (("cite", "How do I pass"), 1, "No rule 'How do I pass'. To look for rules: tkid ask 'How do I pass'"),
        (
            ("impact", "--ruling", "second.ruling.final=x", GAME),
            2,
            "Did you mean second.ruling.final-tie? You can choose",
        ),
        (("impact", "--ruling", "second.ruling.final-tie=ann", GAME), 2, "write second.ruling.final-tie="),
    ],
)
def test_mistakes(words: tuple[str, ...], code: int, told: str) -> None:
    result = tkid(*words)
    assert result.exit_code == code
    assert told in result.stderr
    assert not result.stdout


def test_the_register_as_json() -> None:
    data = json.loads(tkid("rule", "--json").stdout)
    assert data["version"] == VERSION
    assert [entry["id"] for entry in data["rules"]] == [entry.id for entry in all_rules()]
    one = json.loads(tkid("rule", "--json", "second.ruling.final-tie").stdout)
    assert one["default"] in one["options"]


@pytest.mark.parametrize(
    "typed", ["[second.turn.pass]", "https://tkid.readthedocs.io/rules/second-edition/#second.turn.pass"]
)
def test_a_rule_is_cited_by_its_link_and_as_messages_name_it(typed: str) -> None:
    assert tkid("cite", typed).stdout == tkid("cite", "second.turn.pass").stdout


def test_impact_goes_on_behind_files_that_are_wrong(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.tkid"
    wrong.write_text("nothing\n", "utf-8")
    run = tkid("impact", "--ruling", "second.ruling.final-tie=shared", wrong, tmp_path / "none.tkid", GAME)
    alone = tkid("impact", "--ruling", "second.ruling.final-tie=shared", GAME)
    assert (run.exit_code, alone.exit_code) == (2, 1)
    assert run.stdout == alone.stdout
    assert run.stderr.endswith("2 files could not be looked at.\n")


def test_a_position_is_told_from_a_file() -> None:
    line = tkid("show", GAME, "--line").stdout.strip()
    for command in (("why-not", line, "Pass"), ("play", line, "Pass"), ("replay", line), ("annotate", line)):
        run = tkid(*command)
        assert (run.exit_code, run.stderr) == (
            2,
            "This is a position in one line, and the command needs a game file.\n",
        )
    for command in (("verify", line), ("check", line)):
        run = tkid(*command)
        assert run.exit_code == 2
        assert run.stderr.endswith("This is a position in one line, and the command needs a game file.\n")


def test_impact_looks_into_folders_and_archives(tmp_path: Path) -> None:
    data = Path(GAME).read_bytes()
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "one.tkid").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "games.zip", "w") as packed:
        packed.writestr("two.tkid", data)
    ruling = ("impact", "--ruling", "second.ruling.final-tie=shared")
    alone = tkid(*ruling, GAME)
    for name, inside in (("games", "games/one.tkid"), ("games.zip", "games.zip/two.tkid")):
        found = tkid(*ruling, tmp_path / name)
        assert (found.exit_code, found.stdout) == (1, alone.stdout.replace(str(GAME), str(tmp_path / inside)))
    (tmp_path / "empty").mkdir()
    assert "there is no game file in it" in tkid(*ruling, tmp_path / "empty").stderr


def test_impact() -> None:
    result = tkid("impact", "--ruling", "second.ruling.final-tie=shared", GAME)
    assert result.exit_code == 1
    assert "as played: coronation: Ann\n    otherwise: coronation: Ann and Bob\n" in result.stdout
    assert tkid("impact", "--ruling", "second.ruling.final-tie=last-card", GAME).exit_code == 0
    assert tkid("impact", "--ruling", "second.ruling.final-tie shared", GAME).stdout == result.stdout
    other = tkid("impact", "--ruling", "second.ruling.spy-pile=any", GAME)
    assert "second-edition does not let you choose second.ruling.spy-pile" in other.stdout


def test_the_program_is_a_module_too() -> None:
    command = [sys.executable, "-m", "tkid", "cite", "second.turn.pass", "--format", "url"]
    done = subprocess.run(command, cwd=GAME.parents[3], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "https://tkid.readthedocs.io/r/second.turn.pass/\n")
