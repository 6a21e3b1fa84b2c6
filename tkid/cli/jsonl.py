"""Answering lines of JSON from standard input, one line each."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import typer

from tkid.cli.common import WRONG


def answer_lines(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer each line; a line that is not understood is answered with its problems, and the exit code says so."""
    from tkid.record.json import JsonError

    wrong = False
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            answered = answer(request) if isinstance(request, dict) else _problems("A request is a JSON object")
        except json.JSONDecodeError as error:
            answered = _problems(f"This is no JSON: {error.msg} in column {error.colno}")
        except RecursionError:
            answered = _problems("This JSON is nested too deeply")
        except JsonError as error:
            answered = _problems(*(problem.message for problem in error.problems))
        wrong = wrong or "problems" in answered
        typer.echo(json.dumps(answered, ensure_ascii=False))
    if wrong:
        raise typer.Exit(WRONG)


def _problems(*messages: str) -> dict[str, Any]:
    return {"problems": [{"rule": "notation.json", "message": message} for message in messages]}
