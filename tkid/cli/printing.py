"""Print paragraphs, problems, turns, JSON and progress, and report failures."""

from __future__ import annotations

import errno
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from enum import Enum
from functools import partial
from pathlib import Path
from threading import Event as ThreadEvent
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer import Option

from tkid.render import lines as drawn

if TYPE_CHECKING:
    from tkid.kernel.game import Event
    from tkid.kernel.problems import Problem
    from tkid.record.format.model import Record
    from tkid.record.play.replay import Moment, Replay

WIDTH, EXCERPT_WIDTH = 78, 100
FEWEST_PRINTED = 0.8
"""The share of characters that can be printed in a line of text; other lines are not shown."""
CLOSED = errno.EBADF
"""The error of a stream that is closed."""


class Colour(Enum):
    """Choice of colour; `auto` prints it only to a terminal."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


ColourOption = Annotated[
    Colour, Option("--color", help="Use colour. auto: only in a terminal, and not if NO_COLOR is set.")
]


def choose_pen(wanted: Colour = Colour.AUTO, *, err: bool = False) -> drawn.Pen:
    """Return the pen by option, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and TERM; print with `color=True` to keep its codes."""
    is_coloured = wanted is Colour.ALWAYS or (wanted is Colour.AUTO and _is_colourful(err=err))
    return drawn.TERMINAL if is_coloured else drawn.PLAIN


def _is_colourful(*, err: bool) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "") not in {"", "0"} for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return os.environ.get("TERM") != "dumb" and (sys.stderr if err else sys.stdout).isatty()


def find_output_error(*, forget: bool = False) -> OSError | None:
    """Return the error by which standard output was lost, None if all arrived; `forget`: the caller reports it."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    lost: OSError | None = getattr(raw, "lost", None)
    if lost is not None and forget:
        raw.lost = None  # type: ignore[union-attr] # what has lost something is there
    return lost


def print_paragraph(text: str, indent: str = "") -> None:
    typer.echo("\n".join(wrap_paragraph(text, indent)))


