"""Commands that find rules: ask, rule."""

from __future__ import annotations

from difflib import get_close_matches
from re import fullmatch
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tkid.cli.rules.editions import code_of
from tkid.cli.support import UNREADABLE, WRONG, fail
from tkid.cli.support.printing import print_json

if TYPE_CHECKING:
    from tkid.rulebook import Rule
    from tkid.rulebook.search import Answer

app = typer.Typer()

RulesetOption = Annotated[
    str, typer.Option("--ruleset", help="Whose rules come first, see `tkid rulesets`; else the second edition.")
]
ADVICE = "Try one word, such as a card or a place. `tkid rule` alone lists all ids."


@app.command(epilog='Example: tkid ask "who wins a tie?"; or: tkid ask --ruleset claim must I follow suit')
def ask(
    question: Annotated[list[str] | None, typer.Argument(help="A question in your own words.")] = None,
    ruleset: RulesetOption = "",
    as_json: Annotated[bool, typer.Option("--json", help="The same as JSON.")] = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Read one question a line from standard input, answer each in JSON.")
    ] = False,
) -> None:
    """Answer a question about the rules. Prints the best answer in full, then what else fits; exit 1 if nothing does."""
    code = _code(ruleset)
    if jsonl:
        if question or as_json:
            fail("--jsonl reads its questions from standard input: `tkid ask --jsonl < q.txt`")
        from tkid.cli.rules.lines import answer_questions

        if not answer_questions(code):
            raise typer.Exit(UNREADABLE)
        return
    asked = " ".join(question or ())
    if not asked.strip():
        fail('Ask a question, such as `tkid ask "who wins a tie?"`.')
    _answer(asked, code, as_json=as_json, chosen=bool(ruleset))


@app.command(epilog="Example: tkid rule second.partial.in-full; or: tkid rule negotiation disc")
def rule(
    words: Annotated[list[str] | None, typer.Argument(help="An id, or words to look for.")] = None,
    ruleset: RulesetOption = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="As JSON: one rule, what fits some words, or the whole register.")
    ] = False,
) -> None:
    """Print a rule by its id, or find rules by words."""
    from tkid import rulebook

    asked = " ".join(words or ())
    if rulebook.known(asked.strip().lower()):
        _print_one(asked, as_json=as_json)
    elif below := _below(asked.strip().lower()):
        _print_below(below, as_json=as_json)
    elif asked:
        if fullmatch(r"\s*[\w-]+(\.[\w-]+)+\s*", asked) and not _is_local(asked.strip().lower()):
            _fail_without_rule(asked)
        _answer(asked, _code(ruleset), as_json=as_json, chosen=bool(ruleset))
    elif as_json:
        from tkid.rulebook.citations import register_data

        print_json(register_data(), indent=2)
    else:
        for entry in rulebook.all_rules():
            typer.echo(f"{entry.id} ({entry.kind})")


def _print_one(rule_id: str, *, as_json: bool) -> None:
    """Print the rule of an id."""
    from tkid import rulebook

    entry = rulebook.rule(rule_id)
    if as_json:
        from tkid.rulebook.citations import rule_data

        print_json(rule_data(entry), indent=2)
    else:
        from tkid.cli.rules.answers import print_rule

        print_rule(entry)


def _below(asked: str) -> list[Rule]:
    """The rules whose ids begin with these words, such as all of `second.turn`."""
    from tkid.rulebook import all_rules

    return [entry for entry in all_rules() if "." in asked and entry.id.startswith(f"{asked.rstrip('.')}.")]


def _print_below(rules: list[Rule], *, as_json: bool) -> None:
    """Print a list of rules, each with its id and its title."""
    if as_json:
        from tkid.rulebook.citations import rule_data

        print_json([rule_data(entry) for entry in rules], indent=2)
        return
    for entry in rules:
        typer.echo(f"{entry.id}: {entry.title or entry.statement}")


def _is_local(asked: str) -> bool:
    """Whether a rule of any edition has this id after its first word."""
    from tkid.rulebook import all_rules

    return any(entry.id.partition(".")[2] == asked for entry in all_rules())


def _fail_without_rule(rule_id: str) -> NoReturn:
    """Stop, with the ids that look like this one."""
    from tkid import rulebook

    alike = get_close_matches(rule_id.strip().lower(), [entry.id for entry in rulebook.all_rules()], n=3)
    hint = f" Did you mean {' or '.join(alike)}?" if alike else ""
    fail(f"There is no rule {rule_id.strip()!r}.{hint} `tkid rule` alone lists all ids.", WRONG)


def _code(ruleset: str) -> str:
    """The code of the ruleset that was named; the usual one if none was."""
    from tkid.rulebook.search import unknown_ruleset, usual_ruleset

    code = code_of(ruleset) or usual_ruleset()
    if problem := unknown_ruleset(code):
        fail(problem)
    return code


def _answer(asked: str, code: str, *, as_json: bool, chosen: bool) -> None:
    """Print what answers a question; stop with exit code 1 if nothing does."""
    from tkid.cli.rules.answers import answer_json, print_answer, print_nearest
    from tkid.rulebook.search import ask as find

    found = find(asked, code)
    if as_json:
        print_json(answer_json(asked, code, found), indent=2)
    elif found.fits:
        print_answer(found, chosen=chosen)
    if not found.fits:
        if not as_json:
            print_nearest(found)
        _fail_without_answer(asked, found)


def _fail_without_answer(asked: str, found: Answer) -> NoReturn:
    missing = " or ".join(f'"{word}"' for word in found.unknown) or f'"{asked}"'
    fail(f"No rule mentions {missing}. {ADVICE}", WRONG)
