"""The extension for VS Code: what its manifest names is there, it can be packaged, and VS Code's engine colours as Pygments does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from attrs import frozen

from tests.makers import textmate
from tkid import __version__
from tkid.lsp.pygments_lexer import TOKENS, RecordLexer
from tkid.lsp.server import POSITION

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors/vscode"
MANIFEST = json.loads((EXTENSION / "package.json").read_text("utf-8"))
SCRIPT = (EXTENSION / "extension.js").read_text("utf-8")
NEEDED = ("name", "displayName", "description", "version", "publisher", "license", "engines", "main", "contributes")
"""What vsce and the marketplace ask of a manifest."""
TOOLS = ("@vscode/vsce@3", "vscode-textmate@9", "vscode-oniguruma@2")
GAMES = ROOT / "fixtures/games"


@frozen
class Workshop:
    """A copy of the extension with what packages it."""

    folder: Path
    tools: Path

    def run(self, *command: str) -> str:
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed here")
    tools = tmp_path_factory.mktemp("tools")
    folder = Path(shutil.copytree(EXTENSION, tools / "vscode", ignore=shutil.ignore_patterns("node_modules")))
    quiet = ("--no-audit", "--no-fund", "--no-package-lock")
    for place, packages in ((folder, ("--omit=dev",)), (tools, TOOLS)):
        done = subprocess.run(
            [npm, "install", *quiet, *packages], cwd=place, capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"npm cannot install here: {done.stderr[-300:]}")
    return Workshop(folder, tools)


def named_files() -> Iterator[str]:
    """The files that the manifest names."""
    contributes = MANIFEST["contributes"]
    yield MANIFEST["main"]
    yield from (each["configuration"] for each in contributes["languages"])
    yield from (each["path"] for each in contributes["grammars"])


def test_the_manifest_has_what_it_needs() -> None:
    assert [key for key in NEEDED if not MANIFEST.get(key)] == []
    assert MANIFEST["version"] == __version__
    for name in (*named_files(), "README.md", "LICENSE"):
        assert (EXTENSION / name).is_file(), name
    json.loads((EXTENSION / "language-configuration.json").read_text("utf-8"))
    (grammar,) = MANIFEST["contributes"]["grammars"]
    assert EXTENSION / grammar["path"] == textmate.FILE
    assert grammar["scopeName"] == json.loads(textmate.textmate())["scopeName"]
    assert (EXTENSION / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")


def test_the_script_has_the_commands_and_what_it_imports() -> None:
    assert f'POSITION = "{POSITION}"' in SCRIPT
    for command in MANIFEST["contributes"]["commands"]:
        assert f'registerCommand("{command["command"]}"' in SCRIPT
    imported = set(re.findall(r'require\("([^"/]+)', SCRIPT))
    assert imported == {"vscode", *MANIFEST["dependencies"]}


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed here")
def test_the_script_shows_the_position() -> None:
    """With stand-ins for VS Code and its client: first there is no game, then a picture."""
    command = ["node", str(Path(__file__).parent / "run_extension.js"), str(EXTENSION / "extension.js")]
    shown = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert shown["messages"] == ["There is no position yet: the header or the set-up has mistakes."]
    asked = {"command": POSITION, "arguments": ["file:///x.tkid", 3]}
    assert shown["asked"] == [["workspace/executeCommand", asked]] * 2
    assert shown["title"] == "After turn 4"
    assert b64encode(b"<svg/>").decode() in shown["html"]
    assert "<c>" not in shown["html"]
    assert shown["offered"] == [True, False]


@pytest.mark.exhaustive(seconds=12)
def test_vsce_packages_it(workshop: Workshop) -> None:
    workshop.run(
        str(workshop.tools / "node_modules/.bin/vsce"), "package", "--allow-missing-repository", "-o", "x.vsix"
    )
    with ZipFile(workshop.folder / "x.vsix") as packed:
        files = set(packed.namelist())
    assert {f"extension/{Path(name)}" for name in named_files()} <= files
    assert "extension/node_modules/vscode-languageclient/package.json" in files


@pytest.mark.exhaustive
def test_vs_code_colours_as_pygments_does(workshop: Workshop) -> None:
    script = shutil.copy(Path(__file__).parent / "tokenize.js", workshop.tools)
    scopes = {f"{scope}.tkid": TOKENS[kind] for kind, scope in textmate.SCOPES.items()}
    for game in sorted(GAMES.rglob("whole-game-for-2.tkid")):
        lines = json.loads(workshop.run("node", str(script), str(textmate.FILE), str(game)))
        there = [
            (scopes[scope], word) for line in lines for scope, text in line if scope in scopes for word in text.split()
        ]
        here = [
            (kind, word)
            for kind, text in RecordLexer().get_tokens(game.read_text("utf-8"))
            if kind in TOKENS.values()
            for word in text.split()
        ]
        assert there == here, game
