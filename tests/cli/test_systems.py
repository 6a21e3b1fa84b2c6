"""Players' commands need nothing that only POSIX has, and speak UTF-8 with every locale; a host says what it needs."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli import RECORD, record_in, said, tkid
from tests.shared.tables import sample
from tests.shared.without_posix import MODULES
from tkid import files

ROOT = Path(__file__).parents[2]
TKID = ROOT / "tkid"
HOSTS = (TKID / "host", TKID / "cli" / "host")
TURN = "Manoeuvre S Moray <> E Devon; summon W Warwick"
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)|.*[<>:\"\\|?*]|.*[. ]$", re.IGNORECASE)
"""Names that a file cannot have on Windows."""
CHOSEN = ("tests/cli/test_files.py", "tests/cli/test_letter_draw.py", "tests/cli/test_own_files.py")
"""Tests of whatever touches files."""
PLAYERS = ("tests/cli", "tests/record", "tests/orders", "tests/notation", "tests/rulebook", "tests/lsp", "tests/bots")
"""Tests of all that players use."""
OF_POSIX = (
    *("tests/cli/test_host.py", "tests/cli/test_host_run.py", "tests/cli/test_tournament.py", "tests/cli/test_desk.py"),
    *("tests/cli/test_outputs.py", "tests/cli/test_streams.py", "tests/cli/test_serve.py"),
    *(
        "tests/cli/test_keeper.py",
        "tests/cli/test_new_games.py",
        "tests/bots/test_ladder.py",
        "tests/bots/test_engine.py",
    ),
    "tests/orders/test_matrix.py",
    "tests/cli/test_systems.py",
)
"""Tests of hosts, of a server or a benchmark that only POSIX has, of other programs that play; and this file."""


def environment(**values: str) -> dict[str, str]:
    """The environment without what chooses an encoding, and with these variables."""
    left_out = {"PYTHONUTF8", "PYTHONIOENCODING", "LANG", "LC_CTYPE", "LC_ALL"}
    return {name: value for name, value in os.environ.items() if name not in left_out} | {
        "PYTHONPATH": str(ROOT),
        **values,
    }


# -- what only POSIX has ----------------------------------------------------------------------------------


def players_modules() -> Iterator[Path]:
    """Every module but those of hosts."""
    return (file for file in TKID.rglob("*.py") if not any(file.is_relative_to(folder) for folder in HOSTS))


def imported_at_once(file: Path) -> set[str]:
    """The modules that importing a module always imports: not those in functions, or where another way is at hand."""
    ways: list[ast.stmt] = list(ast.parse(file.read_text("utf-8")).body)
    found: set[str] = set()
    while ways:
        node = ways.pop()
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        elif isinstance(node, ast.If | ast.ClassDef | ast.With):
            ways += node.body
    return found


def test_no_module_for_players_imports_what_only_posix_has() -> None:
    files = list(players_modules())
    assert files
    assert not {(str(file), name) for file in files for name in imported_at_once(file) & set(MODULES)}


WITHOUT_PACKAGES = """
import sys
sys.modules["sqlalchemy"] = None
from typer.main import get_command
from typer.testing import CliRunner
from tkid.cli.app import app
host = get_command(app).commands["host"]
for name, command in sorted(host.commands.items()):
    needed = [parameter for parameter in command.params if parameter.required]
    words = []
    for each in needed:
        words += [each.opts[0]] * each.opts[0].startswith("-") + ["list" if each.name == "action" else "1"]
    run = CliRunner().invoke(app, ["host", name, *words])
    print(name, (run.output + run.stderr).split(":")[0].strip(), sep="|")
