"""What commands print: paragraphs, JSON, problems and turns, in colour where it is wanted and the terminal can."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tkid.kernel.game import Event
    from tkid.kernel.problems import Problem
    from tkid.record.play.replay import Moment, Replay
    from tkid.render.markup import Pen

WIDTH, EXCERPT_WIDTH = 78, 100
FEWEST_PRINTED = 0.8
"""The share of characters that can be printed in a line of text; other lines are not shown."""
CLOSED = errno.EBADF
"""The error of a stream that is closed."""


class Colour(Enum):
    """When to print in colour; `auto`: to a terminal."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


ColourOption = Annotated[
    Colour, typer.Option("--color", help="Use colour. auto: only in a terminal, and not if NO_COLOR is set.")
]


def pen(wanted: Colour = Colour.AUTO, *, err: bool = False) -> Pen:
    """The pen for standard output, or for standard error; print with `color=True`, so that what it writes stays in.

    What was asked for goes before the environment: NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then TERM.
    """
    from tkid.render.markup import PLAIN, TERMINAL

    return TERMINAL if wanted is Colour.ALWAYS or (wanted is Colour.AUTO and _is_colourful(err=err)) else PLAIN


def _is_colourful(*, err: bool) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "") not in {"", "0"} for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return os.environ.get("TERM") != "dumb" and (sys.stderr if err else sys.stdout).isatty()


def lost_output(*, forget: bool = False) -> OSError | None:
    """Return why something that was printed to standard output did not arrive there; None if everything did.

    With `forget`, the caller tells it, so that nobody else does.
    """
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    lost: OSError | None = getattr(raw, "lost", None)
    if lost is not None and forget:
        raw.lost = None  # type: ignore[union-attr] # what has lost something is there
    return lost


def print_paragraph(text: str, indent: str = "") -> None:
    """Print a paragraph for people, its later lines indented."""
    import textwrap

    typer.echo(textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))


def print_doubt(replay: Replay | None) -> None:
    """Print what may change how a game ended, if anything may; nothing for a position that has no game."""
    from tkid.record.play.outcome import doubt, outcome

    if replay is not None and (text := doubt(replay)):
        print_paragraph(text)
    if replay is not None and outcome(replay) is not None:
        from tkid.record.fairplay.notes import outside_chain

        for each in outside_chain(replay.record):
            text = f"The chain of hashes does not cover {each.place}. Anybody who had the file could add it; ask {each.who}."
            print_paragraph(f"{text} [record.note.hash]")


def print_json(data: object, indent: int | None = None) -> None:
    """Print data as JSON, in one line without an indent."""
    typer.echo(json_text(data, indent))


def json_text(data: object, indent: int | None = None) -> str:
    """Data as JSON. What a terminal or GitHub might take for a command is escaped: characters that can't be printed, and `##[`."""
    import json

    text = json.dumps(data, ensure_ascii=False, indent=indent).replace("##[", r"#\u0023[")
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)


def print_problems(
    name: str, data: bytes | str, problems: Iterable[Problem], *, err: bool = True, every: bool = False
) -> None:
    """Print problems with the place, the line they are in, and the way out (see `problem_lines`)."""
    for line in problem_lines(name, data, problems, pen(err=err), every=every):
        typer.echo(line, err=err, color=True)


def problem_lines(
    name: str, data: bytes | str, problems: Iterable[Problem], ink: Pen, *, every: bool = False
) -> Iterator[str]:
    """Lines that show problems with the place, the line they are in, and the way out; follow-on ones only as a number.

    `data` is a file's content, or what was typed, which may hold what is no text.
    """
    from attrs import evolve

    from tkid.kernel.problems import Kind
    from tkid.record.format.lines import split
    from tkid.render.lines import log_text, printable, ruled
    from tkid.render.markup import PLACE, marked

    lines = split(data if isinstance(data, str) else data.decode("utf-8-sig", "replace"))
    listed = [_on_its_line(problem, lines) for problem in problems]
    roots = [problem for problem in listed if every or problem.kind is not Kind.FOLLOW_ON] or listed
    last_hint = ""
    for problem in roots:
        place = marked(PLACE, f"{log_text(name)}:{problem.line}:{problem.col}:")
        yield ink(f"{place} {printable(problem.message)} {ruled(problem.rule)}")
        yield from _excerpt(lines, evolve(problem, hint="") if problem.hint == last_hint else problem, ink)
        last_hint = problem.hint
    left = len(listed) - len(roots)
    if left:
        follow = f"{left} more that may only follow from {'this' if len(roots) == 1 else 'these'}"
        yield f"{log_text(name)}: {follow} (`tkid check --all` lists {'it' if left == 1 else 'them'})"


def _on_its_line(problem: Problem, lines: list[str]) -> Problem:
    """The problem with a text of several lines whose columns count on from the first line, at its place in its line."""
    from attrs import evolve

    line, col = problem.line, problem.col
    while 0 < line < len(lines) and col > len(lines[line - 1]) + 1:
        col -= len(lines[line - 1]) + 1
        line += 1
    return problem if line == problem.line else evolve(problem, line=line, col=col)


def _excerpt(lines: list[str], problem: Problem, ink: Pen) -> Iterator[str]:
    """The line of a problem with the place underlined, and the hint."""
    from tkid.render.lines import log_text
    from tkid.render.markup import WRONG, marked

    if 0 < problem.line <= len(lines) and lines[problem.line - 1].strip():
        line = lines[problem.line - 1].replace("\t", " ")
        start = max(0, min(problem.col - 1 - EXCERPT_WIDTH // 2, len(line) - EXCERPT_WIDTH))
        excerpt = line[start : start + EXCERPT_WIDTH]
        column = problem.col - 1 - start
        carets = "^" * max(1, min(problem.length, EXCERPT_WIDTH - column))
        if sum(char.isprintable() and char != "\ufffd" for char in excerpt) >= FEWEST_PRINTED * len(excerpt):
            yield f"    {log_text(excerpt)}"
            yield ink(f"    {' ' * column}{marked(WRONG, carets)}")
    if problem.hint:
        yield f"    {log_text(problem.hint)}"


def print_turns(moments: Iterable[Moment], names: Sequence[str]) -> None:
    """Print turns with their hashes, and what followed from each by which rule."""
    for moment in moments:
        typer.echo(f"{moment.line} #{moment.hash}")
        print_events(moment.events, names)


def print_events(events: Sequence[Event], names: Sequence[str]) -> None:
    """Print what followed from a turn, and by which rule."""
    from tkid.render.lines import marked_events

    ink = pen()
    for line in marked_events(events, names):
        typer.echo(ink(line), color=True)
