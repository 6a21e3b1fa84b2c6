"""The hooks for pre-commit find a wrong game in a repository: as they are written, and by pre-commit itself."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from tests.cli import RECORD, tkid
from tests.repositories import MISTAKE, PLACE, RIGHT, ROOT, WRONG, git, repository

HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
FOUND = f"{WRONG}:{PLACE[0]}:{PLACE[1]}: {MISTAKE}"
FILES = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
FOLDERS = ("grammar", "tkid", "fixtures/conformance")
"""What pre-commit needs of the source."""
PRE_COMMIT = shutil.which("pre-commit", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
NETWORK = "no package index can be reached"


@pytest.mark.parametrize("hook", sorted(HOOKS))
def test_an_entry_is_given_the_game_files_alone_and_finds_the_mistake(
    hook: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository(tmp_path / "games of ours"))
    given = [path for path in git(Path(), "ls-files").splitlines() if re.search(HOOKS[hook]["files"], path)]
    assert given == [RIGHT, WRONG]
    program, *arguments = shlex.split(HOOKS[hook]["entry"])
    assert (program, HOOKS[hook]["language"]) == ("tkid", "python")
    result = tkid(*arguments, *given)
    assert result.exit_code == 1
    assert FOUND in result.output
    assert tkid(*arguments, RIGHT).exit_code == 0


@pytest.mark.exhaustive(seconds=34)
@pytest.mark.skipif(PRE_COMMIT is None, reason="pre-commit is not installed")
def test_pre_commit_installs_the_hooks_and_they_find_the_mistake(tmp_path: Path) -> None:
    """From a copy of the source, as `pre-commit try-repo` does it: it installs tkid from the package index's parts."""
    source = tmp_path / "source"
    source.mkdir()
    for name in FILES:
        shutil.copy(ROOT / name, source / name)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, source / name)
    git(source, "init", "--quiet")
    git(source, "add", ".")
    git(source, "commit", "--quiet", "--message", "tkid")
    games = repository(tmp_path / "games of ours")
    untidy = games / "games" / "untidy.tkid"
    untidy.write_text(RECORD.replace(" #1000be", ""), "utf-8")
    git(games, "add", ".")
    environment = os.environ | {
        "PRE_COMMIT_HOME": str(tmp_path / "kept"),
        "PYTHONPATH": "",
        "PRE_COMMIT_COLOR": "never",
    }

    def hook(name: str) -> subprocess.CompletedProcess[str]:
        assert PRE_COMMIT
        command = [PRE_COMMIT, "try-repo", str(source), name, "--all-files", "--verbose"]
        return subprocess.run(command, cwd=games, env=environment, capture_output=True, text=True, check=False)

    checked = hook("tkid-check")
    if "No matching distribution" in checked.stdout or "Temporary failure in name resolution" in checked.stdout:
        pytest.skip(NETWORK)
    assert checked.returncode == 1, checked.stdout + checked.stderr
    assert re.search(r"check game files\.+Failed", checked.stdout)
    assert FOUND in checked.stdout
    assert "notes.txt" not in checked.stdout
    tidied = hook("tkid-fmt")
    assert tidied.returncode == 1
    assert "files were modified by this hook" in tidied.stdout
    assert untidy.read_text("utf-8") == RECORD
    git(games, "rm", "--quiet", "--force", WRONG)
    assert hook("tkid-check").returncode == hook("tkid-fmt").returncode == 0
