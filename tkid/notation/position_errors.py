"""Errors in a position: in a line of text, with their place; in data, with the attribute at fault."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from attrs import field, frozen

from tkid.kernel.pickling import PortableError
from tkid.kernel.problems import Kind, Problem

RULE = "notation.position"
MAX_REPEATED = 12
"""Maximum number of characters that a problem repeats."""
T = TypeVar("T")


class PositionError(PortableError, ValueError):
    """A text that is no position: the problems, with columns in the text."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.problems = problems


def report_unexpected(text: str, column: int) -> PositionError:
    """Return the error of a text that breaks off, or goes on with a part that does not belong there; the column counts from 0."""
    typed = text[column : column + MAX_REPEATED].strip()
    message = f"`{typed}` does not belong here" if typed else "the position is not complete"
    return PositionError(make_position_problem(message, column, max(1, len(typed))))


def make_position_problem(message: str, column: int, length: int, hint: str = "", kind: Kind = Kind.SYNTAX) -> Problem:
    return Problem(kind, RULE, message, col=column + 1, length=length, hint=hint)


class PositionDataError(ValueError):
    """Position data describes no position: each fault begins with the attribute at fault."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "; ".join(self.faults)


@frozen
class Faults:
    """Collects the faults of position data."""

    faults: list[str] = field(factory=list, init=False)

    def read_entries(self, values: list[T], seats: int, attribute: str, default: T) -> Sequence[T]:
        """Return the entries of an attribute that has one for each seat; the default for each if it has no entries."""
        if values and len(values) != seats:
            self.faults.append(f"{attribute}: {len(values)} entries for {seats} seats")
        return values or [default] * seats

    def check_seat_number(self, seat: int, seats: int, attribute: str) -> None:
        if seat not in range(seats):
            self.faults.append(f"{attribute}: there is no seat {seat}")

    def check(self) -> None:
        """Raise PositionDataError if there are any faults."""
        if self.faults:
            raise PositionDataError(self.faults)
