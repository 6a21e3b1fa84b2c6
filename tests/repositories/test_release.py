"""What a release needs agrees: one version everywhere, workflows with few rights, and nothing they call is missing."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from tests.repositories import ROOT
from tests.shared.tables import each_row
from tkid import __version__

WORKFLOWS = {path.name: yaml.safe_load(path.read_text("utf-8")) for path in (ROOT / ".github/workflows").iterdir()}
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSIONS = (
    ("CITATION.cff", r'^version: "(.+)"$'),
    ("editors/vscode/package.json", r'^  "version": "(.+)",$'),
    ("docs/repositories.md", r"(?:OWNER/tkid@|rev: |place of `)v([\d.]+\d)"),
    ("docs/editors.md", r"tkid-([\d.]+)\.vsix"),
)
"""Where the version of the program is written, apart from the program."""


def steps() -> Iterator[dict[str, Any]]:
    """Every step of every workflow, and of the Action."""
    for workflow in WORKFLOWS.values():
        for job in workflow["jobs"].values():
            yield from job["steps"]
    yield from yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))["runs"]["steps"]


@each_row(("file", "pattern"), VERSIONS)
def test_the_version_is_the_same_everywhere(file: str, pattern: str) -> None:
    found = re.findall(pattern, (ROOT / file).read_text("utf-8"), re.MULTILINE)
    assert found
    assert set(found) == {__version__}, file


@pytest.mark.parametrize(("tag", "passes"), [(f"v{__version__}", True), ("v0.0.9", False), (__version__, False)])
def test_a_tag_that_is_not_the_version_stops_a_release(tag: str, passes: bool) -> None:  # noqa: FBT001 - a row of a table
    (step,) = [step for step in WORKFLOWS["release.yml"]["jobs"]["build"]["steps"] if "tag" in step.get("name", "")]
    done = subprocess.run(
        ["bash", "-e", "-c", step["run"]], cwd=ROOT, env={"GITHUB_REF_NAME": tag, "PATH": "/usr/bin:/bin"}, check=False
    )
    assert (done.returncode == 0) is passes


def test_only_the_job_that_publishes_has_a_right_and_it_runs_nothing_of_ours() -> None:
    for name, workflow in WORKFLOWS.items():
        assert workflow["permissions"] == {"contents": "read"}, name
        for job in workflow["jobs"].values():
            assert "timeout-minutes" in job
    build, publish = WORKFLOWS["release.yml"]["jobs"].values()
    assert "permissions" not in build
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"]["name"] == "pypi"
    assert publish["needs"] == "build"
    assert all("run" not in step for step in publish["steps"])


def test_actions_of_others_have_a_version() -> None:
    used = [step["uses"] for step in steps() if "uses" in step]
    assert len(used) >= 8
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@(?:release/)?v\d+", each)] == []


def test_what_workflows_run_is_there() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    commands = [step["run"] for step in steps() if "run" in step]
    called = {target for command in commands for target in re.findall(r"^make (\S+)", command)}
    assert {"wheel", "dist"} <= called <= targets
    assert ".ci/run" in commands
    assert (ROOT / ".ci/run").stat().st_mode & 0o100


def test_every_python_that_the_project_names_is_tried() -> None:
    tried = WORKFLOWS["ci.yml"]["jobs"]["wheel"]["strategy"]["matrix"]["python"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert set(named) <= set(tried)
    assert PROJECT["requires-python"] == f">={tried[0]}"


def test_the_site_is_built_of_what_is_there() -> None:
    settings = yaml.safe_load((ROOT / ".readthedocs.yaml").read_text("utf-8"))
    extras = PROJECT["optional-dependencies"]
    assert set(extras["pictures"]) <= set(extras["docs"])  # a picture stands beside every link
    (command,) = settings["build"]["jobs"]["build"]["html"]
    module = command.removeprefix("python -m ").removesuffix(" $READTHEDOCS_OUTPUT/html")
    assert f"$(BIN)/python -m {module} " in (ROOT / "Makefile").read_text("utf-8")
    (install,) = settings["python"]["install"]
    assert set(install["extra_requirements"]) <= PROJECT["optional-dependencies"].keys()


def test_the_checklist_names_files_that_are_there() -> None:
    text = (ROOT / "docs" / "releasing.md").read_text("utf-8")
    named = re.findall(r"`((?:[\w.-]+/)*[\w.-]+\.(?:md|py|toml|json|cff|txt|yml|yaml|sh))`", text)
    assert len(named) > 10
    missing = [
        name for name in named if not (ROOT / name).is_file() and not Path(ROOT, ".github/workflows", name).is_file()
    ]
    assert missing == []
