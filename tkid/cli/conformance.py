"""Commands for other implementations of the game: the conformance suite, its questions and its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from tkid.cli.game_source import load_bytes
from tkid.cli.printing import WRONG, fail, os_error_text, print_json

if TYPE_CHECKING:
    from tkid.record.json.conformance import Case, Suite

app = typer.Typer()


@app.command(epilog="Example: tkid conformance fixtures/conformance --check answers.jsonl")
def conformance(
    folder: Annotated[str, Argument(help="The folder with the suite's files.")] = "",
    questions: Annotated[bool, Option("--questions", help="Print the questions, one a line.")] = False,
    jsonl: Annotated[bool, Option("--jsonl", help="Answer the questions on standard input.")] = False,
    check: Annotated[str, Option("--check", help="Compare the answers in this file. - reads standard input.")] = "",
    ruleset: Annotated[
        list[str] | None, Option("--ruleset", help="Only the cases of this ruleset. May be repeated.")
    ] = None,
) -> None:
    """Compare answers with the numbered cases. Without options, they are tkid's own. Exit code 1 if any differs."""
    if sum((questions, jsonl, bool(check))) > 1:
        fail("Use only one of --questions, --jsonl and --check.")
    if jsonl:
        from tkid.cli.turn_input import answer_lines
        from tkid.record.json.conformance import answer

        answer_lines(answer)
        return
    suite = _load_suite(folder)
    cases = _select_cases(suite, ruleset or [])
    if questions:
        for case in cases:
            print_json(case.make_question())
    elif check:
        _print_report(suite, cases, _read_answers(check))
    else:
        from tkid.cli.printing import show_progress
        from tkid.record.json.conformance import answer

        answers = {}
        with show_progress("cases answered", len(cases)) as shown:
            for case in cases:
                answers[case.number] = answer(case.make_question())
                shown.count_step()
        _print_report(suite, cases, answers)


def _load_suite(folder: str) -> Suite:
    from pathlib import Path

    from tkid.record.json.conformance import SuiteError, read_suite

    if not folder:
        fail("Which suite? Name its folder, as in `tkid conformance fixtures/conformance`.")
    try:
        return read_suite(Path(folder))
    except OSError as error:
        fail(os_error_text(error))
    except SuiteError as error:
        fail(str(error))


def _select_cases(suite: Suite, codes: list[str]) -> Sequence[Case]:
    known = dict.fromkeys(case.ruleset for case in suite.cases)
    for code in codes:
        if code not in known:
            fail(f"The suite has no cases for the ruleset {code}. It has cases for {', '.join(known)}.")
    return [case for case in suite.cases if not codes or case.ruleset in codes]


def _read_answers(name: str) -> dict[str, Mapping[str, Any]]:
    from tkid.record.json.conformance import SuiteError, read_answers

    try:
        return read_answers(load_bytes(name).decode("utf-8-sig").split("\n"), name)
    except UnicodeDecodeError:
        fail(f"{name}: this file is not UTF-8 text.")
    except SuiteError as error:
        fail(str(error))


def _print_report(suite: Suite, cases: Sequence[Case], answers: Mapping[str, Mapping[str, Any]]) -> None:
    from tkid.record.json.conformance import judge_answers

    wrong = 0
    for verdict in judge_answers(cases, answers):
        if verdict.differences:
            wrong += 1
            case = verdict.case
            typer.echo(f"{case.number} {case.title} [{', '.join(case.rules)}]")
            for difference in verdict.differences:
                typer.echo(f"    {difference}")
    known = {case.number for case in suite.cases}
    unknown = [number for number in answers if number not in known]
    for number in unknown:
        retired = "this case is retired" if number in suite.retired else "this suite has no such case"
        typer.echo(f"{number}: {retired}. Its answer is ignored.", err=True)
    typer.echo(f"suite {suite.version}: {len(cases) - wrong} of {len(cases)} cases as expected")
    if wrong:
        raise typer.Exit(WRONG)
