"""Known wrong lines of a grammar: each is parsed once, and a new error is compared with where those failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lark import Lark
from lark.exceptions import UnexpectedInput, UnexpectedToken


class Taught:
    """The wrong lines of a form, by what is wrong with them.

    What lark's `match_examples` does, which parses all of them for every error.
    """

    def __init__(self, parser: Lark, form: str, examples: Mapping[str, Iterable[str]]) -> None:
        self._known = [
            (label, error)
            for label, lines in examples.items()
            for error in (_failed(parser, form, line) for line in lines)
            if error is not None
        ]

    def label(self, error: UnexpectedInput) -> str:
        """What is wrong, by the first line that failed in the same way, best at the same word; "" where none did."""
        alike = ""
        for label, known in self._known:
            if known.state != error.state:
                continue
            if isinstance(error, UnexpectedToken) and isinstance(known, UnexpectedToken):
                if known.accepts != error.accepts:
                    continue
                if known.token == error.token:
                    return label
            alike = alike or label
        return alike


def _failed(parser: Lark, form: str, line: str) -> UnexpectedInput | None:
    """How parsing a line fails; None where it does not."""
    try:
        parser.parse(line, start=form)
    except UnexpectedInput as error:
        return error
    return None