"""
"""Prints what every command of a host says where the packages of a host are missing."""


def test_every_command_of_a_host_says_that_its_packages_are_missing(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_PACKAGES],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=environment(),
    )
    told = dict(line.split("|") for line in run.stdout.splitlines())
    assert len(told) > 25
    assert set(told.values()) == {"A host needs Python packages that are not installed here"}


def without_posix(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program where nothing is that only POSIX has."""
    run = (
        "import typer; from tests.shared.without_posix import take_away; take_away(); from tkid.cli import main; main()"
    )
    return subprocess.run(
        [sys.executable, "-c", run, *arguments],
        env=environment(),
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_a_host_says_what_it_needs(tmp_path: Path) -> None:
    for command in (("init", str(tmp_path / "club")), ("run", str(tmp_path))):
        done = without_posix("host", *command)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("A host needs Linux, macOS or another system")
        assert done.stderr.count("\n") == 1
    assert not (tmp_path / "club").exists()


def run_tests(basetemp: Path, *chosen: str, marks: str = "not exhaustive") -> None:
    """Run tests where nothing is that only POSIX has."""
    options = ["-q", "-p", "tests.shared.without_posix", "-p", "no:cacheprovider", "-n", "0", f"--basetemp={basetemp}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-m", marks, *chosen],
        env=environment(),
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr


@pytest.mark.slow
def test_commands_that_touch_files(tmp_path: Path) -> None:
    several = "not at_once and not processes and not no_turn_is_lost and not terminal"
    run_tests(tmp_path / "inner", "-k", several, *CHOSEN, marks="not slow and not exhaustive")


@pytest.mark.exhaustive
@pytest.mark.parametrize("folder", PLAYERS)
def test_all_that_players_use(tmp_path: Path, folder: str) -> None:
    of_hosts = "not test_a_host and not with_one_address"
    run_tests(tmp_path / "inner", "-k", of_hosts, folder, *(f"--ignore={name}" for name in OF_POSIX))


def test_a_private_file_where_files_have_no_modes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "HAS_MODES", False)
    file = tmp_path / "secret.tkid"
    file.touch(0o644)
    assert not files.is_open_to_others(file.stat())
    game = tmp_path / "advanced.tkid"
    told = tkid("new", game, "Ann", "Bob", "--ruleset", "second-edition-advanced").stderr
    assert (
        told
        == f"{game} is private. Only the permissions of its folder protect it: keep it in a folder that others cannot open.\n"
    )


# -- texts ------------------------------------------------------------------------------------------------

LOCALES = {
    "C without UTF-8 mode": {"LC_ALL": "C", "PYTHONUTF8": "0"},
    "C": {"LC_ALL": "C"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sample(LOCALES, 2))
def test_a_game_with_umlauts_under_every_locale(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "Spiele für Łukasz"
    folder.mkdir()

    def run(*arguments: object, text: str = "") -> str:
        command = [sys.executable, "-m", "tkid", *map(str, arguments)]
        done = subprocess.run(
            command, env=environment(**LOCALES[name]), input=text.encode(), capture_output=True, check=True
        )
        return done.stdout.decode("utf-8")

    game = folder / "Kölner Runde.tkid"
    run("new", game, "Łukasz", "Änne")
    assert "Seat: Łukasz\nSeat: Änne\n" in game.read_text("utf-8")
    assert run("fmt", "-", text=RECORD) == RECORD
    run("play", game, "Pass")
    assert re.search("^1. (Łukasz|Änne) Pass", game.read_text("utf-8"), re.MULTILINE)


@pytest.mark.slow
def test_what_is_printed_ends_lines_with_a_line_feed() -> None:
    """Where the system's lines end otherwise, and its code page is not UTF-8."""
    run = (
        "import io, sys; sys.stdout = io.TextIOWrapper(sys.stdout.buffer, 'cp1252', newline='\\r\\n');"
        "sys.argv = ['tkid', 'fmt', '-']; from tkid.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", run], env=environment(), input=RECORD.encode(), capture_output=True, check=True
    )
    assert done.stdout == RECORD.encode()


def test_a_file_with_the_lines_of_windows(tmp_path: Path) -> None:
    """It is read as it is, with the same hashes, and written with line feeds."""
    game = record_in(tmp_path)
    game.write_bytes(RECORD.replace("\n", "\r\n").encode())
    assert said("check", game) == f"{game}: all right, 5 turns, Łukasz to play\n"
    said("play", game, TURN)
    assert b"\r" not in game.read_bytes()
    assert game.read_text("utf-8").startswith(RECORD)


def test_the_place_of_a_fault_behind_the_letter_of_a_drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = r"C:\games\my winter.tkid"
    Path(name).write_text(RECORD.replace("Seat: Łukasz\n", ""), "utf-8")
    place = re.match(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): ", said("check", name, code=1))
    assert place is not None
    assert place["file"] == name


def test_every_file_of_the_source_can_be_there_on_windows() -> None:
    kept = [ROOT / name for name in ("tkid", "grammar", "fixtures", "tests", "docs", "editors", "deploy")]
    files = [path.relative_to(ROOT).as_posix() for folder in kept for path in folder.rglob("*")]
    assert not [name for name in files if RESERVED.match(name.rpartition("/")[2])]
    assert len({name.casefold() for name in files}) == len(files)


IMPORTED = """
import sys
from tkid.cli import main
try:
    main()
finally:
    print([name for name in ("html", "importlib.resources", "logging", "pickle", "zipfile") if name in sys.modules])
"""
"""Runs a command, then lists what it has loaded of what takes long and only other commands need."""


@pytest.mark.parametrize("command", ["check", "legal", "show"])
def test_a_short_command_loads_nothing_for_others(command: str) -> None:
    file = ROOT / "fixtures" / "games" / "second-edition" / "coronation-emptied-players.tkid"
    run = subprocess.run([sys.executable, "-c", IMPORTED, command, file], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "[]"
