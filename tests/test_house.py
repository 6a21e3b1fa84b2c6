"""The house stays one that people find their way in: no circles, pure rooms, contracts without exceptions."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PURE = (
    "games",
    "lsp",
    "club",
    "mail",
    "render",
    "adapters",
    "bots",
    "record",
    "orders",
    "notation",
    "rulebook",
    "kernel",
)
"""The rooms that see no clock, environment or disk but the files that are shipped with them."""
GUIDES = ("README.md", "CONTRIBUTING.md", "docs/architecture.md")
"""Texts that tell newcomers where things are."""


def modules() -> dict[str, Path]:
    """Every module of the program by its dotted name."""
    files = (ROOT / "tkid").rglob("*.py")
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def imports(file: Path, known: Mapping[str, Path]) -> set[str]:
    """The modules that a file imports: anywhere in it, also for types only and within functions."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found & known.keys()


def circles(graph: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """Groups of modules that import each other, directly or through others."""
    left = dict(graph)
    while True:
        leaves = {name for name, targets in left.items() if not targets & left.keys() - {name}}
        roots = left.keys() - {target for targets in left.values() for target in targets}
        if not leaves | roots:
            break
        left = {name: targets for name, targets in left.items() if name not in leaves | roots}
    if left:
        yield set(left)


def impure(code: str) -> Iterator[str]:
    """Every place in a text of Python that asks the clock or the environment, or opens a file."""
    for node in ast.walk(ast.parse(code)):
        called = node.func if isinstance(node, ast.Call) else None
        asks_clock = isinstance(called, ast.Attribute) and called.attr in {"now", "utcnow", "today", "getenv"}
        opens_file = isinstance(called, ast.Name) and called.id == "open"
        if asks_clock or opens_file or (isinstance(node, ast.Attribute) and node.attr == "environ"):
            yield ast.unparse(node)


@pytest.mark.guard
def test_no_module_imports_itself_through_others() -> None:
    known = modules()
    assert list(circles({name: imports(file, known) - {name} for name, file in known.items()})) == []


def test_a_circle_is_found() -> None:
    assert list(circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}, "e": set()})) == [{"b", "c"}]


@pytest.mark.guard
def test_every_module_says_what_it_is() -> None:
    silent = [name for name, file in modules().items() if not ast.get_docstring(ast.parse(file.read_text("utf-8")))]
    assert silent == []


def test_import_contracts_have_no_exceptions() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    assert contracts
    assert [contract["name"] for contract in contracts if "ignore_imports" in contract] == []


@pytest.mark.parametrize("code", ["datetime.now(UTC)", "x = date.today()", "os.environ['HOME']", "open(name)"])
def test_what_is_impure_is_found(code: str) -> None:
    assert list(impure(code))


@pytest.mark.guard
def test_what_is_pure_asks_no_clock_and_opens_no_file() -> None:
    asked = {
        file.relative_to(ROOT).as_posix(): found
        for room in PURE
        for file in sorted((ROOT / "tkid" / room).rglob("*.py"))
        if (found := list(impure(file.read_text("utf-8"))))
    }
    assert asked == {}


def test_every_path_in_the_guides_is_there() -> None:
    for guide in GUIDES:
        named = re.findall(
            r"`((?:tkid|tests|docs|grammar|fixtures|benchmarks)/[\w./*-]+)`", (ROOT / guide).read_text("utf-8")
        )
        assert named, guide
        assert [path for path in named if not list(ROOT.glob(path.rstrip("/")))] == [], guide


def test_every_file_in_the_row_of_a_room_is_in_that_room() -> None:
    rows = re.findall(
        r"^\| `(tkid/\w+/)` \| (.*) \|$", (ROOT / "docs" / "architecture.md").read_text("utf-8"), re.MULTILINE
    )
    assert rows
    named = [(room, name) for room, row in rows for name in re.findall(r"`([\w*]+\.(?:py|toml))`", row)]
    assert [(room, name) for room, name in named if not list((ROOT / room).rglob(name))] == []
