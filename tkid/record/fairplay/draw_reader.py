"""Reading the text of a draw: its header and its lines, or the problems with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import folded, plain
from tkid.notation.vocabulary import listed
from tkid.record.fairplay.draw import BYTES, COMMITMENTS, FIRST, NONCES, Draw, Flaw, faults
from tkid.record.fairplay.terms import begins_with, read_terms, syntax, text_lines
from tkid.record.format.lines import is_comment
from tkid.record.format.model import Record

MOST_BYTES = 64 << 10
FORM = "record.draw.form"
HEX = re.compile(rf"[0-9a-f]{{{2 * BYTES}}}")
SECTIONS = {name.casefold(): name for name in (COMMITMENTS, NONCES)}


@frozen
class ReadDraw:
    """What came of reading: the draw, None where there are problems with its form; and the problems.

    `places` tells where the line of a seat stands in its section, and with section "" that of the header; `lines`
    are the lines of the text.
    """

    draw: Draw | None
    problems: tuple[Problem, ...]
    places: Mapping[tuple[str, int], int] = field(factory=dict)
    lines: Sequence[str] = ()

    def placed(self, flaws: Iterable[Flaw]) -> tuple[Problem, ...]:
        """What is wrong with lines, as problems at their places."""
        return tuple(map(self._placed, flaws))

    def _placed(self, flaw: Flaw) -> Problem:
        line = self.places.get((flaw.section, flaw.at), 1)
        length = max(1, len(self.lines[line - 1].rstrip()))
        return Problem(Kind.INTEGRITY, flaw.rule, flaw.message, line, 1, length, flaw.hint)


def read_draw(data: bytes) -> ReadDraw:
    """Read the text of a draw."""
    lines, problems = text_lines(data, MOST_BYTES, FORM, "draw")
    return ReadDraw(None, problems) if problems else _Reader(lines).read()


class _Reader:
    """Reads the lines of one draw."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.problems: list[Problem] = []
        self.places: dict[tuple[str, int], int] = {}
        self.values: dict[tuple[str, int], str] = {}

    def read(self) -> ReadDraw:
        """Read everything."""
        first, problem = begins_with(self.lines, FIRST, FORM, "draw")
        if problem:
            return ReadDraw(None, (problem,))
        sections: dict[str, list[tuple[int, str]]] = {"": [], COMMITMENTS: [], NONCES: []}
        current = ""
        for number, line in enumerate(self.lines[first:], first + 1):
            if not line.strip() or is_comment(line):
                continue
            name = SECTIONS.get(line.strip().rstrip(":").casefold())
            if name:
                current = name
            else:
                sections[current].append((number, line))
        header = sections.pop("")
        head = self._head(first, self.lines[: header[-1][0] if header else first])
        if head is None:
            return ReadDraw(None, self._found())
        for section, rows in sections.items():
            for number, line in rows:
                self._row(head, section, number, plain(line).strip())
        if self.problems:
            return ReadDraw(None, self._found())
        seats = range(len(head.names))
        made, sent = (tuple(self.values.get((section, seat), "") for seat in seats) for section in sections)
        draw = Draw(head, made, sent)
        problems = ReadDraw(draw, (), self.places, self.lines).placed(faults(draw))
        return ReadDraw(None if problems else draw, problems, self.places, self.lines)

    def _found(self) -> tuple[Problem, ...]:
        return tuple(sorted(self.problems, key=lambda problem: problem.line))

    def _head(self, first: int, lines: list[str]) -> Record | None:
        """The header, if it is one of a game without secret hands."""
        read = read_terms(lines, first, "draw", FORM)
        self.problems += read.problems
        if read.head is None:
            return None
        self.places |= {("", at): line for at, line in enumerate(read.lines)}
        if not read.head.game.secret:
            return read.head
        message = f"{read.head.ruleset.title} has secret hands, and anybody with all nonces knows every hand"
        hint = "Deal it as a locked deal: `tkid letter new FILE.deal` with the same options. Nobody then knows another hand."
        line = read.lines[1]
        length = len(self.lines[line - 1])
        self.problems.append(Problem(Kind.ILLEGAL, "record.draw.secret", message, line, 1, length, hint))
        return None

    def _row(self, head: Record, section: str, number: int, line: str) -> None:
        """Read a line of a section: a player's name and digits."""
        typed, _, digits = line.rpartition(" ")
        name, digits = folded(" ".join(typed.split())), digits.lower()
        seat = next((seat for seat, known in enumerate(head.names) if folded(known) == name), None)
        what = {COMMITMENTS: "commitment", NONCES: "nonce"}[section]
        if seat is None:
            message = f"`{typed.strip() or line}` is not a player in this game"
            self.problems.append(
                syntax(FORM, number, message, f"The players are {listed(head.names, 'and')}.", len(line))
            )
        elif not HEX.fullmatch(digits):
            message = f"This is not a {what}: it has {len(digits)} characters instead of {2 * BYTES} hex digits"
            self.problems.append(
                syntax(
                    FORM, number, message, "Perhaps the line was cut or broken on its way. Ask for it again.", len(line)
                )
            )
        elif (section, seat) in self.places:
            message = f"{head.names[seat]}'s {what} appears twice"
            first = self.places[section, seat]
            self.problems.append(syntax(FORM, number, message, f"It is in line {first} too. Leave one out.", len(line)))
        else:
            self.places[section, seat] = number
            self.values[section, seat] = digits
