"""Parse a line by a grammar, and name its mistake by comparing it with known wrong lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

INSTALLED = Path(__file__).parents[1] / "grammar"
CHECKED_OUT = Path(__file__).parents[2] / "grammar"
Wrong = Mapping[str, Sequence[str]]
"""Wrong lines, by their error."""


def read_grammar(name: str) -> str:
    """Return the text of a grammar: from the wheel, or from the top of a checked-out tree."""
    folder = INSTALLED if INSTALLED.is_dir() else CHECKED_OUT
    return (folder / f"{name}.lark").read_text("utf-8")


@cache
def build_parser(grammars: tuple[str, ...], forms: tuple[str, ...], *, places: bool = True) -> Lark:
    """Return the LALR parser of some grammars together, built once."""
    text = "\n".join(map(read_grammar, grammars))
    return Lark(text, parser="lalr", start=list(forms), propagate_positions=places, maybe_placeholders=not places)


class LineError(Exception):
    """A line doesn't fit: what a known wrong line says, the column from 0, and the word there ("" at the end) or character."""

    def __init__(self, label: str, text: str, error: UnexpectedInput) -> None:
        super().__init__(label)
        token = error.token if isinstance(error, UnexpectedToken) else None
        if token is not None and token.type == "$END":
            self.column, self.length = len(text.rstrip()), 1
        else:
            self.column = min(error.pos_in_stream or 0, len(text))
            self.length = max(1, len(token.rstrip())) if token is not None else 1
        self.label = label
        self.found = text[self.column : self.column + self.length].strip()
        self.is_character = isinstance(error, UnexpectedCharacters)


class LineParser:
    """Parses lines like lark's `match_examples`, but parses the known `wrong` lines of each form only once."""

    def __init__(self, parser: Lark, wrong: Mapping[str, Wrong]) -> None:
        self.parser, self.wrong = parser, wrong
        self._failed: dict[str, list[tuple[str, UnexpectedInput]]] = {}

    def parse(self, form: str, text: str) -> Tree[Token]:
        """Return the tree of a line. Raises LineError."""
        try:
            return self.parser.parse(text, start=form)
        except UnexpectedInput as error:
            label = "" if isinstance(error, UnexpectedCharacters) else self._find_label(form, error)
            raise LineError(label, text, error) from None

    def _find_label(self, form: str, error: UnexpectedInput) -> str:
        """Return the error, by the first line that failed in the same way, best at the same word; "" if none did."""
        alike = ""
        for label, known in self._fail_examples(form):
            if known.state != error.state:
                continue
            if isinstance(error, UnexpectedToken) and isinstance(known, UnexpectedToken):
                if known.accepts != error.accepts:
                    continue
                if known.token == error.token:
                    return label
            alike = alike or label
        return alike

    def _fail_examples(self, form: str) -> list[tuple[str, UnexpectedInput]]:
        if form not in self._failed:
            failed = self._failed.setdefault(form, [])
            for label, line in ((label, line) for label, lines in self.wrong[form].items() for line in lines):
                try:
                    self.parser.parse(line, start=form)
                except UnexpectedInput as error:
                    failed.append((label, error))
        return self._failed[form]
