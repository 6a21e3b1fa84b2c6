"""The Action's steps, run in bash with what GitHub gives them: mistakes beside their lines, and a file of SARIF."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.repositories import MISTAKE, PLACE, RIGHT, ROOT, WRONG, git, repository

pytestmark = pytest.mark.slow
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
INSTALL, CHECK, UPLOAD = ACTION["runs"]["steps"]
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
"""How GitHub runs a step whose shell is bash."""


class Job:
    """A job in a repository with game files, and the folders and files that a runner gives it."""

    def __init__(self, folder: Path) -> None:
        """Make the repository and the runner's folder, in which the program is the one that is tested."""
        self.games = repository(folder / "games of ours")
        self.temporary = folder / "runner's files"
        program = self.temporary / "tkid" / "bin" / "tkid"
        program.parent.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m tkid "$@"\n', "utf-8")
        program.chmod(0o755)
        self.output = folder / "output"
        self.output.touch()

    def run(self, step: dict[str, Any], **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run a step of the Action with some inputs; the others are as the Action says."""
        chosen = {name: each["default"] for name, each in ACTION["inputs"].items()} | inputs
        given = {
            name: re.sub(r"\${{ inputs\.(\w+) }}", lambda at: chosen[at[1]], text)
            for name, text in step.get("env", {}).items()
        }
        runner = {
            "RUNNER_TEMP": str(self.temporary),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_WORKSPACE": str(self.games),
            "GITHUB_ACTIONS": "true",
        }
        script = self.temporary / "step.sh"
        script.write_text(step["run"], "utf-8")
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.temporary), **runner, **given}
        return subprocess.run(
            [*BASH, script], cwd=self.games, env=environment, capture_output=True, text=True, check=False
        )

    def outputs(self) -> dict[str, str]:
        """What the steps have put out."""
        return dict(line.split("=", 1) for line in self.output.read_text("utf-8").splitlines())


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


def test_a_mistake_is_shown_beside_its_line_and_the_job_fails(job: Job) -> None:
    done = job.run(CHECK)
    assert done.returncode == 1, done.stderr
    right, wrong = done.stdout.splitlines()
    assert right.startswith(f"{RIGHT}: all right")
    line, column = PLACE
    assert wrong.startswith(f"::error file={WRONG},line={line},col={column},title=record.turn.player::{MISTAKE}")


def test_the_mistakes_are_put_out_as_sarif_with_paths_from_the_top_of_the_repository(job: Job) -> None:
    job.run(CHECK)
    (run,) = json.loads(Path(job.outputs()["sarif"]).read_text("utf-8"))["runs"]
    (result,) = run["results"]
    assert result["ruleId"] == "record.turn.player"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == WRONG.replace(" ", "%20")
    assert (place["region"]["startLine"], place["region"]["startColumn"]) == PLACE


def test_right_games_pass(job: Job) -> None:
    git(job.games, "rm", "--quiet", WRONG)
    done = job.run(CHECK)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{RIGHT}: all right")


def test_patterns_choose_the_files(job: Job) -> None:
    assert job.run(CHECK, files="games/r*.tkid other/*.tkid").returncode == 0
    assert job.run(CHECK, files="*.txt games/w*.tkid").returncode == 2


def test_no_file_is_no_failure_but_is_said(job: Job) -> None:
    done = job.run(CHECK, files="other/*.tkid")
    assert (done.returncode, done.stdout) == (0, "::warning::No tracked file matches other/*.tkid\n")
    assert job.outputs() == {}


def test_an_input_is_never_run_as_a_command(job: Job) -> None:
    job.run(CHECK, files="*.tkid; touch taken $(touch taken)")
    assert not (job.games / "taken").exists()
    assert "${{" not in INSTALL["run"] + CHECK["run"]


def test_uploading_is_chosen_and_happens_after_a_mistake_too() -> None:
    assert ACTION["inputs"]["upload"]["default"] == "false"
    assert UPLOAD["uses"].startswith("github/codeql-action/upload-sarif@v")
    assert "always()" in UPLOAD["if"]
    assert "inputs.upload == 'true'" in UPLOAD["if"]
    assert UPLOAD["with"]["sarif_file"] == ACTION["outputs"]["sarif"]["value"]


@pytest.mark.exhaustive(seconds=10)
def test_the_action_installs_the_program(job: Job) -> None:
    """Into a folder of the runner, with what the package index has."""
    (job.temporary / "tkid" / "bin" / "tkid").unlink()
    done = job.run(INSTALL)
    if "No matching distribution" in done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    assert job.run(CHECK).returncode == 1
