"""Commands for rulesets and citations: rulesets, compare, cite, impact."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer import Argument, Option

from tkid import rulebook
from tkid.cli import archives
from tkid.cli.printing import UNREADABLE, WRONG, as_typed, check_choice, fail, offer, print_json, print_paragraph
from tkid.cli.rules import complete_rule, complete_ruleset, ruling_option
from tkid.kernel.problems import end_sentence
from tkid.notation.text import capitalize_text, count_noun
from tkid.render.lines import log_text
from tkid.rulebook import rule as rule_of

if TYPE_CHECKING:
    from tkid.rulebook.rulesets import Ruleset

app = typer.Typer()


def fail_unknown(error: Exception, advice: str = "", code: int = WRONG) -> NoReturn:
    fail(f"{end_sentence(capitalize_text(str(error)))} {advice}".rstrip(), code)


@app.command(epilog="Example: tkid rulesets")
def rulesets(as_json: Annotated[bool, Option("--json", help="Print it as JSON.")] = False) -> None:
    """List the rulesets. Shows the source of each, how sure we are of it, and the rulings that you can choose."""
    from tkid.rulebook.rulesets import rulesets as every

    if as_json:
        print_json([_make_ruleset_data(entry) for entry in every()], indent=2)
        return
    for entry in every():
        typer.echo(f"{entry.code} (version {entry.version}): {entry.title}")
        print_paragraph(f"  Source: {entry.source}. Confidence: {entry.confidence}.", "  ")
        if entry.game().secret:
            print_paragraph("  Secret hands. Without a host, somebody has to deal and keep the whole file.", "    ")
        for switch in entry.switches:
            ruling = rule_of(switch)
            print_paragraph(f"  Ruling {switch}: {', '.join(ruling.options)} (default {ruling.default})", "    ")


def _make_ruleset_data(entry: Ruleset) -> dict[str, object]:
    about = {"code": entry.code, "version": entry.version, "title": entry.title, "family": entry.rule_prefix}
    about |= {"source": entry.source, "confidence": entry.confidence}
    rulings = [
        {"rule": each.id, "options": list(each.options), "default": each.default}
        for each in map(rule_of, entry.switches)
    ]
    return {**about, "secret_hands": entry.game().secret, "rulings": rulings}


@app.command(epilog="Example: tkid compare second-edition digest")
def compare(
    one: Annotated[
        str, Argument(help="A ruleset. `tkid rulesets` lists them.", metavar="RULESET", autocompletion=complete_ruleset)
    ],
    other: Annotated[str, Argument(help="Another ruleset.", metavar="RULESET", autocompletion=complete_ruleset)],
    as_json: Annotated[bool, Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """List what differs between two rulesets. First cards, numbers, endings and choices, then rules."""
    from tkid.rulebook.rulesets import UnknownRulesetError, describe_comparison, ruleset

    try:
        data = describe_comparison(ruleset(one), ruleset(other))
    except UnknownRulesetError as error:
        fail_unknown(error, code=UNREADABLE)
    if as_json:
        print_json(data, indent=2)
    else:
        _print_comparison(data)


def _print_comparison(data: dict[str, Any]) -> None:
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


@app.command(
    epilog="Example: tkid cite second.partial.in-full --format markdown; or: tkid cite second.turn.pass@2026.2"
)
def cite(
    rule_id: Annotated[
        str,
        Argument(
            help="The rule's id, or its link. ID@VERSION cites the rule as it was in that version.",
            metavar="ID",
            autocompletion=complete_rule,
        ),
    ],
    form: Annotated[
        str,
        offer("text", "markdown", "bibtex", "csl-json", "url")(
            "--format", help="text, markdown, bibtex, csl-json or url."
        ),
    ] = "text",
) -> None:
    """Cite a rule, with its link and the register's version."""
    from tkid.rulebook.citations import FORMATS, UnknownVersionError, find_cited_rule

    check_choice("--format", form, FORMATS)
    try:
        entry, version = find_cited_rule(rule_id)
    except UnknownVersionError as error:
        fail_unknown(error)
    except rulebook.UnknownRuleError as error:
        fail_unknown(error, f"To look for rules: tkid ask {as_typed(rule_id.partition('@')[0])}")
    typer.echo(FORMATS[form](rule_of(entry.moved) if entry.moved and not version else entry, version))
    if entry.moved:
        typer.echo(f"{entry.id} is retired; {entry.moved} takes its place.", err=True)


