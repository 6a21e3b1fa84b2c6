"""Commands for the rulesets: rulesets, compare; and what is printed of a rule that is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from tkid.cli.support import WRONG, fail
from tkid.cli.support.printing import print_json, print_paragraph
from tkid.kernel.problems import with_stop

if TYPE_CHECKING:
    from tkid.rulebook.rulesets import Ruleset

app = typer.Typer()


def fail_unknown(error: Exception, advice: str) -> NoReturn:
    """Print that there is no such rule, and what helps, and stop."""
    fail(f"{_told(error)} {advice}", WRONG)


def _told(error: Exception) -> str:
    """What an error says, as a sentence."""
    return with_stop(f"{str(error)[:1].upper()}{str(error)[1:]}")


@app.command(epilog="Example: tkid rulesets")
def rulesets(
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """List the rulesets. Shows the source of each, how sure we are of it, and the rulings that you can choose."""
    from tkid.rulebook import rule as rule_of
    from tkid.rulebook.rulesets import rulesets as every

    if as_json:
        print_json([_ruleset_data(entry) for entry in every()], indent=2)
        return
    for entry in every():
        typer.echo(f"{entry.code} (version {entry.version}): {entry.title}")
        print_paragraph(f"  Source: {entry.source}. Confidence: {entry.confidence}.", "  ")
        if entry.game().secret:
            print_paragraph("  Secret hands. Without a host, somebody has to deal and keep the whole file.", "    ")
        for switch in entry.switches:
            ruling = rule_of(switch)
            print_paragraph(f"  Ruling {switch}: {', '.join(ruling.options)} (default {ruling.default})", "    ")


def _ruleset_data(entry: Ruleset) -> dict[str, object]:
    """A ruleset as a JSON object."""
    from tkid.rulebook import rule as rule_of

    rulings = [rule_of(switch) for switch in entry.switches]
    return {
        "code": entry.code,
        "version": entry.version,
        "title": entry.title,
        "family": entry.rule_prefix,
        "source": entry.source,
        "confidence": entry.confidence,
        "secret_hands": entry.game().secret,
        "rulings": [
            {"rule": ruling.id, "options": list(ruling.options), "default": ruling.default} for ruling in rulings
        ],
    }


@app.command(epilog="Example: tkid compare second-edition digest")
def compare(
    one: Annotated[str, typer.Argument(help="A ruleset. `tkid rulesets` lists them.", metavar="RULESET")],
    other: Annotated[str, typer.Argument(help="Another ruleset.", metavar="RULESET")],
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """List what differs between two rulesets. First cards, numbers, endings and choices, then rules."""
    from tkid.rulebook.comparison import comparison_data
    from tkid.rulebook.rulesets import UnknownRulesetError, ruleset

    try:
        data = comparison_data(ruleset(one), ruleset(other))
    except UnknownRulesetError as error:
        fail(_told(error))
    if as_json:
        print_json(data, indent=2)
    else:
        _print_comparison(data)


def _print_comparison(data: dict[str, Any]) -> None:
    """A comparison for people: facts with both texts, then rules that differ, then those that one has alone."""
    codes, facts, rules = data["rulesets"], data["facts"], data["rules"]
    if not facts and not rules:
        typer.echo(f"Nothing differs between {codes[0]} and {codes[1]}.")
        return
    typer.echo(f"{len(facts)} facts and {len(rules)} rules differ between {codes[0]} and {codes[1]}.")
    for fact in facts:
        typer.echo(f"\n{fact['title']}")
        for code in codes:
            citations = "".join(f" [{rule_id}]" for rule_id in fact[code]["rules"])
            text = fact[code]["text"].replace("\n", "; ")
            print_paragraph(f"  {code}: {text}{citations}", "    ")
    both = [entry for entry in rules if entry[codes[0]] and entry[codes[1]]]
    if both:
        typer.echo("\nRules that differ:")
    for entry in both:
        typer.echo(f"\n{entry['rule']}")
        for code in codes:
            print_paragraph(f"  {code}: {entry[code]['statement']} [{entry[code]['id']}]", "    ")
    for code, without in (codes, reversed(codes)):
        alone = [entry[code] for entry in rules if not entry[without]]
        if alone:
            typer.echo(f"\nRules only in {code}:\n")
        for entry in alone:
            print_paragraph(f"  {entry['statement']} [{entry['id']}]", "    ")
