"""What is wrong with a position in one line."""

from __future__ import annotations

from tkid.kernel.problems import Kind, Problem

RULE = "notation.position"


class PositionError(ValueError):
    """A text is no position: the problems, columns within the text."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


def unexpected(text: str, at: int) -> PositionError:
    """The error of a text that breaks off, or goes on with what does not belong there; the column counts from 0."""
    found = text[at : at + 12].strip()
    message = f"`{found}` does not belong here" if found else "the position breaks off here"
    return PositionError(problem(message, at, max(1, len(found))))


def problem(message: str, at: int, length: int, hint: str = "", kind: Kind = Kind.SYNTAX) -> Problem:
    """A problem with a position; the column counts from 0."""
    return Problem(kind, RULE, message, col=at + 1, length=length, hint=hint)
