"""Commands to ask about rules: ask, rule."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from difflib import get_close_matches
from functools import partial
from re import fullmatch
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from tkid.cli.files import STDIN, read_lines
from tkid.cli.printing import UNREADABLE, WRONG, fail, print_json, print_paragraph, wrap_paragraph
from tkid.notation.text import capitalize_text
from tkid.rulebook import Rule, UnknownRuleError, all_rules, is_known_rule
from tkid.rulebook import rule as find_rule
from tkid.rulebook.register import VERSION, find_address, find_game_name, find_page_title

if TYPE_CHECKING:
    from tkid.rulebook.search import Answer

MOST_OTHERS = 8
"""Rules listed below the answer."""
MOST_LINES = 6
"""Length of an answer."""
NEAREST = 2
"""Rules listed if none fits."""


def complete_ruleset(incomplete: str) -> list[str]:
    from tkid.rulebook.rulesets import rulesets

    return [each.code for each in rulesets() if each.code.startswith(incomplete)]


ruleset_option = partial(Option, autocompletion=complete_ruleset)


def complete_rule(incomplete: str) -> list[str]:
    return sorted(rule.id for rule in all_rules() if rule.id.startswith(incomplete))


def complete_ruling(context: typer.Context, incomplete: str) -> list[str]:
    """Complete ID=OPTION in the shell: of the ruleset if it was typed before, or else of each."""
    from tkid.rulebook.rulesets import list_codes, ruleset, rulesets

    chosen = context.params.get("ruleset")
    some = [ruleset(chosen)] if chosen in list_codes() else rulesets()
    ids = dict.fromkeys(ruling for entry in some for ruling in entry.switches)
    every = [f"{ruling}={option}" for ruling in ids for option in find_rule(ruling).options]
    return [each for each in every if each.startswith(incomplete)]


ruling_option = partial(Option, autocompletion=complete_ruling)
Rulings = Annotated[
    list[str] | None,
    ruling_option("--ruling", help="Choose another ruling: ID=OPTION. `tkid rulesets` lists them. May be repeated."),
]


def print_answer(found: Answer) -> None:
    """Print the answer in at most six lines: the answer, the rule's title and statement, and its link."""
    from tkid.rulebook.search import LIKELY, LIKELY_RULE

    entry = find_rule(found.hits[0].id)
    reply = found.reply if found.certain else f"{LIKELY}: {found.reply}" if found.reply else LIKELY_RULE
    title = f"{entry.title or entry.id} ({find_page_title(entry.id.partition('.')[0])})"
    pairs = ", ".join(f'"{typed}" taken as "{word}"' for typed, word in found.corrected)
    before = [*([pairs] if pairs else []), *wrap_paragraph(reply)[:2], title]
    statement = wrap_paragraph(entry.statement)
    room = MOST_LINES - 1 - len(before)
    if len(statement) > room:
        statement[room - 1 :] = [f"{statement[room - 1].rpartition(' ')[0]} …"]
    typer.echo("\n".join([*(line for line in before if line), *statement, entry.link]))


def print_whole_answer(found: Answer, *, chosen: bool) -> None:
    """Print the best rule whole, then what else fits, each on a line; and how to choose a ruleset, if that matters."""
    best, *others = found.hits
    editions = [hit.id for hit in found.hits if hit.group == "editions"]
    print_answer(found)
    typer.echo("")
    print_rule(find_rule(best.id), editions)
    listed = [find_rule(hit.id) for hit in others if hit.group != "editions"][:MOST_OTHERS]
    if listed:
        typer.echo("\nSee also" if found.certain else "\nOr one of these?")
        _print_list(listed)
    if not chosen and find_game_name(best.id.partition(".")[0]):
        typer.echo("\nDo you play something else? Add --ruleset; `tkid rulesets` lists them all.")


def print_rule(entry: Rule, editions: Iterable[str] = (), link: str = "") -> None:
    """Print a rule whole: title and whose rule it is, answer, statement, reason, questions, readings, and last where it stands.

    `editions` are the ids of the same rule in other editions, `link` leads elsewhere than to the rule as it is.
    """
    typer.echo(f"{entry.title or entry.id} ({find_page_title(entry.id.partition('.')[0])})")
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
    typer.echo(link or entry.link)


def _print_readings(entry: Rule) -> None:
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
    for entry in rules:
        title = f"{entry.title}: " if entry.title else ""
        print_paragraph(f"  {title}{entry.short or entry.statement} [{entry.id}]", "    ")


def answer_json(question: str, ruleset: str, found: Answer) -> dict[str, Any]:
    rules = [(hit, find_rule(hit.id)) for hit in found.hits]
    return {
        "question": question,
        "ruleset": ruleset,
        **describe_confidence(found),
        "answer": found.reply if found.fits else "",
        "certain": found.certain,
        "fits": found.fits,
        "unknown": list(found.unknown),
        "rules": [
            {"id": hit.id, "title": entry.title, "short": entry.short, "statement": entry.statement, "link": entry.link}
            | {"score": hit.score, "group": hit.group}
            for hit, entry in rules
        ],
    }


