"""The register as it is prepared when the program is packed: it says what the text says, and nothing where it is not of it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

import tkid.rulebook.register as under_test

TOP = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the register, prepared as for a wheel, from which it is read."""
    hook = pytest.importorskip("hatchling", reason="nothing is packed here: hatchling is not installed") and run_path(
        str(TOP / "hatch_build.py")
    )
    for source in (TOP / "tkid").glob("**/*.toml"):
        target = tmp_path / source.relative_to(TOP)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    packing = hook["CustomBuildHook"](str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    packing.initialize("standard", {})
    place = under_test._list_folders  # noqa: SLF001 - where the files are found is what changes
    moved = {prefix: (game, tmp_path / Path(str(each)).relative_to(TOP)) for prefix, (game, each) in place().items()}
    monkeypatch.setattr(under_test, "_list_folders", lambda: moved)
    yield tmp_path
    under_test.read_register_text.cache_clear()
    under_test._read_file.cache_clear()  # noqa: SLF001


def read(prefix: str) -> tuple[Any, bool]:
    """A file of the register, read again; and whether its text had to be parsed."""
    parsed: list[str] = []

    def parse(text: str) -> dict[str, Any]:
        parsed.append(text)
        return tomllib.loads(text)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(under_test, "_parse_text", parse)
        under_test.read_register_text.cache_clear()
        under_test._read_file.cache_clear()  # noqa: SLF001
        return under_test._read_file(prefix), bool(parsed)  # noqa: SLF001


def test_it_says_what_the_text_says(folder: Path) -> None:
    assert len(list(folder.glob("**/*.prepared.json"))) == len(under_test.list_prefixes()) + 1
    assert (folder / "tkid/rulebook/search/words.prepared.json").exists()
    for prefix in under_test.list_prefixes():
        table, parsed = read(prefix)
        assert not parsed, prefix
        assert table == tomllib.loads(under_test.read_register_text(prefix)), prefix
        assert list(table) == list(tomllib.loads(under_test.read_register_text(prefix))), (
            "the order is the reading order"
        )


def test_another_text_is_parsed(folder: Path) -> None:
    (file,) = folder.glob("**/second.toml")
    file.write_text(file.read_text("utf-8").replace('title = "', 'title = "New: '), "utf-8")
    table, parsed = read("second")
    assert parsed
    assert table["title"].startswith("New: ")


@pytest.mark.parametrize("spoiled", [b"", b"{", b"\xff", json.dumps({"of": "", "table": {}}).encode(), None])
def test_what_is_spoiled_or_missing_is_parsed(folder: Path, spoiled: bytes | None) -> None:
    (file,) = folder.glob("**/second.prepared.json")
    file.unlink() if spoiled is None else file.write_bytes(spoiled)
    table, parsed = read("second")
    assert parsed
    assert table["second.turn.pass"]
