"""What the texts have in common with which players deal together: their first line, and a header of the game's terms."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from tkid.kernel.problems import Kind, Problem
from tkid.notation.text import plain
from tkid.notation.vocabulary import listed
from tkid.record.format import model
from tkid.record.format.foreign import DEAL, DRAW, find_foreign
from tkid.record.format.lines import CONTROL, is_comment, split
from tkid.record.format.model import Record
from tkid.record.format.reader import read_head

TERMS = ("Ruleset", "Game", "Seat", "Ruling")
"""The headers that say what is dealt."""


def text_lines(data: bytes, most: int, form: str, what: str) -> tuple[list[str], tuple[Problem, ...]]:
    """The lines of a text of a kind, `what`; or none, and the problem by the rule `form`."""
    foreign = find_foreign(data)
    if foreign is not None and foreign not in {DEAL, DRAW}:
        return [], (syntax(form, 1, f"This is {foreign.what}, not a {what}", foreign.hint),)
    if len(data) > most:
        return [], (syntax(form, 1, f"The text has {len(data)} bytes. A {what} has at most {most}"),)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return [], (syntax(form, data.count(b"\n", 0, error.start) + 1, "This is not UTF-8"),)
    lines = split(text)
    if strange := CONTROL.search("\n".join(lines)):
        line = strange.string.count("\n", 0, strange.start()) + 1
        return [], (syntax(form, line, f"There is a control character here (0x{ord(strange[0]):02x})"),)
    return lines, ()


def begins_with(lines: Sequence[str], first: str, form: str, what: str) -> tuple[int, Problem | None]:
    """The number of the first line that is written, if it is the one a text of a kind begins with; else the problem."""
    number, line = next(
        ((n, line) for n, line in enumerate(lines, 1) if line.strip() and not is_comment(line)), (1, "")
    )
    if "".join(plain(line).split()).casefold() == "".join(first.split()).casefold():
        return number, None
    message = f"This is not a {what}" if line else "The text is empty"
    return number, syntax(form, number, message, f"The first line has to be `{first}`.")


@frozen
class ReadTerms:
    """A header that was read: a record that has nothing else, None where there are problems; and the problems.

    `lines` are the numbers of its lines: of the first, and of the terms in their canonical order.
    """

    head: Record | None
    lines: tuple[int, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_terms(lines: Sequence[str], first: int, what: str, form: str) -> ReadTerms:
    """A header, read as that of a record is, whose first line is replaced.

    Args:
        lines: the lines of the header, and those before it.
        first: the number of its first line.
        what: what the text is.
        form: the rule about the form of such texts.
    """
    text = [line.rstrip() for line in lines]
    text[first - 1] = f"Tkid-Record: {model.FORMAT}"
    read = read_head("\n".join(text))
    problems = list(read.problems)
    headers = read.record.headers if read.record else ()
    for header in headers:
        if header.name not in {*TERMS, "Tkid-Record"}:
            message, hint = (
                f"`{header.name}` is not a header of a {what}",
                f"Its headers may be {listed(TERMS, 'and')}.",
            )
            problems.append(syntax(form, header.line, message, hint, len(lines[header.line - 1])))
    if read.record is None or problems:
        return ReadTerms(None, problems=tuple(problems))
    ordered = [header for header in headers if header.name in TERMS]
    ordered.sort(key=lambda header: (TERMS.index(header.name), header.value if header.name == "Ruling" else ""))
    return ReadTerms(read.record, (first, *(header.line for header in ordered)))


def syntax(form: str, line: int, message: str, hint: str = "", length: int = 1) -> Problem:
    """A problem with the form of a text."""
    return Problem(Kind.SYNTAX, form, message, line, 1, max(1, length), hint)
