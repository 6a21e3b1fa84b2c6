"""Commands for the rules: rule, rulesets, compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tkid.cli.support.common import WRONG, fail, say

if TYPE_CHECKING:
    from tkid.rulebook import Rule
    from tkid.rulebook.rulesets import Ruleset


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(epilog="Example: tkid rule second.partial.in-full; or: tkid rule negotiation disc")(rule)
    app.command(epilog="Example: tkid rulesets")(rulesets)
    app.command(epilog="Example: tkid compare second-edition digest")(compare)


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

    from tkid.rulebook.citations import register_data

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


def rulesets(
    as_json: Annotated[bool, typer.Option("--json", help="The same as JSON.")] = False,
) -> None:
    """List the rulesets with their sources, how sure we are of each, and what a record may choose."""
    from tkid.rulebook.rulesets import rulesets as every

    if as_json:
        import json

        typer.echo(json.dumps([_ruleset_data(entry) for entry in every()], ensure_ascii=False, indent=2))
        return
    for entry in every():
        typer.echo(f"{entry.code} (version {entry.version}): {entry.title}")
        say(f"  Source: {entry.source}. Confidence: {entry.confidence}.", "  ")
        if entry.game().secret:
            say("  Secret hands: from hand to hand somebody deals and keeps the whole file, as a host does.", "    ")
        for switch in entry.switches:
            from tkid.rulebook import rule as find

            say(f"  Ruling {switch}: {', '.join(find(switch).options)} (default {find(switch).default})", "    ")


def _ruleset_data(entry: Ruleset) -> dict[str, object]:
    """A ruleset as a JSON object."""
    from tkid.rulebook import rule as find

    data = {"code": entry.code, "version": entry.version, "title": entry.title, "family": entry.rule_prefix}
    choices = [
        {"rule": switch, "options": list(find(switch).options), "default": find(switch).default}
        for switch in entry.switches
    ]
    told = {"source": entry.source, "confidence": entry.confidence, "secret_hands": entry.game().secret}
    return {**data, **told, "rulings": choices}


def compare(
    one: Annotated[str, typer.Argument(help="The name of a ruleset, see `tkid rulesets`.", metavar="RULESET")],
    other: Annotated[str, typer.Argument(help="The name of another.", metavar="RULESET")],
    as_json: Annotated[bool, typer.Option("--json", help="The same as JSON.")] = False,
) -> None:
    """Print what differs between two rulesets: cards, numbers, endings and choices, then the rules by their ids."""
    from tkid.rulebook.comparison import comparison_data
    from tkid.rulebook.rulesets import UnknownRulesetError, ruleset

    try:
        data = comparison_data(ruleset(one), ruleset(other))
    except UnknownRulesetError as error:
        fail(f"{str(error)[:1].upper()}{str(error)[1:]}.")
    if as_json:
        import json

        typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        _tell(data)


def _tell(data: dict[str, Any]) -> None:
    """A comparison for people: facts with both texts, then rules that differ, then those that one has alone."""
    codes, facts, rules = data["rulesets"], data["facts"], data["rules"]
    if not facts and not rules:
        typer.echo(f"Nothing differs between {codes[0]} and {codes[1]}.")
        return
    typer.echo(f"{len(facts)} facts and {len(rules)} rules differ between {codes[0]} and {codes[1]}.")
    for fact in facts:
        typer.echo(f"\n{fact['title']}")
        for code in codes:
            cited = "".join(f" [{rule_id}]" for rule_id in fact[code]["rules"])
            text = fact[code]["text"].replace("\n", "; ")
            say(f"  {code}: {text}{cited}", "    ")
    both = [entry for entry in rules if entry[codes[0]] and entry[codes[1]]]
    if both:
        typer.echo("\nRules that say something else:")
    for entry in both:
        typer.echo(f"\n{entry['rule']}")
        for code in codes:
            say(f"  {code}: {entry[code]['statement']} [{entry[code]['id']}]", "    ")
    for code, without in (codes, reversed(codes)):
        alone = [entry[code] for entry in rules if not entry[without]]
        if alone:
            typer.echo(f"\nRules of {code} alone:\n")
        for entry in alone:
            say(f"  {entry['statement']} [{entry['id']}]", "    ")
