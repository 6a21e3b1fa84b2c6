"""Reading the lines of a set-up, whatever is dealt: labels, players, lists, and where each line stands."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tkid.kernel.problems import Kind, Problem, Violation
from tkid.notation.text import plain
from tkid.notation.vocabulary import Vocabulary, listed
from tkid.record.format.lines import is_comment
from tkid.record.format.model import BEFORE_TURNS, Comments, Place


class RowError(Exception):
    """A line of the set-up was not understood: message and hint, the words at fault, rule and kind."""

    def __init__(
        self, message: str, hint: str = "", part: str = "", rule: str = "record.setup.row", kind: Kind = Kind.SYNTAX
    ) -> None:
        super().__init__(message)
        self.message, self.hint, self.part, self.rule, self.kind = message, hint, part, rule, kind
        self.others: list[RowError] = []
        """What else is not understood in the same line."""


class Rows(ABC):
    """Reads the lines of a set-up, keeping the comments before each line by its label. `lines` are those of the file."""

    def __init__(self, names: tuple[str, ...], lines: list[str]) -> None:
        self.names, self.lines = names, lines
        self.problems: list[Problem] = []
        self.comments: dict[str, Comments] = {}
        self.rows: dict[str, tuple[int, Any]] = {}
        self.unread = 0

    @abstractmethod
    def row(self, line: str) -> tuple[str, Any]:
        """Label and value of a line. Raises RowError."""

    def take(self, lines: list[tuple[int, str]], comments: list[str]) -> None:
        """Take in the lines of the set-up; `comments` stand before the first."""
        waiting = list(comments)
        for number, line in lines:
            if is_comment(line):
                waiting.append(line.rstrip())
                continue
            try:
                label, value = self.row(plain(line).strip())
            except RowError as wrong:
                self.unread += 1
                self.report(wrong, number)
                continue
            if label in self.rows:
                told, hint = f"{label} is described a second time", f"The first is in line {self.rows[label][0]}."
                self.problem(Kind.SYNTAX, "record.setup.twice", told, number, hint)
                continue
            self.rows[label] = (number, value)
            self.comments[label] = tuple(waiting)
            waiting = []
        self.comments[BEFORE_TURNS] = tuple(waiting)

    def complete(self, labels: Sequence[str], needed: str, at: int) -> bool:
        """Whether there is a line for each label; what is missing is said of the line `at`."""
        missing = [label for label in labels if label not in self.rows]
        if len(missing) > self.unread:
            told = f"The set-up says nothing of {listed(missing, 'and')}"
            self.problem(Kind.SYNTAX, "record.setup.missing", told, at, needed)
        return not missing

    def illegal(self, faults: Iterable[Violation]) -> None:
        """Note what in a deal is not as the rules ask, on the lines that say it; a player's line names the seat."""
        for fault in faults:
            what, _, seat = fault.part.rpartition(" ")
            label = f"{what} {self.names[int(seat)]}" if seat.isdigit() else fault.part
            told = fault.sentence[:1].upper() + fault.sentence[1:]
            self.problem(Kind.ILLEGAL, fault.rule, told, self.rows[label][0], fault.hint)

    # -- where and what -----------------------------------------------------------------------------------

    def report(self, wrong: RowError, number: int) -> None:
        """Note what was not understood in a line."""
        for fault in (wrong, *wrong.others):
            self.problem(fault.kind, fault.rule, fault.message, number, fault.hint, fault.part)

    @property
    def places(self) -> dict[str, Place]:
        """Where each line that was understood stands, by its label."""
        return {label: self.place(number) for label, (number, _) in self.rows.items()}

    def place(self, line: int, part: str = "") -> Place:
        """The place of a part of a line, the last if it stands there more than once; or of the whole line."""
        text = plain(self.lines[line - 1]).rstrip()
        at = text.rfind(part) if part else len(text) - len(text.lstrip())
        return Place(line, max(0, at) + 1, max(1, len(part or text.lstrip())))

    def problem(  # noqa: PLR0917 - kind, rule and message, then where and the way out
        self, kind: Kind, rule: str, message: str, line: int, hint: str = "", part: str = ""
    ) -> None:
        """A problem with a part of a line, or with the whole line."""
        place = self.place(line, part)
        self.problems.append(Problem(kind, rule, message, line, place.col, place.length, hint))

    # -- parts of a line ----------------------------------------------------------------------------------

    def player(self, rest: str, *, alone: bool = False) -> tuple[int, str]:
        """The seat of the player that a line names, and what follows the name: something, or with `alone` nothing."""
        ends = [match.end() for match in re.finditer(r"\S+", rest)]
        numbers = {str(seat): seat - 1 for seat in range(1, len(self.names) + 1)}
        seats = numbers | {name.casefold(): seat for seat, name in enumerate(self.names)}
        fits = [(end, seats.get(rest[:end].strip().casefold())) for end in reversed(ends)]
        named = [(seat, rest[end:].strip()) for end, seat in fits if seat is not None]
        fitting = [pair for pair in named if bool(pair[1]) != alone] or ([] if alone else named)
        if fitting:
            return fitting[0]
        typed = rest.strip() if alone else re.split(r"\s{2,}", rest.strip())[0]
        if not typed:
            raise RowError("The player is missing", f"At the table are {listed(self.names, 'and')}.")
        typed = typed if alone or rest.strip() != typed else typed.split()[0]
        found = Vocabulary(dict.fromkeys(self.names), {}).find(typed)
        hint = f"Did you mean {found}?" if isinstance(found, str) else found.hint()
        hint = hint or f"At the table are {listed(self.names, 'and')}."
        raise RowError(f"`{typed}` is no player of this game", hint, typed, kind=Kind.NAME)

    @staticmethod
    def each(parts: Sequence[str], read: Callable[[str], Sequence[str]]) -> list[str]:
        """What the parts of a list stand for. Raises for all of them that are unknown together."""
        found: list[str] = []
        wrong: list[RowError] = []
        for part in parts:
            try:
                found += read(part)
            except RowError as fault:
                wrong.append(fault)
        if wrong:
            wrong[0].others = wrong[1:]
            raise wrong[0]
        return found
