"""Answering questions from standard input, one a line, each at once."""

from __future__ import annotations

import sys
from typing import Any

import typer

from tkid.cli.rules.editions import code_of
from tkid.cli.support.files import STDIN, read_lines
from tkid.cli.support.jsonl import json_object
from tkid.cli.support.printing import print_json
from tkid.record.json.objects import JsonError
from tkid.rulebook.search import ask, unknown_ruleset

MOST_IDS = 20
"""So many ids answer a question."""


def answer_questions(ruleset: str) -> bool:
    """Answer each line with a line of JSON; return whether all could be read.

    A line is a question, or a JSON object with a `question`, and a `ruleset` if it is not the one of the others.
    """
    readable = True
    for number, line in enumerate(read_lines(STDIN), 1):
        try:
            question, code = _read(line, ruleset)
        except JsonError as error:
            message = error.problems[0].message
            typer.echo(f"Line {number}: {message}", err=True)
            print_json({"question": "", "rules": [], "problems": [{"rule": "notation.json", "message": message}]})
            readable = False
            continue
        hits = ask(question, code).hits if question.strip() else ()
        print_json({"question": question, "rules": [hit.id for hit in hits[:MOST_IDS]]})
        sys.stdout.flush()
    return readable


def _read(line: bytes, ruleset: str) -> tuple[str, str]:
    """The question of a line, and the ruleset that it is asked of. Raises JsonError."""
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
    if problem := unknown_ruleset(code_of(code)):
        raise JsonError(problem)
    return question, code_of(code)
