"""How rules and answers are printed: the answer first, its reason second, the id and the link last."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import typer

from tkid.cli.support.printing import print_paragraph
from tkid.rulebook import Rule, rule
from tkid.rulebook.register import game_name, page_title

if TYPE_CHECKING:
    from tkid.rulebook.search import Answer

MOST_OTHERS = 8
"""So many rules are listed below the answer."""
NEAREST = 2
"""So many are listed where nothing fits."""


def print_answer(found: Answer, *, chosen: bool) -> None:
    """Print the best answer whole, then what else fits, each with a line of its own.

    Where the reader has not `chosen` a ruleset and the answer depends on it, it is printed how to choose one.
    """
    best, *others = found.hits
    editions = [hit.id for hit in found.hits if hit.group == "editions"]
    if not found.certain:
        typer.echo("Did you mean this?\n")
    print_rule(rule(best.id), editions)
    listed = [rule(hit.id) for hit in others if hit.group != "editions"][:MOST_OTHERS]
    if listed:
        typer.echo("\nSee also" if found.certain else "\nOr one of these?")
        _print_list(listed)
    if not chosen and game_name(best.id.partition(".")[0]):
        typer.echo("\nDo you play something else? Add --ruleset; `tkid rulesets` lists them all.")


def print_nearest(found: Answer) -> None:
    """Print the rules that are nearest to a question that none answers."""
    if found.hits:
        typer.echo("The nearest rules")
        _print_list(rule(hit.id) for hit in found.hits[:NEAREST])
        typer.echo("")


def print_rule(entry: Rule, editions: Iterable[str] = ()) -> None:
    """Print a rule whole: title and whose rule it is, answer, statement, reason, questions, readings, and last where it stands.

    `editions` are the ids of the same rule in other editions.
    """
    typer.echo(f"{entry.title or entry.id} ({page_title(entry.id.partition('.')[0])})")
    why = entry.why or entry.reason
    for text in (entry.short, entry.statement, entry.means, f"Why: {why}" if why else ""):
        if text:
            print_paragraph(text)
    for question, answer in entry.asks:
        typer.echo("")
        print_paragraph(question)
        print_paragraph(f"  {answer}", "  ")
    if entry.question:
        _print_readings(entry)
    typer.echo("")
    last = {
        "Retired, see": entry.moved,
        "Source": entry.source,
        "Confidence": entry.confidence,
        "Related": ", ".join(entry.related),
        "Other editions": ", ".join(editions),
    }
    for name, text in last.items():
        if text:
            print_paragraph(f"{name}: {text}", "  ")
    typer.echo(f"{entry.id} ({entry.kind})")
    typer.echo(entry.link)


def _print_readings(entry: Rule) -> None:
    """Print the question that a ruling answers, and its options."""
    typer.echo("")
    print_paragraph(f"A ruling: {entry.question}", "  ")
    if len(entry.options) == 1:
        print_paragraph(f"  {next(iter(entry.options.values()))}", "    ")
        return
    for option, meaning in entry.options.items():
        usual = " (the usual reading)" if option == entry.default else ""
        print_paragraph(f"  {option}{usual}: {meaning}", "    ")
    typer.echo(f"To choose otherwise, write in a record: Ruling: {entry.id} OPTION")
    typer.echo(f'For a new game: tkid new … --ruling "{entry.id} OPTION"')


def _print_list(rules: Iterable[Rule]) -> None:
    """Print rules, each with its title, its answer and its id."""
    for entry in rules:
        title = f"{entry.title}: " if entry.title else ""
        print_paragraph(f"  {title}{entry.short or entry.statement} [{entry.id}]", "    ")


def answer_json(question: str, ruleset: str, found: Answer) -> dict[str, Any]:
    """An answer as a JSON object."""
    rules = [(hit, rule(hit.id)) for hit in found.hits]
    return {
        "question": question,
        "ruleset": ruleset,
        "certain": found.certain,
        "fits": found.fits,
        "unknown": list(found.unknown),
        "rules": [
            {"id": hit.id, "title": entry.title, "short": entry.short, "statement": entry.statement, "link": entry.link}
            | {"score": hit.score, "group": hit.group}
            for hit, entry in rules
        ],
    }