@app.command(epilog="Example: tkid impact --ruling second.ruling.final-tie=shared games/*.tkid")
def impact(
    files: archives.Files,
    ruling: Annotated[
        list[str], ruling_option("--ruling", help="The ruling and the option to try: ID=OPTION. May be repeated.")
    ],
    as_lines: archives.LinesOption = False,
    output: archives.LinesFile = None,
    resume: archives.ResumeOption = False,
    jobs: archives.JobsOption = 0,
    on: archives.OnOption = "",
) -> None:
    """Try out another ruling on played games. Lists the turns and results that change.

    Exit code 1 if one changes, 2 if a file can't be read.
    """
    work = partial(find_changes, readings=_parse_readings(ruling))
    if as_lines or output:
        raise typer.Exit(archives.write_lines(work, files, output, "changes", resume=resume, jobs=jobs, on=on))
    changed = wrong = 0
    for found in archives.map_sources(partial(archives.find_lines, find=work), archives.find_sources(files), jobs, on):
        name = log_text(found.name)
        if found.error:
            typer.echo(f"{name}: {found.error}", err=True)
            wrong += 1
            continue
        row = found.rows[0]
        changed += bool(row["changes"])
        if row["unknown"]:
            typer.echo(f"{name}: {row['ruleset']} does not let you choose {' and '.join(row['unknown'])}.")
        else:
            typer.echo(f"{name}: {count_noun(len(row['changes']), 'change', 'no')}")
        for change in row["changes"]:
            typer.echo(f"  turn {change['turn']} [{change['rule']}]")
            typer.echo(f"    as played: {change['as_played'] or '(nothing)'}")
            typer.echo(f"    otherwise: {change['otherwise'] or '(nothing)'}")
    if wrong:
        fail(f"{count_noun(wrong, 'file')} could not be read.")
    raise typer.Exit(WRONG if changed else 0)


def find_changes(source: archives.Source, readings: Mapping[str, str]) -> archives.GameLines:
    """Find what changes in a game with other options of rulings, and which rulings its ruleset does not have."""
    from tkid.record.play.validation import find_impact

    replay = archives.play_source(source)
    ruleset = replay.record.ruleset
    unknown = [rule_id for rule_id in readings if rule_id not in ruleset.switches]
    changes = [] if unknown else find_impact(replay, readings)
    rows = [
        {"turn": each.turn, "rule": each.rule, "as_played": each.as_played, "otherwise": each.otherwise}
        for each in changes
    ]
    row = {"ruleset": ruleset.code, "unknown": unknown, "changes": rows}
    return archives.GameLines(source.name, [row], WRONG if changes else 0)


def _parse_readings(ruling: list[str]) -> dict[str, str]:
    readings = {}
    for text in ruling:
        typed = " ".join(text.lower().split()).replace("=", " ", 1)
        rule_id, _, option = (part.strip() for part in typed.partition(" "))
        if not rulebook.is_known_rule(rule_id) or rule_of(rule_id).kind != "ruling":
            every = [entry.id for entry in rulebook.all_rules() if len(entry.options) > 1]
            alike = () if rulebook.is_known_rule(rule_id) else get_close_matches(rule_id, every, n=1)
            meant = f"Did you mean {alike[0]}? " if alike else ""
            fail(f"--ruling {text}: `{rule_id}` is not a ruling. {meant}You can choose: {', '.join(every)}.")
        options = rule_of(rule_id).options
        if option not in options:
            fail(f"--ruling {text}: write {' or '.join(f'{rule_id}={each}' for each in options)}.")
        readings[rule_id] = option
    return readings
