"""The reference of the command line: all of the program is on it, and its examples are understood by the program."""

import re
from shlex import split

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from docs.making import commands
from tests.shared.tables import each_row
from tkid.cli.app import app
from tkid.cli.printing import UNREADABLE, WRONG

EVERY = [(typed, command) for _, typed, command in commands.commands()]
EXAMPLES = [(command, line) for _, command in EVERY for line in commands.examples(command)]


def test_every_command_of_the_program_is_on_the_page() -> None:
    shown = re.findall(r"^### (tkid \S.*?) \{", commands.page(), re.MULTILINE)
    assert shown == [typed for typed, _ in EVERY]
    for name, command in get_command(app).commands.items():  # type: ignore[attr-defined]
        for each in getattr(command, "commands", {"": None}):
            assert f"tkid {name} {each}".rstrip() in shown


@pytest.mark.slow
@each_row("typed", [typed for typed, _ in EVERY])
def test_a_command_is_told_as_its_help_tells_it(typed: str) -> None:
    """Every option that `--help` lists stands in its table, and the other way round."""
    result = CliRunner().invoke(app, [*typed.split()[1:], "--help"], terminal_width=200)
    assert result.exit_code == 0
    part = commands.page().partition(f"### {typed} {{")[2].partition("\n### ")[0].partition("\n## ")[0]
    listed = {option for options in re.findall(r"^\| `(-[^`]*)`", part, re.MULTILINE) for option in options.split(", ")}
    helped = re.findall(r"^  (-[\w-]+(?:, -[\w-]+)*)", result.output, re.MULTILINE)
    told = {option for options in helped for option in options.split(", ")} - {"--help"}
    assert {option.split()[0] for option in listed} == told


@each_row(("command", "line"), EXAMPLES)
def test_an_example_is_understood(command: object, line: str) -> None:
    """Its command is the one it stands under, and every option and argument is one that this takes."""
    words = split(line.partition(" < ")[0])  # what stands behind it is the shell's
    typed = next(typed for typed, each in EVERY if each is command)
    assert words[: len(typed.split())] == typed.split()
    command.make_context(typed, words[len(typed.split()) :])  # type: ignore[attr-defined]


def test_every_command_has_an_example() -> None:
    assert {id(command) for command, _ in EXAMPLES} == {id(command) for _, command in EVERY}


def test_exit_codes_are_those_of_the_program() -> None:
    assert set(commands.EXIT_CODES) == {0, WRONG, UNREADABLE}
    assert all(f"| {code} | {told} |" in commands.page() for code, told in commands.EXIT_CODES.items())
