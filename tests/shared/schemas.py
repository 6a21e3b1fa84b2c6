"""The published schemas of all that the program writes as JSON, and which of them a command's output has to fit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"
WHOLE: Mapping[tuple[str, ...], str] = {
    ("show",): "position",
    ("rulesets",): "rulesets",
    ("compare",): "compare",
    ("transcribe",): "transcribe",
    ("stats",): "stats",
    ("ask",): "ask",
    ("rule",): "rule",
    ("host", "status"): "status",
    ("host", "doctor"): "doctor",
    ("host", "ratings"): "ratings",
    ("host", "results"): "results",
}
"""The schema of what a command prints with `--json`, where that is one document."""
ACTIONS: Mapping[str, str] = {"list": "tournaments", "show": "tournament"}
"""The schema of what each action of `tkid host tournament` prints with `--json`."""
LINES: Mapping[tuple[str, str], str] = {
    ("replay", "--json"): "replay",
    ("suggest", "--json"): "suggest",
    ("verify", "--jsonl"): "verify",
    ("impact", "--jsonl"): "impact",
    ("check", "json"): "check",
    ("legal", "--jsonl"): "legal",
    ("result", "--jsonl"): "result",
    ("read", "--jsonl"): "read",
    ("ask", "--jsonl"): "ask-line",
    ("conformance", "--jsonl"): "answer",
    ("conformance", "--questions"): "question",
}
"""The schema of each line that a command prints, by the command and what asks for it."""


@cache
def documents() -> Mapping[str, Any]:
    """Every schema by its name."""
    return {file.stem: json.loads(file.read_text("utf-8")) for file in sorted(FOLDER.glob("*.json"))}


@cache
def validator(name: str) -> Draft202012Validator:
    """What validates by a schema, which may refer to others."""
    known = ((each["$id"], Resource.from_contents(each)) for each in documents().values())
    return Draft202012Validator(documents()[name], registry=Registry().with_resources(known))


def faults(name: str, document: Any) -> list[str]:
    """What in a document does not fit a schema."""
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(name).iter_errors(document)]


def misfits(words: Sequence[str], printed: str) -> Iterator[str]:
    """What a command printed as JSON that does not fit its schema."""
    name = WHOLE.get(tuple(words[:1])) or WHOLE.get(tuple(words[:2]))
    if words[:2] == ["host", "tournament"]:
        name = ACTIONS.get(words[3])
    if "--json" in words and name:
        yield from faults(name, json.loads(printed))
    for (command, asked), name in LINES.items():
        if words[:1] == [command] and asked in words:
            for line in printed.splitlines():
                yield from faults(name, json.loads(line))
