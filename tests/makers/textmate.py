"""Makes the TextMate grammar of the extension for VS Code: `python -m tests.makers.textmate`."""

from __future__ import annotations

import json
from pathlib import Path

from tkid.lsp.pygments_lexer import Colour, list_colours

FILE = Path(__file__).parents[2] / "editors/vscode/syntaxes/tkid.tmLanguage.json"
SCOPES = {
    "comment": "comment.line.number-sign",
    "section": "keyword.control",
    "header": "entity.name.tag",
    "value": "string.unquoted",
    "outcome": "markup.italic",
    "hash": "comment.line.hash",
    "label": "support.type",
    "number": "constant.numeric",
    "card": "entity.name.function",
    "region": "entity.name.type",
    "followers": "constant.character",
    "word": "keyword.other",
    "sign": "keyword.operator",
}
"""What TextMate calls each kind of a `Colour`, without the name of the language behind it."""


def textmate() -> str:
    """The grammar as JSON."""
    grammar = {
        "information_for_contributors": ["Made by `python -m tests.makers.textmate`. Do not change it by hand."],
        "name": "tkid",
        "scopeName": "source.tkid",
        "fileTypes": ["tkid"],
        "patterns": [_rule(each) for each in list_colours()],
    }
    return json.dumps(grammar, ensure_ascii=False, indent=2) + "\n"


def _rule(colour: Colour) -> dict[str, object]:
    """A rule of TextMate."""
    named = [f"{SCOPES[kind]}.tkid" for kind in colour.kinds]
    if len(named) == 1:
        return {"match": colour.pattern, "name": named[0]}
    return {"match": colour.pattern, "captures": {str(n): {"name": name} for n, name in enumerate(named, 1)}}


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(textmate(), "utf-8")
