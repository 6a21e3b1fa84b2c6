"""Commands for the rules: rule, rulesets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tkid.cli.common import WRONG, fail, say

if TYPE_CHECKING:
    from tkid.rulebook import Rule


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(epilog="Example: tkid rule second.partial.in-full; or: tkid rule negotiation disc")(rule)
    app.command(epilog="Example: tkid rulesets")(rulesets)


def rule(
    words: Annotated[list[str] | None, typer.Argument(help="An id, or words to look for.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole register as JSON.")] = False,
) -> None:
    """Print a rule by its id, or find rules by words."""
    from tkid import rulebook

    if as_json:
        _dump(words)
        return
    if not words:
        _list_all()
        return
    asked = " ".join(words)
    if rulebook.known(asked.lower()):
        _print(rulebook.rule(asked))
        return
    found = rulebook.find(asked)
    if not found:
        try:
            rulebook.rule(asked)
        except rulebook.UnknownRuleError as error:
            told = str(error).capitalize()
            fail(f"{told}{'' if told.endswith('?') else '.'} `tkid rule` alone lists all ids.", WRONG)
    if len(found) == 1:
        _print(found[0])
        return
    for entry in found:
        say(f"{entry.id}: {entry.statement}", "  ")


def _dump(words: list[str] | None) -> None:
    """The register as JSON, or one rule of it."""
    import json

    from tkid.rulebook.citing import register_data

    data = register_data()
    if words:
        (asked,) = words if len(words) == 1 else ("",)
        found = [entry for entry in data["rules"] if entry["id"] == asked.lower()]
        if not found:
            fail("--json goes with no words, or with one id.", WRONG)
        data = found[0]
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _list_all() -> None:
    from tkid import rulebook

    for entry in rulebook.all_rules():
        typer.echo(f"{entry.id} ({entry.kind})")


def _print(entry: Rule) -> None:
    typer.echo(f"{entry.id} ({entry.kind})")
    typer.echo("")
    if entry.question:
        say(f"Question: {entry.question}", "  ")
    say(entry.statement)
    for option, meaning in entry.options.items():
        default = " (default)" if option == entry.default else ""
        say(f"  {option}{default}: {meaning}", "    ")
    if entry.reason:
        say(f"Reason: {entry.reason}", "  ")
    if len(entry.options) > 1:
        typer.echo(f"To choose otherwise, write in a record: Ruling: {entry.id} OPTION")
    typer.echo("")
    say(f"Source: {entry.source}", "  ")
    if entry.confidence:
        say(f"Confidence: {entry.confidence}", "  ")
    if entry.related:
        say(f"See also: {', '.join(entry.related)}", "  ")
    if entry.moved:
        typer.echo(f"Retired; see {entry.moved}")
    typer.echo(f"Link: {entry.link}")


def rulesets() -> None:
    """List the rulesets with their sources."""
    from tkid.rulesets import rulesets as every

    for entry in every():
        typer.echo(f"{entry.code} (version {entry.version}): {entry.title}")
        say(f"  Source: {entry.source}. Confidence: {entry.confidence}.", "  ")
        for switch in entry.switches:
            from tkid.rulebook import rule as find

            say(f"  Ruling {switch}: {', '.join(find(switch).options)} (default {find(switch).default})", "    ")
