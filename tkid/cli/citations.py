"""Commands for citing rules and trying out rulings: cite, impact."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated

import typer

from tkid.cli.reference import fail_unknown
from tkid.cli.support import WRONG, as_typed, fail, failure_text
from tkid.cli.support.sources import MANY, play_through
from tkid.notation.numbers import counted

app = typer.Typer()


@app.command(epilog="Example: tkid cite second.partial.in-full --format markdown")
def cite(
    rule_id: Annotated[str, typer.Argument(help="The rule's id, or its link.", metavar="ID")],
    form: Annotated[str, typer.Option("--format", help="text, markdown, bibtex, csl-json or url.")] = "text",
) -> None:
    """Cite a rule, with its link and the register's version."""
    from tkid import rulebook
    from tkid.rulebook.citations import FORMATS

    if form not in FORMATS:
        fail(f"--format {form}: choose one of {', '.join(FORMATS)}.")
    try:
        # as messages name it, or the end of a link
        entry = rulebook.rule(rule_id.strip(" []/").replace("#", "/").rpartition("/")[2])
    except rulebook.UnknownRuleError as error:
        fail_unknown(error, f"To look for rules: tkid ask {as_typed(rule_id)}")
    typer.echo(FORMATS[form](rulebook.rule(entry.moved) if entry.moved else entry))
    if entry.moved:
        typer.echo(f"{entry.id} is retired; {entry.moved} takes its place.", err=True)


@app.command(epilog="Example: tkid impact --ruling second.ruling.final-tie=shared games/*.tkid")
def impact(
    files: Annotated[
        list[str],
        typer.Argument(help=MANY),
    ],
    ruling: Annotated[
        list[str],
        typer.Option("--ruling", help="The ruling and the option to try: ID=OPTION or 'ID OPTION'. May be repeated."),
    ],
) -> None:
    """Try out another ruling on played games. Lists the turns and results that change.

    Exit code 1 if any does, 2 if a file could not be looked at.
    """
    from tkid.cli.checks.archives import sources
    from tkid.record.play.impact import impact as changes_under
    from tkid.render.lines import log_text

    readings = _readings(ruling)
    changed = wrong = 0
    for source in sources(files):
        name, error = log_text(source.name), source.error
        try:
            replay = None if error else play_through(source.name, source.data)
            switches = replay.record.ruleset.switches if replay is not None else ()
            unknown = [rule_id for rule_id in readings if rule_id not in switches]
            changes = changes_under(replay, readings) if replay is not None and not unknown else []
        except typer.Exit:  # what is wrong with it is printed
            wrong += 1
            continue
        except Exception as failure:  # noqa: BLE001 - no file stops the others
            replay, error = None, failure_text(failure)
        if replay is None:
            typer.echo(f"{name}: {error}", err=True)
            wrong += 1
            continue
        if unknown:
            typer.echo(f"{name}: {replay.record.ruleset.code} does not let you choose {' and '.join(unknown)}.")
            continue
        changed += bool(changes)
        typer.echo(f"{name}: {counted(len(changes), 'change')}" if changes else f"{name}: no change")
        for change in changes:
            typer.echo(f"  turn {change.turn} [{change.rule}]")
            typer.echo(f"    as played: {change.as_played or '(nothing)'}")
            typer.echo(f"    otherwise: {change.otherwise or '(nothing)'}")
    if wrong:
        fail(f"{counted(wrong, 'file')} could not be looked at.")
    raise typer.Exit(WRONG if changed else 0)


def _readings(ruling: list[str]) -> dict[str, str]:
    """The options that were named, each one that its ruling has."""
    from tkid import rulebook

    readings = {}
    for text in ruling:
        rule_id, _, option = (
            part.strip() for part in " ".join(text.lower().split()).replace("=", " ", 1).partition(" ")
        )
        if not rulebook.known(rule_id) or rulebook.rule(rule_id).kind != "ruling":
            every = [entry.id for entry in rulebook.all_rules() if len(entry.options) > 1]
            alike = () if rulebook.known(rule_id) else get_close_matches(rule_id, every, n=1)
            meant = f"Did you mean {alike[0]}? " if alike else ""
            fail(f"--ruling {text}: `{rule_id}` is not a ruling. {meant}You can choose: {', '.join(every)}.")
        options = rulebook.rule(rule_id).options
        if option not in options:
            fail(f"--ruling {text}: write {' or '.join(f'{rule_id}={each}' for each in options)}.")
        readings[rule_id] = option
    return readings
