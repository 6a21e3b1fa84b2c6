"""Writes fixtures/conformance in its layout: quotes of rules out of the register, counts in the manifest. Answers stay.

Run as `python -m tests.makers.conformance` after a case was added or a rule's statement was improved. What a case asks and
expects is written by hand, out of the rules; nothing here computes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tkid.record.json.conformance import MANIFEST
from tkid.rulebook import rule
from tkid.rulebook.register import VERSION

FOLDER = Path(__file__).parents[2] / "fixtures" / "conformance"
WIDTH = 120


def laid_out(value: Any, indent: int = 0, before: int = 0) -> str:
    """A value as JSON: on one line where it fits behind `before` characters or is a list of words, else an entry a line."""
    line = json.dumps(value, ensure_ascii=False)
    plain = not isinstance(value, dict | list) or not any(isinstance(each, dict | list) for each in value)
    if (plain and not isinstance(value, dict)) or not value or indent + before + len(line) < WIDTH:
        return line
    inner = indent + 2
    if isinstance(value, dict):
        names = {name: f"{json.dumps(name, ensure_ascii=False)}: " for name in value}
        rows = [names[name] + laid_out(each, inner, len(names[name])) for name, each in value.items()]
        opening, closing = "{}"
    else:
        rows = [laid_out(each, inner) for each in value]
        opening, closing = "[]"
    pad = " " * inner
    return opening + "\n" + ",\n".join(pad + row for row in rows) + "\n" + " " * indent + closing


def quoted(chapter: Mapping[str, Any]) -> dict[str, Any]:
    """A chapter with every rule quoted as the register states it now."""
    cases = [
        case | {"rules": [{"id": cited["id"], "says": rule(cited["id"]).statement} for cited in case["rules"]]}
        for case in chapter["cases"]
    ]
    return {**chapter, "cases": cases}


def highest(chapter: Mapping[str, Any], before: Mapping[str, int]) -> dict[str, int]:
    """The highest number that each section has ever given; `before` is what the manifest said so far."""
    found = dict(before)
    for case in chapter["cases"]:
        section, _, number = case["number"].rpartition(".")
        found[section] = max(found.get(section, 0), int(number))
    return found


def about(chapter: Mapping[str, Any]) -> list[str]:
    """The codes of the rulesets that a chapter asks about."""
    asked = (case["question"].get("position") or case["question"] for case in chapter["cases"])
    return list(dict.fromkeys(each["ruleset"] for each in asked))


def files() -> dict[str, str]:
    """The text of every file by name, as it ought to be."""
    manifest = json.loads((FOLDER / MANIFEST).read_text("utf-8"))
    made, listed, given = {}, [], dict(manifest["highest"])
    for entry in manifest["chapters"]:
        chapter = quoted(json.loads((FOLDER / entry["file"]).read_text("utf-8")))
        made[entry["file"]] = laid_out(chapter) + "\n"
        given = highest(chapter, given)
        listed.append({**entry, "title": chapter["title"], "cases": len(chapter["cases"]), "rulesets": about(chapter)})
    total = sum(entry["cases"] for entry in listed)
    manifest |= {"register": VERSION, "cases": total, "chapters": listed, "highest": given}
    return {**made, MANIFEST: laid_out(manifest) + "\n"}


def main() -> None:
    """Write all files."""
    for name, text in files().items():
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
