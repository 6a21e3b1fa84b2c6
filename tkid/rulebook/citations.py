"""Citing a rule: as text, Markdown, BibTeX, CSL-JSON or address; and the whole register as data."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tkid.rulebook.register import VERSION, Rule, all_rules

TITLE = "The King is Dead: rules and rulings (tkid)"


def _cite_as_text(entry: Rule) -> str:
    return f"{entry.title}: {entry.statement} [{entry.id}, register {VERSION}] {entry.link}"


def _cite_as_markdown(entry: Rule) -> str:
    title, statement = (
        "".join(f"\\{c}" if c in "\\*_[]<" else c for c in text) for text in (entry.title, entry.statement)
    )
    return f"**{title}:** {statement} [{entry.id}]({entry.link}) (register {VERSION})"


def _cite_as_bibtex(entry: Rule) -> str:
    name = entry.id.replace(".", "-")
    fields = {
        "title": f"{{{_escape_latex(entry.title)}}}",
        "howpublished": f"{{{TITLE}}}",
        "year": VERSION.partition(".")[0],
        "version": f"{{{VERSION}}}",
    }
    fields |= {"url": f"{{{entry.link}}}", "note": "{" + _escape_latex(entry.statement) + "}"}
    body = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
    return f"@misc{{tkid-{name},\n{body}\n}}"


def _cite_as_csl(entry: Rule) -> str:
    item = {
        "id": f"tkid-{entry.id.replace('.', '-')}",
        "type": "webpage",
        "title": entry.title,
        "container-title": TITLE,
        "version": VERSION,
        "issued": {"date-parts": [[int(VERSION.partition(".")[0])]]},
        "URL": entry.link,
        "abstract": entry.statement,
        "note": entry.id,
    }
    return json.dumps([item], ensure_ascii=False, indent=2)


def _escape_latex(text: str) -> str:
    return "".join(
        f"\\{c}" if c in "&%$#_{}" else {"~": "\\textasciitilde{}", "^": "\\^{}", "\\": ""}.get(c, c) for c in text
    )


FORMATS: dict[str, Callable[[Rule], str]] = {
    "text": _cite_as_text,
    "markdown": _cite_as_markdown,
    "bibtex": _cite_as_bibtex,
    "csl-json": _cite_as_csl,
    "url": lambda entry: entry.link,
}


def register_data() -> dict[str, Any]:
    """Return the register as it is published.

    Returns:
        A JSON object with the `version`, and with `rules`: every rule in reading order with all that it states.
    """
    return {"version": VERSION, "rules": [make_rule_data(entry) for entry in all_rules()]}


def make_rule_data(entry: Rule) -> dict[str, Any]:
    """Return a rule as a JSON object."""
    data: dict[str, Any] = {"id": entry.id, "kind": entry.kind, "title": entry.title, "statement": entry.statement}
    data["source"] = entry.source
    data |= {"short": entry.short, "why": entry.why, "means": entry.means, "words": list(entry.words)}
    data |= {"asks": [list(each) for each in entry.asks], "topic": entry.topic}
    data |= {"page": entry.page, "link": entry.link, "related": list(entry.related)}
    if entry.kind == "ruling":
        data |= {"question": entry.question, "options": dict(entry.options), "default": entry.default}
        data["reason"] = entry.reason
    if entry.confidence:
        data["confidence"] = entry.confidence
    if entry.moved:
        data["moved"] = entry.moved
    return data
