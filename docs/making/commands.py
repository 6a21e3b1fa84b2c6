"""The reference of the command line, made of the program itself when the site is built."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import groupby
from typing import Any, Protocol

from typer.main import get_command

from tkid.cli.app import app
from tkid.cli.printing import UNREADABLE, WRONG

PLACE = "<!-- commands -->"
"""The comment that the commands replace."""
HELP = "--help"
EXIT_CODES = {
    0: "Everything is in order.",
    WRONG: "A game has a mistake, or `tkid verify` found something unproven.",
    UNREADABLE: "A file could not be read or written, or the command was not understood.",
}


class Command(Protocol):
    """What this page reads of a command, whichever library describes it."""

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


def section(description: str) -> str:
    """The title of some commands, from the first words of their description."""
    words = re.sub(r"^Commands (that|for|to) ", "", re.split(r"[:.\n]", description)[0])
    return words[:1].upper() + words[1:]


def examples(command: Command) -> list[str]:
    """The examples of a command, each a line to type."""
    lines = re.split(r"; or[^:]*: (?=tkid )", (command.epilog or "").removeprefix("Example: "))
    return [line for line in lines if line]


def argument(param: Any) -> str:
    """An argument as it is typed."""
    name = (param.metavar or param.name.upper()) + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def option(param: Any) -> str:
    """An option with its value: `-o, --output OUTPUT`."""
    names = sorted(param.opts, key=len)
    value = "" if param.is_flag else f" {param.metavar or names[-1].lstrip('-').upper()}"
    return ", ".join(names) + value


def usage(typed: str, params: list[Any]) -> str:
    """How a command is typed: its arguments, and the options that it cannot do without."""
    options = [param for param in params if param.param_type_name == "option"]
    needed = [option(param) for param in options if param.required]
    others = [] if len(needed) == len(options) else ["[OPTIONS]"]
    arguments = [argument(param) for param in params if param.param_type_name == "argument"]
    return " ".join([typed, *needed, *others, *arguments])


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
        notes.append("Required.")
    elif isinstance(param.default, (str, int, float)) and param.default and not param.is_flag:
        notes.append(f"Default: `{param.default}`.")
    return f"| `{name}` | {' '.join([cell(param.help or ''), *notes]).strip()} |"


def described(typed: str, command: Command) -> Iterator[str]:
    """The paragraphs of a command."""
    shown = [param for param in command.params if not getattr(param, "hidden", False)]
    yield f"### {typed} {{: #{typed.replace(' ', '-')} data-toc-label='{typed.partition(' ')[2]}' }}"
    yield cell(command.help or "")
    yield f"```text\n{usage(typed, shown)}\n```"
    if shown:
        yield "| Argument or option | Meaning |\n|---|---|\n" + "\n".join(map(row, shown))
    lines = examples(command)
    if lines:
        yield f"For example:\n\n```sh\n{chr(10).join(lines)}\n```"


def table(title: str, meanings: Mapping[Any, str]) -> str:
    """A table of what things mean."""
    rows = [f"| {name} | {cell(meaning)} |" for name, meaning in meanings.items()]
    return "\n".join([f"| {title} | Meaning |", "|---|---|", *rows])


@cache
def page() -> str:
    """All commands, and the exit codes."""
    params: list[Any] = list(get_command(app).params)
    options = {f"`{option(param)}`": param.help for param in params if param.help}
    options[f"`{HELP}`"] = "Explain a command, with an example. Every command has it."
    blocks = ["## Exit codes { #exit-codes }", "Every command ends with one of these:", table("Code", EXIT_CODES)]
    blocks += ["## Options of the program { #options }", table("Option", options)]
    for title, group in groupby(commands(), lambda entry: entry[0]):
        blocks.append(f"## {title}")
        for _, typed, command in group:
            blocks += described(typed, command)
    return "\n\n".join(blocks)


def fill_commands(markdown: str) -> str:
    """Put the commands where a page asks for them."""
    return markdown.replace(PLACE, page()) if PLACE in markdown else markdown
