"""Colour at the command line: when there is some and when not, in a real terminal too; and that nothing raw reaches it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli import RECORD, record_in, said, tkid
from tests.cli.terminal import needs_a_terminal, read
from tkid.cli.app import app
from tkid.cli.printing import Colour, choose_pen
from tkid.render.lines import END, PLAIN, TERMINAL

SEQUENCE = re.compile(r"\x1b\[[0-9;]+m")
HOSTILE = f"\x1b[31mX\x9b2J\x1b]0;Y\x07\u202e\ue003Z{END}"
"""What would colour, clear and rename a terminal, turn the writing round, and stand for a mark."""
ENVIRONMENTS: dict[str, tuple[dict[str, str], bool, bool]] = {
    "nothing set": ({}, True, False),
    "not wanted": ({"NO_COLOR": "1"}, False, False),
    "not set although named": ({"NO_COLOR": ""}, True, False),
    "not wanted and forced": ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
    "forced": ({"FORCE_COLOR": "1"}, True, True),
    "forced the other way": ({"CLICOLOR_FORCE": "1"}, True, True),
    "forced with nothing": ({"FORCE_COLOR": "", "CLICOLOR_FORCE": "0"}, True, False),
    "dumb": ({"TERM": "dumb"}, False, False),
    "dumb but forced": ({"TERM": "dumb", "FORCE_COLOR": "3"}, True, True),
}
"""What is set; whether there is colour in a terminal; and whether where there is none."""


@pytest.mark.parametrize("case", ENVIRONMENTS)
@pytest.mark.parametrize("err", [False, True])
@pytest.mark.parametrize("terminal", [True, False])
def test_when_there_is_colour(case: str, *, err: bool, terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    environment, there, elsewhere = ENVIRONMENTS[case]
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for stream, it in ((sys.stdout, not err), (sys.stderr, err)):
        monkeypatch.setattr(stream, "isatty", lambda it=it: terminal and it)
    assert choose_pen(err=err) is (TERMINAL if (there if terminal else elsewhere) else PLAIN)
    assert choose_pen(Colour.ALWAYS, err=err) is TERMINAL
    assert choose_pen(Colour.NEVER, err=err) is PLAIN


def run(*arguments: object, **environment: str) -> str:
    """What the program prints, colours included."""
    result = CliRunner(env=environment).invoke(app, list(map(str, arguments)))
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


def test_show_in_colour_is_show(tmp_path: Path) -> None:
    game = record_in(tmp_path)
    plain = said("show", game)
    for coloured in (run("show", game, "--color", "always"), run("show", game, FORCE_COLOR="1")):
        assert coloured != plain
        assert SEQUENCE.sub("", coloured) == plain
    assert run("show", game, "--color", "never", FORCE_COLOR="1") == plain
    assert run("show", game, "--color", "always", NO_COLOR="1") != plain


@pytest.mark.parametrize("option", ["--line", "--json"])
def test_what_programs_read_has_no_colour(tmp_path: Path, option: str) -> None:
    game = record_in(tmp_path)
    assert run("show", game, option, "--color", "always") == said("show", game, option)


def test_an_unknown_wish(tmp_path: Path) -> None:
    result = tkid("show", record_in(tmp_path), "--color", "sometimes")
    assert result.exit_code == 2
    assert "'sometimes' is not one of 'auto', 'always', 'never'" in result.stderr


def test_what_was_played_and_what_is_wrong_in_colour(tmp_path: Path) -> None:
    wrong = record_in(tmp_path, RECORD.replace("Pass #32ee44", "Xyz #32ee44"))
    told = run("check", wrong, FORCE_COLOR="1")
    assert f"\x1b[1m{wrong}:25:8:\x1b[0m " in told
    assert "\x1b[1;38;5;160m^^^\x1b[0m\n" in told
    assert SEQUENCE.sub("", told) == run("check", wrong)
    game = record_in(tmp_path)
    told = run("play", game, "Pass", FORCE_COLOR="1")
    assert "Łukasz passes \x1b[38;5;244m[second.turn.pass]\x1b[0m\n" in told
    assert SEQUENCE.sub("", told) == run("play", record_in(tmp_path), "Pass")


# -- nothing raw reaches the terminal -----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("line", range(RECORD.count("\n")))
def test_a_record_cannot_take_over_a_terminal(tmp_path: Path, line: int) -> None:
    """Wherever control characters stand in it, in names or comments: our own colours are all that comes out."""
    lines = RECORD.splitlines()
    at = max(lines[line].find(" "), lines[line].find("{")) + 1
    lines[line] = lines[line][:at] + HOSTILE + lines[line][at:]
    game = record_in(tmp_path, "".join(f"{each}\n" for each in lines))
    for command in (("show", game), ("check", game, "--all"), ("play", game, "Pass")):
        assert_clean(run(*command, FORCE_COLOR="1"))


@pytest.mark.parametrize(
    "typed",
    [
        ("show", HOSTILE),
        ("show", "game.tkid", "--seat", HOSTILE),
        ("legal", "game.tkid", "--card", HOSTILE),
        ("play", "game.tkid", HOSTILE),
        ("new", "new.tkid", f"Ann{HOSTILE}", "Bob"),
    ],
    ids=lambda typed: " ".join(each for each in typed if HOSTILE not in each),
)
def test_what_is_typed_cannot_either(tmp_path: Path, typed: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    record_in(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert_clean(run(*typed, FORCE_COLOR="1"))


def assert_clean(output: str) -> None:
    """Nothing but printable characters, line breaks and the escape sequences of the pen."""
    codes = {f"\x1b[{code}m" for code in (*TERMINAL.codes.values(), "0")}
    assert set(SEQUENCE.findall(output)) <= codes
    assert all(line.isprintable() for line in SEQUENCE.sub("", output).split("\n"))


# -- a real terminal ----------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_a_terminal
@pytest.mark.parametrize("no_colour", ["", "1"])
def test_in_a_terminal(tmp_path: Path, no_colour: str) -> None:
    game = record_in(tmp_path)
    reading, writing = os.openpty()
    command = (sys.executable, "-c", "from tkid.cli import main; main()", "show", str(game))
    environment = {**os.environ, "TERM": "xterm-256color", "NO_COLOR": no_colour, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(command, stdout=writing, stderr=subprocess.PIPE, env=environment) as running:
        os.close(writing)
        told = b"".join(read(reading)).decode().replace("\r\n", "\n")
        os.close(reading)
        assert running.stderr
        assert running.stderr.read() == b""
    assert ("\x1b" in told) == (not no_colour)
    assert SEQUENCE.sub("", told) == said("show", game)