def describe_confidence(found: Answer) -> dict[str, Any]:
    """Return how sure an answer is, and the words that were taken as others."""
    return {
        "kind": "sure" if found.certain else "likely" if found.fits else "none",
        "confidence": found.confidence,
        "corrected": [{"typed": typed, "taken": word} for typed, word in found.corrected],
    }


def code_of(name: str) -> str:
    """Return the code of a ruleset by its code, or by its first word (`first`) or last word (`mordred`).

    Of several with this first word it is the shortest; with this last word, the longest: `advanced` is the second edition's.
    """
    from tkid.rulebook.search import list_ruleset_codes

    name, codes = name.lower(), list_ruleset_codes()
    begun = [code for code in codes if f"{code}-".startswith(f"{name}-")]
    ended = [code for code in codes if code.endswith(f"-{name}")]
    return min(begun, key=len, default="") or max(ended, key=len, default=name)


app = typer.Typer()

RulesetOption = Annotated[
    str,
    ruleset_option(
        "--ruleset", help="The ruleset whose rules come first. `tkid rulesets` lists them. Default: the second edition."
    ),
]
NOT_SAID = "The rules don't say."
ADVICE = "Try one word, such as a card or a place. `tkid rule` alone lists all ids."


@app.command(epilog='Example: tkid ask "who wins a tie?"; or: tkid ask --ruleset claim must I follow suit')
def ask(
    question: Annotated[list[str] | None, Argument(help="A question in your own words.")] = None,
    ruleset: RulesetOption = "",
    whole: Annotated[bool, Option("--all", help="Print the whole rule, and other rules that fit.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print the answer as JSON.")] = False,
    jsonl: Annotated[
        bool, Option("--jsonl", help="Read a question from each line of standard input, and answer each in JSON.")
    ] = False,
) -> None:
    """Answer a question about the rules. Prints the answer, the rule and its link. Exit code 1 if the rules don't say."""
    code = _choose_code(ruleset)
    if jsonl:
        if question or as_json or whole:
            fail("--jsonl reads its questions from standard input: `tkid ask --jsonl < q.txt`")
        if not answer_question_lines(code):
            raise typer.Exit(UNREADABLE)
        return
    asked = " ".join(question or ())
    if not asked.strip():
        fail('Ask a question, such as `tkid ask "who wins a tie?"`.')
    _answer_question(asked, code, as_json=as_json, whole=whole, chosen=bool(ruleset))


@app.command(
    epilog="Example: tkid rule second.partial.in-full; or: tkid rule negotiation disc; or: tkid rule second.turn.pass@2026.2"
)
def rule(
    words: Annotated[
        list[str] | None,
        Argument(
            help="An id, or words to look for. ID@VERSION is the rule as it was in that version.",
            autocompletion=complete_rule,
        ),
    ] = None,
    ruleset: RulesetOption = "",
    as_json: Annotated[
        bool, Option("--json", help="Print JSON: one rule, the rules that fit your words, or the whole register.")
    ] = False,
) -> None:
    """Print a rule by its id, or find rules by words."""
    asked = " ".join(words or ())
    if words and not asked.strip():
        fail("Name a rule or words to look for, such as `tkid rule tie`. `tkid rule` alone lists all ids.")
    key = asked.strip().lower()
    if is_known_rule(key):
        _print_rule_of_id(asked, as_json=as_json)
    elif fullmatch(r"\s*[\w.-]+@\S*\s*", asked):
        _print_rule_as_of(asked, as_json=as_json)
    elif below := [each for each in all_rules() if "." in key and each.id.startswith(f"{key.rstrip('.')}.")]:
        _print_below(below, as_json=as_json)
    elif asked:
        is_local_id = any(entry.id.partition(".")[2] == key for entry in all_rules())
        if fullmatch(r"\s*[\w-]+(\.[\w-]+)+\s*", asked) and not is_local_id:
            alike = get_close_matches(asked.strip().lower(), [entry.id for entry in all_rules()], n=3)
            hint = f" Did you mean {' or '.join(alike)}?" if alike else ""
            fail(f"There is no rule {asked.strip()!r}.{hint} `tkid rule` alone lists all ids.", WRONG)
        _answer_question(asked, _choose_code(ruleset), as_json=as_json, whole=True, chosen=bool(ruleset))
    elif as_json:
        from tkid.rulebook.citations import register_data

        print_json(register_data(), indent=2)
    else:
        for entry in all_rules():
            typer.echo(f"{entry.id} ({entry.kind})")


