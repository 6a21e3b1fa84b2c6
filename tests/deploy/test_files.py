"""The files under deploy/: units that systemd takes, containers whose files exist, commands that the program has."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from typer.main import get_command

from tkid.cli.app import app

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
ANALYZE = shutil.which("systemd-analyze")
EXPOSED = 2.0
"""What `systemd-analyze security` says at most: 0 is a program that can do nothing, 10 one that can do everything."""
PROGRAM = "/opt/tkid/bin/tkid"
COMMAND = re.compile(rf"(?:{PROGRAM}|(?<![\w/])tkid|\"tkid\",) +(host .+?)(?:['`\]]|$)", re.MULTILINE)
COPIED = re.compile(r"^COPY (?!--from)(?P<sources>.+) \S+$", re.MULTILINE)


def written() -> dict[str, str]:
    """Every file under deploy/ by its name."""
    return {
        path.relative_to(DEPLOY).as_posix(): path.read_text("utf-8") for path in DEPLOY.rglob("*") if path.is_file()
    }


def test_every_command_exists() -> None:
    host = get_command(app).commands["host"].commands  # type: ignore[attr-defined]
    named = {(name, shlex.split(line)[1]) for name, text in written().items() for line in COMMAND.findall(text)}
    assert {command for _, command in named} >= {"init", "run", "new-game", "backup", "doctor"}
    assert [each for each in sorted(named) if each[1] not in host] == []


@pytest.mark.skipif(ANALYZE is None, reason="there is no systemd-analyze here")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    for unit in UNITS:
        text = unit.read_text("utf-8").replace(PROGRAM, shutil.which("true") or "")
        for name in (unit.name, unit.name.replace("@", "@club")):
            (tmp_path / name).write_text(text, "utf-8")
    assert ANALYZE
    started = [str(tmp_path / unit.name.replace("@", "@club")) for unit in UNITS]
    said = subprocess.run([ANALYZE, "verify", "--man=no", *started], capture_output=True, text=True, check=False)
    ours = [line for line in said.stderr.splitlines() if "tkid" in line]
    assert (said.returncode, ours) == (0, [])
    for service in (path for path in started if path.endswith(".service")):
        security = [ANALYZE, "security", "--offline=true", "--no-pager", service]
        judged = subprocess.run(security, capture_output=True, text=True, check=True).stdout
        exposure = re.search(r"Overall exposure level.*?: ([\d.]+)", judged)
        assert exposure, judged
        assert float(exposure[1]) <= EXPOSED, service


def test_a_container_gets_all_that_the_program_needs(tmp_path: Path) -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    let_in = [
        line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines() if line[:1] == "!"
    ]
    sources = [source for line in COPIED.findall(text) for source in line.split()]
    assert sorted(sources) == sorted(let_in)
    for source in sources:
        copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
        copy(ROOT / source, tmp_path / source)
    built = {
        path.relative_to(ROOT).as_posix() for path in (ROOT / "tkid").rglob("*") if path.suffix in {".py", ".toml"}
    }
    assert built <= {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    assert (tmp_path / "grammar").is_dir()


def test_containers_run_as_nobody_in_particular_and_are_of_a_version() -> None:
    for name, text in written().items():
        if name.endswith("Dockerfile"):
            bases = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
            assert bases
            assert all(":" in base and not base.endswith(":latest") for base in bases), name
            assert "ADD " not in text, "what is fetched by address is not what was looked at"
            assert re.search(r"^(CMD|ENTRYPOINT) \[", text, re.MULTILINE), "signals reach the program itself"
    assert re.search(r"^USER \d+$", written()["Dockerfile"], re.MULTILINE)


def test_the_club_to_try_out_is_whole() -> None:
    services = yaml.safe_load(written()["compose.yaml"])["services"]
    for name, service in services.items():
        build = service.get("build", {})
        context = DEPLOY / (build if isinstance(build, str) else build.get("context", "."))
        if build:
            file = context / (build.get("dockerfile", "Dockerfile") if isinstance(build, dict) else "Dockerfile")
            assert file.is_file(), name
        else:
            assert re.search(r":[\d.]+", service["image"]), f"{name}: an image of a version"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert not source.startswith(".") or (DEPLOY / source).exists(), volume
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), (
            f"{name}: for this machine alone"
        )