def wrap_paragraph(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def print_doubt(replay: Replay | None) -> None:
    """Print what may change how a game ended, if anything may; nothing for a position that has no game."""
    from tkid.record.play.replay import describe_doubt, find_early_end

    if replay is not None and (text := describe_doubt(replay)):
        print_paragraph(text)
    if replay is not None and find_early_end(replay) is not None:
        from tkid.record.proof import list_uncovered

        for each in list_uncovered(replay.record):
            text = f"The chain of hashes does not cover {each.place}. Anybody who had the file could add it; ask {each.asked}."
            print_paragraph(f"{text} [record.note.hash]")


def print_json(data: object, indent: int | None = None) -> None:
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
    """Print problems with the place, the line they are in, and what to do (see `problem_lines`)."""
    for line in problem_lines(name, data, problems, choose_pen(err=err), every=every):
        typer.echo(line, err=err, color=True)


def problem_lines(
    name: str, data: bytes | str, problems: Iterable[Problem], ink: drawn.Pen, *, every: bool = False
) -> Iterator[str]:
    """Return lines with the place, the text and the hint of problems in `data`; follow-on ones only as a number."""
    from attrs import evolve

    from tkid.kernel.problems import Kind
    from tkid.record.format.model import split_lines

    lines = split_lines(data if isinstance(data, str) else data.decode("utf-8-sig", "replace"))
    listed = [_place_on_line(problem, lines) for problem in problems]
    roots = [problem for problem in listed if every or problem.kind is not Kind.FOLLOW_ON] or listed
    last_hint = ""
    for problem in roots:
        place = drawn.mark_text(drawn.PLACE, f"{drawn.log_text(name)}:{problem.line}:{problem.col}:")
        yield ink(f"{place} {drawn.make_printable(problem.message)} {drawn.mark_rule_id(problem.rule)}")
        yield from _format_excerpt(lines, evolve(problem, hint="") if problem.hint == last_hint else problem, ink)
        last_hint = problem.hint
    left = len(listed) - len(roots)
    if left:
        follow = f"{left} more that may only follow from {'this' if len(roots) == 1 else 'these'}"
        yield f"{drawn.log_text(name)}: {follow} (`tkid check --all` lists {'it' if left == 1 else 'them'})"


def _place_on_line(problem: Problem, lines: list[str]) -> Problem:
    """Move a problem whose columns count on from the first line of a text to its place in its own line."""
    from attrs import evolve

    line, col = problem.line, problem.col
    while 0 < line < len(lines) and col > len(lines[line - 1]) + 1:
        col -= len(lines[line - 1]) + 1
        line += 1
    return problem if line == problem.line else evolve(problem, line=line, col=col)


def _format_excerpt(lines: list[str], problem: Problem, ink: drawn.Pen) -> Iterator[str]:
    if 0 < problem.line <= len(lines) and lines[problem.line - 1].strip():
        line = lines[problem.line - 1].replace("\t", " ")
        start = max(0, min(problem.col - 1 - EXCERPT_WIDTH // 2, len(line) - EXCERPT_WIDTH))
        excerpt = line[start : start + EXCERPT_WIDTH]
        column = problem.col - 1 - start
        carets = "^" * max(1, min(problem.length, EXCERPT_WIDTH - column))
        if sum(char.isprintable() and char != "\ufffd" for char in excerpt) >= FEWEST_PRINTED * len(excerpt):
            yield f"    {drawn.log_text(excerpt)}"
            yield ink(f"    {' ' * column}{drawn.mark_text(drawn.WRONG, carets)}")
    if problem.hint:
        yield f"    {drawn.log_text(problem.hint)}"


def print_turns(moments: Iterable[Moment], record: Record) -> None:
    for moment in moments:
        typer.echo(f"{moment.line} #{moment.hash}")
        print_events(moment.events, record)


def print_events(events: Sequence[Event], record: Record) -> None:
    from tkid.render.plugin import tell_events

    ink = choose_pen()
    for line in drawn.mark_events(tell_events(record.game, events, record.names)):
        typer.echo(ink(line), color=True)


FIRST, EACH, SECOND = 1.0, 0.2, 1.0
"""Seconds before the first line, between two, and between two that count seconds."""
CLEAR = "\r\033[K"
STOPPED, UNWRITTEN = "Stopped.", "Stopped. Nothing was written."
"""Message after Ctrl-C, unless the command has a longer one."""


class Progress:
    """Progress of a command: `1,200 games checked`, or with a `total` `1,200 of 5,000 games checked`."""

    def __init__(self, what: str, total: int | None, at_terminal: bool, due: float) -> None:
        self.what, self.total, self.at_terminal = what, total, at_terminal
        self.count = 0
        self._due, self._shown = due, False

    def count_step(self) -> None:
        self.count += 1
        if self.at_terminal and (now := monotonic()) >= self._due:
            of_all = "" if self.total is None else f" of {self.total:,}"
            _write(f"{CLEAR}{self.count:,}{of_all} {self.what}")
            self._due, self._shown = now + EACH, True

    def clear(self) -> None:
        """Take the line away, before something else is printed."""
        if self._shown:
            _write(CLEAR)
            self._shown = False


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


@contextmanager
def report_stop(stopped: str) -> Iterator[None]:
    """Say what did not happen, if somebody presses Ctrl-C; the program then ends as it does for every Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        _write(f"\n{drawn.make_printable(stopped)}\n")
        raise


@contextmanager
def show_progress(
    what: str, total: int | None = None, *, wanted: bool = True, stopped: str = STOPPED
) -> Iterator[Progress]:
    """Show on a terminal, after a second, how many things are done (`games checked`), if `wanted`; `stopped` is for Ctrl-C."""
    shown = Progress(what, total, wanted and sys.stderr.isatty(), due=monotonic() + FIRST)
    with report_stop(stopped):
        try:
            yield shown
        finally:
            shown.clear()


@contextmanager
def show_waiting(what: str, stopped: str = STOPPED) -> Iterator[None]:
    """Show on a terminal, after a second, what a command waits for and since when; `stopped` is for Ctrl-C."""
    with report_stop(stopped), _show_seconds(what) if sys.stderr.isatty() else nullcontext():
        yield


@contextmanager
def _show_seconds(what: str) -> Iterator[None]:
    began, done = monotonic(), ThreadEvent()

    def tell() -> None:
        due = FIRST
        while not done.wait(due):
            due = SECOND
            _write(f"{CLEAR}{what} ... {monotonic() - began:.0f} s")

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
        if monotonic() - began >= FIRST:
            _write(CLEAR)


WRONG, UNREADABLE = 1, 2


def is_about_option(rule_id: str) -> bool:
    """Return True if a rule, or "" for none, is about a ruleset, ruling, player or words that an option names, so that no command is understood."""
    return rule_id in {"", "record.ruleset", "record.ruling", "record.seal"}


GAME, DEAL, DRAW = ".tkid", ".deal", ".draw"
"""What the names of files end with: of a game, and of what it is dealt or drawn from until it is there."""
FILES = (GAME, DEAL, DRAW, ".seed", ".nonce", ".key")
"""Endings of the names of all files of a game, including secrets."""


def offer(*words: str) -> Callable[..., Any]:
    """Return a function that makes an option, for which the shell completes one of some words."""
    return partial(Option, autocompletion=lambda incomplete: [word for word in words if word.startswith(incomplete)])


def as_typed(name: str | Path) -> str:
    """Return a word, such as a file name, as it is typed in a command: in quotes if a shell would split it."""
    from shlex import quote

    text = str(name)
    if os.name == "nt":
        return f'"{text}"' if " " in text else text
    return quote(text)


def fail(message: str, code: int = UNREADABLE) -> NoReturn:
    typer.echo("\n".join(map(drawn.log_text, message.split("\n"))), err=True)
    raise typer.Exit(code)


def describe_failure(error: Exception) -> str:
    return f"tkid failed at this file ({type(error).__name__}: {drawn.log_text(str(error))}). Please report it with the file"


def check_choice(option: str, typed: str, choices: Iterable[str]) -> None:
    """End the command if the value of an option is not one of its choices."""
    if typed not in choices:
        fail(f"{option} {typed}: choose one of {', '.join(choices)}.")


def check_option_alone(other: str, what: str) -> None:
    """End the command if something else was given with an option that needs nothing else; `what` says what it does."""
    if other:
        fail(f"{what}, so leave out `{other}`.")


@contextmanager
def stop_on_os_error(outcome: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        fail(f"{outcome}: {os_error_text(error)}")


def os_error_text(error: OSError) -> str:
    """Describe an error of the system. If the missing game is still being dealt, say how to continue."""
    if error.filename is None and error.errno == errno.EBADF:
        return "standard input is closed"
    missing = str(error.filename or "") if isinstance(error, FileNotFoundError) else ""
    before = (Path(missing).with_suffix(suffix) for suffix in (DEAL, DRAW) if missing.endswith(GAME))
    if made_of := next((file for file in before if file.is_file()), None):
        return f"{missing} is not there yet: {made_of} is not finished. Continue with `tkid letter new {as_typed(made_of)}`"
    return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
