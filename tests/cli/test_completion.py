"""The shell completes what is typed: rulesets, rules and their options, players, cards in hand, programs, formats."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command
from typer.testing import CliRunner

from tests.cli.terminal import needs_a_terminal, read
from tests.shared.tables import each_row
from tkid.cli.app import app
from tkid.rulebook import all_rules
from tkid.rulebook.citations import FORMATS
from tkid.rulebook.rulesets import rulesets

CODES = [each.code for each in rulesets()]
OPEN = "second.ruling.open-hands"
PLAYER_OPTIONS = (
    *("show GAME --seat", "render GAME --seat", "view GAME --seat", "legal GAME --seat", "suggest GAME --seat"),
    *("why-not GAME Pass --seat", "read GAME --seat", "read GAME --mail", "letter write GAME --to"),
)
FREE = {
    *("--game", "--entropy", "--at", "--from", "--clock", "--reason", "--address", "--owner", "--name", "--store"),
    *("--smtp", "--position", "--hand", "--word"),
}
"""Options with a text of which nothing is known."""
FILES = {"--output", "--check", "--files-from"}
"""Options that take a file's name or `-`, which the shell completes itself."""
SEATED = {("letter new", "--seat"), ("transcribe", "--player")}
"""Options that bring new names."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("completion") / "game.tkid"
    assert CliRunner().invoke(app, ["new", str(file), "Ann", "Bob", "--first", "Ann"]).exit_code == 0
    return file


def complete(words: str) -> list[str]:
    """What bash is offered for the last of some words."""
    environment = {
        "_TKID_COMPLETE": "complete_bash",
        "COMP_WORDS": f"tkid {words}",
        "COMP_CWORD": str(len(words.split(" "))),
    }
    return CliRunner().invoke(app, prog_name="tkid", env=environment).stdout.split()


@each_row(
    "words, offered",
    [
        ("new g.tkid Ann Bob --ruleset ", CODES),
        ("transcribe n.txt --ruleset first", ["first-edition", "first-edition-mordred"]),
        ("compare digest ", CODES),
        ("cite second.struggle.ti", ["second.struggle.tie"]),
        ("rule zzz", []),
        ("play nowhere.tkid ", []),
        ("me nowhere.tkid ", []),
        ("new g.tkid Ann Bob --first ", ["Ann", "Bob"]),
        ("new g.tkid Ann Bob --me B", ["Bob"]),
        ("new g.tkid Ann Bob --bot Bob=", ["Bob=random", "Bob=greedy", "Bob=search"]),
        ("host new-game club Ann Bob --first A", ["Ann"]),
        ("letter new g.deal --seat Ann --seat Bob --me ", ["Ann", "Bob"]),
        ("letter new g.deal ann.eml --me ", []),
        ("transcribe n.txt --player Ann --player Bob --first B", ["Bob"]),
        ("new g.tkid --ruleset second-edition --ruling second.ruling.open", [f"{OPEN}=open", f"{OPEN}=hidden"]),
        ("new g.tkid --ruleset claim --ruling second", []),
        ("impact --ruling second.ruling.open-hands=h", [f"{OPEN}=hidden"]),
        ("host tournament club new --ruling second.ruling.open-hands=o", [f"{OPEN}=open"]),
        ("suggest g.tkid --player s", ["search"]),
        ("annotate g.tkid --player ", ["random", "greedy", "search", "cmd:"]),
        ("engine --player ", ["random", "greedy", "search"]),
        ("host stand-in club g Ann Bot --player g", ["greedy"]),
        ("check --format ", ["text", "json", "sarif", "github"]),
        ("render --format ", ["svg", "png", "html", "gif"]),
        ("cite second.turn.pass --format ", list(FORMATS)),
        ("export --table ", ["games", "turns", "events"]),
        ("stats --on ", ["dask://", "ray://"]),
    ],
)
def test_rulesets_and_rules_are_completed(words: str, offered: list[str]) -> None:
    assert complete(words) == offered


def list_options(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name in getattr(command, "commands", ()):
        context = typer.Context(command)
        yield from list_options(command.get_command(context, name), (*path, name))
    if not hasattr(command, "commands"):
        yield from ((" ".join(path), option) for option in command.params if option.param_type_name == "option")


def test_each_option_is_completed_or_free() -> None:
    """An option that takes a text has a completion, unless its text is free or a file's name."""
    bare = {
        (path, option.opts[0])
        for path, option in list_options(get_command(app))
        if type(option.type).__name__ == "StringParamType" and vars(option)["_custom_shell_complete"] is None
    }
    assert {each for each in bare if each[1] not in FREE | FILES} == SEATED


