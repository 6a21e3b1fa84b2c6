"""Reading the text of a draw: its header and its lines, or the problems with their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import plain
from tkid.notation.vocabulary import listed
from tkid.record.fairplay.draw import BYTES, COMMITMENTS, FIRST, FORMAT, NONCES, TERMS, Draw, Flaw, faults
from tkid.record.format import model
from tkid.record.format.lines import CONTROL, is_comment, split
from tkid.record.format.model import Record
from tkid.record.format.reader import read_head
from tkid.rulebook.rulesets import rulesets

MOST_BYTES = 64 << 10
FORM = "record.draw.form"
HEX = re.compile(rf"[0-9a-f]{{{2 * BYTES}}}")
SECTIONS = {name.casefold(): name for name in (COMMITMENTS, NONCES)}
BEGINS = re.compile(rf"tkid-draw *: *{FORMAT}", re.IGNORECASE)


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
    if len(data) > MOST_BYTES:
        return ReadDraw(None, (_wrong(1, f"The text has {len(data)} bytes. A draw has at most {MOST_BYTES}"),))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return ReadDraw(None, (_wrong(data.count(b"\n", 0, error.start) + 1, "This is not UTF-8"),))
    if strange := CONTROL.search(text):
        line = text.count("\n", 0, strange.start()) + 1
        return ReadDraw(None, (_wrong(line, f"There is a control character here (0x{ord(strange[0]):02x})"),))
    return _Reader(split(text)).read()


def _dealer(code: str) -> str:
    """What to do where hands are secret: who deals and how, and which rulesets need nobody."""
    open_to_all = [each.code for each in rulesets() if not each.game().secret]
    return (
        "Somebody who does not play, or whom the others trust, has to deal and keep the whole file: "
        f"`tkid new FILE PLAYERS --ruleset {code}`, then `tkid view FILE --seat NAME` for each player's own file. "
        f"Nobody is needed for {listed(open_to_all, 'and')}."
    )


def _wrong(line: int, message: str, hint: str = "", length: int = 1) -> Problem:
    return Problem(Kind.SYNTAX, FORM, message, line, 1, max(1, length), hint)


class _Reader:
    """Reads the lines of one draw."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.problems: list[Problem] = []
        self.places: dict[tuple[str, int], int] = {}
        self.values: dict[tuple[str, int], str] = {}

    def read(self) -> ReadDraw:
        """Read everything."""
        written = [(n, line) for n, line in enumerate(self.lines, 1) if line.strip() and not is_comment(line)]
        if not written or not BEGINS.fullmatch(plain(written[0][1]).strip()):
            message = "This is not a draw" if written else "The text is empty"
            return ReadDraw(
                None, (_wrong(written[0][0] if written else 1, message, f"The first line has to be `{FIRST}`."),)
            )
        sections: dict[str, list[tuple[int, str]]] = {"": [], COMMITMENTS: [], NONCES: []}
        current = ""
        for number, line in written[1:]:
            name = SECTIONS.get(line.strip().rstrip(":").casefold())
            if name:
                current = name
            else:
                sections[current].append((number, line))
        head = self._head(written[0][0], sections.pop(""))
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

    def _head(self, first: int, rows: list[tuple[int, str]]) -> Record | None:
        """The header, read as that of a record is."""
        text = dict(rows)
        text[first] = f"Tkid-Record: {model.FORMAT}"
        last = max(text)
        read = read_head("\n".join(text.get(number, "") for number in range(1, last + 1)))
        self.problems += read.problems
        strange = [h for h in read.record.headers if h.name not in {*TERMS, "Tkid-Record"}] if read.record else []
        for header in strange:
            message, hint = f"`{header.name}` is not a header of a draw", f"Its headers may be {listed(TERMS, 'and')}."
            self.problems.append(_wrong(header.line, message, hint, len(self.lines[header.line - 1])))
        if read.record is None or self.problems:
            return None
        headers = [header for header in read.record.headers if header.name in TERMS]
        headers.sort(key=lambda header: (TERMS.index(header.name), header.value if header.name == "Ruling" else ""))
        self.places |= {("", at): header.line for at, header in enumerate(headers, 1)}
        if read.record.game.secret:
            message = f"{read.record.ruleset.title} has secret hands, and anybody with all nonces knows every hand"
            hint = _dealer(read.record.ruleset.code)
            line = next(header.line for header in headers if header.name == "Ruleset")
            length = len(self.lines[line - 1])
            self.problems.append(Problem(Kind.ILLEGAL, "record.draw.secret", message, line, 1, length, hint))
            return None
        return read.record

    def _row(self, head: Record, section: str, number: int, line: str) -> None:
        """Read a line of a section: a player's name and digits."""
        typed, _, digits = line.rpartition(" ")
        name, digits = " ".join(typed.split()).casefold(), digits.lower()
        seat = next((seat for seat, known in enumerate(head.names) if known.casefold() == name), None)
        what = {COMMITMENTS: "commitment", NONCES: "nonce"}[section]
        if seat is None:
            message = f"`{typed.strip() or line}` is not a player in this game"
            self.problems.append(_wrong(number, message, f"The players are {listed(head.names, 'and')}.", len(line)))
        elif not HEX.fullmatch(digits):
            message = f"This is not a {what}: it has {len(digits)} characters instead of {2 * BYTES} hex digits"
            self.problems.append(
                _wrong(number, message, "Perhaps the line was cut or broken on its way. Ask for it again.", len(line))
            )
        elif (section, seat) in self.places:
            message = f"{head.names[seat]}'s {what} appears twice"
            first = self.places[section, seat]
            self.problems.append(_wrong(number, message, f"It is in line {first} too. Leave one out.", len(line)))
        else:
            self.places[section, seat] = number
            self.values[section, seat] = digits
