"""The program `tkid`: its commands, and what it says without any."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from tkid import __version__
from tkid.cli import (
    archive,
    citations,
    conformance,
    fair_play,
    letter,
    mail,
    own_turns,
    play,
    questions,
    reference,
    render,
    secret_hands,
)
from tkid.cli.docs import commands as docs
from tkid.cli.host import commands
from tkid.cli.rules import asking

START = """\
tkid plays The King is Dead by e-mail and keeps its rules.

  tkid new game.tkid Ann Bob     deal a game for two into a file
  tkid show game.tkid            look at the position
  tkid legal game.tkid           what may be played
  tkid play game.tkid "TURN"     play a turn, for instance "Pass"
  tkid check game.tkid           is everything in the file right?
  tkid ask "who wins a tie?"     find the rule that answers a question
  tkid docs                      open the site with all rules

`tkid --help` lists all commands, `tkid COMMAND --help` explains one with an example."""

app = typer.Typer(no_args_is_help=False, rich_markup_mode=None, pretty_exceptions_enable=False)
GROUPS = (
    *(play, own_turns, render, archive, fair_play, questions, secret_hands),
    *(asking, reference, citations, docs, conformance),
)
for group in GROUPS:
    app.add_typer(group.app)
app.add_typer(mail.app, name="mail")
app.add_typer(letter.app, name="letter")
app.add_typer(commands.app, name="host")


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
    """Play The King is Dead by e-mail; record, check and replay games; find and cite its rules."""
    if version:
        typer.echo(f"tkid {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(START)


def main() -> None:
    """Run the program. What a terminal cannot show is written as its code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
