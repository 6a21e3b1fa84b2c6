"""The reference of the command line, made of the program itself when the site is built."""  # noqa: INP001 - mkdocs loads it by path

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import getsource
from itertools import groupby, pairwise
from typing import Any, Protocol

from typer.main import get_command

from tkid.cli.app import app
from tkid.cli.support import common

PLACE = "<!-- commands -->"
"""The comment in place of which the commands stand."""
HELP = "--help"
CODES = "Exit code: "
"""How the description of an exit code begins in the program."""


class Command(Protocol):
    """What is asked of a command, whichever library describes it."""

    help: str | None
    epilog: str | None
    hidden: bool
    callback: Any
    params: list[Any]


def commands() -> Iterator[tuple[str, str, Command]]:
    """Every command that can be run: its section, how it is typed, and itself, in the order of `tkid --help`."""
    top = get_command(app)
    every: dict[str, Any] = getattr(top, "commands", {})
    for name, command in every.items():
        if not hasattr(command, "commands"):
            yield section(sys.modules[command.callback.__module__].__doc__ or ""), f"tkid {name}", command
    for name, group in every.items():
        for each, command in getattr(group, "commands", {}).items():
            yield section(group.help), f"tkid {name} {each}", command


def section(told: str) -> str:
    """The title of some commands, from the first words that are said of them."""
    words = re.sub(r"^Commands (that|for|to) ", "", re.split(r"[:.\n]", told)[0])
    return words[:1].upper() + words[1:]


def exit_codes() -> dict[int, str]:
    """The exit codes of the program, with what each one means."""
    tree = ast.parse(getsource(common)).body
    found = {0: "Everything is as it should be."}
    for assigned, told in pairwise(tree):
        match assigned, told:
            case (
                ast.Assign(value=ast.Constant(value=int(code))),
                ast.Expr(value=ast.Constant(value=str(text))),
            ) if text.startswith(CODES):
                meaning = text.removeprefix(CODES)
                found[code] = meaning[:1].upper() + meaning[1:]
    return found


def examples(command: Command) -> list[str]:
    """The examples of a command, each a line to type."""
    lines = re.split(r"; or[^:]*: (?=tkid )", (command.epilog or "").removeprefix("Example: "))
    return [line for line in lines if line]


def argument(param: Any) -> str:
    """How an argument stands on the command line."""
    name = (param.metavar or param.name.upper()) + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def option(param: Any) -> str:
    """An option with its value: `-o, --output OUTPUT`."""
    names = sorted(param.opts, key=len)
    value = "" if param.is_flag else f" {param.metavar or names[-1].lstrip('-').upper()}"
    return ", ".join(names) + value


def usage(typed: str, command: Command) -> str:
    """How a command is typed: its arguments, and the options that it cannot do without."""
    shown = [param for param in command.params if not getattr(param, "hidden", False)]
    needed = [option(param) for param in shown if param.param_type_name == "option" and param.required]
    rest = any(param.param_type_name == "option" and not param.required for param in shown)
    arguments = [argument(param) for param in shown if param.param_type_name == "argument"]
    return " ".join([typed, *needed, *(["[OPTIONS]"] if rest else []), *arguments])


def cell(text: str) -> str:
    """A sentence as a cell of a table: what looks like Markdown or HTML is shown as it is."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\*_\[\]{}|])", r"\\\1", part).replace("<", "&lt;") for part in parts[::2]]
    return "`".join(parts)


def row(param: Any) -> str:
    """An argument or an option as a row."""
    name = argument(param).strip("[]") if param.param_type_name == "argument" else option(param)
    notes = []
    if param.param_type_name == "option" and param.required:
        notes.append("Has to be given.")
    elif isinstance(param.default, (str, int, float)) and param.default and not param.is_flag:
        notes.append(f"Without it: `{param.default}`.")
    return f"| `{name}` | {' '.join([cell(param.help or ''), *notes]).strip()} |"


def described(typed: str, command: Command) -> Iterator[str]:
    """The paragraphs of a command."""
    yield f"### {typed} {{: #{typed.replace(' ', '-')} data-toc-label='{typed.partition(' ')[2]}' }}"
    yield cell(command.help or "")
    yield f"```text\n{usage(typed, command)}\n```"
    rows = [row(param) for param in command.params if not getattr(param, "hidden", False)]
    if rows:
        yield "| Argument or option | Meaning |\n|---|---|\n" + "\n".join(rows)
    lines = examples(command)
    if lines:
        yield f"For example:\n\n```sh\n{chr(10).join(lines)}\n```"


def options_of_the_program() -> Mapping[str, str]:
    """The options of `tkid` itself, with what they do."""
    params: list[Any] = list(get_command(app).params)
    return {option(param): param.help for param in params if param.help}


@cache
def page() -> str:
    """All commands, and the exit codes."""
    blocks = ["## Exit codes { #exit-codes }", "Every command ends with one of these:"]
    blocks.append(
        "| Code | Meaning |\n|---|---|\n" + "\n".join(f"| {c} | {cell(t)} |" for c, t in exit_codes().items())
    )
    blocks.append("## Options of the program { #options }")
    told = {**options_of_the_program(), HELP: "Say what a command does, and stop. Goes with every command."}
    blocks.append("| Option | Meaning |\n|---|---|\n" + "\n".join(f"| `{o}` | {cell(t)} |" for o, t in told.items()))
    for title, group in groupby(commands(), lambda entry: entry[0]):
        blocks.append(f"## {title}")
        for _, typed, command in group:
            blocks += described(typed, command)
    return "\n\n".join(blocks)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put the commands where a page asks for them."""
    return markdown.replace(PLACE, page()) if PLACE in markdown else markdown