def test_all_rules_are_offered() -> None:
    assert complete("cite ") == sorted(rule.id for rule in all_rules())


@each_row(
    "words, offered",
    [
        ("me GAME ", ["Ann", "Bob"]),
        ("play GAME --me B", ["Bob"]),
        ("undo GAME --for A", ["Ann"]),
        ("play GAME N", ["Negotiate"]),
        ("play GAME P", ["Pass"]),
        ("legal GAME --card M", ["Manoeuvre"]),
        *((f"{words} ", ["Ann", "Bob"]) for words in PLAYER_OPTIONS),
        ("play GAME --bot ", ["Ann=cmd:", "Bob=cmd:"]),
        ("serve GAME --bot Ann=g", ["Ann=greedy"]),
    ],
)
def test_players_and_cards_of_a_game_are_completed(words: str, offered: list[str], game: Path) -> None:
    assert complete(words.replace("GAME", str(game))) == offered


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("fcntl", reason="a host runs only on POSIX", exc_type=ImportError)
    folder = tmp_path_factory.mktemp("completion") / "club"
    addresses = ("Ann Lee <ann@example.org>", "Bob <bob@example.org>")
    assert CliRunner().invoke(app, ["host", "init", str(folder)]).exit_code == 0
    for name in ("summer", "winter"):
        assert CliRunner().invoke(app, ["host", "new-game", str(folder), *addresses, "--game", name]).exit_code == 0
    return folder


@each_row(
    "words, offered",
    [
        ("export CLUB ", ["summer", "winter"]),
        ("pause CLUB w", ["winter"]),
        ("status CLUB s", ["summer"]),
        ("back CLUB winter B", ["Bob"]),
        ("back CLUB nothing ", []),
        ("export nowhere ", []),
    ],
)
def test_games_of_a_host_and_their_players_are_completed(words: str, offered: list[str], club: Path) -> None:
    assert complete(f"host {words.replace('CLUB', str(club))}") == offered


@needs_a_terminal
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@each_row(
    "typed, last",
    [
        ("tkid new g.tkid Bob Cy --bot Bob=s", "Bob=search"),
        ('tkid new g.tkid "Ann Lee" Cy --bot "Ann Lee"=s', "Ann Lee=search"),
        ("tkid new g.tkid Bob Cy --bot=Bob=s", "--bot=Bob=search"),
        ("tkid new g.tkid Bob Cy --ruling second.ruling.open-hands=h", f"{OPEN}=hidden"),
        ("tkid stats games --on dask:", "dask://"),
        ("tkid export games --tab", "--table"),
        ("tkid new g.tkid 'Ann Lee' Bob --first A", "Ann Lee"),
        ("tkid new g.tkid 'Ann Lee' Bob --first 'A", "Ann Lee"),
        ("tkid host back CLUB wint", "winter"),
        (r"tkid host back CLUB winter Ann\ ", "Ann Lee"),
    ],
)
def test_bash_completes_words_that_it_divides(typed: str, last: str, club: Path) -> None:
    """The key TAB is pressed behind what is typed, and the line is printed word by word."""
    here = Path(sys.executable).parent
    environment = {**os.environ, "TERM": "dumb", "PATH": f"{here}:{os.environ['PATH']}", "HISTFILE": ""}
    reading, writing = os.openpty()
    with subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"], stdin=writing, stdout=writing, stderr=writing, env=environment, start_new_session=True, cwd=club
    ) as bash:  # fmt: skip
        os.close(writing)
        os.write(reading, b"source <(_TKID_COMPLETE=source_bash tkid); PS1=; echo rea''dy\n")
        shown = b""
        for chunk in read(reading):
            shown += chunk
            if b"ready" in shown:
                break
        pressed = f"{typed.replace('CLUB', str(club))}\t\x01printf '<%s>\\n' \x05\nexit\n"
        os.write(reading, pressed.encode())
        shown = b"".join(read(reading))
        os.close(reading)
        bash.wait(60)
    words = [line[1:-1] for line in shown.decode().splitlines() if line.startswith("<") and line.endswith(">")]
    assert words[-1] == last