def _print_rule_of_id(rule_id: str, *, as_json: bool) -> None:
    entry = find_rule(rule_id)
    if as_json:
        from tkid.rulebook.citations import make_rule_data

        print_json(make_rule_data(entry), indent=2)
    else:
        print_rule(entry)


def _print_rule_as_of(asked: str, *, as_json: bool) -> None:
    """Print what a version of the register stated, and all changes of the rule."""
    from tkid.kernel.problems import end_sentence
    from tkid.rulebook.citations import UnknownVersionError, find_cited_rule, find_link, list_changes, make_rule_data

    try:
        entry, version = find_cited_rule(asked)
    except (UnknownRuleError, UnknownVersionError) as error:
        fail(end_sentence(capitalize_text(str(error))), WRONG)
    changes = [change.describe() for change in list_changes(entry)]
    if as_json:
        dated = {"version": version or VERSION, "link": find_link(entry, version), "changes": changes}
        print_json(make_rule_data(entry) | dated, indent=2)
        return
    print_rule(entry, link=find_link(entry, version))
    for change in changes:
        typer.echo("")
        print_paragraph(f"Register {change['version']}, {change['date']}: {change['reason']}", "  ")
        if change["before"] != change["after"]:
            print_paragraph(f"  {change['after']['statement']}", "  ")


def _print_below(rules: list[Rule], *, as_json: bool) -> None:
    if as_json:
        from tkid.rulebook.citations import make_rule_data

        print_json([make_rule_data(entry) for entry in rules], indent=2)
        return
    for entry in rules:
        typer.echo(f"{entry.id}: {entry.title or entry.statement}")


def _choose_code(ruleset: str) -> str:
    from tkid.rulebook.search import explain_unknown_ruleset, find_usual_ruleset

    code = code_of(ruleset) or find_usual_ruleset()
    if problem := explain_unknown_ruleset(code):
        fail(problem)
    return code


def _answer_question(asked: str, code: str, *, as_json: bool, whole: bool, chosen: bool) -> None:
    from tkid.rulebook.search import ask as find
    from tkid.rulebook.search.index import find_pages

    found = find(asked, code)
    if as_json:
        print_json(answer_json(asked, code, found), indent=2)
    elif found.fits:
        print_whole_answer(found, chosen=chosen) if whole else print_answer(found)
    else:
        typer.echo(f"{NOT_SAID} {found.reply}".rstrip())
    pages = [] if as_json or (found.reply and not found.fits) else find_pages(asked, by_heading=not found.fits)
    for title, path in pages:
        typer.echo(f"See the page {title}: {find_address(path)}")
    if not found.fits:
        if not (pages or found.reply):
            if found.hits and not as_json:
                typer.echo("\nThe nearest rules")
                _print_list(find_rule(hit.id) for hit in found.hits[:NEAREST])
            words = " or ".join(f'"{word}"' for word in found.unknown)
            typer.echo(f"{f'No rule mentions {words}. ' if words else ''}{ADVICE}", err=True)
        raise typer.Exit(WRONG)


MOST_IDS = 20
"""Ids in the answer to a question."""


def answer_question_lines(ruleset: str) -> bool:
    """Answer questions, or JSON objects with a `question` and perhaps a `ruleset`, in JSON; True if all could be read."""
    from tkid.record.json.objects import JsonError
    from tkid.rulebook.search import ask as find_answers

    readable = True
    for number, line in enumerate(read_lines(STDIN), 1):
        try:
            question, code = _read_question(line, ruleset)
        except JsonError as error:
            message = error.problems[0].message
            typer.echo(f"Line {number}: {message}", err=True)
            print_json({"question": "", "rules": [], "problems": [{"rule": "notation.json", "message": message}]})
            readable = False
            continue
        found = find_answers(question, code)
        ids = [hit.id for hit in found.hits[:MOST_IDS]]
        answer = {"question": question, "rules": ids, "answer": found.reply if found.fits else ""}
        print_json({**answer, **describe_confidence(found)})
        sys.stdout.flush()
    return readable


def _read_question(line: bytes, ruleset: str) -> tuple[str, str]:
    from tkid.cli.turn_input import json_object
    from tkid.record.json.objects import JsonError
    from tkid.rulebook.search import explain_unknown_ruleset

    if not line.lstrip().startswith(b"{"):
        try:
            return line.decode("utf-8-sig").rstrip("\r\n"), ruleset
        except UnicodeDecodeError:
            raise JsonError("This line is not UTF-8") from None
    request: dict[str, Any] = json_object(line)
    question, code = request.get("question"), request.get("ruleset") or ruleset
    if not isinstance(question, str):
        raise JsonError('A question is {"question": "…"}, a text')
    if not isinstance(code, str):
        raise JsonError('A ruleset is the name of one, such as "second-edition"')
    if problem := explain_unknown_ruleset(code_of(code)):
        raise JsonError(problem)
    return question, code_of(code)
