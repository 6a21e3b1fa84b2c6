"""`tkid docs`: the site from the wheel, or from a checkout; and what it says where there is none."""

import lzma
import os
import subprocess
import webbrowser
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from typer.testing import CliRunner

from tkid.cli import docs
from tkid.cli.app import app


def packed(text: str) -> bytes:
    """A packed site of one page."""
    whole = BytesIO()
    with ZipFile(whole, "w") as archive:
        archive.writestr("index.html", text)
    return lzma.compress(whole.getvalue())


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which tkid is installed without a checkout around it."""
    package = tmp_path / "installed" / "tkid"
    package.mkdir(parents=True)
    monkeypatch.setattr(docs, "files", lambda _: package)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return package


def test_the_site_of_the_wheel_is_unpacked_once(wheel: Path, tmp_path: Path) -> None:
    (wheel / docs.PACKED).write_bytes(packed("one"))
    first = CliRunner().invoke(app, ["docs", "--address"])
    start = Path(first.output.strip().removeprefix("file://"))
    assert start.read_text("utf-8") == "one"
    start.write_text("still there", "utf-8")
    assert CliRunner().invoke(app, ["docs", "--address"]).output == first.output
    assert start.read_text("utf-8") == "still there"
    (wheel / docs.PACKED).write_bytes(packed("two"))
    CliRunner().invoke(app, ["docs", "--address"])
    (site,) = (tmp_path / "cache" / "tkid").iterdir()
    assert (site / "index.html").read_text("utf-8") == "two"


def test_the_browser_opens_it(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (wheel / docs.PACKED).write_bytes(packed("one"))
    opened: list[str] = []

    def show(uri: str) -> bool:
        opened.append(uri)
        return True

    monkeypatch.setattr(webbrowser, "open", show)
    result = CliRunner().invoke(app, ["docs"])
    assert (result.exit_code, result.output) == (0, "")
    assert opened[0].startswith("file://")
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    assert CliRunner().invoke(app, ["docs"]).output.strip() == opened[0]


def test_without_a_copy_it_says_what_to_do(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = CliRunner().invoke(app, ["docs"])
    assert result.exit_code == 2
    assert "make docs-offline" in result.output
    assert "https://tkid.readthedocs.io/" in result.output
    (wheel.parent / "mkdocs.yml").write_text("", "utf-8")
    monkeypatch.setattr(docs, "find_spec", lambda _: None)
    assert "pip install '.[docs]'" in CliRunner().invoke(app, ["docs"]).output


def test_a_checkout_builds_it_when_something_is_younger(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = wheel.parent
    (root / "mkdocs.yml").write_text("", "utf-8")
    built: list[list[str]] = []

    def build(command: list[str], **_: object) -> "Done":
        built.append(command)
        start = root / docs.BUILT / "index.html"
        start.parent.mkdir(parents=True, exist_ok=True)
        start.write_text("", "utf-8")
        return Done()

    class Done:
        returncode = 0

    monkeypatch.setattr(docs, "find_spec", lambda _: True)
    monkeypatch.setattr(subprocess, "run", build)
    for _ in range(2):
        assert CliRunner().invoke(app, ["docs", "--address"]).exit_code == 0
    assert len(built) == 1
    source = root / "tkid" / "younger.py"
    source.write_text("", "utf-8")
    os.utime(source, (source.stat().st_atime, source.stat().st_mtime + 60))
    CliRunner().invoke(app, ["docs", "--address"])
    assert len(built) == 1
    monkeypatch.setattr(webbrowser, "open", lambda _: True)
    CliRunner().invoke(app, ["docs"])
    assert len(built) == 2
    Done.returncode = 1
    (root / docs.BUILT / "index.html").unlink()
    assert "could not be built" in CliRunner().invoke(app, ["docs"]).output
