"""The same sources give the same wheel and the same source archive, byte for byte, whenever and wherever they are built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

from tkid import __version__

ROOT = Path(__file__).parents[1]
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".build", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "dist", "site", "mutants", "node_modules"
)
EPOCH = 1_800_000_000
"""The time of a release in seconds, as SOURCE_DATE_EPOCH has it."""

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not installed"),
]


def built(folder: Path) -> dict[str, bytes]:
    """What is built from the sources in a folder: the content of each file by its name."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build"],
        cwd=folder,
        env=os.environ | {"SOURCE_DATE_EPOCH": str(EPOCH)},
        capture_output=True,
        check=True,
    )
    return {file.name: file.read_bytes() for file in (folder / "dist").iterdir()}


def test_two_builds_are_the_same_byte_for_byte(tmp_path: Path) -> None:
    """In two folders, with other times and other rights of the files."""
    one, other = tmp_path / "one", tmp_path / "other folder"
    shutil.copytree(ROOT, one, ignore=LEFT_OUT)
    (one / "tkid" / "site.zip.xz").write_bytes(b"the site that `make wheel` packs")
    shutil.copytree(one, other)
    for file in (path for path in other.rglob("*") if path.is_file()):
        file.chmod(file.stat().st_mode & 0o700)  # as where others may read nothing
        os.utime(file, (EPOCH + 1000, EPOCH + 1000))
    first, second = built(one), built(other)
    wheel, archive = f"tkid-{__version__}-py3-none-any.whl", f"tkid-{__version__}.tar.gz"
    assert first.keys() == second.keys() == {wheel, archive}
    assert [name for name in first if first[name] != second[name]] == []
    with ZipFile(one / "dist" / wheel) as packed:
        names = set(packed.namelist())
        assert {"tkid/py.typed", "tkid/grammar/struggle_turn.lark", "tkid/site.zip.xz"} <= names
        assert {Path(name).name for name in names if ".dist-info/" in name} >= {"LICENSE", "METADATA", "RECORD"}
    with tarfile.open(one / "dist" / archive) as packed_sources:
        packed_sources.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert (unpacked / "action.yml").is_file()
    assert built(unpacked)[wheel] == first[wheel], "the wheel that is built of the source archive differs"


@pytest.mark.exhaustive(seconds=10)
def test_a_wheel_is_built_with_what_the_project_asks_for(tmp_path: Path) -> None:
    """Where nothing else is installed, as pip builds it: `make test` uses what is there."""
    sources = tmp_path / "sources"
    shutil.copytree(ROOT, sources, ignore=LEFT_OUT)
    command = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-deps", "--wheel-dir", str(tmp_path), str(sources)]
    subprocess.run(command, check=True)
    assert [file.name for file in tmp_path.glob("*.whl")] == [f"tkid-{__version__}-py3-none-any.whl"]
