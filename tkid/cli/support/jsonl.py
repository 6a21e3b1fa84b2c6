"""Answering lines of JSON from standard input, one line each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import typer

from tkid.cli.support import WRONG
from tkid.cli.support.files import STDIN, read_lines
from tkid.cli.support.printing import print_json


def answer_lines(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer each line; a line that is not understood is answered with its problems, and the exit code says so."""
    from tkid.record.json.objects import JsonError

    exit_code = 0
    for line in read_lines(STDIN):
        if not line.strip():
            continue
        try:
            answered = answer(json_object(line))
        except JsonError as error:
            messages = [problem.message for problem in error.problems]
            answered = {"problems": [{"rule": "notation.json", "message": message} for message in messages]}
        exit_code = WRONG if "problems" in answered else exit_code
        print_json(answered)
    raise typer.Exit(exit_code)


def json_object(line: bytes) -> dict[str, Any]:
    """The JSON object that stands on a line. Raises JsonError."""
    from tkid.record.json.objects import JsonError

    try:
        request = json.loads(line.rstrip().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise JsonError("This line is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise JsonError(f"This is not JSON: {error.msg} in column {error.colno}") from None
    except RecursionError:
        raise JsonError("This JSON is nested too deeply") from None
    except ValueError:  # a number of thousands of digits
        raise JsonError("This JSON has a number that is too long") from None
    if not isinstance(request, dict):
        raise JsonError("A request is a JSON object")
    return request
